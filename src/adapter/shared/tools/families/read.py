"""Read: the path with its line range, and the text, images or pages that came back."""

from __future__ import annotations

import re

from adapter.shared.tools.facts import (
    Block,
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
from adapter.shared.tools.families.base import Family, failure_content
from adapter.shared.tools.text import fenced, integer, short_path, string

LAST_EMPTY_LINE = re.compile(r"\n *\d+\t?$")


def describe(_name: str, tool_input: Json, context: CallContext) -> InputFacts:
    """`Read a.txt (2 - 5)` for lines 2 to 5, `(from line 2)` without a limit."""
    path = string(tool_input.get("file_path"))
    if not path:
        return InputFacts(title="Read File", kind=ToolKind.READ, locations=())
    first = max(1, integer(tool_input.get("offset"), 1))
    limit = integer(tool_input.get("limit"), 0)
    lines = ""
    if limit > 0:
        lines = f" ({first} - {first + limit - 1})"
    elif first > 1:
        lines = f" (from line {first})"
    return InputFacts(
        title=f"Read {short_path(path, context.cwd)}{lines}",
        kind=ToolKind.READ,
        locations=(Location(path, first),),
    )


def read_result(_name: str, _input: Json, result: ToolResult, context: CallContext) -> ResultFacts:
    """Text as a code block, with the line numbers that Claude saw; images as they are.

    A client that gets each fact once opens the file itself, at the location that it has: it gets no text.
    """
    if result.failed:
        return ResultFacts(content=failure_content(result))
    blocks = result.content if isinstance(result.content, list) else [{"type": "text", "text": result.content}]
    shown = tuple(_shown(block) for block in blocks if isinstance(block, dict))
    if context.one_field:
        pictures = tuple(item for item in shown if isinstance(item, Block) and item.block.get("type") == "image")
        return ResultFacts(content=pictures or None, raw=False)
    return ResultFacts(content=shown)


def _shown(block: Json) -> Content:
    if block.get("type") != "text":
        return Block(block)
    return Text(fenced(LAST_EMPTY_LINE.sub("", string(block.get("text")))))


FAMILY = Family(describe, read_result)
