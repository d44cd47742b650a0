"""Any tool without a family of its own: its name, its input, and its result as it came."""

from __future__ import annotations

from adapter.shared.tools.facts import CallContext, InputFacts, Json
from adapter.shared.tools.families import server
from adapter.shared.tools.families.base import Family

PLAIN_TOOLS = frozenset(
    {
        "EnterWorktree",
        "ExitWorktree",
        "ListAgents",
        "Monitor",
        "ScheduleWakeup",
        "SendMessage",
        "TaskStop",
        "ToolSearch",
        "Workflow",
    }
)
"""Claude Code's own tools whose input and result say best by themselves what they do."""


def describe(name: str, _input: Json, _context: CallContext) -> InputFacts:
    """The tool's name is its title."""
    return InputFacts(title=name)


FAMILY = Family(describe, server.read_result)
"""The result is shown by its blocks, or the one object that a tool of the model's servers gave."""
