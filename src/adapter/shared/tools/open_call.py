"""One tool call whose result has not come, and the reports that tell a client what is new about it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Any, TypeVar

from adapter.shared.tools.facts import (
    CallContext,
    Content,
    Diff,
    FileSnapshot,
    Json,
    Location,
    Patch,
    TerminalChange,
    ToolReport,
    ToolResult,
    ToolStatus,
)
from adapter.shared.tools.families.base import Family

T = TypeVar("T")


@dataclass(slots=True)
class OpenCall:
    """A call and what the client has of it.

    Attributes:
        call_id: Claude's tool use id.
        name: Claude's name of the tool.
        parent_id: The call of the subagent that made it; empty for the main conversation.
        family: How its input and its result are read.
        context: What a report may hold.
        input: Its input so far.
        command: The command that its terminal was told.
        sent: The fields that the client has.
        hints: The hints that the client has.
        response: Its structured result, where that came before the result.
        printed: What its terminal was told while its command ran.
        progress: What the client was told last of how it goes.
        before: The file that it would change, as it was when the user was asked.
        asked: The content that only its question has.
    """

    call_id: str
    name: str
    parent_id: str
    family: Family
    context: CallContext
    input: Json = field(default_factory=dict)
    command: str = ""
    sent: dict[str, Any] = field(default_factory=dict)
    hints: Json = field(default_factory=dict)
    response: Any = None
    printed: str = ""
    progress: Json = field(default_factory=dict)
    before: FileSnapshot | None = None
    asked: tuple[Content, ...] = ()

    @property
    def has_terminal(self) -> bool:
        """Whether the client shows its output in a terminal."""
        return self.context.terminal and self.family.runs_commands

    def of_terminal(self, change: TerminalChange) -> ToolReport:
        """A report of nothing but its terminal."""
        return ToolReport(self.call_id, self.name, opened=False, fields={}, parent_id=self.parent_id, terminal=change)

    def beat(self, progress: Json) -> list[ToolReport]:
        """A report that it works on, if that is news."""
        if progress == self.progress:
            return []
        self.progress = progress
        fields = {} if self.sent.get("status") is ToolStatus.IN_PROGRESS else {"status": ToolStatus.IN_PROGRESS}
        self.sent.update(fields)
        return [
            ToolReport(
                self.call_id, self.name, opened=False, fields=dict(fields), parent_id=self.parent_id, progress=progress
            )
        ]

    def report(
        self,
        fields: dict[str, Any],
        *,
        opened: bool = False,
        terminal: TerminalChange | None = None,
        result: ToolResult | None = None,
        hints: Json | None = None,
    ) -> list[ToolReport]:
        """A report of what is new in these fields and hints, if anything is, or if its terminal has news."""
        if fields.get("locations"):
            fields["locations"] = tuple(self.placed(place) for place in fields["locations"])
        if fields.get("content"):
            fields["content"] = tuple(self.placed(item) for item in fields["content"])
        changed = {name: value for name, value in fields.items() if name not in self.sent or self.sent[name] != value}
        self.sent.update(changed)
        new_hints = {name: hint for name, hint in (hints or {}).items() if self.hints.get(name) != hint}
        self.hints.update(new_hints)
        structured = result.structured if result is not None and not result.failed else None
        if not changed and terminal is None and not (new_hints and self.context.one_field):
            return []
        return [
            ToolReport(
                call_id=self.call_id,
                tool_name=self.name,
                opened=opened,
                fields=changed,
                parent_id=self.parent_id,
                terminal=terminal,
                response=structured,
                hints=new_hints,
                non_execution_kind=result.non_execution_kind if result is not None else "",
            )
        ]

    def placed(self, item: T) -> T:
        """A location or other content, with an absolute path: a model may name one relative to the session's folder."""
        if not isinstance(item, Location | Diff | Patch) or PurePath(item.path).is_absolute():
            return item
        return replace(item, path=str(PurePath(self.context.cwd) / item.path))
