"""A bridged v2 session: v1's turns, told as v2 tells them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adapter.shared.effects import Fail, Respond, SendPrompt
from adapter.shared.inputs import ControlAnswered, RequestCancelled, SteerReceived
from adapter.shared.jsonrpc.errors import method_not_found, not_taken, request_cancelled
from adapter.shared.updates import UserMessage
from adapter.shared.work_updates import StateChanged, WorkState
from adapter.v2_bridge.session import BridgeSession
from support.machine import (
    CANCEL,
    DEAD,
    answer,
    answers,
    asks,
    bridge_core,
    calls,
    completed,
    delta,
    dies,
    dropped,
    echo,
    handle,
    idle,
    interrupt_answered,
    lifecycle,
    message_start,
    prompt,
    result,
    started,
    statuses,
    told,
)

INSERTED = [UserMessage("p1", prompt(1).blocks), Respond(1, {"messageId": "p1"}), StateChanged(WorkState.RUNNING)]


def running() -> BridgeSession:
    core = bridge_core()
    handle(core, prompt(1), started(1), message_start(), delta("Hel"))
    return core


def test_a_prompt_is_answered_when_it_is_taken_in_and_not_again() -> None:
    core = bridge_core()
    assert answers(handle(core, prompt(1))) == {}
    assert handle(core, started(1)) == INSERTED
    assert answers(handle(core, echo(1), result(1), idle())) == {}


def test_an_echo_inserts_a_prompt_as_well() -> None:
    core = bridge_core()
    handle(core, prompt(1))
    assert handle(core, echo(1), started(1)) == INSERTED


def test_the_end_of_a_turn_is_told_once() -> None:
    assert told(handle(running(), result(1), completed(1), idle())) == ["idle: end_turn"]


def test_a_folded_prompt_changes_no_state() -> None:
    core = running()
    assert told(handle(core, prompt(2), started(2))) == []
    assert told(handle(core, result(1, 2))) == ["idle: end_turn"]


def test_a_question_makes_the_turn_wait() -> None:
    core = running()
    assert told(handle(core, calls("t1"), asks("q1", "t1"))) == ["requires_action"]
    assert told(handle(core, answer("q1"))) == ["running"]


@pytest.mark.parametrize("end", [completed(1), dropped(1), idle()], ids=["completed", "cancelled", "idle"])
def test_a_turn_without_a_result_ends_with_its_calls(end: dict[str, object]) -> None:
    core = running()
    handle(core, calls("t1"))
    effects = handle(core, end)
    assert told(effects) == ["idle: end_turn"]
    assert statuses(effects) == [("t1", "cancelled")]


def test_a_cancel_fails_what_is_not_taken_in_and_stops_the_turn() -> None:
    core = running()
    handle(core, prompt(2))
    assert answers(handle(core, CANCEL)) == {2: "-32800"}
    effects = handle(core, dropped(2), interrupt_answered(), result(1), idle())
    assert (answers(effects), told(effects)) == ({}, ["idle: cancelled"])


def test_cancelling_the_request_of_a_prompt_that_was_taken_in_changes_nothing() -> None:
    assert handle(running(), RequestCancelled(1)) == []


def test_a_prompt_that_waits_for_claude_code_ends_alone() -> None:
    core = bridge_core()
    handle(core, dies(), prompt(1))
    assert handle(core, RequestCancelled(1)) == [Fail(1, request_cancelled())]


@pytest.mark.parametrize("state", ["discarded", "refused"])
def test_a_prompt_that_claude_code_does_not_take_fails(state: str) -> None:
    core = bridge_core()
    handle(core, prompt(1))
    assert handle(core, lifecycle(1, state)) == [Fail(1, not_taken(state))]


def test_a_request_id_may_come_again_after_a_rename() -> None:
    core = bridge_core()
    (asked,) = handle(core, prompt(1, "/rename Mine"))
    assert answers(handle(core, ControlAnswered(asked.key, {}))) == {1: "ok"}
    handle(core, prompt(1))
    assert handle(core, lifecycle(1, "refused")) == [Fail(1, not_taken("refused"))]


def test_a_death_ends_the_turn_and_fails_what_was_not_taken_in() -> None:
    core = running()
    handle(core, prompt(2))
    effects = handle(core, dies())
    assert (answers(effects), told(effects)) == ({2: DEAD.kind}, [f"idle: {DEAD.kind}"])


def test_a_steering_prompt_goes_into_the_turn_at_once() -> None:
    effects = handle(running(), replace(prompt(2), steers=True))
    assert [effect.steers for effect in effects if isinstance(effect, SendPrompt)] == [True]


def test_steering_by_v1_s_method_is_refused() -> None:
    block = {"type": "text", "text": "Left"}
    steer = SteerReceived(2, "p2", (block,), (block,), "Left")
    assert handle(running(), steer) == [Fail(2, method_not_found("_session/steering"))]


def test_a_client_that_opens_the_session_is_told_its_state() -> None:
    assert running().snapshot() == [StateChanged(WorkState.RUNNING)]
