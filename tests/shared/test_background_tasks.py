"""What runs in the background, by Claude Code's task frames."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.background_tasks import BackgroundTasks
from adapter.shared.session_part import frame_kinds
from support.machine import notification_result, result, system, task_ended, task_started

Json = dict[str, Any]


def tasks(*frames: Json) -> BackgroundTasks:
    """What the frames say."""
    told = BackgroundTasks()
    for frame in frames:
        for kind in frame_kinds(frame):
            if kind in told.early_frames:
                assert told.early_frames[kind](frame) == []
    return told


def notified(run: str = "run-agent", **fields: Any) -> Json:
    """The result of the turn that answers the end of a run."""
    return {**notification_result(**fields), "origin": {"kind": "task-notification", "runId": run}}


def running(told: BackgroundTasks) -> list[str]:
    """The ids of what works in the background."""
    return [task.id for task in told.in_background()]


def test_a_subagent_in_the_background_holds_its_turn_until_it_ends() -> None:
    assert tasks(task_started()).holds_turn()
    assert running(tasks(task_started())) == ["a1"]
    assert not tasks(task_started(), task_ended()).holds_turn()
    assert not tasks(task_started(background=False)).holds_turn()
    assert not tasks(task_started(kind="local_bash")).holds_turn()


def test_a_subagent_that_is_sent_to_the_background_holds_its_turn() -> None:
    moved = system("task_updated", task_id="a1", patch={"is_backgrounded": True})
    assert tasks(task_started(background=False), moved).holds_turn()


@pytest.mark.parametrize(("status", "holds"), [("killed", False), ("completed", True), ("failed", True)])
def test_only_a_kill_is_an_end_before_its_notification(status: str, holds: bool) -> None:
    assert tasks(task_started(), system("task_updated", task_id="a1", patch={"status": status})).holds_turn() is holds


@pytest.mark.parametrize(
    "frame",
    [
        system("task_updated", task_id="a1"),
        system("task_updated", task_id="other", patch={"status": "killed"}),
        task_ended(status="running"),
        task_ended("other"),
        system("background_tasks_changed"),
        system("background_tasks_changed", tasks=[None, {"task_id": "a1"}]),
    ],
)
def test_what_says_nothing_about_a_task_ends_none(frame: Json) -> None:
    assert tasks(task_started(), frame).holds_turn()


def test_what_the_list_leaves_out_does_not_work_in_the_background() -> None:
    empty = system("background_tasks_changed", tasks=[])
    assert running(tasks(task_started(), task_started("b1", kind="local_bash"), empty)) == []
    assert not tasks(task_started(background=False), empty).holds_turn()


def test_a_turn_is_owed_until_the_end_of_a_subagent_was_answered() -> None:
    assert tasks(task_started()).owes_turn()
    assert tasks(task_started(), task_ended()).owes_turn()
    assert not tasks(task_started(), task_ended(), notified()).owes_turn()
    assert not tasks(task_started(), task_ended(), notified(num_turns=0)).owes_turn()
    assert tasks(task_started(), task_ended(), notified("another")).owes_turn()
    assert tasks(task_started(), task_ended(), result(1)).owes_turn()
    assert not tasks(task_started(kind="local_bash"), task_ended()).owes_turn()


def test_nothing_runs_without_claude_code() -> None:
    told = tasks(task_started(), task_started("a2"), task_ended("a2"))
    assert told.process_gone() == []
    assert not told.owes_turn()


def test_workflows_are_those_in_the_background() -> None:
    told = tasks(
        task_started("w1", kind="local_workflow"),
        task_started("w2", kind="local_workflow", background=False),
        task_started(),
    )
    assert list(told.workflows()) == ["w1"]
