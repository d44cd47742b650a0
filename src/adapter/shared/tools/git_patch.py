"""The headers of a Git patch around exact hunks (git-diff documentation, "Generating patch text"; core.quotePath)."""

from __future__ import annotations

from adapter.shared.tools.facts import Patch

ESCAPES = {7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r", 34: '\\"', 92: "\\\\"}
NULL_FILE = "/dev/null"


def git_patch(patch: Patch, old_prefix: str, new_prefix: str) -> str:
    """One patch of one file.

    Args:
        patch: The file and its hunks.
        old_prefix: What stands before the path on the old side: `a/` in Git's own form, empty for the path as it is.
        new_prefix: The same for the new side.
    """
    path = patch.path.replace("\\", "/") if _is_windows(patch.path) else patch.path
    if old_prefix:
        path = path.removeprefix("/")
    old, new = quoted(old_prefix + path), quoted(new_prefix + path)
    tab = "\t" if " " in path else ""
    head = f"diff --git {old} {new}\n"
    if patch.created:
        return f"{head}new file mode 100644\n--- {NULL_FILE}\n+++ {new}{tab}\n{patch.hunks}"
    return f"{head}--- {old}{tab}\n+++ {new}{tab}\n{patch.hunks}"


def quoted(path: str) -> str:
    """A path as Git writes it: in quotes, with octal escapes, if it has a byte that is not plain."""
    data = path.encode("utf-8", "surrogateescape")
    if all(32 <= byte < 127 and byte not in ESCAPES for byte in data):
        return path
    return '"' + "".join(_escaped(byte) for byte in data) + '"'


def _escaped(byte: int) -> str:
    if byte in ESCAPES:
        return ESCAPES[byte]
    return chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"


def _is_windows(path: str) -> bool:
    return path[1:3] in (":\\", ":/") or path.startswith("\\\\")
