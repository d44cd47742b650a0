"""What Claude Code's task frames say: which subagents, commands and workflows run, and which of them in the background.

Source: Claude Code's `task_started`, `task_updated`, `task_notification` and `background_tasks_changed` frames.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from adapter.shared.claude.frames import Frame
from adapter.shared.claude.lifecycle import notified_run
from adapter.shared.effects import Effects, SendControl
from adapter.shared.session_part import SessionPart
from adapter.shared.tools.text import string

AGENT = "local_agent"
WORKFLOW = "local_workflow"
KILLED = "killed"
ENDED = frozenset({"completed", "failed", KILLED, "stopped"})


def stop_task(task_id: str) -> SendControl:
    """The effect that has Claude Code stop a task."""
    return SendControl(f"stop_task {task_id}", {"subtype": "stop_task", "task_id": task_id})


@dataclass(frozen=True, slots=True)
class Task:
    """A task that runs.

    Attributes:
        id: Claude Code's; a subagent keeps it for every run.
        run_id: That of this run.
        kind: Claude Code's `task_type`, such as `local_agent`, `local_bash`, `local_workflow`.
        call_id: The tool call that started this run; empty if it is not told.
        in_background: Its turn does not wait for it.
        parent_id: The subagent that started it; empty for the main conversation.
    """

    id: str
    run_id: str
    kind: str
    call_id: str
    in_background: bool
    parent_id: str


class BackgroundTasks(SessionPart):
    """The tasks of one session that run, and the ended subagents of which the model was not told yet."""

    def __init__(self) -> None:
        self._running: dict[str, Task] = {}
        self._untold: set[str] = set()
        self.early_frames = {
            "system/task_started": self._started,
            "system/task_updated": self._updated,
            "system/task_notification": self._notified,
            "system/background_tasks_changed": self._listed,
            "result": self._result,
        }

    def holds_turn(self) -> bool:
        """Whether a subagent works in the background: the turn that left it there is not over for its client."""
        return any(task.kind == AGENT and task.in_background for task in self._running.values())

    def owes_turn(self) -> bool:
        """Whether a subagent works in the background, or has ended and its notification has had no result yet."""
        return self.holds_turn() or bool(self._untold)

    def in_background(self) -> list[Task]:
        """What works in the background."""
        return [task for task in self._running.values() if task.in_background]

    def workflows(self) -> Iterator[str]:
        """The ids of the workflows in the background, which a client cannot stop by itself."""
        return (task.id for task in self._running.values() if task.kind == WORKFLOW and task.in_background)

    def process_gone(self) -> Effects:
        """Nothing runs any more."""
        self._running.clear()
        self._untold.clear()
        return []

    def session_over(self) -> Effects:
        """Everything is being stopped."""
        return self.process_gone()

    def _started(self, frame: Frame) -> Effects:
        identity = string(frame.get("task_id"))
        self._running[identity] = Task(
            identity,
            string(frame.get("run_id")),
            string(frame.get("task_type")),
            string(frame.get("tool_use_id")),
            frame.get("is_backgrounded") is True,
            string(frame.get("parent_task_id")),
        )
        return []

    def _updated(self, frame: Frame) -> Effects:
        patch: Any = frame.get("patch")
        task = self._running.get(string(frame.get("task_id")))
        if task is None or not isinstance(patch, dict):
            return []
        if patch.get("is_backgrounded") is True:
            self._running[task.id] = replace(task, in_background=True)
        # Any other end is told by a notification that follows at once and says more.
        if patch.get("status") == KILLED:
            self._end(task)
        return []

    def _notified(self, frame: Frame) -> Effects:
        task = self._running.get(string(frame.get("task_id")))
        if task is not None and frame.get("status") in ENDED:
            self._end(task)
        return []

    def _listed(self, frame: Frame) -> Effects:
        """The list is authoritative: what it leaves out does not work in the background."""
        tasks = frame.get("tasks")
        if not isinstance(tasks, list):
            return []
        listed = {string(task.get("task_id")) for task in tasks if isinstance(task, dict)}
        for task in list(self._running.values()):
            if task.in_background and task.id not in listed:
                self._end(task)
        return []

    def _end(self, task: Task) -> None:
        del self._running[task.id]
        if task.kind == AGENT and task.in_background:
            self._untold.add(task.run_id)

    def _result(self, frame: Frame) -> Effects:
        self._untold.discard(notified_run(frame))
        return []
