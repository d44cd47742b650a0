"""A home and a workspace in which an agent runs, and its environment."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adapter.scripted.environment import scripted_environment

if TYPE_CHECKING:
    from collections.abc import Mapping

SOURCE = Path(__file__).parents[2]
ADAPTER = [sys.executable, "-m", "adapter"]
"""The command line of this adapter."""

DEFAULT_SETTINGS: Mapping[str, Any] = {"permissions": {"defaultMode": "default"}}


@dataclass(frozen=True)
class Place:
    """Where an agent runs.

    Attributes:
        home: The home folder; Claude Code's settings and sessions are in its ``.claude``.
        workspace: The working directory of agent and sessions.
    """

    home: Path
    workspace: Path

    @classmethod
    def make(
        cls,
        folder: Path,
        settings: Mapping[str, Any] = DEFAULT_SETTINGS,
        workspace: Mapping[str, str] | None = None,
        home: Mapping[str, str] | None = None,
    ) -> Place:
        """Makes both folders in an empty one, with Claude Code's settings and with files by their relative paths."""
        folder = folder.resolve()
        place = cls(folder / "home", folder / "workspace")
        place.workspace.mkdir()
        write_files(place.home, {".claude/settings.json": json.dumps(settings), **(home or {})})
        write_files(place.workspace, workspace or {})
        return place

    def environment(self, port: int) -> dict[str, str]:
        """The environment in which an agent, this adapter among them, runs against a scripted model on a port."""
        given = os.environ.get("PYTHONPATH", "").split(os.pathsep)
        paths = [str(SOURCE), *(str(Path(path).resolve()) for path in given if path)]
        return scripted_environment(self.home, port, {**os.environ, "PYTHONPATH": os.pathsep.join(paths)})

    def files(self) -> dict[str, str]:
        """The text of each file of the workspace by its relative path."""
        files = sorted(path for path in self.workspace.rglob("*") if path.is_file())
        return {str(path.relative_to(self.workspace)): path.read_bytes().decode(errors="replace") for path in files}


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Writes texts as they are, line ends included."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, newline="", encoding="utf-8")


def bundled_cli() -> Path | None:
    """The Claude Code that the SDK brings along, if it is installed."""
    spec = importlib.util.find_spec("claude_agent_sdk")
    path = Path(spec.origin).parent / "_bundled" / "claude" if spec is not None and spec.origin is not None else None
    return path if path is not None and path.exists() else None
