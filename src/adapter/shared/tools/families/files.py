"""Edit and Write: what changes in a file, as a snippet first and as the real change once it is known."""

from __future__ import annotations

from adapter.shared.tools.diff import apply_edit, exact_patch, hunk_diffs
from adapter.shared.tools.facts import (
    CallContext,
    Content,
    Diff,
    FileSnapshot,
    InputFacts,
    Json,
    Location,
    ResultFacts,
    ToolKind,
    ToolResult,
)
from adapter.shared.tools.families.base import Family, failure_content
from adapter.shared.tools.text import short_path, string


def describe_edit(_name: str, tool_input: Json, context: CallContext) -> InputFacts:
    """The snippet's diff, unless the client waits for an exact patch."""
    path = string(tool_input.get("file_path"))
    old, new = tool_input.get("old_string"), tool_input.get("new_string")
    snippet: tuple[Content, ...] = ()
    if path and isinstance(old, str) and isinstance(new, str) and not context.exact_patches:
        snippet = (Diff(path, old or None, new),)
    return _facts("Edit", path, "Edit", snippet, context)


def describe_write(_name: str, tool_input: Json, context: CallContext) -> InputFacts:
    """The new text; whether it replaces another is not known from the input."""
    path = string(tool_input.get("file_path"))
    text = tool_input.get("content")
    snippet: tuple[Content, ...] = ()
    if path and isinstance(text, str) and not context.exact_patches:
        snippet = (Diff(path, None, text),)
    return _facts("Write", path, "Preparing file…", snippet, context)


def preview(tool_name: str, tool_input: Json, before: FileSnapshot) -> Content | None:
    """What an Edit or a Write would do to the file as it is now, or `None` if there is no exact answer.

    Args:
        tool_name: The tool; `None` comes back for all but Edit and Write.
        tool_input: Its complete input.
        before: The file.
    """
    path = string(tool_input.get("file_path"))
    if tool_name == "Write":
        return exact_patch(path, before, string(tool_input.get("content")))
    if tool_name != "Edit":
        return None
    old, new = string(tool_input.get("old_string")), string(tool_input.get("new_string"))
    after = apply_edit(before.text, old, new, everywhere=tool_input.get("replace_all") is True)
    return None if after is None else exact_patch(path, before, after)


def read_change(name: str, tool_input: Json, result: ToolResult, context: CallContext) -> ResultFacts:
    """The change as it was made: exact hunks for a client that takes patches, else one fragment a hunk."""
    change = result.structured
    if result.failed:
        return ResultFacts(content=failure_content(result))
    if not isinstance(change, dict):
        return ResultFacts()
    path = string(change.get("filePath")) or string(tool_input.get("file_path"))
    diffs, locations = hunk_diffs(path, change.get("structuredPatch"))
    content: tuple[Content, ...] = diffs
    if context.exact_patches:
        patch = preview(name, tool_input, _original(change))
        content = (patch,) if patch else content or _whole(name, tool_input, path)
    return ResultFacts(content=content or None, locations=locations or None)


def _original(change: Json) -> FileSnapshot:
    text = change.get("originalFile")
    if not isinstance(text, str):
        return FileSnapshot("missing")
    return FileSnapshot("opaque" if "\r" in text or "\0" in text else "text", text)


def _whole(name: str, tool_input: Json, path: str) -> tuple[Content, ...]:
    return (Diff(path, None, string(tool_input.get("content"))),) if name == "Write" else ()


def _facts(verb: str, path: str, unnamed: str, content: tuple[Content, ...], context: CallContext) -> InputFacts:
    return InputFacts(
        title=f"{verb} {short_path(path, context.cwd)}" if path else unnamed,
        kind=ToolKind.EDIT,
        content=content,
        locations=(Location(path),) if path else (),
    )


EDIT = Family(describe_edit, read_change)
WRITE = Family(describe_write, read_change)
