"""Where ids and times come from. Cores get them as inputs; tests pass sources of their own."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime


def fresh_uuid() -> str:
    """A random UUID."""
    return str(uuid.uuid4())


def now_text() -> str:
    """The time in UTC as ISO 8601 with milliseconds, such as `2026-11-30T12:00:00.000Z`."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass(frozen=True, slots=True)
class Sources:
    """The ids and times that a connection uses."""

    uuid: Callable[[], str] = fresh_uuid
    now: Callable[[], str] = now_text
