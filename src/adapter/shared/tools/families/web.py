"""WebFetch and WebSearch: the address or the query is the title, the answer or the hits are the content."""

from __future__ import annotations

from typing import Any

from adapter.shared.tools.facts import CallContext, Content, InputFacts, Json, ResultFacts, Text, ToolKind, ToolResult
from adapter.shared.tools.families.base import Family, block_content, failure_content
from adapter.shared.tools.text import string


def describe_fetch(_name: str, tool_input: Json, context: CallContext) -> InputFacts:
    """`Fetch <url>`; what is asked of the page is shown with it."""
    url, prompt = string(tool_input.get("url")), string(tool_input.get("prompt"))
    content: tuple[Content, ...] = (Text(prompt),) if prompt and context.copies_input else ()
    return InputFacts(title=f"Fetch {url}" if url else "Fetch", kind=ToolKind.FETCH, content=content)


def describe_search(_name: str, tool_input: Json, _context: CallContext) -> InputFacts:
    """`Search "<query>"`, with the domains that it is limited to."""
    query = string(tool_input.get("query"))
    if not query:
        return InputFacts(title="Web search", kind=ToolKind.FETCH)
    allowed, blocked = _domains(tool_input.get("allowed_domains")), _domains(tool_input.get("blocked_domains"))
    limits = f" (only {allowed})" if allowed else f" (not {blocked})" if blocked else ""
    return InputFacts(title=f'Search "{query}"{limits}', kind=ToolKind.FETCH)


def read_result(_name: str, _input: Json, result: ToolResult, _context: CallContext) -> ResultFacts:
    """The answer, or the hits."""
    return ResultFacts(content=failure_content(result) if result.failed else block_content(result.content))


def _domains(value: Any) -> str:
    return ", ".join(string(domain) for domain in value if string(domain)) if isinstance(value, list) else ""


FETCH = Family(describe_fetch, read_result)
SEARCH = Family(describe_search, read_result)
