"""The record of a failure, from its kind and its text."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.jsonrpc.errors import ClaudeFailure
from adapter.v1.extensions.failure_records import (
    failure_class,
    is_sign_in,
    replayed_record,
    retry_record,
    synthetic_text,
    title_of,
)
from support.air import check

Json = dict[str, Any]
LIMIT = "You've hit your individual spend limit · run /usage-credits to ask your admin for a higher limit"


def stored(text: str, model: str = "<synthetic>", **fields: Any) -> Json:
    """An `assistant` entry of a transcript."""
    return {
        "type": "assistant",
        "uuid": "m1",
        "message": {"model": model, "content": [{"type": "text", "text": text}]},
        **fields,
    }


@pytest.mark.parametrize(
    ("kind", "category", "actions"),
    [
        ("verification_required", "service", ["retry"]),
        ("cloud_credential_error", "service", ["retry"]),
        ("billing_error", "limit", []),
        ("account_on_hold", "limit", []),
        ("rate_limit", "limit", ["retry"]),
        ("max_output_tokens", "limit", ["new_session"]),
        ("max_turns", "limit", ["new_session"]),
        ("max_budget", "limit", ["new_session"]),
        ("invalid_request", "request", []),
        ("model_not_found", "request", []),
        ("overloaded", "service", ["retry"]),
        ("server_error", "service", ["retry"]),
        ("unknown", "service", ["retry"]),
        ("of_tomorrow", "service", ["retry"]),
        ("adapter_fault", "service", ["retry", "new_session"]),
        ("process_exited", "connection", ["new_session"]),
        ("start_failed", "connection", ["new_session"]),
    ],
)
def test_each_kind_has_its_category_and_actions(kind: str, category: str, actions: list[str]) -> None:
    group = failure_class(kind, "Text")
    assert (group.category, list(group.actions)) == (category, actions)


def test_a_usage_limit_is_known_by_its_text() -> None:
    group = failure_class("rate_limit", LIMIT)
    assert (group.category, group.actions) == ("limit", ())


def test_sign_in_failures_get_no_record() -> None:
    kinds = ("authentication_failed", "oauth_org_not_allowed", "rate_limit")
    assert [is_sign_in(ClaudeFailure(kind, "x")) for kind in kinds] == [True, True, False]


def test_a_title_is_claude_codes_text_and_names_nothing_private() -> None:
    assert title_of(ClaudeFailure("unknown", "API Error: 400 bad")) == "API Error: 400 bad"
    assert title_of(ClaudeFailure("process_exited", "/home/me/claude died")) == "The connection to Claude was lost."
    assert title_of(ClaudeFailure("adapter_fault", "Traceback")) == "The adapter failed on this turn."


@pytest.mark.parametrize(
    ("error", "status", "category", "title"),
    [
        ("overloaded", 529, "service", "Retrying Claude, attempt 1 of 2."),
        ("rate_limit", 429, "limit", "Retrying Claude, attempt 1 of 2."),
        ("unknown", None, "connection", "Reconnecting to Claude, attempt 1 of 2."),
    ],
)
def test_a_retry_is_a_warning(error: str, status: int | None, category: str, title: str) -> None:
    frame = {"attempt": 1, "max_retries": 2, "error_status": status, "error": error}
    record = retry_record("i", 1, frame)
    check("sessionFailure", record)
    assert (record["severity"], record["category"], record["title"], record["actions"]) == (
        "warning",
        category,
        title,
        [],
    )


def test_a_stored_usage_limit_becomes_a_record_with_its_live_id() -> None:
    record = replayed_record(stored(LIMIT), "p1", "session")
    assert record is not None
    check("sessionFailure", record)
    assert (record["id"], record["revision"], record["title"]) == ("p1:error", 1, LIMIT)
    assert (record["category"], record["severity"], record["actions"]) == ("limit", "error", [])


def test_a_stored_usage_limit_without_a_prompt_has_an_id_of_its_own() -> None:
    record = replayed_record(stored(LIMIT), "", "session")
    assert record is not None
    assert record["id"] == "session:history-error:m1"


@pytest.mark.parametrize(
    "entry",
    [
        stored(LIMIT, model="claude-opus-5-5"),
        stored(f"I read: {LIMIT}"),
        stored("API Error: 500"),
        stored(LIMIT, isSidechain=True),
        {"type": "assistant", "message": None},
        {"type": "assistant", "message": {"model": "<synthetic>", "content": LIMIT}},
    ],
)
def test_other_stored_messages_are_none(entry: Json) -> None:
    assert replayed_record(entry, "p1", "session") is None


def test_the_text_of_a_synthetic_message_is_that_of_its_blocks() -> None:
    content = [{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]
    assert synthetic_text({"message": {"model": "<synthetic>", "content": content}}) == "ab"
