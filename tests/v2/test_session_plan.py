"""A plan that is carried out in a fresh context: one turn, two conversations."""

from __future__ import annotations

import pytest

from adapter.shared.effects import AnswerControl, AskPermission, Respond, SendPrompt, StartProcess
from adapter.shared.inputs import ProcessStarted
from adapter.shared.outcome import TokenCount
from adapter.shared.updates import ConfigChanged, UsageChanged, UserMessage
from adapter.shared.v2.session import V2Session
from adapter.shared.work_updates import StateChanged
from support.machine import (
    CANCEL,
    TOO_OLD,
    NewCore,
    answer,
    answers,
    asks,
    completed,
    delta,
    dies,
    handle,
    idle,
    message_start,
    notification_result,
    of,
    prompt,
    result,
    started,
    statuses,
    told,
    written,
)

PLAN = {"plan": "1. Do it", "planFilePath": "/w/plan.md"}
CLEAR = answer("q1", "exit-plan-clear-auto")
UP = ProcessStarted("auto")


@pytest.fixture
def core(new_core: NewCore) -> V2Session:
    """A session whose turn asks whether the plan is good."""
    core = new_core(mode="plan")
    handle(core, prompt(1), started(1), message_start(), asks("q1", "t1", "ExitPlanMode", PLAN))
    return core


def test_the_work_of_the_plan_is_stopped_and_its_call_has_ended_well(core: V2Session) -> None:
    effects = handle(core, CLEAR)
    [reply] = of(effects, AnswerControl)
    assert (reply.response["behavior"], reply.response["interrupt"]) == ("deny", True)
    assert statuses(effects) == [("t1", "completed")]
    assert told(effects) == ["running"]


def test_its_result_starts_a_fresh_conversation_and_the_turn_goes_on(core: V2Session) -> None:
    effects = handle(core, CLEAR, result(1))
    assert of(effects, StartProcess) == [StartProcess(afresh=True)]
    assert of(effects, UsageChanged)[-1].used == 0
    assert told(effects) == ["running"]
    [options] = [change.options for change in of(effects, ConfigChanged)]
    assert next(option.current for option in options if option.id == "mode") == "auto"


def test_the_plan_is_written_there_and_no_user_message_stands_for_it(core: V2Session) -> None:
    effects = handle(core, CLEAR, result(1), UP, started(1), message_start("m2"), delta("Doing it"))
    [sent] = of(effects, SendPrompt)
    assert sent == SendPrompt("p1", ({"type": "text", "text": "Implement the following plan:\n\n1. Do it"},))
    assert of(effects, UserMessage, Respond) == []


def test_its_end_is_that_of_the_turn_with_the_usage_of_both(new_core: NewCore, core: V2Session) -> None:
    effects = handle(core, CLEAR, result(1), UP, started(1), result(1), completed(1), idle())
    alone = of(handle(new_core(), prompt(1), started(1), result(1)), StateChanged)[-1].outcome
    assert told(effects) == ["running", "idle: end_turn"]
    assert of(effects, StateChanged)[-1].outcome.usage == alone.usage.plus(alone.usage)
    assert alone.usage != TokenCount()


def test_the_usage_of_the_next_turn_is_its_own(new_core: NewCore, core: V2Session) -> None:
    handle(core, CLEAR, result(1), UP, started(1), result(1), idle())
    alone = of(handle(new_core(), prompt(1), started(1), result(1)), StateChanged)[-1].outcome
    [_, ended] = of(handle(core, prompt(2), started(2), result(2)), StateChanged)
    assert ended.outcome.usage == alone.usage


def test_a_prompt_that_was_not_taken_in_is_written_again_behind_the_plan(core: V2Session) -> None:
    handle(core, prompt(2))
    assert written(handle(core, CLEAR, result(1), UP)) == ["p1", "p2"]


def test_a_cancel_before_the_result_calls_it_off(core: V2Session) -> None:
    effects = handle(core, CLEAR, CANCEL, result(1))
    assert of(effects, StartProcess) == []
    assert told(effects)[-1] == "idle: cancelled"


def test_a_cancel_while_the_fresh_one_starts_ends_the_turn_at_once(core: V2Session) -> None:
    handle(core, CLEAR, result(1))
    effects = handle(core, CANCEL)
    assert told(effects) == ["idle: cancelled"]
    assert of(effects, StateChanged)[0].outcome.usage == TokenCount(100, 20)
    assert written(handle(core, UP)) == []


def test_a_prompt_behind_that_cancel_runs_in_the_fresh_one(core: V2Session) -> None:
    handle(core, CLEAR, result(1), CANCEL, prompt(2))
    effects = handle(core, UP, started(2), result(2))
    assert written(effects) == ["p2"]
    assert answers(effects) == {2: "ok"}
    assert told(effects) == ["running", "idle: end_turn"]


def test_a_death_before_the_result_fails_the_turn_as_ever(core: V2Session) -> None:
    effects = handle(core, CLEAR, dies())
    assert of(effects, StartProcess) == []
    assert told(effects)[-1] == "idle: process_exited"


def test_a_fresh_one_that_cannot_start_fails_the_turn(core: V2Session) -> None:
    effects = handle(core, CLEAR, result(1), dies(TOO_OLD))
    assert told(effects)[-1] == "idle: cli_too_old"
    assert written(handle(core, prompt(2), UP)) == ["p2"]


def test_a_question_of_a_subagent_is_withdrawn_and_the_turn_runs_on(core: V2Session) -> None:
    handle(core, asks("q2", "t3", agent_id="a1"))
    effects = handle(core, CLEAR, result(1))
    assert told(effects) == ["running"]


def test_a_turn_of_claude_code_is_not_offered_a_fresh_context(new_core: NewCore) -> None:
    core = new_core(mode="plan")
    [question] = of(handle(core, message_start(), asks("q1", "t1", "ExitPlanMode", PLAN)), AskPermission)
    assert "exit-plan-clear-auto" not in [option.id for option in question.question.options]
    assert of(handle(core, CLEAR, notification_result()), StartProcess) == []
