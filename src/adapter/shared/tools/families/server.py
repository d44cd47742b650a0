"""Tools that the model's servers run (`server_tool_use`, `mcp_tool_use`): their result is a block of the same message.

Source: the Messages API's content blocks. A result's `content` is a list (hits, blocks of an MCP server) or one object.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from adapter.shared.tools.facts import CallContext, Content, InputFacts, Json, ResultFacts, Text, ToolKind, ToolResult
from adapter.shared.tools.families import web
from adapter.shared.tools.families.base import Family, block_content, failure_content
from adapter.shared.tools.text import fenced, string

USES = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
"""The types of the blocks that begin a tool call."""

RESULT_SUFFIX = "_tool_result"

EDITOR_VERBS = {"view": "View", "create": "Create", "str_replace": "Edit"}
REDACTED = "advisor_redacted_result"


def server_result(block: Json) -> ToolResult | None:
    """The result that a content block of an assistant message is, or `None` for any other block."""
    if not string(block.get("type")).endswith(RESULT_SUFFIX) or not string(block.get("tool_use_id")):
        return None
    content = block.get("content")
    failed = block.get("is_error") is True
    if isinstance(content, dict):
        failed = failed or string(content.get("type")).endswith("_error") or content.get("return_code", 0) != 0
    return ToolResult(content, failed)


def describe_code(_name: str, tool_input: Json, context: CallContext) -> InputFacts:
    """The code that runs."""
    code = string(tool_input.get("code"))
    content: tuple[Content, ...] = (Text(fenced(code)),) if code and context.copies_input else ()
    return InputFacts(title="Run code", kind=ToolKind.EXECUTE, content=content)


def describe_command(_name: str, tool_input: Json, _context: CallContext) -> InputFacts:
    """The command that runs."""
    return InputFacts(title=string(tool_input.get("command")) or "Run a command", kind=ToolKind.EXECUTE)


def describe_editor(_name: str, tool_input: Json, _context: CallContext) -> InputFacts:
    """`View <path>`. The path is one of the server's sandbox, so it is no location."""
    command, path = string(tool_input.get("command")), string(tool_input.get("path"))
    verb = EDITOR_VERBS.get(command, "Edit")
    kind = ToolKind.READ if command == "view" else ToolKind.EDIT
    return InputFacts(title=f"{verb} {path}" if path else f"{verb} a file", kind=kind)


def describe_tool_search(_name: str, tool_input: Json, _context: CallContext) -> InputFacts:
    """`Find tools: <query>`."""
    query = string(tool_input.get("pattern")) or string(tool_input.get("query"))
    return InputFacts(title=f"Find tools: {query}" if query else "Find tools", kind=ToolKind.SEARCH)


def describe_advisor(_name: str, _input: Json, _context: CallContext) -> InputFacts:
    """A second model is asked about the conversation so far."""
    return InputFacts(title="Ask the advisor", kind=ToolKind.THINK)


def read_result(_name: str, _input: Json, result: ToolResult, _context: CallContext) -> ResultFacts:
    """What came back, in words; an object of a kind that we do not know as it is."""
    content = result.content
    if not isinstance(content, dict):
        return ResultFacts(content=failure_content(result) if result.failed else _listed(content))
    kind = string(content.get("type"))
    if kind.endswith("_error"):
        said = [string(content.get("error_code")) or "unknown", string(content.get("error_message"))]
        return ResultFacts(content=(Text(fenced("Error: " + " - ".join(text for text in said if text))),))
    reader = READERS.get(kind, _unknown)
    return ResultFacts(content=reader(content), raw=False if kind == REDACTED else None)


def _listed(content: Any) -> tuple[Content, ...]:
    hits = web.hits(content)
    return (Text(hits),) if hits else block_content(content)


def _printed(result: Json) -> tuple[Content, ...]:
    streams = [string(result.get("stdout")).rstrip("\n"), string(result.get("stderr")).rstrip("\n")]
    code = result.get("return_code", 0)
    lines = [text for text in [*streams, f"Exit code {code}" if code else ""] if text]
    return (Text(fenced("\n".join(lines), "console")),) if lines else ()


def _fetched(result: Json) -> tuple[Content, ...]:
    return (Text(f"Fetched: {string(result.get('url'))}"),)


def _viewed(result: Json) -> tuple[Content, ...]:
    return (Text(fenced(string(result.get("content")))),)


def _created(result: Json) -> tuple[Content, ...]:
    return (Text("File updated" if result.get("is_file_update") is True else "File created"),)


def _replaced(result: Json) -> tuple[Content, ...]:
    lines = result.get("lines")
    return (Text(fenced("\n".join(map(string, lines)), "diff")),) if isinstance(lines, list) else ()


def _tools(result: Json) -> tuple[Content, ...]:
    return block_content(result.get("tool_references"))


def _advice(result: Json) -> tuple[Content, ...]:
    return block_content(string(result.get("text")))


def _hidden_advice(_result: Json) -> tuple[Content, ...]:
    return (Text("The advisor has answered; its words are for the model only."),)


def _unknown(result: Json) -> tuple[Content, ...]:
    return (Text(fenced(json.dumps(result, indent=2, ensure_ascii=False), "json")),)


READERS: dict[str, Callable[[Json], tuple[Content, ...]]] = {
    "advisor_redacted_result": _hidden_advice,
    "advisor_result": _advice,
    "bash_code_execution_result": _printed,
    "code_execution_result": _printed,
    "text_editor_code_execution_create_result": _created,
    "text_editor_code_execution_str_replace_result": _replaced,
    "text_editor_code_execution_view_result": _viewed,
    "tool_search_tool_search_result": _tools,
    "web_fetch_result": _fetched,
}
"""The results that are one object, by its type."""

SERVER_TOOLS: dict[str, Family] = {
    "advisor": Family(describe_advisor, read_result),
    "bash_code_execution": Family(describe_command, read_result),
    "code_execution": Family(describe_code, read_result),
    "text_editor_code_execution": Family(describe_editor, read_result),
    "tool_search_tool_bm25": Family(describe_tool_search, read_result),
    "tool_search_tool_regex": Family(describe_tool_search, read_result),
    "web_fetch": Family(web.describe_fetch, read_result),
    "web_search": Family(web.describe_search, read_result),
}
