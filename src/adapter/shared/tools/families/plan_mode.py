"""EnterPlanMode and ExitPlanMode: the plan to approve, and what became of it."""

from __future__ import annotations

from adapter.shared.tools.facts import CallContext, Content, InputFacts, Json, ResultFacts, Text, ToolKind, ToolResult
from adapter.shared.tools.families.base import Family, block_content, failure_content
from adapter.shared.tools.text import string

PLAN_LEFT = "Exited Plan Mode"


def describe_enter(name: str, _input: Json, _context: CallContext) -> InputFacts:
    """There is nothing to say but the tool's name."""
    return InputFacts(title=name, kind=ToolKind.SWITCH_MODE)


def describe_exit(_name: str, tool_input: Json, context: CallContext) -> InputFacts:
    """The plan; a client that opens the plan's file gets the path instead of the text."""
    plan, path = string(tool_input.get("plan")), string(tool_input.get("planFilePath"))
    by_file = context.plan_file and bool(path)
    content: tuple[Content, ...] = (Text(plan),) if plan and context.copies_input and not by_file else ()
    return InputFacts(
        title="Approve Plan",
        kind=ToolKind.SWITCH_MODE,
        content=content,
        carried=frozenset({"plan"}) if by_file else frozenset(),
    )


def read_enter(_name: str, _input: Json, result: ToolResult, _context: CallContext) -> ResultFacts:
    """What the model was told."""
    return ResultFacts(content=failure_content(result) if result.failed else block_content(result.content))


def read_exit(_name: str, tool_input: Json, result: ToolResult, context: CallContext) -> ResultFacts:
    """Approved, perhaps with the plan's file, which the input need not have named; or the reason why not."""
    if not result.failed:
        structured = result.structured if isinstance(result.structured, dict) else {}
        path = "" if tool_input.get("planFilePath") else string(structured.get("filePath"))
        named = {"planFilePath": path} if context.plan_file and path else None
        return ResultFacts(title=PLAN_LEFT, raw=not context.one_field, named=named)
    return ResultFacts(content=None if context.one_field else failure_content(result), raw=True)


ENTER = Family(describe_enter, read_enter)
EXIT = Family(describe_exit, read_exit)
