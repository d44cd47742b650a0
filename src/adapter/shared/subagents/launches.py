"""The calls that set a subagent to work. A client that shows subagents as sessions sees the session, not the call."""

from __future__ import annotations

from typing import Any

from adapter.shared.tools.facts import ToolReport, ToolStatus

LAUNCHERS = frozenset({"Agent", "Task"})
RESUMER = "SendMessage"
FINAL = frozenset({ToolStatus.COMPLETED, ToolStatus.FAILED, ToolStatus.CANCELLED})


class Launches:
    """Holds the reports of such calls back until it is known what they do.

    Args:
        names: The tools whose calls are held back.
    """

    def __init__(self, names: frozenset[str]) -> None:
        self._names = names
        self._held: dict[str, list[ToolReport]] = {}
        self._shown: set[str] = set()
        self._replaced: set[str] = set()

    def concerns(self, report: ToolReport) -> bool:
        """Whether a report may have to wait."""
        return report.tool_name in self._names and report.call_id not in self._shown

    def is_replaced(self, call_id: str) -> bool:
        """Whether a child session stands for the call."""
        return call_id in self._replaced

    def replace(self, call_id: str) -> None:
        """A child session stands for the call: nothing of it goes out."""
        if call_id not in self._shown:
            self._held.pop(call_id, None)
            self._replaced.add(call_id)

    def parent_of(self, call_id: str) -> str:
        """The `parent_tool_use_id` of a call whose reports are held back."""
        return next((report.parent_id for report in self._held.get(call_id, ())), "")

    def take(self, report: ToolReport) -> list[ToolReport]:
        """What goes out now that this report has come."""
        call_id = report.call_id
        if call_id in self._replaced:
            return []
        self._held.setdefault(call_id, []).append(report)
        return self.show(call_id) if self._is_ordinary(report) else []

    def show(self, call_id: str) -> list[ToolReport]:
        """The call is one like any other: what was held back goes out."""
        self._shown.add(call_id)
        return self._held.pop(call_id, [])

    def _is_ordinary(self, report: ToolReport) -> bool:
        if report.fields.get("status") not in FINAL:
            return False
        return report.tool_name != RESUMER or not resumed_agent(report.response)


def resumed_agent(response: Any) -> str:
    """The agent that a SendMessage set to work again; empty if it did not."""
    if not isinstance(response, dict) or response.get("success") is not True:
        return ""
    agent = response.get("resumedAgentId")
    return agent if isinstance(agent, str) else ""
