"""All tool calls of a session: opened once, updated only with what is new, closed once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from adapter.shared.tools.facts import (
    CallContext,
    CommandOutput,
    Diff,
    FileSnapshot,
    InputFacts,
    Json,
    Patch,
    ResultFacts,
    TerminalChange,
    TerminalRef,
    Text,
    ToolKind,
    ToolReport,
    ToolResult,
    ToolStatus,
)
from adapter.shared.tools.families import family_of
from adapter.shared.tools.families.files import preview
from adapter.shared.tools.families.shell import unsent
from adapter.shared.tools.open_call import OpenCall
from adapter.shared.tools.running_calls import RunningCalls

NO_RESULT = "The turn was cancelled before this tool call returned a result."
"""What a call of a stopped subagent shows."""

STOPPED_KIND = "user-rejected"
"""Claude Code's `non_execution_kind` of a call that an interrupt ended."""


class ToolCalls(RunningCalls):
    """The open calls of one session, and the reports that tell a client about them.

    Args:
        context: What families may know of the client and the session.
    """

    def __init__(self, context: CallContext) -> None:
        super().__init__()
        self._context = context
        self._closed: set[str] = set()
        self.ends_itself: Callable[[str], bool] = lambda _: False
        """Tells of a call whether the subagent that it launched will report its own end."""

    def describe(self, call_id: str) -> InputFacts | None:
        """The facts of an open call's input so far."""
        call = self._open.get(call_id)
        return None if call is None else call.family.describe(call.name, call.input, self._context)

    def open(self, call_id: str, name: str, parent_id: str = "") -> list[ToolReport]:
        """A call has begun; its input is not known yet. Nothing happens if it is open already, or over."""
        if call_id in self._open or call_id in self._closed:
            return []
        call = OpenCall(call_id, name, parent_id, family_of(name), self._context)
        self._open[call_id] = call
        facts = call.family.describe(name, {}, self._context)
        terminal = TerminalChange(call_id, opened=True) if call.has_terminal else None
        fields: dict[str, Any] = {
            "name": name,
            **({} if self._context.one_field else {"rawInput": {}}),
            "status": ToolStatus.PENDING,
            "title": facts.title,
            "kind": facts.kind,
            "content": self._content(call, facts),
        }
        if facts.locations is not None:
            fields["locations"] = facts.locations
        return call.report(fields, opened=True, terminal=terminal, hints=facts.hints)

    def refine(self, call_id: str, tool_input: Json, *, complete: bool = True) -> list[ToolReport]:
        """More of a call's input is known, or all of it. What a person reads of it is shown when it is complete."""
        call = self._open.get(call_id)
        if call is None:
            return []
        call.input = tool_input
        facts = call.family.describe(call.name, tool_input, self._context)
        fields: dict[str, Any] = {"title": facts.title, "kind": facts.kind}
        if complete or not self._context.one_field:
            fields["rawInput"] = _without(tool_input, facts.carried) if self._context.one_field else tool_input
        if complete and (facts.content or call.has_terminal):
            fields["content"] = self._content(call, facts)
        if facts.locations is not None:
            fields["locations"] = facts.locations
        terminal = None
        if call.has_terminal and facts.command != call.command:
            call.command = facts.command
            terminal = TerminalChange(call_id, command=facts.command)
        return call.report(fields, terminal=terminal, hints=facts.hints)

    def shown_input(self, call_id: str, tool_input: Json) -> Json:
        """An input for its question: without the text that another field carries, if the client gets each fact once."""
        call = self._open[call_id]
        if not self._context.one_field:
            return tool_input
        facts = call.family.describe(call.name, tool_input, self._context)
        is_shown = any(isinstance(item, Diff | Patch) for item in call.sent["content"])
        return tool_input if facts.kind is ToolKind.EDIT and not is_shown else _without(tool_input, facts.carried)

    def show_preview(self, call_id: str, before: FileSnapshot) -> list[ToolReport]:
        """The file that a call would change is known: show the exact change to a client that takes patches."""
        call = self._open.get(call_id) if self._context.exact_patches else None
        if call is None:
            return []
        call.before = before
        content = preview(call.name, call.input, before)
        if content is None:
            return []
        if self._context.one_field:
            # The question carries the change, and the call need not repeat it.
            call.asked = call.sent["content"] = (call.placed(content),)
            return []
        return call.report({"content": (content,)})

    def finish(self, call_id: str, result: ToolResult) -> list[ToolReport]:
        """The result of a call is there."""
        call = self._open.get(call_id)
        if call is None:
            return []
        structured = result.structured if result.structured is not None else call.response
        known = replace(result, structured=structured, before=call.before)
        facts = call.family.read_result(call.name, call.input, known, self._context)
        fields: dict[str, Any] = {"status": _final_status(result)}
        if facts.title:
            fields["title"] = facts.title
        if facts.named is not None:
            fields["rawInput"] = facts.named
        if facts.content is not None:
            fields["content"] = facts.content
            if result.non_execution_kind and not self._context.one_field:
                # A change that was refused can still be read, and copied.
                fields["content"] += _changes(call)
        if facts.locations is not None:
            fields["locations"] = facts.locations
        if self._shows_raw(facts):
            fields["rawOutput"] = result.content
        terminal = None
        if facts.output is not None:
            terminal = TerminalChange(call_id, output=unsent(facts.output, call.printed))
            if facts.output.goes_on:
                self._background[call_id] = call
                # What it prints from now on begins behind Claude Code's own words on the launch.
                call.printed = "\n"
        reports = call.report(fields, terminal=terminal, result=result)
        self._forget(call)
        goes_on = isinstance(result.structured, dict) and result.structured.get("isAsync") is True
        return reports if goes_on or self.ends_itself(call_id) else self.close_inner(call_id) + reports

    def close_inner(self, parent_id: str, *, stopped: bool = False) -> list[ToolReport]:
        """A subagent has ended, or was stopped: its calls that got no result end with it."""
        inner = [call for call in self._open.values() if call.parent_id == parent_id]
        remark = NO_RESULT if stopped else ""
        return [report for call in inner for report in self._close(call, ToolStatus.CANCELLED, remark)]

    def close(self, status: ToolStatus, *, main_only: bool = False) -> list[ToolReport]:
        """End the calls that will get no result: their turn is over, or Claude Code has died.

        Args:
            status: What becomes of them.
            main_only: Leave the calls of subagents, which may work on after the turn.
        """
        ended = [call for call in self._open.values() if not (main_only and call.parent_id)]
        reports = [report for call in ended for report in self._close(call, status)]
        background = [] if main_only else list(self._background)
        return reports + [report for call_id in background for report in self.command_ended(call_id)]

    def conclude(self, call_id: str) -> list[ToolReport]:
        """End a call well whose refusal is a matter between Claude Code and us, not the client's."""
        call = self._open.get(call_id)
        if call is None:
            return []
        self._forget(call)
        refused = ToolResult("", failed=False, non_execution_kind="user-rejected")
        return call.report({"status": ToolStatus.COMPLETED}, result=refused)

    def end(self, call_id: str, status: ToolStatus) -> list[ToolReport]:
        """End a call that no result will end."""
        call = self._open.get(call_id)
        return [] if call is None else self._close(call, status)

    def _close(self, call: OpenCall, status: ToolStatus, remark: str = "") -> list[ToolReport]:
        """End a call; a remark is shown in place of its content, but for changes and what its command printed."""
        terminal = (
            TerminalChange(call.call_id, output=CommandOutput("", continued=bool(call.printed)))
            if call.has_terminal
            else None
        )
        self._forget(call)
        fields: dict[str, Any] = {"status": status}
        if remark and not call.has_terminal:
            fields["content"] = (Text(remark), *_changes(call))
        return call.report(fields, terminal=terminal)

    def _forget(self, call: OpenCall) -> None:
        del self._open[call.call_id]
        self._closed.add(call.call_id)

    def forget_closed(self) -> None:
        """A turn is over: no late frame of its closed calls can come any more."""
        self._closed.clear()

    def _shows_raw(self, facts: ResultFacts) -> bool:
        if facts.raw is not None:
            return facts.raw
        return facts.output is None and (facts.content is None or not self._context.one_field)

    def _content(self, call: OpenCall, facts: InputFacts) -> tuple[Any, ...]:
        return (TerminalRef(call.call_id),) if call.has_terminal else facts.content


def _without(tool_input: Json, keys: frozenset[str]) -> Json:
    return {key: value for key, value in tool_input.items() if key not in keys}


def _changes(call: OpenCall) -> tuple[Diff | Patch, ...]:
    return tuple(item for item in call.sent["content"] if isinstance(item, Diff | Patch))


def _final_status(result: ToolResult) -> ToolStatus:
    if not result.failed:
        return ToolStatus.COMPLETED
    return ToolStatus.CANCELLED if result.non_execution_kind == STOPPED_KIND else ToolStatus.FAILED
