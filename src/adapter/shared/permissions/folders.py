"""The folders of a grant: which path they cover, and what they are called."""

from __future__ import annotations

import ntpath
import posixpath
from pathlib import PurePosixPath

from adapter.shared.permissions.suggestions import Grant, Rule

CLAUDE_FOLDER = ".claude"
WHOLE_FOLDER = "/**"
GLOB = frozenset("*?[")


def resolved(path: str, cwd: str) -> str:
    """A path in the form of Claude Code's rules: absolute, with slashes, a Windows drive as its first folder."""
    return posixpath.normpath(posixpath.join(_slashed(cwd), _slashed(path)))


def rule_folder(rule: Rule, cwd: str) -> str:
    """The folder whose files a path rule is about; empty if it is about anything else.

    Two slashes begin an absolute path; one slash, or none, a path in the working directory.
    """
    place = rule.content.removesuffix(WHOLE_FOLDER)
    if place == rule.content or GLOB & set(place) or place.startswith("~"):
        return ""
    is_absolute = place.startswith("//") or rule.content == "//**"
    return resolved(f"/{place.lstrip('/')}" if is_absolute else place.lstrip("/"), cwd)


def covers(folder: str, path: str, cwd: str) -> bool:
    """Whether a path is a folder, or in it."""
    return PurePosixPath(resolved(path, cwd)).is_relative_to(resolved(folder, cwd))


def in_claude_folder(path: str) -> bool:
    """Whether a path is one of Claude's own settings, which Claude Code guards in every mode."""
    return CLAUDE_FOLDER in PurePosixPath(_slashed(path)).parts


def read_folders(grant: Grant, path: str, cwd: str) -> tuple[str, ...]:
    """The folders that a grant opens for reading; empty if that is not all it does, or does not help with the path."""
    if not grant.in_session or grant.folders or grant.accepts_edits:
        return ()
    return _covering(_rule_folders(grant, "Read", cwd), path, cwd)


def edit_folders(grant: Grant, path: str, cwd: str) -> tuple[str, ...] | None:
    """The folders that a grant opens for edits, none meaning the workspace; `None` if that is not all, or no help."""
    if not grant.in_session:
        return None
    guarded = in_claude_folder(path)
    if not grant.rules and not grant.folders:
        return None if guarded else ()
    if guarded and (grant.folders or grant.accepts_edits):
        return None
    ruled = _rule_folders(grant, "Edit", cwd)
    if grant.rules and not ruled:
        return None
    return _covering(tuple(dict.fromkeys((*grant.folders, *ruled))), path, cwd) or None


def folder_name(path: str) -> str:
    """A folder for a person: its last part, or all from Claude's own folder on."""
    parts = PurePosixPath(_slashed(path)).parts
    first = parts.index(CLAUDE_FOLDER) if CLAUDE_FOLDER in parts else -1
    return "/".join(parts[first:]).rstrip("/") + "/"


def _rule_folders(grant: Grant, tool: str, cwd: str) -> tuple[str, ...]:
    folders = tuple(rule_folder(rule, cwd) if rule.tool == tool else "" for rule in grant.rules)
    return folders if all(folders) else ()


def _covering(folders: tuple[str, ...], path: str, cwd: str) -> tuple[str, ...]:
    return folders if any(covers(folder, path, cwd) for folder in folders) else ()


def _slashed(path: str) -> str:
    drive, rest = ntpath.splitdrive(path)
    if not drive.endswith(":"):
        return path
    return f"/{drive[0].lower()}{rest.replace(ntpath.sep, posixpath.sep)}"
