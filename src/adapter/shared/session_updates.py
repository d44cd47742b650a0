"""The parts of messages that have the same shape in both protocol versions."""

from __future__ import annotations

from adapter.shared.acp_content import text_block
from adapter.shared.permissions.options import PermissionQuestion
from adapter.shared.tools.facts import Json
from adapter.shared.updates import (
    CompactionChanged,
    CompactionChunk,
    ConfigOption,
    MemoryRecalled,
    Notice,
    Outcome,
    PlanChanged,
    TokenCount,
    UsageChanged,
)


def usage_update(usage: UsageChanged) -> Json:
    """`usage_update`: tokens in the window, its size, the session's cost at a turn's end."""
    meta: Json = {"_claude/origin": usage.origin} if usage.origin is not None else {}
    if usage.rate_limit is not None:
        meta["_claude/rateLimit"] = usage.rate_limit
    if usage.model:
        meta["_claude/model"] = usage.model
    if usage.windows:
        meta["claudeAcp"] = {"rateLimits": list(usage.windows)}
    return {
        "sessionUpdate": "usage_update",
        "used": usage.used,
        "size": usage.size,
        **({"cost": {"amount": usage.cost, "currency": "USD"}} if usage.cost >= 0 else {}),
        **({"_meta": meta} if meta else {}),
    }


def plan_entries(plan: PlanChanged) -> list[Json]:
    """ACP's `PlanEntry`s. Claude's steps have no priority, so all have the same."""
    return [{"content": entry.content, "status": entry.status, "priority": "medium"} for entry in plan.entries]


def permission_options(question: PermissionQuestion) -> list[Json]:
    """ACP's `PermissionOption`s, in the order in which they are shown."""
    return [{"optionId": option.id, "name": option.name, "kind": option.kind} for option in question.options]


def option_choices(option: ConfigOption) -> list[Json]:
    """ACP's `SessionConfigSelectOption`s."""
    return [
        {
            "value": choice.value,
            "name": choice.name,
            **({"description": choice.description} if choice.description else {}),
        }
        for choice in option.choices
    ]


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


def notice(shown: Notice) -> Json:
    """A `notice`."""
    severity = "warning" if shown.level == "warning" else "info"
    return {"sessionUpdate": "notice", "severity": severity, "title": shown.text}


def compaction_update(changed: CompactionChanged) -> Json:
    """A `compaction_update`."""
    return {
        "sessionUpdate": "compaction_update",
        "compactionId": changed.compaction_id,
        "status": changed.status,
        **({"summary": [text_block(changed.summary)]} if changed.summary else {}),
        **({"error": changed.error} if changed.error else {}),
    }


def summary_chunk(chunk: CompactionChunk) -> Json:
    """A `compaction_summary_chunk`."""
    content = text_block(chunk.text)
    return {"sessionUpdate": "compaction_summary_chunk", "compactionId": chunk.compaction_id, "content": content}


def memory_call(recalled: MemoryRecalled) -> Json:
    """The fields of the tool call that stands for a look into Claude Code's memory; it is over when it is told."""
    call: Json = {"toolCallId": recalled.recall_id, "kind": "read", "status": "completed"}
    if recalled.mode == "synthesize":
        content = [{"type": "content", "content": text_block(recalled.text)}]
        return {**call, "title": "Recalled synthesized memory", "content": content}
    count = len(recalled.paths)
    title = f"Recalled {count} {'memory' if count == 1 else 'memories'}"
    return {**call, "title": title, "locations": [{"path": path} for path in recalled.paths]}
