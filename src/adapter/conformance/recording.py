"""Recordings: what a client and an agent exchanged in a scenario, one JSON value a line."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

FORMAT = 1
"""The version of the format that is written; a header without one is of this version too."""


class RecordingError(ValueError):
    """A file is no recording that can be read."""


class Entry(NamedTuple):
    """A message: the seconds since the start, ``>`` (client) or ``<`` (agent), and the message.

    A line that the client sent as it is has the direction ``>raw`` and is a text.
    """

    seconds: float
    direction: str
    message: Any


@dataclass(frozen=True)
class Recording:
    """One run of a scenario.

    Attributes:
        scenario: The scenario's name.
        profile: The client's name.
        failed: Why the scenario could not be played to its end; None if it was.
        exit_status: The agent's exit status after its stdin was closed; None if the scenario failed.
        files: The files that the scenario looks at in the end, by their relative path.
        agent: ``name`` and ``version``, as the agent introduced itself; empty if it did not.
        entries: The messages, in the order in which the client saw them.
    """

    scenario: str
    profile: str
    entries: tuple[Entry, ...]
    failed: str | None = None
    exit_status: int | None = 0
    files: Mapping[str, str] = field(default_factory=dict)
    agent: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Its name, which is that of its file without the suffix."""
        return f"{self.scenario}.{self.profile}"

    def text(self) -> str:
        """The text of its file."""
        header = {
            "format": FORMAT,
            "scenario": self.scenario,
            "profile": self.profile,
            "agent": dict(self.agent),
            "failed": self.failed,
            "exit": self.exit_status,
            "files": dict(self.files),
        }
        lines = [header, *([round(entry.seconds, 3), entry.direction, entry.message] for entry in self.entries)]
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def parse_recording(text: str, name: str) -> Recording:
    """Reads the text of a recording.

    Args:
        text: The text.
        name: What to call it in an error.

    Raises:
        RecordingError: It is no recording, or one of a later format.
    """
    try:
        header, *lines = [json.loads(line) for line in text.splitlines() if line.strip()]
        if header.get("format", FORMAT) != FORMAT:
            raise RecordingError(f"{name}: recordings of format {header['format']} are not known here")
        entries = tuple(Entry(float(seconds), str(direction), message) for seconds, direction, message in lines)
        return Recording(
            scenario=str(header["scenario"]),
            profile=str(header["profile"]),
            entries=entries,
            failed=header.get("failed"),
            exit_status=header.get("exit"),
            files=dict(header.get("files") or {}),
            agent=dict(header.get("agent") or {}),
        )
    except RecordingError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise RecordingError(f"{name} is no recording: {error!r}") from error


def introduced(entries: tuple[Entry, ...]) -> dict[str, str]:
    """How the agent introduced itself in its first answer that does so: ``name`` and ``version``."""
    for entry in entries:
        result = entry.message.get("result") if isinstance(entry.message, dict) else None
        if entry.direction == "<" and isinstance(result, dict):
            info = result.get("agentInfo") or result.get("info")
            if isinstance(info, dict):
                return {key: str(info[key]) for key in ("name", "version") if key in info}
    return {}
