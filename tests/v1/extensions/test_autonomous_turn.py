"""A turn that Claude Code begins by itself."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.inputs import CloseRequested, MethodCalled, ShutDown
from support.air import AirSession, tasks
from support.machine import (
    INTERRUPT,
    aborted,
    assistant,
    delta,
    dies,
    idle,
    message_start,
    notification_result,
    prompt,
    result,
    started,
    system,
    task_ended,
)

Json = dict[str, Any]
RUNNING = system("session_state_changed", state="running", uuid="u1")
ID = "autonomous-turn-u1"


def session() -> AirSession:
    """A session whose first prompt has been answered."""
    air = AirSession("asyncTasks")
    assert tasks(air.gets(prompt(1), RUNNING, started(1), message_start(), delta("Hi"), result(1), idle())) == []
    return air


def states(air: AirSession, *events: Any) -> list[str]:
    """What is told of the turn: ``begun``, or its state."""
    return [update.get("state", "begun") for update in tasks(air.gets(*events))]


def stop(identity: str = ID) -> MethodCalled:
    return MethodCalled(7, "_session/async_task/stop", {"sessionId": "session", "asyncTaskId": identity})


def test_it_begins_when_claude_code_runs_without_a_prompt() -> None:
    air = session()
    (update,) = tasks(air.gets(task_ended("b1", "t1"), RUNNING))
    assert update == {
        "sessionUpdate": "async_task_spawned",
        "asyncTaskId": ID,
        "name": "Claude is working",
        "taskType": "turn",
        "description": "Report",
        "showInTranscript": False,
        "canStop": True,
    }
    assert states(air, RUNNING, message_start()) == []
    assert states(air, notification_result()) == ["completed"]
    assert states(air, idle()) == []


def test_it_begins_with_the_first_output_too() -> None:
    for output in (message_start(), assistant({"type": "text", "text": "Hi"})):
        air = session()
        (update,) = tasks(air.gets({**output, "uuid": "u2"}))
        assert (update["asyncTaskId"], update["description"]) == (
            "autonomous-turn-u2",
            "Claude Code started a turn without a prompt.",
        )


def test_a_frame_without_an_id_still_gives_the_turn_one() -> None:
    air = session()
    ids = [tasks(air.gets(message_start(), idle()))[0]["asyncTaskId"] for _ in range(2)]
    assert ids == ["autonomous-turn-token-1", "autonomous-turn-token-2"]


def test_output_of_a_subagent_is_no_turn() -> None:
    assert states(session(), assistant({"type": "text", "text": "Hi"}, parent="agent")) == []


def test_without_the_capability_it_is_not_told() -> None:
    assert states(AirSession(), RUNNING, notification_result()) == []


@pytest.mark.parametrize(
    ("end", "state"),
    [
        (idle(), "completed"),
        (notification_result(is_error=True, result="No"), "failed"),
        (aborted(), "stopped"),
        (dies(), "failed"),
        (CloseRequested(9), "failed"),
    ],
)
def test_its_end(end: Any, state: str) -> None:
    air = session()
    assert states(air, RUNNING, end) == ["begun", state]


def test_a_client_that_has_left_is_told_nothing() -> None:
    assert states(session(), RUNNING, ShutDown()) == ["begun"]


def test_a_placeholder_does_not_end_it() -> None:
    air = session()
    assert states(air, RUNNING, notification_result(num_turns=0)) == ["begun"]


def test_a_prompt_that_is_folded_in_owns_the_turn() -> None:
    air = session()
    assert states(air, RUNNING, prompt(2)) == ["begun"]
    assert states(air, started(2)) == ["completed"]
    assert states(air, result(2), idle()) == []


def test_stopping_it_interrupts_the_turn() -> None:
    air = session()
    states(air, RUNNING)
    effects = air.take(stop())
    assert INTERRUPT in effects
    update, line, answer = [sent for effect in effects for sent in air.sent(effect)]
    assert (update["state"], line["content"]["text"]) == ("stopped", "**Task stopped by user:** Claude is working.")
    assert answer["result"] == {"stopped": True}
    assert [sent["result"] for sent in air.gets(stop())] == [{"stopped": False}]
    assert states(air, message_start(), aborted(), idle()) == []


def test_it_is_not_stopped_while_a_prompt_waits() -> None:
    air = session()
    states(air, RUNNING, prompt(2))
    assert [sent.get("result") for sent in air.gets(stop())] == [{"stopped": False}]
    assert [sent.get("result") for sent in air.gets(stop("autonomous-turn-other"))] == [{"stopped": False}]


def test_the_task_list_does_not_end_it() -> None:
    assert states(session(), RUNNING, system("background_tasks_changed", tasks=[])) == ["begun"]
