"""The context meter follows the main conversation's messages; the ledger counts each model's tokens once."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.outcome import TokenCount
from adapter.shared.updates import UsageChanged
from adapter.shared.usage import DEFAULT_WINDOW, ModelLedger, UsageMeter, token_count

MODEL = "claude-opus-5-5"


def usage(**counts: Any) -> dict[str, Any]:
    return {f"{name}_tokens": count for name, count in counts.items()}


def message(**counts: Any) -> dict[str, Any]:
    return {"model": MODEL, "usage": usage(**counts)}


def per_model(given: int, made: int, read: int = 0, written: int = 0, **more: Any) -> dict[str, Any]:
    counts = {"inputTokens": given, "outputTokens": made}
    return {**counts, "cacheReadInputTokens": read, "cacheCreationInputTokens": written, **more}


@pytest.fixture
def meter() -> UsageMeter:
    return UsageMeter()


def test_the_tokens_of_a_usage_are_counted_by_kind() -> None:
    given = usage(input=1, output=2, cache_read_input=4, cache_creation_input=8)
    assert token_count(given) == TokenCount(input=1, output=2, cache_read=4, cache_write=8)
    assert token_count(given).total == 15


@pytest.mark.parametrize("given", [None, "text", [], {}, {"input_tokens": None, "output_tokens": "3"}])
def test_a_usage_of_another_form_counts_nothing(given: Any) -> None:
    assert token_count(given) == TokenCount()


def test_a_message_says_what_is_in_the_window(meter: UsageMeter) -> None:
    begun = meter.message_started(message(input=100, output=1, cache_read_input=20, cache_creation_input=3))
    assert begun == UsageChanged(124, DEFAULT_WINDOW, -1.0, MODEL, None)
    assert DEFAULT_WINDOW == 200_000


def test_the_output_grows_while_the_input_stays(meter: UsageMeter) -> None:
    meter.message_started(message(input=100, output=1, cache_read_input=20))
    assert meter.message_progressed(usage(output=50)).used == 170
    assert meter.message_progressed(usage(output=60, input=110)).used == 190
    assert meter.message_progressed(None).used == 190


def test_the_next_message_counts_anew(meter: UsageMeter) -> None:
    meter.message_started(message(input=100, output=50))
    assert meter.message_started(message(input=30)).used == 30


def test_the_model_stays_known_where_a_message_does_not_name_it(meter: UsageMeter) -> None:
    meter.message_started(message(input=1))
    assert meter.message_started({"usage": usage(input=1)}).model == MODEL


@pytest.mark.parametrize(
    ("said", "size"), [(1_000_000, 1_000_000), (0, DEFAULT_WINDOW), (None, DEFAULT_WINDOW), ("1", DEFAULT_WINDOW)]
)
def test_the_size_of_the_window_is_what_claude_code_says(meter: UsageMeter, said: Any, size: int) -> None:
    meter.window_known(said)
    assert meter.message_started(message(input=1)).size == size


def test_a_fresh_conversation_has_used_nothing(meter: UsageMeter) -> None:
    meter.window_known(1000)
    meter.message_started(message(input=100))
    assert meter.start_over() == UsageChanged(0, 1000, -1.0, "", None)
    assert (meter.percent_used, meter.turn_ended({})) == (0, None)


def test_a_share_of_the_window_is_used(meter: UsageMeter) -> None:
    assert meter.percent_used == 0
    meter.message_started(message(input=150_000))
    assert meter.percent_used == 75
    meter.message_started(message(input=400_000))
    assert meter.percent_used == 100


def test_a_turn_ends_with_its_cost_and_its_origin(meter: UsageMeter) -> None:
    meter.message_started(message(input=100))
    result = {
        "total_cost_usd": 0.25,
        "origin": {"kind": "human"},
        "modelUsage": {MODEL: {"contextWindow": 500}, "claude-haiku": {"contextWindow": 900}},
    }
    assert meter.turn_ended(result) == UsageChanged(100, 500, 0.25, MODEL, {"kind": "human"})


@pytest.mark.parametrize("model_usage", [None, [], {MODEL: None}, {MODEL: {}}, {"other": {"contextWindow": 5}}])
def test_a_turn_may_end_without_details(meter: UsageMeter, model_usage: Any) -> None:
    meter.message_started(message(input=100))
    result = {"modelUsage": model_usage, "total_cost_usd": None, "origin": "human"}
    assert meter.turn_ended(result) == UsageChanged(100, DEFAULT_WINDOW, -1.0, MODEL, None)


def test_a_turn_without_a_message_tells_nothing(meter: UsageMeter) -> None:
    assert meter.turn_ended({"total_cost_usd": 0.1}) is None


def test_the_ledger_takes_the_increment_where_it_is_given() -> None:
    ledger = ModelLedger()
    total = {"a": per_model(10, 20, 30, 40), "b": per_model(5, 5)}
    increment = {"a": per_model(1, 2, 3, 4), "b": per_model(0, 0)}
    counted = ledger.take({"modelUsage": total, "model_usage_since_last_result": increment})
    assert counted == (("a", TokenCount(1, 2, 3, 4)),)


def test_the_ledger_subtracts_where_no_increment_is_given() -> None:
    ledger = ModelLedger()
    assert ledger.take({"modelUsage": {"a": per_model(10, 20, 3, 4)}}) == (("a", TokenCount(10, 20, 3, 4)),)
    total = {"a": per_model(15, 22, 4, 8), "b": per_model(1, 0)}
    assert ledger.take({"modelUsage": total}) == (("a", TokenCount(5, 2, 1, 4)), ("b", TokenCount(1)))
    assert ledger.take({"modelUsage": total}) == ()


def test_the_ledger_remembers_the_total_behind_an_increment() -> None:
    ledger = ModelLedger()
    ledger.take({"modelUsage": {"a": per_model(10, 0)}, "model_usage_since_last_result": {"a": per_model(1, 0)}})
    assert ledger.take({"modelUsage": {"a": per_model(12, 0)}}) == (("a", TokenCount(2)),)


def test_a_total_that_begins_anew_counts_nothing_below_zero() -> None:
    ledger = ModelLedger()
    ledger.take({"modelUsage": {"a": per_model(10, 10)}})
    assert ledger.take({"modelUsage": {"a": per_model(4, 12)}}) == (("a", TokenCount(0, 2)),)


@pytest.mark.parametrize("given", [None, "text", [], {"a": None}, {"a": {"inputTokens": "1"}}])
def test_a_total_of_another_form_counts_nothing(given: Any) -> None:
    assert ModelLedger().take({"modelUsage": given}) == ()


def test_a_count_below_zero_is_none() -> None:
    assert token_count({"input_tokens": -1, "output_tokens": 2}) == TokenCount(0, 2)
