"""A plan that is carried out in a fresh context: one prompt, two conversations."""

from __future__ import annotations

import pytest

from adapter.shared.effects import (
    AnswerControl,
    AskPermission,
    RespondOutcome,
    SendControl,
    SendPrompt,
    StartProcess,
    WithdrawQuestion,
)
from adapter.shared.inputs import CancelReceived, ControlAnswered, ProcessStarted
from adapter.shared.outcome import StopReason, TokenCount
from adapter.shared.updates import ModeChanged, TitleChanged, UsageChanged
from adapter.v1.session import V1Session
from support.machine import (
    TOO_OLD,
    answer,
    answers,
    asks,
    calls,
    dies,
    handle,
    message_start,
    notification_result,
    of,
    prompt,
    result,
    started,
    statuses,
    v1_core,
    written,
)

PLAN = {"plan": "1. Do it", "planFilePath": "/w/plan.md"}
CLEAR = answer("q1", "exit-plan-clear-auto")
UP = ProcessStarted("auto")


@pytest.fixture
def core() -> V1Session:
    """A session whose turn asks whether the plan is good."""
    core = v1_core(mode="plan")
    handle(core, prompt(1), started(1), message_start(), asks("q1", "t1", "ExitPlanMode", PLAN))
    return core


def test_the_turn_of_the_plan_is_stopped_and_its_call_has_ended_well(core: V1Session) -> None:
    effects = handle(core, CLEAR)
    [reply] = of(effects, AnswerControl)
    assert reply.response["behavior"] == "deny"
    assert reply.response["interrupt"] is True
    assert statuses(effects) == [("t1", "completed")]


def test_its_end_starts_a_fresh_conversation_in_the_chosen_mode(core: V1Session) -> None:
    effects = handle(core, CLEAR, result(1))
    assert of(effects, StartProcess) == [StartProcess(afresh=True)]
    assert of(effects, ModeChanged) == [ModeChanged("auto")]
    assert of(effects, UsageChanged)[-1].used == 0
    assert answers(effects) == {}


def test_the_fresh_conversation_has_a_title_of_its_own() -> None:
    core = v1_core(mode="plan")
    handle(core, prompt(1, "Make a plan, please"), started(1), ControlAnswered("title", {"title": "The plan"}))
    effects = handle(core, message_start(), asks("q1", "t1", "ExitPlanMode", PLAN), CLEAR, result(1), UP)
    assert [sent.key for sent in of(effects, SendControl) if sent.key == "title"] == ["title"]
    assert of(handle(core, ControlAnswered("title", {"title": "The plan"})), TitleChanged) == [TitleChanged("The plan")]


def test_the_prompt_goes_on_there_with_the_plan(core: V1Session) -> None:
    effects = handle(core, CLEAR, result(1), UP)
    [sent] = of(effects, SendPrompt)
    assert sent == SendPrompt("p1", ({"type": "text", "text": "Implement the following plan:\n\n1. Do it"},))


def test_its_answer_has_the_usage_of_both(core: V1Session) -> None:
    effects = handle(core, CLEAR, result(1), UP, started(1), result(1))
    alone = of(handle(v1_core(), prompt(1), started(1), result(1)), RespondOutcome)[0].outcome
    [response] = of(effects, RespondOutcome)
    assert response.outcome.stop is StopReason.END_TURN
    assert response.outcome.usage == alone.usage.plus(alone.usage)
    assert alone.usage != TokenCount()


def test_the_usage_of_the_next_turn_is_its_own(core: V1Session) -> None:
    handle(core, CLEAR, result(1), UP, started(1), result(1))
    alone = of(handle(v1_core(), prompt(1), started(1), result(1)), RespondOutcome)[0].outcome
    [response] = of(handle(core, prompt(2), started(2), result(2)), RespondOutcome)
    assert response.outcome.usage == alone.usage


def test_prompts_behind_it_follow_in_their_order(core: V1Session) -> None:
    handle(core, prompt(2))
    assert written(handle(core, CLEAR, result(1), UP)) == ["p1", "p2"]


def test_a_cancel_before_the_end_calls_it_off(core: V1Session) -> None:
    effects = handle(core, CLEAR, CancelReceived(), result(1))
    assert of(effects, StartProcess) == []
    assert answers(effects) == {1: "cancelled"}


def test_a_cancel_while_the_fresh_one_starts_is_answered_at_once(core: V1Session) -> None:
    handle(core, CLEAR, result(1))
    effects = handle(core, CancelReceived())
    assert answers(effects) == {1: "cancelled"}
    assert of(effects, RespondOutcome)[0].outcome.usage == TokenCount(100, 20)
    assert written(handle(core, UP)) == []


def test_a_death_before_the_end_fails_the_prompt_as_ever(core: V1Session) -> None:
    effects = handle(core, CLEAR, dies())
    assert answers(effects) == {1: "process_exited"}
    assert of(effects, StartProcess) == []


def test_a_fresh_one_that_cannot_start_fails_the_prompt(core: V1Session) -> None:
    effects = handle(core, CLEAR, result(1), dies(TOO_OLD))
    assert answers(effects) == {1: "cli_too_old"}


def test_a_choice_that_a_cancel_overtook_changes_nothing(core: V1Session) -> None:
    handle(core, CancelReceived())
    effects = handle(core, CLEAR, result(1))
    assert of(effects, StartProcess) == []
    assert answers(effects) == {1: "cancelled"}


def test_a_turn_of_claude_code_is_not_offered_a_fresh_context() -> None:
    core = v1_core(mode="plan")
    [question] = of(handle(core, message_start(), asks("q1", "t1", "ExitPlanMode", PLAN)), AskPermission)
    assert "exit-plan-clear-auto" not in [option.id for option in question.question.options]
    assert of(handle(core, CLEAR, notification_result()), StartProcess) == []


def test_a_failed_start_leaves_no_usage_to_the_next_turn(core: V1Session) -> None:
    handle(core, CLEAR, result(1), dies(TOO_OLD))
    alone = of(handle(v1_core(), prompt(1), started(1), result(1)), RespondOutcome)[0].outcome
    [response] = of(handle(core, prompt(2), UP, started(2), result(2)), RespondOutcome)
    assert response.outcome.usage == alone.usage


def test_what_subagents_of_the_old_conversation_do_ends_with_it(core: V1Session) -> None:
    handle(core, calls("t2", parent="agent"), asks("q2", "t3", agent_id="a1"), CLEAR)
    effects = handle(core, result(1))
    assert of(effects, WithdrawQuestion) == [WithdrawQuestion("q2")]
    assert ("t2", "cancelled") in statuses(effects)
