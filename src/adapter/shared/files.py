"""Reading the file behind an edit preview."""

from __future__ import annotations

from pathlib import Path

from adapter.shared.tools.facts import FileSnapshot

LARGEST_PREVIEW_BYTES = 1024 * 1024


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
