"""Work in the background that is no subagent."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.effects import SendControl
from adapter.shared.inputs import CloseRequested, ControlAnswered, MethodCalled, ShutDown
from support.air import AirSession, check, tasks
from support.machine import (
    DEAD,
    calls,
    dies,
    prompt,
    result,
    returns_data,
    started,
    system,
    task_ended,
    task_started,
)

Json = dict[str, Any]
FILE = "/tmp/claude-0/x/tasks/b1.output"
STOP = MethodCalled(7, "_session/async_task/stop", {"sessionId": "session", "asyncTaskId": "b1"})


def session() -> AirSession:
    """A session with a turn that has called a command."""
    air = AirSession("asyncTasks")
    air.take(prompt(1), started(1), calls("t1", "Bash", {"command": "make", "run_in_background": True}))
    return air


def begins(call_id: str = "t1", **fields: Any) -> Json:
    return task_started("b1", call_id, **{"kind": "local_bash", "description": "Build", **fields})


def lists(*ids: str) -> Json:
    return system("background_tasks_changed", tasks=[{"task_id": identity} for identity in ids])


def told(air: AirSession, *events: Any) -> list[Json]:
    """The updates of tasks, without what names them."""
    found = tasks(air.gets(*events))
    assert {update["asyncTaskId"] for update in found} <= {"b1"}
    return [{key: value for key, value in update.items() if key != "asyncTaskId"} for update in found]


def spawned(**fields: Any) -> Json:
    kept = {"name": "Build", "taskType": "shell", "description": "Build", "showInTranscript": False, "canStop": True}
    return {"sessionUpdate": "async_task_spawned", **kept, **fields}


def progress(**fields: Any) -> Json:
    return {"sessionUpdate": "async_task_progress", **fields}


def state(name: str, **fields: Any) -> Json:
    return {"sessionUpdate": "async_task_state_update", "state": name, **fields}


def test_a_command_in_the_background_is_a_task() -> None:
    air = session()
    assert told(air, lists("b1"), begins()) == [spawned(toolCallId="t1")]
    output = f"Command running in background with ID: b1. Output is being written to: {FILE}. You will be notified."
    end = returns_data("t1", {"stdout": "", "backgroundTaskId": "b1"}, output)
    assert told(air, end) == [progress(outputFilePath=FILE)]
    assert told(air, result(1)) == []
    assert told(air, system("task_updated", task_id="b1", patch={"status": "completed"})) == [state("completed")]
    assert told(air, task_ended("b1", "t1"), lists()) == []


def test_without_the_capability_there_are_no_tasks() -> None:
    air = AirSession()
    assert told(air, prompt(1), started(1), calls("t1"), begins(), task_ended("b1", "t1")) == []
    assert [type(effect).__name__ for effect in air.take(STOP)] == ["Fail"]


def test_subagents_and_commands_that_their_turn_waits_for_are_no_tasks() -> None:
    air = session()
    assert told(air, task_started("b1"), task_ended("b1")) == []
    assert told(air, begins(is_backgrounded=False), task_ended("b1", "t1"), result(1)) == []


def test_a_command_that_goes_to_the_background_becomes_a_task() -> None:
    air = session()
    assert told(air, begins(is_backgrounded=False)) == []
    moved = system("task_updated", task_id="b1", patch={"is_backgrounded": True})
    assert told(air, moved) == [spawned(toolCallId="t1")]
    other = session()
    assert told(other, begins(is_backgrounded=False), lists("b1")) == [spawned(toolCallId="t1")]


def test_a_task_is_held_until_its_call_is_known() -> None:
    air = session()
    assert told(air, begins("")) == []
    busy = {"summary": "Half", "last_tool_name": "Bash", "usage": {"total_tokens": 3}, "description": "Building"}
    assert told(air, system("task_progress", task_id="b1", **busy)) == []
    assert told(air, system("task_updated", task_id="b1", patch={"status": "paused"})) == []
    assert told(air, system("task_progress", task_id="b1", tool_use_id="t1")) == [
        spawned(name="Building", description="Building", toolCallId="t1"),
        progress(summary="Half", lastToolName="Bash", usage={"total_tokens": 3}),
        state("paused"),
    ]
    assert told(air, system("task_progress", task_id="b1", summary="Half")) == []
    assert told(air, system("task_updated", task_id="b1", patch={"status": "running"})) == [state("running")]


def test_the_result_of_the_call_may_name_it() -> None:
    air = session()
    assert told(air, begins("")) == []
    assert told(air, returns_data("t1", {"backgroundTaskId": "b1"})) == [spawned(toolCallId="t1")]


def test_a_held_task_is_told_when_its_turn_ends_and_its_call_follows() -> None:
    air = session()
    assert told(air, begins(""), result(1)) == [spawned()]
    assert told(air, system("task_progress", task_id="b1", tool_use_id="t1")) == [progress(toolCallId="t1")]


def test_a_held_task_that_ends_is_told_with_its_end() -> None:
    air = session()
    assert told(air, begins("")) == []
    assert told(air, system("task_updated", task_id="b1", patch={"status": "failed"})) == [spawned(), state("failed")]
    named = session()
    assert told(named, begins(""), task_ended("b1", "t1")) == [
        spawned(toolCallId="t1"),
        state("completed", summary="Report"),
    ]


def test_the_list_says_what_is_alive_and_an_end_corrects_it() -> None:
    air = session()
    told(air, lists("b1"), begins())
    assert told(air, lists()) == [state("stopped")]
    assert told(air, lists()) == []
    assert told(air, task_ended("b1", "t1", "failed")) == [state("failed", summary="Report")]
    assert told(air, task_ended("b1", "t1", "completed")) == []


def test_an_end_corrects_the_list_behind_the_turn_as_well() -> None:
    air = session()
    told(air, lists("b1"), begins(), lists(), result(1))
    assert told(air, task_ended("b1", "t1")) == [state("completed", summary="Report")]


def test_a_held_task_that_leaves_the_list_is_told_with_its_end() -> None:
    air = session()
    assert told(air, lists("b1"), begins(""), lists()) == []
    assert told(air, result(1)) == [spawned(), state("stopped")]


def test_a_task_that_begins_twice_is_one_task() -> None:
    air = session()
    assert told(air, begins(), begins()) == [spawned(toolCallId="t1")]


def test_a_task_that_was_never_listed_does_not_leave_the_list() -> None:
    air = session()
    told(air, begins())
    assert told(air, lists("other"), system("background_tasks_changed", tasks=None)) == []


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("local_workflow", "workflow"),
        ("monitor_mcp", "monitor"),
        ("monitor_ws", "monitor"),
        ("", "task"),
        ("remote_agent", "remote_agent"),
    ],
)
def test_other_work_has_its_type_and_a_place_in_the_transcript(kind: str, expected: str) -> None:
    (update,) = told(session(), begins(kind=kind))
    assert (update["taskType"], update["showInTranscript"]) == (expected, True)
    (hidden,) = told(session(), begins(kind=kind, skip_transcript=True))
    assert hidden["showInTranscript"] is False


def stops(air: AirSession, error: str = "") -> list[Json]:
    """The person stops the task; Claude Code answers."""
    assert air.take(STOP) == [SendControl("stop_task b1", {"subtype": "stop_task", "task_id": "b1"})]
    return air.gets(ControlAnswered("stop_task b1", {}, error))


def stopped(*sent: Json) -> list[bool]:
    answers = [message["result"] for message in sent if "respond" in message]
    for answer in answers:
        check("StopAsyncTaskResponse", answer)
    return [answer["stopped"] for answer in answers]


def test_a_person_can_stop_a_task_once() -> None:
    air = session()
    told(air, begins())
    update, line, answer = stops(air)
    assert (update["state"], update["asyncTaskId"]) == ("stopped", "b1")
    assert line["content"]["text"] == "**Task stopped by user:** make."
    assert stopped(answer) == [True]
    assert stopped(*air.gets(STOP)) == [False]
    assert told(air, task_ended("b1", "t1", "stopped"), lists()) == []


def test_a_stop_that_is_told_by_a_frame_first_is_told_once() -> None:
    air = session()
    told(air, begins())
    air.take(STOP)
    assert stopped(*air.gets(MethodCalled(8, STOP.method, STOP.params))) == [False]
    assert told(air, system("task_updated", task_id="b1", patch={"status": "killed"})) == [state("stopped")]
    line, answer = air.gets(ControlAnswered("stop_task b1", {}))
    assert ("Task stopped" in line["content"]["text"], stopped(answer)) == (True, [True])


def test_a_stop_whose_task_ends_first_is_answered_after_the_turn_too() -> None:
    air = session()
    told(air, begins(), result(1))
    air.take(STOP, task_ended("b1", "t1", status="stopped"), prompt(2), started(2), result(2))
    assert stopped(*air.gets(ControlAnswered("stop_task b1", {}))[-1:]) == [True]


def test_a_task_that_was_done_before_it_could_be_stopped_was_not_stopped() -> None:
    air = session()
    told(air, begins())
    air.take(STOP, task_ended("b1", "t1"))
    assert stopped(*air.gets(ControlAnswered("stop_task b1", {}))) == [False]


def test_a_stop_that_fails_says_so() -> None:
    air = session()
    told(air, begins())
    assert stopped(*stops(air, error="No task")) == [False]
    assert stopped(*stops(air)) == [True]


def test_unknown_ended_and_held_tasks_cannot_be_stopped() -> None:
    air = session()
    assert stopped(*air.gets(STOP)) == [False]
    told(air, begins(""))
    assert stopped(*air.gets(STOP)) == [False]
    told(air, task_ended("b1", "t1"))
    assert stopped(*air.gets(STOP)) == [False]
    assert air.gets(ControlAnswered("stop_task other", {})) == []


def test_what_is_open_fails_when_claude_code_dies() -> None:
    air = session()
    told(air, begins())
    assert told(air, dies(DEAD)) == [state("failed")]
    assert told(air, task_ended("b1", "t1")) == []


def test_a_stop_is_answered_when_the_session_is_closed() -> None:
    air = session()
    told(air, begins())
    air.take(STOP)
    sent = air.gets(CloseRequested(9))
    assert [update["state"] for update in tasks(sent)] == ["stopped"]
    assert {"stopped": True} in [message.get("result") for message in sent]


def test_a_client_that_has_left_is_told_nothing() -> None:
    air = session()
    told(air, begins())
    assert told(air, ShutDown()) == []


def test_frames_that_lack_something_are_passed_over() -> None:
    air = session()
    odd = [
        system("task_started", task_type="local_bash"),
        system("task_progress", task_id="none"),
        system("task_updated", task_id="b1", patch=None),
        system("task_notification", task_id="none"),
        returns_data("t1", {"backgroundTaskId": "none"}),
    ]
    assert told(air, *odd) == []
    assert told(air, begins(description=None)) == [spawned(name="b1", description="", toolCallId="t1")]
