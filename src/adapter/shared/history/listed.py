"""A session as a list shows it."""

from __future__ import annotations

from dataclasses import dataclass

from adapter.shared.history.summary import Summary


@dataclass(frozen=True, slots=True)
class Listed:
    """A session of a list; `changed_ns` is when it was last written to, in nanoseconds since 1970."""

    session_id: str
    cwd: str
    changed_ns: int
    summary: Summary
