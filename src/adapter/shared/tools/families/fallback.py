"""Any tool without a family of its own: its name, its input, and its result as it came."""

from __future__ import annotations

from adapter.shared.tools.facts import CallContext, InputFacts, Json, ResultFacts, ToolResult
from adapter.shared.tools.families.base import Family, block_content, failure_content

PLAIN_TOOLS = frozenset(
    {
        "CronCreate",
        "CronDelete",
        "CronList",
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


def read_result(_name: str, _input: Json, result: ToolResult, _context: CallContext) -> ResultFacts:
    """The result's blocks."""
    return ResultFacts(content=failure_content(result) if result.failed else block_content(result.content))


FAMILY = Family(describe, read_result)
