"""What families may know of a few kinds of clients, and tool results in short."""

from __future__ import annotations

from typing import Any

from adapter.shared.tools.facts import CallContext, FileSnapshot, ToolResult

PLAIN = CallContext("/w", exact_patches=False, terminal=False)
"""A client of v1 without extensions."""
TERMINAL = CallContext("/w", exact_patches=False, terminal=True)
"""A client of v1 that shows the output of commands in terminals."""
PATCHES = CallContext("/w", exact_patches=True, terminal=True, snippets=False)
"""A client of v2."""
FIELDS = CallContext(
    "/w", exact_patches=True, terminal=True, snippets=True, copies_input=False, one_field=True, plan_file=True
)
"""A client that gets each fact once."""


def ran(content: Any, structured: Any = None, after: FileSnapshot | None = None) -> ToolResult:
    """The result of a tool that did its work."""
    return ToolResult(content, failed=False, structured=structured, after=after)


def failed(content: Any, kind: str = "", structured: Any = None) -> ToolResult:
    """The result of a tool that failed, or (`kind`) that did not run."""
    return ToolResult(content, failed=True, structured=structured, non_execution_kind=kind)
