"""From a `result` frame to how the turn ended (Claude Code's result table: subtype, is_error, terminal_reason)."""

from __future__ import annotations

from typing import Any

from adapter.shared.jsonrpc.errors import ClaudeFailure
from adapter.shared.tools.text import string
from adapter.shared.updates import Outcome, StopReason
from adapter.shared.usage import ModelLedger, token_count

ABORTED = frozenset({"aborted_streaming", "aborted_tools"})
UNMEASURED = Outcome(StopReason.END_TURN, measured=False)
CANCELLED_UNMEASURED = Outcome(StopReason.CANCELLED, measured=False)


class OutcomeReader:
    """Reads results; remembers the error kind that the turn's messages named, since results do not carry it."""

    def __init__(self) -> None:
        self._ledger = ModelLedger()
        self._error_kind = ""

    def saw_error(self, kind: str) -> None:
        """An `assistant` frame of the running turn carries `error`."""
        self._error_kind = kind

    def read(self, result: dict[str, Any], *, cancelled: bool) -> Outcome:
        """How the turn of a result ended.

        Args:
            result: The frame.
            cancelled: The client has asked for the turn's end; Claude Code does not always say so.
        """
        kind, self._error_kind = self._error_kind, ""
        usage = token_count(result.get("usage"))
        by_model = self._ledger.take(result)
        if cancelled:
            return Outcome(StopReason.CANCELLED, None, usage, by_model)
        stop = _stop_reason(result)
        failure = None if stop is not None else _failure(result, kind or "unknown")
        return Outcome(stop or StopReason.END_TURN, failure, usage, by_model)


def _stop_reason(result: dict[str, Any]) -> StopReason | None:
    """Why the turn ended, or `None` if it failed."""
    if result.get("subtype") == "error_max_turns":
        return StopReason.MAX_TURN_REQUESTS
    if result.get("stop_reason") == "refusal":
        return StopReason.REFUSAL
    if result.get("is_error"):
        return StopReason.CANCELLED if string(result.get("terminal_reason")) in ABORTED else None
    return StopReason.MAX_TOKENS if result.get("stop_reason") == "max_tokens" else StopReason.END_TURN


def _failure(result: dict[str, Any], kind: str) -> ClaudeFailure:
    errors = result.get("errors")
    listed = "; ".join(string(error) for error in errors) if isinstance(errors, list) else ""
    text = string(result.get("result")) or listed or "Claude Code ended the turn with an error and no text"
    if result.get("subtype") == "error_max_budget_usd":
        kind = "max_budget"
    return ClaudeFailure(kind, text)
