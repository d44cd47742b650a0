"""What a person could say next."""

from __future__ import annotations

from typing import Any

from support.air import AirSession
from support.machine import idle, prompt, result, started

SUGGESTED = {"type": "prompt_suggestion", "suggestion": "run the tests"}


def texts(update: dict[str, Any]) -> list[str]:
    return [suggestion["text"] for suggestion in update["_meta"]["promptSuggestions"]["suggestions"]]


def test_a_suggestion_is_shown_until_the_next_prompt() -> None:
    air = AirSession()
    (shown,) = air.gets(SUGGESTED)
    assert texts(shown) == ["run the tests"]
    (cleared,) = air.gets(prompt(1))
    assert texts(cleared) == []
    assert air.gets(started(1)) == []


def test_a_suggestion_that_is_shown_is_not_repeated() -> None:
    air = AirSession()
    air.gets(SUGGESTED)
    assert air.gets(SUGGESTED, {"type": "prompt_suggestion"}, {"type": "prompt_suggestion", "suggestion": 5}) == []
    air.gets(prompt(1), started(1), result(1), idle())
    assert len(air.gets(SUGGESTED)) == 1
