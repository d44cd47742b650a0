"""Diffs: from Claude's structured patch, and exact patches of whole texts."""

from __future__ import annotations

import difflib
from typing import Any, NamedTuple

from adapter.shared.tools.facts import Content, Diff, FileSnapshot, Location, Patch
from adapter.shared.tools.text import integer, string

CONTEXT_LINES = 3
LARGEST_PREVIEW_BYTES = 1024 * 1024
"""Of a text on either side of an exact patch."""
DIFFLIB_LINES = 2000
BYTE_ORDER_MARK = "\ufeff"
NO_NEWLINE = "\\ No newline at end of file"


def hunk_diffs(path: str, structured_patch: Any) -> tuple[tuple[Diff, ...], tuple[Location, ...]]:
    """Each hunk of Claude's `structuredPatch` as a fragment diff, and where each begins in the new file."""
    diffs: list[Diff] = []
    locations: list[Location] = []
    for hunk in structured_patch if isinstance(structured_patch, list) else []:
        lines = [string(line) for line in hunk.get("lines") or []]
        old = "\n".join(line[1:] for line in lines if line[:1] in (" ", "-"))
        new = "\n".join(line[1:] for line in lines if line[:1] in (" ", "+"))
        diffs.append(Diff(path, old, new))
        locations.append(Location(path, integer(hunk.get("newStart"), 0)))
    return tuple(diffs), tuple(locations)


def hunk_patch(path: str, structured_patch: Any) -> tuple[Patch, ...]:
    """Claude's hunks as they are, for a file whose text on disk has no exact diff: Claude normalises it first."""
    hunks: list[str] = []
    for hunk in structured_patch if isinstance(structured_patch, list) else []:
        old = f"{integer(hunk.get('oldStart'), 0)},{integer(hunk.get('oldLines'), 0)}"
        new = f"{integer(hunk.get('newStart'), 0)},{integer(hunk.get('newLines'), 0)}"
        hunks.append("\n".join([f"@@ -{old} +{new} @@", *(string(line) for line in hunk.get("lines") or [])]) + "\n")
    return (Patch(path, "".join(hunks), created=False),) if hunks else ()


def exact_patch(path: str, before: FileSnapshot, after: str) -> Content | None:
    """The exact patch from a file's text to `after`; `None` where there is none to show exactly."""
    if not has_exact_text(before) or not _is_exact(after):
        return None
    hunks = unified_hunks(before.text, after)
    return Patch(path, hunks, created=before.state == "missing") if hunks else None


def has_exact_text(file: FileSnapshot) -> bool:
    """Whether a patch can hold the text of a file, or there is no file yet."""
    return file.state != "opaque" and _is_exact(file.text)


def _is_exact(text: str) -> bool:
    """Whether a patch can hold a text as it is in its file: of a byte order mark Claude Code does not tell us."""
    if text.startswith(BYTE_ORDER_MARK) or "\r" in text or "\0" in text or len(text) > LARGEST_PREVIEW_BYTES:
        return False
    return len(text.encode("utf-8", "surrogatepass")) <= LARGEST_PREVIEW_BYTES


def apply_edit(text: str, old: str, new: str, *, everywhere: bool) -> str | None:
    """The text after an Edit, or `None` if Claude Code would refuse it (no match, or more than one) or it is too large.

    An empty `new` also takes the line break that follows `old`, as the tool does.
    """
    if not old:
        return new if not text else None
    found = text.count(old)
    if found == 0 or (found > 1 and not everywhere):
        return None
    if not new and not old.endswith("\n") and old + "\n" in text:
        old += "\n"
    if len(text) + found * (len(new) - len(old)) > LARGEST_PREVIEW_BYTES:
        return None
    return text.replace(old, new) if everywhere else text.replace(old, new, 1)


def unified_hunks(before: str, after: str) -> str:
    """The hunks of a unified diff with three lines of context; empty if the texts are equal."""
    if before == after:
        return ""
    old, new = before.split("\n"), after.split("\n")
    old_ends, new_ends = old[-1] == "", new[-1] == ""
    old, new = old[: -1 if old_ends else None], new[: -1 if new_ends else None]
    if not old_ends and old:
        old[-1] += "\n" + NO_NEWLINE
    if not new_ends and new:
        new[-1] += "\n" + NO_NEWLINE
    return "".join(_hunk(old, new, group) for group in _grouped(_changes(old, new)))


class Change(NamedTuple):
    """Lines `old_start:old_end` of the old text became lines `new_start:new_end` of the new one."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


def _changes(old: list[str], new: list[str]) -> list[Change]:
    """Where two texts differ. Equal ends are cut off first; what is left is matched unless it is very long."""
    shortest = min(len(old), len(new))
    start = 0
    while start < shortest and old[start] == new[start]:
        start += 1
    tail = 0
    while tail < shortest - start and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    old_end, new_end = len(old) - tail, len(new) - tail
    if max(old_end - start, new_end - start) > DIFFLIB_LINES:
        return [Change(start, old_end, start, new_end)]
    matcher = difflib.SequenceMatcher(None, old[start:old_end], new[start:new_end], autojunk=False)
    return [
        Change(a + start, b + start, c + start, d + start)
        for tag, a, b, c, d in matcher.get_opcodes()
        if tag != "equal"
    ]


def _grouped(changes: list[Change]) -> list[list[Change]]:
    """Changes whose context meets share a hunk."""
    groups: list[list[Change]] = []
    for change in changes:
        if groups and change.old_start - groups[-1][-1].old_end <= 2 * CONTEXT_LINES:
            groups[-1].append(change)
        else:
            groups.append([change])
    return groups


def _hunk(old: list[str], new: list[str], group: list[Change]) -> str:
    before = min(CONTEXT_LINES, group[0].old_start)
    old_start, new_start = group[0].old_start - before, group[0].new_start - before
    lines: list[str] = []
    position = old_start
    for change in group:
        lines.extend(" " + line for line in old[position : change.old_start])
        lines.extend("-" + line for line in old[change.old_start : change.old_end])
        lines.extend("+" + line for line in new[change.new_start : change.new_end])
        position = change.old_end
    after = min(CONTEXT_LINES, len(old) - position)
    lines.extend(" " + line for line in old[position : position + after])
    head = f"@@ -{_range(old_start, position + after)} +{_range(new_start, group[-1].new_end + after)} @@"
    return "\n".join([head, *lines]) + "\n"


def _range(start: int, stop: int) -> str:
    length = stop - start
    if length == 1:
        return str(start + 1)
    return f"{start if length == 0 else start + 1},{length}"
