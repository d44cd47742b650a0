"""The parts of messages that have the same shape in both protocol versions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from adapter.shared.acp_content import text_block
from adapter.shared.elicitation.requests import ChoiceField, Elicitation, FormOption
from adapter.shared.history.listed import Listed
from adapter.shared.jsonrpc.errors import error_object
from adapter.shared.outcome import Outcome, TokenCount
from adapter.shared.permissions.options import PermissionQuestion
from adapter.shared.tools.facts import Json, ToolReport
from adapter.shared.updates import (
    CompactionChanged,
    CompactionChunk,
    ConfigOption,
    MemoryRecalled,
    Notice,
    PlanApproved,
    PlanChanged,
    PromptSuggested,
    ServerNotice,
    TitleChanged,
    UsageChanged,
)
from adapter.shared.work_updates import MessageView, SessionMessage, SubagentChanged

OWN_WORDS = "Type your own answer, or add a note to the option you chose above (optional)."
OWN_WORDS_ADDED = "Type your own answer to add to your selection above (optional)."


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


def of_subagent(update: Json, call_id: str) -> Json:
    """An update of a subagent's, with the call that launched it."""
    meta: Json = update.get("_meta") or {}
    return {**update, "_meta": {**meta, "claudeCode": {**meta.get("claudeCode", {}), "parentToolUseId": call_id}}}


def subagent_update(changed: SubagentChanged, state: Json) -> Json:
    """`subagent_update` of the subagents RFD; `state` is the child's `StateUpdate`, empty if it did not change."""
    update: Json = {"sessionUpdate": "subagent_update", "sessionId": changed.session_id}
    if changed.identity is not None:
        update |= {"title": changed.identity.title, "description": changed.identity.agent_type}
        if changed.identity.can_cancel:
            update["capabilities"] = {"cancel": {}}
    if changed.cwd:
        update["cwd"] = changed.cwd
    return {**update, "state": state} if state else update


def session_message(message: SessionMessage) -> Json:
    """`session_message` of the subagents RFD; a message in two transcripts has the same id in both."""
    linked = {message.view.value: message.message_id} if message.view is not MessageView.UNLINKED else {}
    return {
        "sessionUpdate": "session_message",
        "messageId": message.message_id,
        "senderSessionId": message.sender,
        "recipientSessionId": message.recipient,
        "content": list(message.content),
        **linked,
    }


def session_info(listed: Listed) -> Json:
    """ACP's `SessionInfo`."""
    changed = datetime.fromtimestamp(listed.changed_ns / 1e9, UTC).isoformat(timespec="milliseconds")
    return {
        "sessionId": listed.session_id,
        "cwd": listed.cwd,
        **({"title": listed.summary.title} if listed.summary.title else {}),
        "updatedAt": changed.replace("+00:00", "Z"),
        "archived": listed.summary.archived,
    }


def plan_entries(plan: PlanChanged) -> list[Json]:
    """ACP's `PlanEntry`s. Claude's steps have no priority, so all have the same."""
    return [{"content": entry.content, "status": entry.status, "priority": "medium"} for entry in plan.entries]


def server_notice(notice: ServerNotice) -> Json:
    """`notice`, which v1 has for clients that declare it."""
    return {
        "sessionUpdate": "notice",
        "severity": "warning",
        "title": notice.title,
        "description": notice.description,
    }


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


def elicitation_params(session_id: str, question: Elicitation, own_words_meta: Callable[[str], Json]) -> Json:
    """ACP's `CreateElicitationRequest`.

    Args:
        session_id: The session.
        question: What is asked.
        own_words_meta: The `_meta` of the text field beside the choice with this name; empty for none.
    """
    if question.url:
        body: Json = {"mode": "url", "url": question.url, "elicitationId": question.elicitation_id}
    else:
        body = {"mode": "form", "requestedSchema": question.schema or _form(question.choices, own_words_meta)}
    call: Json = {"toolCallId": question.call_id} if question.call_id else {}
    return {"sessionId": session_id, **call, "message": question.message, **body}


def no_meta(_choice: str) -> Json:
    """No `_meta`, for `elicitation_params`."""
    return {}


def _form(choices: tuple[ChoiceField, ...], own_words_meta: Callable[[str], Json]) -> Json:
    properties: Json = {}
    for choice in choices:
        options = [_form_option(option) for option in choice.options]
        values = (
            {"type": "array", "items": {"anyOf": options}} if choice.multiple else {"type": "string", "oneOf": options}
        )
        described = {"description": choice.description} if choice.description else {}
        properties[choice.id] = {"title": choice.title, **described, **values}
        if choice.own_words:
            meta = own_words_meta(choice.id)
            properties[choice.own_words] = {
                "type": "string",
                "title": "Other",
                "description": OWN_WORDS_ADDED if choice.multiple else OWN_WORDS,
                **({"_meta": meta} if meta else {}),
            }
    return {"type": "object", "properties": properties}


def _form_option(option: FormOption) -> Json:
    return {
        "const": option.value,
        "title": option.title,
        **({"description": option.description} if option.description else {}),
        **({"_meta": {"_claude/askUserQuestionOption": {"preview": option.preview}}} if option.preview else {}),
    }


def title_changed(update: TitleChanged, now: str) -> Json:
    """A session's title, at a time (ISO 8601)."""
    return {"sessionUpdate": "session_info_update", "title": update.title, "updatedAt": now}


def stop_fields(outcome: Outcome) -> Json:
    """How work ended, as the states of v2 and of the subagents RFD say it."""
    if outcome.failure is not None:
        return {"stopReason": "error", "error": error_object(outcome.failure)}
    return {"stopReason": outcome.stop}


def call_meta(report: ToolReport) -> Json:
    """What `_meta.claudeCode` says of a tool call in either version."""
    return {
        **({"parentToolUseId": report.parent_id} if report.parent_id else {}),
        **({"nonExecutionKind": report.non_execution_kind} if report.non_execution_kind else {}),
        **({"toolResponse": report.progress} if report.progress else {}),
    }


def encoded_fields(fields: dict[str, Any], encoders: Mapping[str, Callable[[Any], Any]]) -> Json:
    """A tool call's fields, those that have an encoder in its form."""
    return {name: encoders[name](value) if name in encoders else value for name, value in fields.items()}


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


def prompt_suggestion(update: PromptSuggested) -> Json:
    """What could be asked next; no text takes the suggestion back."""
    suggestions = [{"text": update.text}] if update.text else []
    meta = {"promptSuggestions": {"suggestions": suggestions}}
    return {"sessionUpdate": "session_info_update", "_meta": meta}


def approved_plan(plan: PlanApproved) -> Json:
    """A plan in writing that the person has approved, for a client that shows plans by their id."""
    shown = {"type": "markdown", "planId": "plan-mode", "content": plan.text}
    return {"sessionUpdate": "plan_update", "plan": shown}


def replay_end() -> Json:
    """AIR's `loadReplayEnd`: all of the history was sent."""
    return {
        "sessionUpdate": "session_info_update",
        "_meta": {"jetbrains": {"air": {"version": 1, "loadReplayEnd": True}}},
    }
