"""How a turn ended, for every kind of result that Claude Code gives."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.jsonrpc.errors import ClaudeFailure, error_object
from adapter.shared.outcome import Outcome, StopReason, TokenCount
from adapter.shared.turn_outcome import CANCELLED_UNMEASURED, UNMEASURED, OutcomeReader, joined

NO_TEXT = "Claude Code ended the turn with an error and no text"


def read(*, cancelled: bool = False, kind: str = "", **result: Any) -> Outcome:
    reader = OutcomeReader()
    if kind:
        reader.saw_error(kind)
    return reader.read({"type": "result", **result}, cancelled=cancelled)


@pytest.mark.parametrize(
    ("result", "stop"),
    [
        ({"subtype": "success", "stop_reason": "end_turn", "terminal_reason": "completed"}, StopReason.END_TURN),
        ({"subtype": "success", "stop_reason": "stop_sequence", "terminal_reason": "completed"}, StopReason.END_TURN),
        ({"subtype": "success", "stop_reason": "max_tokens", "terminal_reason": "completed"}, StopReason.MAX_TOKENS),
        # A local command, a hook that blocked the prompt.
        ({"subtype": "success", "stop_reason": None, "num_turns": 0}, StopReason.END_TURN),
        # Steered away by a prompt with priority.
        (
            {"subtype": "success", "is_error": False, "stop_reason": None, "terminal_reason": "aborted_streaming"},
            StopReason.END_TURN,
        ),
        (
            {"subtype": "success", "is_error": False, "stop_reason": "tool_use", "terminal_reason": "aborted_tools"},
            StopReason.END_TURN,
        ),
        (
            {"subtype": "error_during_execution", "is_error": True, "terminal_reason": "aborted_streaming"},
            StopReason.CANCELLED,
        ),
        (
            {
                "subtype": "error_during_execution",
                "is_error": True,
                "terminal_reason": "aborted_tools",
                "stop_reason": "tool_use",
                "errors": ["[ede_diagnostic] not for people"],
            },
            StopReason.CANCELLED,
        ),
        (
            {"subtype": "error_max_turns", "is_error": True, "terminal_reason": "max_turns", "errors": ["Reached"]},
            StopReason.MAX_TURN_REQUESTS,
        ),
        (
            {"subtype": "success", "is_error": True, "stop_reason": "refusal", "terminal_reason": "api_error"},
            StopReason.REFUSAL,
        ),
        ({"subtype": "success", "is_error": False, "stop_reason": "refusal"}, StopReason.REFUSAL),
    ],
)
def test_a_turn_that_ends_has_a_stop_reason(result: dict[str, Any], stop: StopReason) -> None:
    outcome = read(**result)
    assert (outcome.stop, outcome.failure, outcome.measured) == (stop, None, True)


@pytest.mark.parametrize(
    ("kind", "text", "code"),
    [
        ("unknown", "API Error: 400 bad", -32603),
        ("invalid_request", "Prompt is too long", -32603),
        ("billing_error", "Credit balance is too low", -32603),
        ("authentication_failed", "Invalid API key · Fix external API key", -32000),
        ("authentication_failed", "Failed to authenticate. API Error: 401", -32000),
        ("oauth_org_not_allowed", "Your organization is not allowed", -32000),
        ("model_not_found", "There's an issue with the selected model", -32603),
        ("rate_limit", "You've hit your limit", -32603),
        ("server_error", "API Error: 529 Overloaded.", -32603),
        ("overloaded", "Overloaded", -32603),
    ],
)
def test_an_error_of_the_api_is_a_failure_of_its_kind(kind: str, text: str, code: int) -> None:
    outcome = read(kind=kind, subtype="success", is_error=True, terminal_reason="api_error", result=text)
    assert outcome.failure == ClaudeFailure(kind, text)
    assert error_object(outcome.failure)["code"] == code


@pytest.mark.parametrize(
    ("result", "failure"),
    [
        ({"subtype": "success", "result": "broken"}, ClaudeFailure("unknown", "broken")),
        (
            {"subtype": "error_during_execution", "errors": ["one", "two"]},
            ClaudeFailure("unknown", "one; two"),
        ),
        ({"subtype": "error_during_execution"}, ClaudeFailure("unknown", NO_TEXT)),
        ({"subtype": "error_during_execution", "errors": "text", "result": None}, ClaudeFailure("unknown", NO_TEXT)),
        (
            {"subtype": "error_max_budget_usd", "terminal_reason": "budget_exhausted", "errors": ["Reached $1"]},
            ClaudeFailure("max_budget", "Reached $1"),
        ),
        (
            {"subtype": "error_during_execution", "terminal_reason": ["aborted_tools"], "result": "odd"},
            ClaudeFailure("unknown", "odd"),
        ),
    ],
)
def test_other_errors_are_failures_with_the_best_text(result: dict[str, Any], failure: ClaudeFailure) -> None:
    assert read(is_error=True, **result).failure == failure


@pytest.mark.parametrize(
    "result",
    [
        {"subtype": "success", "stop_reason": "end_turn"},
        {"subtype": "success", "num_turns": 0},
        {"subtype": "error_during_execution", "is_error": True, "terminal_reason": "aborted_streaming"},
        {"subtype": "success", "is_error": True, "result": "API Error"},
    ],
)
def test_a_turn_that_the_client_cancelled_is_cancelled_whatever_its_result_says(result: dict[str, Any]) -> None:
    outcome = read(cancelled=True, **result)
    assert (outcome.stop, outcome.failure) == (StopReason.CANCELLED, None)


def test_the_kind_of_an_error_counts_for_one_turn() -> None:
    reader = OutcomeReader()
    reader.saw_error("rate_limit")
    reader.read({"is_error": True, "result": "a"}, cancelled=True)
    assert reader.read({"is_error": True, "result": "b"}, cancelled=False).failure == ClaudeFailure("unknown", "b")


def test_the_latest_kind_counts() -> None:
    reader = OutcomeReader()
    reader.saw_error("rate_limit")
    reader.saw_error("server_error")
    failure = reader.read({"is_error": True, "result": "a"}, cancelled=False).failure
    assert failure == ClaudeFailure("server_error", "a")


def test_an_error_that_was_overcome_is_no_failure() -> None:
    assert read(kind="rate_limit", subtype="success").failure is None


@pytest.mark.parametrize("cancelled", [False, True])
def test_the_usage_of_the_turn_and_of_its_models_is_told(cancelled: bool) -> None:
    outcome = read(
        cancelled=cancelled,
        usage={"input_tokens": 1, "output_tokens": 2},
        modelUsage={"a": {"inputTokens": 5}, "b": {"outputTokens": 7}},
    )
    assert outcome.usage == TokenCount(1, 2)
    assert outcome.by_model == (("a", TokenCount(5)), ("b", TokenCount(0, 7)))


def test_the_models_are_counted_from_result_to_result() -> None:
    reader = OutcomeReader()
    reader.read({"modelUsage": {"a": {"inputTokens": 5}}}, cancelled=True)
    outcome = reader.read({"modelUsage": {"a": {"inputTokens": 8}}}, cancelled=False)
    assert outcome.by_model == (("a", TokenCount(3)),)


def test_turns_without_a_result_are_not_measured() -> None:
    assert (UNMEASURED.stop, UNMEASURED.measured) == (StopReason.END_TURN, False)
    assert (CANCELLED_UNMEASURED.stop, CANCELLED_UNMEASURED.measured) == (StopReason.CANCELLED, False)


def test_a_fresh_conversation_counts_from_zero() -> None:
    reader = OutcomeReader()
    reader.saw_error("rate_limit")
    reader.read({"modelUsage": {"a": {"inputTokens": 5}}}, cancelled=False)
    reader.saw_error("rate_limit")
    reader.start_over()
    outcome = reader.read({"is_error": True, "result": "x", "modelUsage": {"a": {"inputTokens": 4}}}, cancelled=False)
    assert outcome.by_model == (("a", TokenCount(4)),)
    assert outcome.failure == ClaudeFailure("unknown", "x")


def test_a_turn_of_two_conversations_ends_like_the_last_and_used_what_both_used() -> None:
    first = Outcome(
        StopReason.END_TURN, None, TokenCount(1, 2, 3, 4), (("a", TokenCount(1, 1, 1, 1)), ("b", TokenCount(5)))
    )
    failure = ClaudeFailure("rate_limit", "later")
    last = Outcome(
        StopReason.MAX_TOKENS,
        failure,
        TokenCount(10, 20, 30, 40),
        (("c", TokenCount(7)), ("a", TokenCount(2, 3, 4, 5))),
        measured=False,
    )
    assert joined(first, last) == Outcome(
        StopReason.MAX_TOKENS,
        failure,
        TokenCount(11, 22, 33, 44),
        (("a", TokenCount(3, 4, 5, 6)), ("b", TokenCount(5)), ("c", TokenCount(7))),
        measured=True,
    )
