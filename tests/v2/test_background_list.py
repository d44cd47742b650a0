"""ACP v2's list of background work, on a whole session of either core."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from adapter.shared.effects import Fail, Respond, SendControl
from adapter.shared.inputs import CloseRequested, ControlAnswered, MethodCalled
from support.machine import (
    answers,
    calls,
    dies,
    handle,
    prompt,
    result,
    returns,
    returns_data,
    started,
    system,
    task_ended,
    task_started,
    v2_encoder,
)
from support.performed import wire

if TYPE_CHECKING:
    from adapter.shared.v2.session import V2Session
    from support.machine import NewCore

Json = dict[str, Any]

COMMAND = {"command": "sleep 9", "run_in_background": True}
RUNS_ON = {"stdout": "", "stderr": "", "backgroundTaskId": "b1"}
TERMINAL = {"type": "terminal", "terminalId": "t1"}
SUBAGENT = {"type": "subagent", "sessionId": "a1"}
STOP = {"subtype": "stop_task", "task_id": "b1"}
CANCEL = MethodCalled(7, "terminal/cancel", {"sessionId": "session", "terminalId": "t1"})


@pytest.fixture
def core(new_core: NewCore) -> V2Session:
    """A session with a turn that runs."""
    session = new_core()
    handle(session, prompt(1), started(1))
    return session


@pytest.fixture
def with_command(core: V2Session) -> V2Session:
    """A session with a command in the background."""
    handle(core, calls("t1", "Bash", COMMAND), task_started("b1", "t1", kind="local_bash"))
    handle(core, returns_data("t1", RUNS_ON, "Started."))
    return core


def sent(effects: Any) -> list[tuple[str, Json]]:
    """The updates as they go out, each with its session."""
    parts = [part for effect in effects for part in wire(effect, v2_encoder())]
    return [(part.get("session", "session"), part["update"]) for part in parts if "update" in part]


def lists(effects: Any) -> list[tuple[str, str, list[Json]]]:
    """The states that go out, each with its session and its list."""
    updates = [(place, update) for place, update in sent(effects) if update["sessionUpdate"] == "state_update"]
    return [(place, update["state"], update["background"]) for place, update in updates]


def test_a_command_is_listed_when_its_call_is_over(core: V2Session) -> None:
    begun = handle(core, calls("t1", "Bash", COMMAND), task_started("b1", "t1", kind="local_bash"))
    assert lists(begun) == []
    effects = sent(handle(core, returns_data("t1", RUNS_ON, "Started.")))
    ability = {"sessionUpdate": "terminal_update", "terminalId": "t1", "command": "sleep 9"}
    assert effects[-2] == ("session", {**ability, "capabilities": {"cancel": {}}})
    assert effects[-1] == ("session", {"sessionUpdate": "state_update", "state": "running", "background": [TERMINAL]})


def test_the_list_goes_with_every_state(with_command: V2Session) -> None:
    assert lists(handle(with_command, result(1))) == [("session", "idle", [TERMINAL])]


def test_a_command_that_ends_is_reported_before_the_list_without_it(with_command: V2Session) -> None:
    effects = sent(handle(with_command, task_ended("b1", "t1")))
    assert effects[0][1] == {
        "sessionUpdate": "terminal_update",
        "terminalId": "t1",
        "exitStatus": {},
        "capabilities": None,
    }
    assert effects[-1][1] == {"sessionUpdate": "state_update", "state": "running", "background": []}


def test_a_subagent_is_listed_after_its_announcement(core: V2Session) -> None:
    effects = sent(handle(core, calls("agent", "Agent", {}), task_started()))
    assert effects[0][1]["sessionUpdate"] == "subagent_update"
    assert effects[0][1]["state"] == {"state": "running", "background": []}
    assert lists(handle(core, task_ended())) == [("a1", "idle", []), ("session", "running", [])]


def test_a_subagent_that_is_waited_for_is_not_listed(core: V2Session) -> None:
    effects = handle(core, calls("agent", "Agent", {}), task_started(background=False))
    assert lists(effects) == [("a1", "running", [])]


def test_what_a_subagent_left_running_is_in_its_own_list(core: V2Session) -> None:
    handle(core, calls("agent", "Agent", {}), task_started())
    handle(core, calls("t1", "Bash", COMMAND, parent="agent"))
    handle(core, task_started("b1", "t1", kind="local_bash", parent_task_id="a1"))
    listed = lists(handle(core, returns_data("t1", RUNS_ON, "Started.")))
    assert listed == [("a1", "running", [TERMINAL])]
    ended = handle(core, task_ended())
    assert sent(ended)[0][1]["state"]["background"] == [TERMINAL]
    assert lists(ended) == [("a1", "idle", [TERMINAL]), ("session", "running", [])]


def test_work_without_a_terminal_is_listed_as_its_call(core: V2Session) -> None:
    handle(core, calls("w1", "Workflow", {}), task_started("b1", "w1", kind="local_workflow"))
    listed = lists(handle(core, returns("w1", "Started.")))
    assert listed == [("session", "running", [{"type": "tool_call", "toolCallId": "w1"}])]
    cancel = MethodCalled(7, "tool_call/cancel", {"sessionId": "session", "toolCallId": "w1"})
    assert handle(core, cancel) == [SendControl("cancel_item 1", STOP)]


def test_a_listed_terminal_can_be_cancelled(with_command: V2Session) -> None:
    assert handle(with_command, CANCEL) == [SendControl("cancel_item 1", STOP)]
    ended = system("background_tasks_changed", tasks=[])
    assert lists(handle(with_command, ended)) == [("session", "running", [])]
    assert handle(with_command, ControlAnswered("cancel_item 1", {})) == [Respond(7, {})]
    assert handle(with_command, ControlAnswered("cancel_item 1", {})) == []


def test_claude_code_may_refuse_to_cancel(with_command: V2Session) -> None:
    handle(with_command, CANCEL)
    (failed,) = handle(with_command, ControlAnswered("cancel_item 1", {}, "No such task"))
    assert isinstance(failed, Fail)
    assert answers([failed]) == {7: "control_failed"}


@pytest.mark.parametrize(("event", "answer"), [(dies(), "ok"), (CloseRequested(9), "-32800")])
def test_a_cancel_is_answered_whatever_comes(with_command: V2Session, event: Any, answer: str) -> None:
    handle(with_command, CANCEL)
    assert answers(handle(with_command, event))[7] == answer


@pytest.mark.parametrize("method", ["terminal/cancel", "tool_call/cancel"])
def test_what_is_not_listed_cannot_be_cancelled(new_core: NewCore, with_command: V2Session, method: str) -> None:
    unknown = MethodCalled(7, method, {"sessionId": "session", "terminalId": "x", "toolCallId": "t1"})
    assert answers(handle(new_core(), unknown)) == {7: "-32602"}
    assert answers(handle(with_command, unknown)) == {7: "-32602"}
