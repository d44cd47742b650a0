"""A prompt of v1 is answered when the subagents that it left in the background are done."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.effects import RespondOutcome, SendControl
from adapter.shared.inputs import RequestCancelled
from adapter.shared.outcome import StopReason
from adapter.shared.tools.facts import ToolReport
from adapter.v1.session import V1Session
from support.machine import (
    CANCEL,
    INTERRUPT,
    USAGE,
    aborted,
    answers,
    calls,
    dies,
    handle,
    idle,
    interrupt_answered,
    notification_result,
    of,
    prompt,
    result,
    started,
    task_ended,
    task_started,
    v1_core,
    written,
)

NOTIFIED = {**notification_result(), "origin": {"kind": "task-notification", "runId": "run-agent"}}


def held() -> V1Session:
    """A session whose prompt's turn is over, with a subagent in the background."""
    core = v1_core()
    assert answers(handle(core, prompt(1), started(1), task_started(), result(1))) == {}
    return core


def test_a_prompt_waits_for_the_turn_that_answers_the_end_of_its_subagent() -> None:
    core = held()
    assert answers(handle(core, task_ended())) == {}
    assert answers(handle(core, NOTIFIED)) == {1: "end_turn"}
    assert answers(handle(core, idle())) == {}


def test_it_is_answered_with_the_usage_of_its_own_turn() -> None:
    core = held()
    more = {"usage": {**USAGE, "input_tokens": 5000}}
    (response,) = of(handle(core, task_ended(), {**NOTIFIED, **more}), RespondOutcome)
    assert response.outcome.usage.input == 100


def test_it_waits_for_all_of_them() -> None:
    core = v1_core()
    handle(core, prompt(1), started(1), task_started(), task_started("a2", "agent2"), result(1), task_ended())
    assert answers(handle(core, NOTIFIED)) == {}
    second = {**NOTIFIED, "origin": {"kind": "task-notification", "runId": "run-agent2"}}
    assert answers(handle(core, task_ended("a2", "agent2"), second)) == {1: "end_turn"}


def test_an_end_that_claude_code_answers_with_another_one_is_waited_for() -> None:
    core = v1_core()
    handle(core, prompt(1), started(1), task_started(), task_started("a2", "agent2"), result(1))
    handle(core, task_ended(), task_ended("a2", "agent2"))
    assert answers(handle(core, {**NOTIFIED, "num_turns": 0})) == {}
    second = {**NOTIFIED, "origin": {"kind": "task-notification", "runId": "run-agent2"}}
    assert answers(handle(core, second)) == {1: "end_turn"}


def test_idle_answers_it_as_well() -> None:
    assert answers(handle(held(), task_ended(), idle())) == {1: "end_turn"}


@pytest.mark.parametrize(
    "left",
    [
        [task_started(kind="local_bash")],
        [task_started(background=False), task_ended()],
        [task_started(), task_ended()],
    ],
    ids=["a command", "in the foreground", "ended before the result"],
)
def test_nothing_else_holds_a_prompt(left: list[Any]) -> None:
    core = v1_core()
    assert answers(handle(core, prompt(1), started(1), *left, result(1))) == {1: "end_turn"}


RESUMED = task_started(call_id="message")
ENDED_AGAIN = task_ended(call_id="message")
NOTIFIED_AGAIN = {**NOTIFIED, "origin": {"kind": "task-notification", "runId": "run-message"}}


@pytest.mark.parametrize(
    "frames",
    [
        [RESUMED, ENDED_AGAIN, result(1), NOTIFIED_AGAIN, idle()],
        [RESUMED, result(1), ENDED_AGAIN, NOTIFIED_AGAIN, idle()],
        [RESUMED, result(1), ENDED_AGAIN, idle()],
        [RESUMED, ENDED_AGAIN, result(1), idle()],
    ],
    ids=["before the result", "after it", "without a turn of its own", "before it, without one"],
)
def test_a_subagent_that_is_set_to_work_again_never_leaves_a_prompt_open(frames: list[Any]) -> None:
    core = v1_core()
    handle(core, task_started(), task_ended(), NOTIFIED, prompt(1), started(1))
    assert answers(handle(core, *frames)) == {1: "end_turn"}


def test_a_failed_turn_is_answered_at_once() -> None:
    core = v1_core()
    failed = result(1, is_error=True, terminal_reason="api_error", result="Overloaded")
    assert list(answers(handle(core, prompt(1), started(1), task_started(), failed))) == [1]


def test_a_prompt_that_comes_meanwhile_runs_at_once_and_is_answered_by_its_own_turn() -> None:
    core = held()
    assert written(handle(core, prompt(2))) == ["p2"]
    handle(core, started(2), task_ended())
    assert answers(handle(core, result(2))) == {2: "end_turn"}
    assert answers(handle(core, NOTIFIED)) == {1: "end_turn"}


def test_a_result_that_names_nobody_is_not_given_to_a_prompt_whose_turn_is_over() -> None:
    core = held()
    handle(core, prompt(2), started(2))
    assert answers(handle(core, {**result(), "user_message_uuids": ["p1"]})) == {}
    assert answers(handle(core, task_ended(), idle())) == {2: "end_turn", 1: "end_turn"}


def test_a_cancel_answers_it_with_what_its_turn_used() -> None:
    core = held()
    effects = handle(core, CANCEL)
    (response,) = of(effects, RespondOutcome)
    assert (response.outcome.stop, response.outcome.usage.input) == (StopReason.CANCELLED, 100)
    assert INTERRUPT in effects


def test_a_cancel_ends_the_calls_of_claude_codes_own_turn_before_the_answer() -> None:
    core = held()
    handle(core, calls("t1"))
    effects = handle(core, CANCEL)
    closed = [n for n, effect in enumerate(effects) if isinstance(effect, ToolReport)]
    answered = [n for n, effect in enumerate(effects) if isinstance(effect, RespondOutcome)]
    assert len(closed) == 1
    assert closed < answered


def test_a_cancel_leaves_the_calls_of_a_prompt_that_runs_to_its_result() -> None:
    core = held()
    handle(core, prompt(2), started(2), calls("t1"))
    assert of(handle(core, CANCEL), ToolReport) == []
    assert [report.fields["status"] for report in of(handle(core, aborted(2)), ToolReport)] == ["cancelled"]


def test_the_cancel_of_its_request_leaves_the_rest_alone() -> None:
    core = held()
    handle(core, prompt(2), started(2))
    effects = handle(core, RequestCancelled(1))
    assert answers(effects) == {1: "cancelled"}
    assert INTERRUPT not in effects


def test_a_cancelled_turn_is_not_held() -> None:
    core = v1_core()
    handle(core, prompt(1), started(1), task_started(), CANCEL, interrupt_answered())
    assert answers(handle(core, aborted(1))) == {1: "cancelled"}


def test_a_death_fails_it() -> None:
    assert answers(handle(held(), dies())) == {1: "process_exited"}


def test_an_interrupt_stops_workflows_which_a_client_cannot() -> None:
    core = v1_core()
    handle(core, prompt(1), started(1), task_started("w1", "w", kind="local_workflow"))
    stop = SendControl("stop_task w1", {"subtype": "stop_task", "task_id": "w1"})
    assert stop in handle(core, CANCEL)
    assert stop not in handle(held(), CANCEL)
