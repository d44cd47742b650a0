"""A steering prompt goes into the running turn, and the held prompt owns what follows."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.effects import SendPrompt
from adapter.shared.inputs import CloseRequested, ProcessStarted, SteerReceived
from adapter.shared.updates import Command, TitleChanged
from adapter.v1.session import V1Session
from support import machine
from support.machine import (
    CANCEL,
    aborted,
    answer,
    answers,
    asks,
    completed,
    dropped,
    handle,
    idle,
    interrupt_answered,
    of,
    prompt,
    result,
    started,
    system,
    written,
)


def steer(number: int, *, goal: bool = False) -> SteerReceived:
    block = {"type": "text", "text": "Left"}
    return SteerReceived(number, f"p{number}", (block,), (block,), "Left", goal=goal)


def outcome(effects: Any, number: int) -> Any:
    return next(effect.result for effect in effects if getattr(effect, "request", None) == number)


def steered_away(*numbers: int) -> Any:
    return result(*numbers, terminal_reason="aborted_streaming", stop_reason=None, queued_turn_count=1)


@pytest.fixture
def running() -> V1Session:
    """A session whose first prompt runs."""
    core = machine.v1_core()
    handle(core, prompt(1), started(1), system("init", session_id="s"))
    return core


def test_it_is_written_at_once_and_answered(running: V1Session) -> None:
    effects = handle(running, steer(2))
    assert outcome(effects, 2) == {"outcome": "injected"}
    assert [(sent.uuid, sent.steers) for sent in of(effects, SendPrompt)] == [("p2", True)]


def test_the_held_prompt_is_answered_by_the_steered_turn(running: V1Session) -> None:
    handle(running, steer(2))
    assert answers(handle(running, steered_away(1), dropped(1), started(2))) == {}
    assert answers(handle(running, result(2), completed(2), idle())) == {1: "end_turn"}


def test_its_answer_has_the_tokens_of_the_last_turn_and_all_by_model(running: V1Session) -> None:
    handle(running, steer(2))
    spent = {"model_usage_since_last_result": {machine.MODEL: {"inputTokens": 7, "outputTokens": 1}}}
    handle(running, {**steered_away(1), **spent}, started(2))
    effects = handle(running, {**result(2), **spent})
    outcomes = [effect.outcome for effect in effects if hasattr(effect, "outcome")]
    assert [(one.usage.total, dict(one.by_model)[machine.MODEL].total) for one in outcomes] == [(120, 16)]


def test_calls_of_the_turn_that_was_left_end_with_it(running: V1Session) -> None:
    handle(running, machine.calls("t1"), steer(2))
    assert machine.statuses(handle(running, steered_away(1))) == [("t1", "cancelled")]


def test_the_last_of_two_owns_the_turn(running: V1Session) -> None:
    handle(running, steer(2), steer(3), steered_away(1), dropped(1), started(2))
    assert answers(handle(running, aborted(2), dropped(2), started(3))) == {}
    assert answers(handle(running, result(3))) == {1: "end_turn"}


def test_a_turn_that_ended_before_it_came_answers_its_prompt(running: V1Session) -> None:
    handle(running, steer(2))
    assert answers(handle(running, result(1), completed(1))) == {1: "end_turn"}
    assert answers(handle(running, started(2), result(2), idle())) == {}


def test_one_that_is_taken_into_the_turn_changes_nothing_else(running: V1Session) -> None:
    handle(running, steer(2), started(2))
    assert answers(handle(running, completed(2), result(1, 2))) == {1: "end_turn"}


def test_a_queued_prompt_keeps_its_own_turn(running: V1Session) -> None:
    handle(running, prompt(2), steer(3), steered_away(1), dropped(1), started(3))
    assert answers(handle(running, result(3))) == {1: "end_turn"}
    assert answers(handle(running, started(2), result(2))) == {2: "end_turn"}


def test_during_a_question_it_waits_for_the_answer(running: V1Session) -> None:
    effects = handle(running, asks("k"), steer(2))
    assert [sent.steers for sent in of(effects, SendPrompt)] == [False]
    handle(running, answer("k"), machine.returns("t1"), started(2))
    assert answers(handle(running, result(1, 2))) == {1: "end_turn"}


def test_without_a_turn_it_begins_one(running: V1Session) -> None:
    core = machine.v1_core()
    effects = handle(core, steer(1))
    assert outcome(effects, 1) == {"outcome": "startedNewTurn"}
    assert written(effects) == ["p1"]
    begun = handle(core, started(1), system("init", session_id="s"), steer(2))
    assert outcome(begun, 2) == {"outcome": "injected"}
    assert answers(handle(core, steered_away(1), dropped(1), started(2), result(2), idle())) == {}
    assert outcome(handle(core, steer(3)), 3) == {"outcome": "startedNewTurn"}
    assert core is not running


def test_a_cancel_covers_it(running: V1Session) -> None:
    handle(running, steer(2), CANCEL)
    assert answers(handle(running, dropped(2), interrupt_answered(), aborted(1), dropped(1))) == {1: "cancelled"}


def test_a_cancel_of_the_steered_turn_cancels_the_held_prompt(running: V1Session) -> None:
    handle(running, steer(2), steered_away(1), dropped(1), started(2), CANCEL, interrupt_answered())
    assert answers(handle(running, aborted(2), dropped(2), idle())) == {1: "cancelled"}


def test_behind_a_cancel_it_begins_a_turn_when_that_is_done(running: V1Session) -> None:
    effects = handle(running, CANCEL, steer(2))
    assert outcome(effects, 2) == {"outcome": "startedNewTurn"}
    assert written(effects) == []
    assert written(handle(running, interrupt_answered(), aborted(1))) == ["p2"]


def test_a_claude_code_that_is_down_is_started_for_it() -> None:
    core = machine.v1_core()
    handle(core, machine.dies())
    effects = handle(core, steer(1))
    assert machine.names(effects) == ["Respond", "StartProcess"]


def test_a_death_fails_the_held_prompt(running: V1Session) -> None:
    handle(running, steer(2), steered_away(1), started(2))
    assert answers(handle(running, machine.dies())) == {1: "process_exited"}


def test_a_death_hands_a_steering_prompt_that_was_not_begun_to_the_next_process_once(running: V1Session) -> None:
    handle(running, steer(2))
    effects = handle(running, machine.dies())
    assert machine.names(effects) == ["Fail", "StartProcess"]
    assert machine.written(handle(running, ProcessStarted("default"))) == ["p2"]
    assert machine.names(handle(running, machine.dies())) == []


def test_a_closed_session_refuses_it(running: V1Session) -> None:
    handle(running, CloseRequested(9))
    assert answers(handle(running, steer(5))) == {5: "-32800"}


def test_a_goal_is_held_until_its_turn_is_over() -> None:
    core = machine.v1_core()
    effects = handle(core, steer(1, goal=True))
    assert (written(effects), answers(effects)) == (["p1"], {})
    assert outcome(handle(core, started(1), result(1)), 1) == {}


def test_a_session_that_begins_with_a_goal_is_named_by_the_command_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "COMMANDS", (Command("goal", "Set a goal", "condition"),))
    core = machine.v1_core()
    block = {"type": "text", "text": "/goal Ship it"}
    goal = SteerReceived(1, "p1", (block,), (block,), "/goal Ship it", goal=True)
    assert of(handle(core, goal, started(1), result(1)), TitleChanged) == [TitleChanged("/goal")]


def test_a_goal_in_a_turn_is_answered_at_once(running: V1Session) -> None:
    effects = handle(running, steer(2, goal=True))
    assert outcome(effects, 2) == {}
    assert [sent.steers for sent in of(effects, SendPrompt)] == [True]


def test_a_goal_that_fails_says_why() -> None:
    core = machine.v1_core()
    handle(core, steer(1, goal=True), started(1))
    assert answers(handle(core, machine.dies())) == {1: "process_exited"}


def test_v2_has_no_such_method() -> None:
    assert answers(handle(machine.native_core(), steer(1))) == {1: "-32601"}
