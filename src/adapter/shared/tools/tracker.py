"""All tool calls of a session: opened once, updated only with what is new, closed once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from adapter.shared.tools.facts import (
    CallContext,
    CommandOutput,
    FileSnapshot,
    InputFacts,
    Json,
    Location,
    TerminalChange,
    TerminalRef,
    ToolReport,
    ToolResult,
    ToolStatus,
)
from adapter.shared.tools.families import family_of
from adapter.shared.tools.families.base import Family
from adapter.shared.tools.families.files import preview

STOPPED_KIND = "user-rejected"
"""Claude Code's `non_execution_kind` of a call that an interrupt ended."""


@dataclass(slots=True)
class OpenCall:
    """A call whose result has not come. `sent` holds the fields that the client has."""

    call_id: str
    name: str
    parent_id: str
    family: Family
    input: Json = field(default_factory=dict)
    command: str = ""
    sent: dict[str, Any] = field(default_factory=dict)


class ToolCalls:
    """The open calls of one session, and the reports that tell a client about them.

    Args:
        context: What families may know of the client and the session.
    """

    def __init__(self, context: CallContext) -> None:
        self._context = context
        self._open: dict[str, OpenCall] = {}

    def is_open(self, call_id: str) -> bool:
        """Whether the call was opened and not closed."""
        return call_id in self._open

    def describe(self, call_id: str) -> InputFacts | None:
        """The facts of an open call's input so far."""
        call = self._open.get(call_id)
        return None if call is None else call.family.describe(call.name, call.input, self._context)

    def open(self, call_id: str, name: str, parent_id: str = "") -> list[ToolReport]:
        """A call has begun; its input is not known yet. Nothing happens if it is open already."""
        if call_id in self._open:
            return []
        call = OpenCall(call_id, name, parent_id, family_of(name))
        self._open[call_id] = call
        facts = call.family.describe(name, {}, self._context)
        terminal = TerminalChange(call_id, opened=True) if self._has_terminal(call) else None
        fields: dict[str, Any] = {
            "name": name,
            "rawInput": {},
            "status": ToolStatus.PENDING,
            "title": facts.title,
            "kind": facts.kind,
            "content": self._content(call, facts),
        }
        if facts.locations is not None:
            fields["locations"] = facts.locations
        return self._report(call, fields, opened=True, terminal=terminal)

    def refine(self, call_id: str, tool_input: Json) -> list[ToolReport]:
        """More of a call's input is known, or all of it."""
        call = self._open.get(call_id)
        if call is None:
            return []
        call.input = tool_input
        facts = call.family.describe(call.name, tool_input, self._context)
        fields: dict[str, Any] = {"rawInput": tool_input, "title": facts.title, "kind": facts.kind}
        if facts.content or self._has_terminal(call):
            fields["content"] = self._content(call, facts)
        if facts.locations is not None:
            fields["locations"] = facts.locations
        terminal = None
        if self._has_terminal(call) and facts.command != call.command:
            call.command = facts.command
            terminal = TerminalChange(call_id, command=facts.command)
        return self._report(call, fields, terminal=terminal)

    def show_preview(self, call_id: str, before: FileSnapshot) -> list[ToolReport]:
        """The file that a call would change is known: show the exact change to a client that takes patches."""
        call = self._open.get(call_id) if self._context.exact_patches else None
        content = preview(call.name, call.input, before) if call is not None else None
        return self._report(call, {"content": (content,)}) if call is not None and content is not None else []

    def locate(self, call_id: str, path: str) -> list[Location]:
        """The call's locations and `path`, if that is not one of them."""
        call = self._open[call_id]
        known = list(call.sent.get("locations") or ())
        return known if any(location.path == path for location in known) else [*known, Location(path)]

    def snapshot(self, call_id: str) -> dict[str, Any]:
        """All fields of an open call that the client has."""
        return dict(self._open[call_id].sent)

    def finish(self, call_id: str, result: ToolResult) -> list[ToolReport]:
        """The result of a call is there."""
        call = self._open.get(call_id)
        if call is None:
            return []
        facts = call.family.read_result(call.name, call.input, result, self._context)
        fields: dict[str, Any] = {"status": _final_status(result)}
        if facts.title:
            fields["title"] = facts.title
        if facts.content is not None:
            fields["content"] = facts.content
        if facts.locations is not None:
            fields["locations"] = facts.locations
        if facts.output is None:
            fields["rawOutput"] = result.content
        terminal = TerminalChange(call_id, output=facts.output) if facts.output is not None else None
        reports = self._report(call, fields, terminal=terminal, result=result)
        del self._open[call_id]
        return reports

    def close(self, status: ToolStatus, *, main_only: bool = False) -> list[ToolReport]:
        """End the calls that will get no result: their turn is over, or Claude Code has died.

        Args:
            status: What becomes of them.
            main_only: Leave the calls of subagents, which may work on after the turn.
        """
        reports: list[ToolReport] = []
        for call in [call for call in self._open.values() if not (main_only and call.parent_id)]:
            terminal = TerminalChange(call.call_id, output=CommandOutput("")) if self._has_terminal(call) else None
            reports += self._report(call, {"status": status}, terminal=terminal)
            del self._open[call.call_id]
        return reports

    def _has_terminal(self, call: OpenCall) -> bool:
        return self._context.terminal and call.family.runs_commands

    def _content(self, call: OpenCall, facts: InputFacts) -> tuple[Any, ...]:
        return (TerminalRef(call.call_id),) if self._has_terminal(call) else facts.content

    def _report(
        self,
        call: OpenCall,
        fields: dict[str, Any],
        *,
        opened: bool = False,
        terminal: TerminalChange | None = None,
        result: ToolResult | None = None,
    ) -> list[ToolReport]:
        changed = {name: value for name, value in fields.items() if name not in call.sent or call.sent[name] != value}
        call.sent.update(changed)
        structured = result.structured if result is not None and not result.failed else None
        if not changed and terminal is None:
            return []
        return [
            ToolReport(
                call_id=call.call_id,
                tool_name=call.name,
                opened=opened,
                fields=changed,
                parent_id=call.parent_id,
                terminal=terminal,
                response=structured,
                non_execution_kind=result.non_execution_kind if result is not None else "",
            )
        ]


def _final_status(result: ToolResult) -> ToolStatus:
    if not result.failed:
        return ToolStatus.COMPLETED
    return ToolStatus.CANCELLED if result.non_execution_kind == STOPPED_KIND else ToolStatus.FAILED
