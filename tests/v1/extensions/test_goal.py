"""The goal of a session, as AIR shows it."""

from __future__ import annotations

from typing import Any

import pytest

from support.air import AirSession, payloads
from support.machine import (
    CANCEL,
    aborted,
    completed,
    dies,
    dropped,
    idle,
    interrupt_answered,
    prompt,
    result,
    started,
)

Json = dict[str, Any]
SHIP = {"objective": "Ship it", "status": "active", "controlMethod": "_session/goal"}


def goals(air: AirSession, *events: Any) -> list[Any]:
    return payloads(air.gets(*events), "goal")


def active(condition: str = "Ship it", **fields: Any) -> Json:
    return {"type": "active_goal", "value": {"condition": condition, **fields}}


def test_a_command_that_sets_a_goal_shows_it_at_once() -> None:
    assert goals(AirSession(), prompt(1, "/goal Ship it")) == [SHIP]


def test_a_command_that_clears_it_takes_it_away() -> None:
    air = AirSession()
    assert goals(air, prompt(1, "/goal Ship it"), started(1), completed(1), result(1)) == [SHIP]
    assert goals(air, prompt(2, "/goal clear")) == [None]


@pytest.mark.parametrize("word", ["clear", "Clear", "stop", "off", "reset", "none", "CANCEL"])
def test_all_of_claude_codes_words_take_it_away(word: str) -> None:
    air = AirSession()
    goals(air, prompt(1, "/goal\nShip it"), started(1), completed(1), result(1))
    assert goals(air, prompt(2, f"/goal {word}")) == [None]


def test_other_prompts_set_nothing() -> None:
    assert goals(AirSession(), prompt(1, "/goal"), prompt(2, "/goals x"), prompt(3, "Our /goal is x")) == []


def test_claude_codes_word_adds_what_it_knows() -> None:
    air = AirSession()
    goals(air, prompt(1, "/goal Ship it"), started(1))
    word = active(iterations=3, last_reason="Tests fail", set_at=1710000000123, tokens_at_start=5)
    more = {"iterations": 3, "lastReason": "Tests fail", "createdAt": 1710000000123}
    assert goals(air, word, word) == [{**SHIP, **more}]
    assert goals(air, completed(1), {"type": "active_goal", "value": None}) == [None]


def test_a_late_word_on_the_goal_before_is_ignored_while_a_command_is_on_its_way() -> None:
    air = AirSession()
    goals(air, prompt(1, "/goal Ship it"), started(1), completed(1), result(1))
    other = {**SHIP, "objective": "Test it"}
    assert goals(air, prompt(2, "/goal Test it"), active(iterations=4)) == [other]
    assert goals(air, started(2), completed(2), active(iterations=4)) == [{**SHIP, "iterations": 4}]


def test_a_command_that_fails_restores_the_goal_before() -> None:
    air = AirSession()
    goals(air, prompt(1, "/goal Ship it"), started(1), completed(1), result(1))
    assert goals(air, prompt(2, "/goal clear"), started(2)) == [None]
    assert goals(air, result(2, is_error=True)) == [SHIP]
    assert goals(air, prompt(3, "/goal Other"), dropped(3)) == [{**SHIP, "objective": "Other"}, SHIP]


@pytest.mark.parametrize("end", [aborted(1), dropped(1)], ids=["result", "lifecycle"])
def test_a_cancel_does_not_clear_it(end: Any) -> None:
    air = AirSession()
    goals(air, prompt(1, "/goal Ship it"), started(1), active(iterations=1))
    assert goals(air, CANCEL, end, interrupt_answered(), idle()) == []
    assert goals(air, active(iterations=2)) == [{**SHIP, "iterations": 2}]


def test_a_prompt_is_over_while_the_goal_is_active() -> None:
    air = AirSession()
    sent = air.gets(prompt(1, "/goal Ship it"), started(1), active(), completed(1), result(1))
    assert [message["respond"] for message in sent if "respond" in message] == [1]
    assert payloads(sent, "goal")[-1]["status"] == "active"


def test_a_word_without_an_objective_is_none() -> None:
    assert goals(AirSession(), {"type": "active_goal", "value": {"condition": 5}}, {"type": "active_goal"}) == []


def test_the_goal_ends_with_the_process() -> None:
    air = AirSession()
    goals(air, prompt(1, "/goal Ship it"), started(1))
    assert goals(air, dies()) == [None]
