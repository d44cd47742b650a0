"""Reading from the disk: the file behind an edit preview, the places of skills."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import Any

from adapter.shared.tools.diff import LARGEST_PREVIEW_BYTES
from adapter.shared.tools.facts import FileSnapshot, Json

FILE_TOOLS = frozenset({"Edit", "Write"})


def find_skills(environment: Mapping[str, str], cwd: str) -> dict[str, str]:
    """The files of the user's and the project's skills by name; the project's win."""
    home = environment.get("CLAUDE_CONFIG_DIR") or Path(environment.get("HOME") or "~").expanduser() / ".claude"
    found: dict[str, str] = {}
    for folder in (Path(home) / "skills", Path(cwd) / ".claude" / "skills"):
        found |= {file.parent.name: str(file) for file in folder.glob("*/SKILL.md")}
    return found


def read_snapshot(path: str) -> FileSnapshot:
    """A file's text for an exact diff. Blocks; reads at most 1 MiB."""
    file_path = Path(path)
    try:
        if not file_path.is_file():
            # A pipe or a device would block, or never end.
            return FileSnapshot("opaque" if file_path.exists() else "missing")
        with file_path.open("rb") as file:
            data = file.read(LARGEST_PREVIEW_BYTES + 1)
    except (OSError, ValueError):
        return FileSnapshot("opaque")
    if len(data) > LARGEST_PREVIEW_BYTES or b"\r" in data or b"\0" in data:
        return FileSnapshot("opaque")
    try:
        return FileSnapshot("text", data.decode("utf-8"))
    except UnicodeDecodeError:
        return FileSnapshot("opaque")


def file_to_read(frame: Json) -> str:
    """The path of the file that a permission request would change, or that a result says was changed; else empty."""
    path: Any = None
    if frame["type"] == "control_request":
        request = frame.get("request")
        if isinstance(request, dict) and str(request.get("tool_name")) in FILE_TOOLS:
            tool_input = request.get("input")
            path = tool_input.get("file_path") if isinstance(tool_input, dict) else None
    elif frame["type"] == "user":
        change = frame.get("tool_use_result")
        path = change.get("filePath") if isinstance(change, dict) and "structuredPatch" in change else None
    return path if isinstance(path, str) and PurePath(path).is_absolute() else ""
