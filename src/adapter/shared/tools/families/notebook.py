"""NotebookEdit: which cell changes."""

from __future__ import annotations

from adapter.shared.tools.facts import (
    CallContext,
    Content,
    InputFacts,
    Json,
    Location,
    ResultFacts,
    Text,
    ToolKind,
    ToolResult,
)
from adapter.shared.tools.families.base import Family, block_content, failure_content
from adapter.shared.tools.text import fenced, short_path, string

VERBS = {"insert": "Insert", "delete": "Delete"}


def describe(name: str, tool_input: Json, context: CallContext) -> InputFacts:
    """AIR shows the cell and its new source; other clients get what they always got: the tool's name."""
    if not context.one_field:
        return InputFacts(title=name)
    path, cell = string(tool_input.get("notebook_path")), string(tool_input.get("cell_id"))
    source = string(tool_input.get("new_source"))
    content: tuple[Content, ...] = (Text(fenced(source)),) if source and context.copies_input else ()
    verb = VERBS.get(string(tool_input.get("edit_mode")), "Edit")
    title = f"{verb} cell {cell + ' ' if cell else ''}in {short_path(path, context.cwd)}" if path else "Edit notebook"
    return InputFacts(title=title, kind=ToolKind.EDIT, content=content, locations=(Location(path),) if path else ())


def read_result(_name: str, _input: Json, result: ToolResult, context: CallContext) -> ResultFacts:
    """What the tool said; AIR shows the cell already."""
    if result.failed:
        return ResultFacts(content=failure_content(result))
    if context.one_field:
        return ResultFacts(raw=False)
    return ResultFacts(content=block_content(result.content))


FAMILY = Family(describe, read_result)
