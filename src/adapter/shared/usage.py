"""Usage of the context window and of tokens, read from Claude's stream and Claude Code's results."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from adapter.shared.outcome import TokenCount
from adapter.shared.tools.text import integer, string
from adapter.shared.updates import UsageChanged

DEFAULT_WINDOW = 200_000
"""Tokens. Stands in until Claude Code has said how large the window is."""


class UsageMeter:
    """The context window of a session's main conversation."""

    def __init__(self) -> None:
        self._window = DEFAULT_WINDOW
        self._model = ""
        self._message = TokenCount()

    def window_known(self, size: object) -> None:
        """Claude Code has said how large the window is, in tokens."""
        self._window = _tokens(size) or self._window

    @property
    def used(self) -> int:
        """Tokens in the window."""
        return self._message.total

    @property
    def percent_used(self) -> int:
        """How much of the window is used, in percent."""
        return min(100, round(100 * self._message.total / self._window))

    def message_started(self, message: dict[str, Any]) -> UsageChanged:
        """A message of the main conversation begins; its usage holds the whole input."""
        self._model = str(message.get("model") or self._model)
        self._message = token_count(message.get("usage"))
        return self._changed()

    def message_progressed(self, usage: object) -> UsageChanged:
        """The message's output so far."""
        count = token_count(usage)
        start = self._message
        self._message = TokenCount(
            count.input or start.input,
            count.output or start.output,
            count.cache_read or start.cache_read,
            count.cache_write or start.cache_write,
        )
        return self._changed()

    def start_over(self) -> UsageChanged:
        """A fresh conversation fills nothing of the window yet."""
        self._message = TokenCount()
        self._model = ""
        return self._changed()

    def compacted(self, tokens: object) -> UsageChanged | None:
        """The conversation was replaced by a summary; `None` if its size is not known."""
        size = _tokens(tokens)
        if not size:
            return None
        self._message = TokenCount(input=size)
        return self._changed()

    def limited(self, rate_limit: dict[str, Any] | None, windows: tuple[dict[str, Any], ...]) -> UsageChanged:
        """The limits of the account's plan have changed."""
        return replace(self._changed(), rate_limit=rate_limit, windows=windows)

    def turn_ended(self, result: dict[str, Any]) -> UsageChanged | None:
        """A result has come; `None` if no message was ever counted."""
        models = result.get("modelUsage")
        if isinstance(models, dict) and isinstance(models.get(self._model), dict):
            self.window_known(models[self._model].get("contextWindow"))
        if not self._message.total:
            return None
        cost = result.get("total_cost_usd")
        origin = result.get("origin")
        return UsageChanged(
            self._message.total,
            self._window,
            float(cost) if isinstance(cost, int | float) else -1.0,
            self._model,
            origin if isinstance(origin, dict) and string(origin.get("kind")) else None,
        )

    def _changed(self) -> UsageChanged:
        return UsageChanged(self._message.total, self._window, -1.0, self._model, None)


def token_count(usage: object) -> TokenCount:
    """The API's `usage` object."""
    data = usage if isinstance(usage, dict) else {}
    return TokenCount(
        _tokens(data.get("input_tokens")),
        _tokens(data.get("output_tokens")),
        _tokens(data.get("cache_read_input_tokens")),
        _tokens(data.get("cache_creation_input_tokens")),
    )


def _tokens(value: object) -> int:
    return max(0, integer(value, 0))


class ModelLedger:
    """Tokens by model since the last result: Claude Code's `modelUsage` is cumulative, if it gives no increment."""

    def __init__(self) -> None:
        self._seen: dict[str, TokenCount] = {}

    def take(self, result: dict[str, Any]) -> tuple[tuple[str, TokenCount], ...]:
        """What a result adds, by model."""
        total = _by_model(result.get("modelUsage"))
        since_last = result.get("model_usage_since_last_result")
        if isinstance(since_last, dict):
            increment = _by_model(since_last)
        else:
            increment = {model: _minus(count, self._seen.get(model, TokenCount())) for model, count in total.items()}
        self._seen = total
        return tuple((model, count) for model, count in increment.items() if count.total)


def _by_model(usage: object) -> dict[str, TokenCount]:
    data = usage if isinstance(usage, dict) else {}
    return {
        model: TokenCount(
            _tokens(count.get("inputTokens")),
            _tokens(count.get("outputTokens")),
            _tokens(count.get("cacheReadInputTokens")),
            _tokens(count.get("cacheCreationInputTokens")),
        )
        for model, count in data.items()
        if isinstance(count, dict)
    }


def _minus(count: TokenCount, seen: TokenCount) -> TokenCount:
    return TokenCount(
        max(0, count.input - seen.input),
        max(0, count.output - seen.output),
        max(0, count.cache_read - seen.cache_read),
        max(0, count.cache_write - seen.cache_write),
    )
