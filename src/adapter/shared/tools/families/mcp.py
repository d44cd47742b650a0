"""Tools of MCP servers: `mcp__<server>__<tool>`."""

from __future__ import annotations

from adapter.shared.tools.facts import CallContext, InputFacts, Json, ResultFacts, ToolResult
from adapter.shared.tools.families.base import Family, block_content, failure_content

PREFIX = "mcp__"


def describe(name: str, _input: Json, _context: CallContext) -> InputFacts:
    """The tool's whole name is its title. A name that lacks a part is no more than that."""
    server, _, tool = name.removeprefix(PREFIX).partition("__")
    return InputFacts(title=name, hints={"mcp": {"server": server, "tool": tool}} if server and tool else {})


def read_result(_name: str, _input: Json, result: ToolResult, _context: CallContext) -> ResultFacts:
    """Text, images and links as they came."""
    return ResultFacts(content=failure_content(result) if result.failed else block_content(result.content))


FAMILY = Family(describe, read_result)
