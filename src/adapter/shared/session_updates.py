"""The parts of session updates that have the same shape in both protocol versions."""

from __future__ import annotations

from adapter.shared.tools.facts import Json
from adapter.shared.updates import Outcome, TokenCount, UsageChanged


def usage_update(usage: UsageChanged) -> Json:
    """`usage_update`: tokens in the window, its size, the session's cost at a turn's end."""
    meta: Json = {"_claude/origin": usage.origin} if usage.origin is not None else {}
    if usage.model:
        meta["_claude/model"] = usage.model
    return {
        "sessionUpdate": "usage_update",
        "used": usage.used,
        "size": usage.size,
        **({"cost": {"amount": usage.cost, "currency": "USD"}} if usage.cost >= 0 else {}),
        **({"_meta": meta} if meta else {}),
    }


def token_usage(count: TokenCount) -> Json:
    """ACP's `Usage` of a turn."""
    return {
        "inputTokens": count.input,
        "outputTokens": count.output,
        "cachedReadTokens": count.cache_read,
        "cachedWriteTokens": count.cache_write,
        "totalTokens": count.total,
    }


def quota_meta(outcome: Outcome) -> Json:
    """`_meta.quota`: the turn's tokens, and those since the last result by model."""
    return {
        "quota": {
            "token_count": _quota_count(outcome.usage),
            "model_usage": [{"model": model, "token_count": _quota_count(count)} for model, count in outcome.by_model],
        }
    }


def _quota_count(count: TokenCount) -> Json:
    return {
        "totalTokens": count.total,
        "inputTokens": count.input,
        "cachedInputTokens": count.cache_read,
        "cachedWriteTokens": count.cache_write,
        "outputTokens": count.output,
        "reasoningOutputTokens": 0,
    }
