"""What identifies an exchange with an agent, and the error when it goes wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence


class ClientError(Exception):
    """What the agent did wrong.

    Attributes:
        reason: What it is, in a line.
    """

    def __init__(self, reason: str, details: Sequence[str] = ()) -> None:
        super().__init__("\n".join([reason, *details]))
        self.reason = reason


class Exchange(NamedTuple):
    """What identifies a request that was sent: its id, and the length of the log just before it."""

    id: int
    mark: int
