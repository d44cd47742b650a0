"""How a turn ended, and what it used."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from adapter.shared.jsonrpc.errors import ClaudeFailure


class StopReason(StrEnum):
    """Why a turn ended (ACP `StopReason`)."""

    END_TURN = "end_turn"
    MAX_TOKENS = "max_tokens"
    MAX_TURN_REQUESTS = "max_turn_requests"
    REFUSAL = "refusal"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class TokenCount:
    """Tokens by kind."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.input + self.output + self.cache_read + self.cache_write

    def plus(self, other: TokenCount) -> TokenCount:
        """The sum, kind by kind."""
        return TokenCount(
            self.input + other.input,
            self.output + other.output,
            self.cache_read + other.cache_read,
            self.cache_write + other.cache_write,
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a turn ended and what it used.

    Attributes:
        stop: Why it ended; meaningless if it failed.
        failure: What went wrong; `None` if nothing did.
        usage: Tokens of the main conversation in this turn.
        by_model: Tokens of everything since the last result, by model id.
        measured: Claude Code reported this usage; `False` where a turn ended without a result.
    """

    stop: StopReason
    failure: ClaudeFailure | None = None
    usage: TokenCount = TokenCount()
    by_model: tuple[tuple[str, TokenCount], ...] = ()
    measured: bool = True
