"""From a `result` frame to how the turn ended (Claude Code's result table: subtype, is_error, terminal_reason)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from adapter.shared.jsonrpc.errors import ClaudeFailure
from adapter.shared.outcome import Outcome, StopReason, TokenCount
from adapter.shared.tools.text import string
from adapter.shared.usage import ModelLedger, token_count

ABORTED = frozenset({"aborted_streaming", "aborted_tools"})
UNMEASURED = Outcome(StopReason.END_TURN, measured=False)
CANCELLED_UNMEASURED = Outcome(StopReason.CANCELLED, measured=False)


class OutcomeReader:
    """Reads results; remembers the error kind that the turn's messages named, since results do not carry it."""

    def __init__(self) -> None:
        self._ledger = ModelLedger()
        self._error_kind = ""
        self._cleared = False

    def cleared(self) -> None:
        """The next result is that of the command that cleared the conversation: what it counts is of the old one."""
        self._cleared = True

    def start_over(self) -> None:
        """A fresh conversation counts from zero."""
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
        by_model = () if self._cleared else self._ledger.take(result)
        self._cleared = False
        if cancelled:
            return Outcome(StopReason.CANCELLED, None, usage, by_model)
        stop = _stop_reason(result)
        failure = None if stop is not None else _failure(result, kind or "unknown")
        return Outcome(stop or StopReason.END_TURN, failure, usage, by_model)


def joined(first: Outcome, last: Outcome) -> Outcome:
    """The outcome of a turn that two conversations worked on: the end of the last one, the usage of both."""
    by_model = dict(first.by_model)
    for model, count in last.by_model:
        by_model[model] = by_model.get(model, TokenCount()).plus(count)
    usage = first.usage.plus(last.usage)
    return replace(last, usage=usage, by_model=tuple(by_model.items()), measured=True)


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
