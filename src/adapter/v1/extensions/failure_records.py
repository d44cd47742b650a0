"""What AIR is told of a failure: its record, from Claude Code's kind and text.

Source: docs/air-extensions.md, *Session failure*.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from adapter.shared.jsonrpc.errors import AUTH_ERROR_KINDS, ClaudeFailure
from adapter.shared.tools.facts import Json
from adapter.shared.tools.text import string

SYNTHETIC = "<synthetic>"
LOST = "The connection to Claude was lost."
STOPPING = "Claude is shutting down."
BROKEN = "The adapter failed on this turn."
USAGE_LIMITS = (
    "You've hit your ",
    "You've reached your ",
    "You're out of usage credits",
    "You're out of extra usage",
    "Claude AI usage limit reached",
)
"""How Claude Code's own messages about a usage or spend limit begin."""
OURS = frozenset({"process_exited", "start_failed", "cli_too_old", "control_failed"})
"""Kinds of failures of Claude Code's process, whose texts name paths and exit statuses."""


@dataclass(frozen=True, slots=True)
class FailureClass:
    """The visual group of a failure, and what a person can do, in order."""

    category: str
    actions: tuple[str, ...] = ()


SERVICE = FailureClass("service", ("retry",))
LIMIT = FailureClass("limit")
ENDED = FailureClass("limit", ("new_session",))
REQUEST = FailureClass("request")
CONNECTION = FailureClass("connection", ("new_session",))
ADAPTER = FailureClass("service", ("retry", "new_session"))
UNKNOWN = FailureClass("unknown")
CLASSES = {
    "verification_required": SERVICE,
    "cloud_credential_error": SERVICE,
    "billing_error": LIMIT,
    "account_on_hold": LIMIT,
    "rate_limit": FailureClass("limit", ("retry",)),
    "max_output_tokens": ENDED,
    "max_turns": ENDED,
    "max_budget": ENDED,
    "invalid_request": REQUEST,
    "model_not_found": REQUEST,
    "overloaded": SERVICE,
    "server_error": SERVICE,
    "adapter_fault": ADAPTER,
    **dict.fromkeys(OURS, CONNECTION),
}
"""By Claude Code's `assistant.error`, or by our own kinds; any other kind is the service's fault."""


def failure_class(kind: str, title: str) -> FailureClass:
    """The group of a failure. A usage limit is known by its text: Claude Code calls it a rate limit."""
    return LIMIT if is_usage_limit(title) else CLASSES.get(kind, SERVICE)


def is_usage_limit(text: str) -> bool:
    """Whether a text of Claude Code's own says that a usage or spend limit is reached."""
    return text.startswith(USAGE_LIMITS)


def is_sign_in(failure: ClaudeFailure) -> bool:
    """Whether a failure is about the login: it gets ACP's own error, and no record."""
    return failure.kind in AUTH_ERROR_KINDS


def title_of(failure: ClaudeFailure) -> str:
    """The text for a person: Claude Code's own, unless it names what is private."""
    if failure.kind == "adapter_fault":
        return BROKEN
    return LOST if failure.kind in OURS else failure.message


def record(identity: str, revision: int, group: FailureClass, title: str) -> Json:
    """The record of an error."""
    return {
        "id": identity,
        "revision": revision,
        "category": group.category,
        "severity": "error",
        "title": title,
        "actions": list(group.actions),
    }


def warning(identity: str, revision: int, category: str, title: str) -> Json:
    """The record of something that can still go well."""
    return {
        "id": identity,
        "revision": revision,
        "category": category,
        "severity": "warning",
        "title": title,
        "actions": [],
    }


def retry_record(identity: str, revision: int, frame: Json) -> Json:
    """The record of an `api_retry` frame."""
    connects = frame.get("error_status") is None
    verb = "Reconnecting to" if connects else "Retrying"
    category = "connection" if connects else failure_class(string(frame.get("error")), "").category
    title = f"{verb} Claude, attempt {frame.get('attempt')} of {frame.get('max_retries')}."
    return warning(identity, revision, category, title)


def replayed_record(entry: Json, prompt_uuid: str, session_id: str) -> Json | None:
    """The record of a stored `assistant` entry that is Claude Code's word on a usage limit; `None` for any other.

    Args:
        entry: A line of the session's transcript.
        prompt_uuid: The uuid of the user message before it; empty if there is none.
        session_id: The session.
    """
    text = synthetic_text(entry)
    if not is_usage_limit(text) or entry.get("isSidechain") is True:
        return None
    identity = f"{prompt_uuid}:error" if prompt_uuid else f"{session_id}:history-error:{string(entry.get('uuid'))}"
    return record(identity, 1, LIMIT, text)


def synthetic_text(frame: Json) -> str:
    """The text of an `assistant` frame that Claude Code made itself; empty for the model's own."""
    message: Any = frame.get("message")
    is_synthetic = isinstance(message, dict) and message.get("model") == SYNTHETIC
    return text_of(frame) if is_synthetic else ""


def text_of(frame: Json) -> str:
    """The text of an `assistant` frame."""
    message: Any = frame.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    blocks = content if isinstance(content, list) else []
    texts = [string(block.get("text")) for block in blocks if isinstance(block, dict) and block.get("type") == "text"]
    return "".join(texts)
