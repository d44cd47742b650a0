"""The files that slash commands come from: Claude Code reads them when it starts, and again when it is told to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path

from adapter.shared.inputs import CommandFilesChanged, Input
from adapter.shared.tools.facts import Json

FOLDERS = ("commands", "skills")
PATTERN = "**/*.md"
MOST_FILES = 2000
"""Files that are looked at; a folder with more is no folder of commands."""

Fingerprint = dict[str, tuple[int, int]]


class CommandFiles:
    """The user's and the project's commands and skills.

    Args:
        environment: Where the user's are: `CLAUDE_CONFIG_DIR`, else `HOME`.
        cwd: The project.
    """

    def __init__(self, environment: Mapping[str, str], cwd: str) -> None:
        home = environment.get("CLAUDE_CONFIG_DIR") or Path(environment.get("HOME") or "~").expanduser() / ".claude"
        self._folders = [Path(root) / name for root in (home, Path(cwd) / ".claude") for name in FOLDERS]
        self._seen = self._fingerprint()

    def changed(self) -> bool:
        """Whether one came, went or was written since the last time. Blocks."""
        before, self._seen = self._seen, self._fingerprint()
        return before != self._seen

    def _fingerprint(self) -> Fingerprint:
        found: Fingerprint = {}
        for folder in self._folders:
            for path in folder.glob(PATTERN):
                if len(found) >= MOST_FILES:
                    return found
                try:
                    status = path.stat()
                except OSError:
                    continue
                found[str(path)] = (status.st_mtime_ns, status.st_size)
        return found


class CommandWatch:
    """Looks at the files when a turn begins and when it has ended, beside the inputs.

    Args:
        changed: See `CommandFiles.changed`.
        post: Takes `CommandFilesChanged`.
    """

    def __init__(self, changed: Callable[[], bool], post: Callable[[Input], None]) -> None:
        self._changed = changed
        self._post = post
        self._looking: asyncio.Future[bool] | None = None

    def told(self, frame: Json) -> None:
        """A `system` frame has come. One look at a time."""
        turns = frame.get("subtype") == "session_state_changed" and frame.get("state") in ("running", "idle")
        if turns and self._looking is None:
            self._looking = asyncio.get_running_loop().run_in_executor(None, self._changed)
            self._looking.add_done_callback(self._looked)

    def close(self) -> None:
        """Post nothing any more."""
        if self._looking is not None:
            self._looking.cancel()

    def _looked(self, looking: asyncio.Future[bool]) -> None:
        self._looking = None
        if not looking.cancelled() and looking.exception() is None and looking.result():
            self._post(CommandFilesChanged())
