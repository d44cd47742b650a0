"""A session as a list shows it."""

from __future__ import annotations

from dataclasses import dataclass

from adapter.shared.history.summary import Summary


@dataclass(frozen=True, slots=True)
class Listed:
    """A session of a list.

    Attributes:
        session_id: The id that clients know.
        cwd: Its folder.
        changed_ns: When it was last written to, in nanoseconds since 1970.
        summary: What its transcript says.
        conversation_id: Claude Code's id of the conversation that it is in.
    """

    session_id: str
    cwd: str
    changed_ns: int
    summary: Summary
    conversation_id: str
