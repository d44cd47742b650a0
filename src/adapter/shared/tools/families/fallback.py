"""Any tool without a family of its own: its name, its input, and its result as it came."""

from __future__ import annotations

from adapter.shared.tools.facts import CallContext, InputFacts, Json, ResultFacts, ToolResult
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


def read_result(name: str, tool_input: Json, result: ToolResult, context: CallContext) -> ResultFacts:
    """The result's blocks, or the one object that a tool of the model's servers gave."""
    return server.read_result(name, tool_input, result, context)


FAMILY = Family(describe, read_result)
