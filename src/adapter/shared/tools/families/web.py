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
    """`Search "<query>"`."""
    query = string(tool_input.get("query"))
    return InputFacts(title=f'Search "{query}"' if query else "Web search", kind=ToolKind.FETCH)


def read_answer(_name: str, _input: Json, result: ToolResult, _context: CallContext) -> ResultFacts:
    """The answer."""
    return ResultFacts(content=failure_content(result) if result.failed else block_content(result.content))


def read_hits(_name: str, _input: Json, result: ToolResult, context: CallContext) -> ResultFacts:
    """The hits and what was said between them; the result's text is the same with instructions to the model."""
    found = result.structured.get("results") if isinstance(result.structured, dict) else None
    lines = [_found(part) for part in found] if isinstance(found, list) and not result.failed else []
    shown = "\n".join(line for line in lines if line)
    return ResultFacts(content=(Text(shown),)) if shown else read_answer(_name, _input, result, context)


def hits(content: Any) -> str:
    """Hits of a search, one a line; empty for a list without any."""
    listed = content if isinstance(content, list) else []
    return "\n".join(
        f"{string(hit.get('title'))} ({string(hit.get('url'))})"
        for hit in listed
        if isinstance(hit, dict) and string(hit.get("url"))
    )


def _found(part: Any) -> str:
    return hits(part.get("content")) if isinstance(part, dict) else string(part)


FETCH = Family(describe_fetch, read_answer)
SEARCH = Family(describe_search, read_hits)
