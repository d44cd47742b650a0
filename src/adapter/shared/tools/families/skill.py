"""Skill: which one is loaded."""

from __future__ import annotations

from adapter.shared.tools.facts import CallContext, InputFacts, Json, ResultFacts, ToolResult
from adapter.shared.tools.families.base import Family, failure_content
from adapter.shared.tools.text import string


def describe(_name: str, tool_input: Json, context: CallContext) -> InputFacts:
    """`Load skill: <name>`."""
    skill = string(tool_input.get("skill")) or string(tool_input.get("command"))
    if not skill:
        return InputFacts(title="Load skill")
    path = context.skills.get(skill)
    return InputFacts(
        title=f"Load skill: {skill}", hints={"skill": {"name": skill, "path": path} if path else {"name": skill}}
    )


def read_result(_name: str, _input: Json, result: ToolResult, _context: CallContext) -> ResultFacts:
    """A loaded skill says nothing that a person needs."""
    return ResultFacts(content=failure_content(result) if result.failed else None)


FAMILY = Family(describe, read_result)
