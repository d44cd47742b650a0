"""A config folder with transcripts, for an agent in memory."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from adapter.shared.history.index import SessionIndex
from support.transcripts import SESSION, hello

from .connection import request, settle

if TYPE_CHECKING:
    from .connection import Memory


class Sessions:
    """A config folder with transcripts.

    Args:
        folder: Empty.
    """

    def __init__(self, folder: Path) -> None:
        self.cwd = str((folder / "w").resolve())
        Path(self.cwd).mkdir()
        self.environment = {"CLAUDE_CONFIG_DIR": str(folder / "config")}
        self.projects = folder / "config" / "projects"

    def write(self, session_id: str = SESSION, words: str = "Hello there") -> Path:
        return hello(self.cwd, session_id, words).write(self.projects)

    def load(self, number: int, session_id: str = SESSION, version: int = 1, **params: Any) -> dict[str, Any]:
        """A request that shows the history."""
        method, replay = ("session/load", {}) if version == 1 else ("session/resume", {"replayFrom": {"type": "start"}})
        fields = {"cwd": self.cwd, "mcpServers": [], **replay, **params}
        return request(number, method, sessionId=session_id, **fields)

    def summary(self, session_id: str = SESSION) -> Any:
        found = SessionIndex(str(self.projects)).page(archived=None)[0]
        return next((listed.summary for listed in found if listed.session_id == session_id), None)


async def answer(memory: Memory, number: int) -> dict[str, Any]:
    """The response to a request, once it is there."""
    await memory.until(lambda: number in memory.responses())
    await settle()
    return memory.responses()[number]


def kinds(memory: Memory, session_id: str = SESSION) -> list[str]:
    return [update["sessionUpdate"] for update in memory.updates(session_id)]
