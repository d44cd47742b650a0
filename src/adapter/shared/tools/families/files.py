"""Edit and Write: what changes in a file, as a snippet first and as the real change once it is known."""

from __future__ import annotations

from adapter.shared.tools.diff import apply_edit, exact_patch, has_exact_text, hunk_diffs, hunk_patch
from adapter.shared.tools.facts import (
    CallContext,
    Content,
    Diff,
    FileSnapshot,
    InputFacts,
    Json,
    Location,
    Patch,
    ResultFacts,
    Text,
    ToolKind,
    ToolResult,
)
from adapter.shared.tools.families.base import Family, failure_content
from adapter.shared.tools.text import plain_text, short_path, string

EDIT_TEXT = frozenset({"old_string", "new_string"})
WRITE_TEXT = frozenset({"content"})
OVERWRITTEN = "has been updated"
"""What Claude Code says of a Write to a file that was there."""


def describe_edit(_name: str, tool_input: Json, context: CallContext) -> InputFacts:
    """The snippet's diff, unless the client waits for an exact patch."""
    path = string(tool_input.get("file_path"))
    old, new = tool_input.get("old_string"), tool_input.get("new_string")
    snippet: tuple[Content, ...] = ()
    if path and isinstance(old, str) and isinstance(new, str) and context.snippets:
        snippet = (Diff(path, old or None, new),)
    return _facts("Edit", path, "Edit", snippet, EDIT_TEXT, context)


def describe_write(_name: str, tool_input: Json, context: CallContext) -> InputFacts:
    """The new text; whether it replaces another is not known from the input, so a client of patches waits for one."""
    path = string(tool_input.get("file_path"))
    text = tool_input.get("content")
    snippet: tuple[Content, ...] = ()
    if path and isinstance(text, str) and context.snippets and not context.exact_patches:
        snippet = (Diff(path, None, text),)
    return _facts("Write", path, "Preparing file…", snippet, WRITE_TEXT, context)


def preview(tool_name: str, tool_input: Json, before: FileSnapshot) -> Content | None:
    """What an Edit or a Write would do to the file as it is now, or `None` if the input says it as well.

    A Write whose text has no exact patch is a diff of the texts, or a notice if the file has none that can be shown.

    Args:
        tool_name: The tool; `None` comes back for all but Edit and Write.
        tool_input: Its complete input.
        before: The file.
    """
    path = string(tool_input.get("file_path"))
    if tool_name == "Write":
        text = string(tool_input.get("content"))
        return exact_patch(path, before, text) or _inexact(path, before, text)
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
        return ResultFacts(content=_unmeasured(name, tool_input, result, context), raw=True)
    path = string(change.get("filePath")) or string(tool_input.get("file_path"))
    hunks = change.get("structuredPatch")
    diffs, locations = hunk_diffs(path, hunks)
    content: tuple[Content, ...] = diffs
    if context.exact_patches:
        content = _exact(name, path, tool_input, change.get("originalFile"), result)
        if not content and not context.snippets:
            content = hunk_patch(path, hunks)
        content = content or diffs or _whole(name, tool_input, path)
    return ResultFacts(content=content or None, locations=locations or None, raw=True)


def _exact(name: str, path: str, tool_input: Json, original: object, result: ToolResult) -> tuple[Content, ...]:
    """The patch from the text that Claude Code had to the file as it was written, or as the input says.

    Claude Code has the text with line feeds alone and without a byte order mark, whatever the file had. A file that was
    read before the tool ran counts; else an Edit shows by what it left, because it keeps both, and an overwriting Write
    does not show it at all.
    """
    if result.before is not None and not has_exact_text(result.before):
        return ()
    before = FileSnapshot("text", original) if isinstance(original, str) else FileSnapshot("missing")
    known = result.before is not None or before.state == "missing"
    if not known and (name != "Edit" or result.after is None):
        return ()
    if result.after is None:
        patch = preview(name, tool_input, before)
    else:
        patch = exact_patch(path, before, result.after.text) if result.after.state == "text" else None
    return (patch,) if isinstance(patch, Patch) else ()


def _unmeasured(name: str, tool_input: Json, result: ToolResult, context: CallContext) -> tuple[Content, ...] | None:
    """The change as the input has it, which is all that the history of a subagent keeps; `None` if it is shown already.

    The lines of an Edit's patch are counted from where its text begins, as nothing says where in the file that is.
    """
    path = string(tool_input.get("file_path"))
    is_shown = result.before is not None or (name == "Edit" and context.snippets)
    if result.structured is not None or not context.exact_patches or is_shown or not path:
        return None
    if name == "Write":
        before = FileSnapshot("opaque" if OVERWRITTEN in plain_text(result.content) else "missing")
        text = string(tool_input.get("content"))
        return (exact_patch(path, before, text) or Diff(path, None if before.state == "missing" else "", text),)
    old, new = string(tool_input.get("old_string")), string(tool_input.get("new_string"))
    before = FileSnapshot("text", _lines(old)) if old else FileSnapshot("missing")
    return (exact_patch(path, before, _lines(new)) or Diff(path, old or None, new),)


def _lines(text: str) -> str:
    return text if not text or text.endswith("\n") else f"{text}\n"


def _whole(name: str, tool_input: Json, path: str) -> tuple[Content, ...]:
    return (Diff(path, None, string(tool_input.get("content"))),) if name == "Write" else ()


def _facts(
    verb: str, path: str, unnamed: str, content: tuple[Content, ...], carried: frozenset[str], context: CallContext
) -> InputFacts:
    return InputFacts(
        title=f"{verb} {short_path(path, context.cwd)}" if path else unnamed,
        kind=ToolKind.EDIT,
        content=content,
        locations=(Location(path),) if path else (),
        carried=carried,
    )


def _inexact(path: str, before: FileSnapshot, text: str) -> Content | None:
    if before.state == "opaque":
        return Text(f"This replaces {path}, whose present content cannot be shown as text.")
    if before.state == "missing":
        return Diff(path, None, text)
    return None if text == before.text else Diff(path, before.text, text)


EDIT = Family(describe_edit, read_change)
WRITE = Family(describe_write, read_change)
