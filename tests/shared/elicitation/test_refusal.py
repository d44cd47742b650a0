"""The consent to go on with another model after a refusal."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.elicitation.refusal import refusal_answer, refusal_form


def test_the_form_names_both_models() -> None:
    form = refusal_form("k", {"originalModel": "opus", "fallbackModel": "sonnet"})
    assert form.message == "opus declined this request. Retry it with sonnet?"
    (choice,) = form.choices
    assert [(option.value, option.title) for option in choice.options] == [
        ("retry_fallback", "Retry with sonnet"),
        ("edit_prompt", "Edit the prompt"),
    ]
    assert not choice.own_words


def test_claude_codes_own_words_come_first() -> None:
    assert refusal_form("k", {"guidanceText": "Try another model?"}).message == "Try another model?"


@pytest.mark.parametrize("payload", [None, "text", {}, {"originalModel": 7}])
def test_a_payload_of_another_form_is_still_asked_about(payload: Any) -> None:
    assert refusal_form("k", payload).message == "The model declined this request. Retry it with another model?"


@pytest.mark.parametrize("choice", ["retry_fallback", "edit_prompt"])
def test_the_choice_is_the_result(choice: str) -> None:
    result = {"action": "accept", "content": {"choice": choice}}
    assert refusal_answer(result, failed=False) == {"behavior": "completed", "result": choice}


@pytest.mark.parametrize(
    "result",
    [
        {"action": "accept", "content": {"choice": "else"}},
        {"action": "accept"},
        {"action": "decline"},
        {"action": "cancel"},
        None,
    ],
)
def test_anything_else_cancels(result: Any) -> None:
    assert refusal_answer(result, failed=False) == {"behavior": "cancelled"}


def test_a_client_that_failed_cancels() -> None:
    result = {"action": "accept", "content": {"choice": "retry_fallback"}}
    assert refusal_answer(result, failed=True) == {"behavior": "cancelled"}
