"""Calls that have no result yet, commands that outlive theirs, and what is told of them meanwhile."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from adapter.shared.tools.facts import CommandOutput, Json, Location, TerminalChange, Text, ToolReport
from adapter.shared.tools.families.shell import trailing_newlines, without_exit_mark
from adapter.shared.tools.open_call import OpenCall


class RunningCalls:
    """The calls of one session that work."""

    def __init__(self) -> None:
        self._open: dict[str, OpenCall] = {}
        self._background: dict[str, OpenCall] = {}

    def is_open(self, call_id: str) -> bool:
        """Whether the call was opened and not closed."""
        return call_id in self._open

    def has_inner(self, parent_id: str) -> bool:
        """Whether a call of this subagent is open."""
        return any(call.parent_id == parent_id for call in self._open.values())

    def name_of(self, call_id: str) -> str:
        """The tool of an open call; empty if there is none."""
        call = self._open.get(call_id)
        return "" if call is None else call.name

    def input_of(self, call_id: str) -> Json:
        """What is known of the input of an open call."""
        call = self._open.get(call_id)
        return {} if call is None else call.input

    def locations(self, call_id: str) -> tuple[Location, ...]:
        """Where an open call is known to work."""
        return tuple(self._open[call_id].sent.get("locations") or ())

    def snapshot(self, call_id: str) -> dict[str, Any]:
        """The fields of an open call for its question: all that the client has, or content only if it is new there."""
        call = self._open[call_id]
        fields = dict(call.sent)
        if call.context.one_field:
            fields["content"] = call.asked
        return fields

    def progressed(self, call_id: str, parent_id: str, progress: Json) -> list[ToolReport]:
        """A call works on. A beat of a call that the client does not know is one of its parent."""
        call = self._open.get(call_id) or self._open.get(parent_id)
        return [] if call is None else call.beat(progress)

    def runs_command(self, call_id: str) -> bool:
        """Whether the call has a terminal whose command runs, in the foreground or in the background."""
        call = self._open.get(call_id) or self._background.get(call_id)
        return call is not None and call.has_terminal

    def command_of(self, call_id: str) -> str:
        """The command that the terminal of a call was told."""
        call = self._open.get(call_id) or self._background.get(call_id)
        return "" if call is None else call.command

    def printed(self, call_id: str, text: str) -> list[ToolReport]:
        """A running command has printed more. Newlines at the end are told with what follows them, as in a result."""
        call = self._open.get(call_id) or self._background.get(call_id)
        if call is None:
            return []
        data = text
        if call_id in self._background:
            data = without_exit_mark(text)
        data = trailing_newlines(call.printed) + data if data.strip("\n") else ""
        data = data.rstrip("\n")
        call.printed += text
        return [call.of_terminal(TerminalChange(call_id, data=data))] if data else []

    def command_ended(self, call_id: str) -> list[ToolReport]:
        """A command in the background has ended; its exit code is not told."""
        call = self._background.pop(call_id, None)
        ended = CommandOutput("", continued=True)
        if call is None:
            return []
        return [call.of_terminal(TerminalChange(call_id, output=ended, was_in_background=True))]

    def respond(self, call_id: str, response: Any) -> list[ToolReport]:
        """The structured result of an open call has come by itself, before the result."""
        call = self._open.get(call_id)
        if call is None:
            return []
        call.response = response
        return [replace(_bare(call), response=response)]

    def denied(self, call_id: str, denial: Json, text: str) -> list[ToolReport]:
        """An open call was refused without a question. Its result will end it."""
        call = self._open.get(call_id)
        if call is None:
            return []
        [report] = call.report({"content": (Text(text),)}) or [_bare(call)]
        return [replace(report, response=denial)]


def _bare(call: OpenCall) -> ToolReport:
    return ToolReport(call.call_id, call.name, opened=False, fields={}, parent_id=call.parent_id)
