"""Work in the background that is no subagent, as AIR's async tasks.

Source: docs/air-extensions.md, *Async tasks*. A task is told when the call that started it is known, or when its turn
has ended without that. Claude Code's list of what works in the background says which tasks are alive.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from adapter.shared.acp_content import text_block
from adapter.shared.background_tasks import AGENT, stop_task
from adapter.shared.claude.frames import Frame
from adapter.shared.effects import Effects, Respond
from adapter.shared.inputs import ControlAnswered, Input, MethodCalled, ShutDown
from adapter.shared.jsonrpc.messages import RequestId
from adapter.shared.session_part import SessionPart
from adapter.shared.tools.facts import Json
from adapter.shared.tools.text import string
from adapter.v1.extensions.updates import AirUpdate

STOP_METHOD = "_session/async_task/stop"
TYPES = {
    "local_bash": "shell",
    "local_workflow": "workflow",
    "monitor_mcp": "monitor",
    "monitor_ws": "monitor",
    "": "task",
}
SHELL = "shell"
STATES = {
    "running": "running",
    "paused": "paused",
    "completed": "completed",
    "failed": "failed",
    "killed": "stopped",
    "stopped": "stopped",
}
ENDED = frozenset({"completed", "failed", "stopped"})
SPAWNED_WITH = ("description", "outputFilePath", "toolCallId")
OUTPUT_FILE = re.compile(r"Output is being written to: (.+?\.output)\b")
PROGRESS = {"description": "description", "summary": "summary", "last_tool_name": "lastToolName"}


@dataclass(slots=True)
class Task:
    """One task.

    Attributes:
        id: Claude Code's.
        kind: AIR's `taskType`.
        facts: What is known of it, under AIR's names; `toolCallId` and `outputFilePath` if they are.
        hidden: It has no place in the transcript.
        in_background: Its turn does not wait for it.
        listed: Claude Code's list has had it.
        told: The client knows it.
        state: Its last state.
        waiting: What the client is to be told once it knows the task.
        stopping: The client has asked for its end.
        command: The command that it runs; empty if it is no command.
        final: Claude Code has said how it ended. What only left its list may be corrected.
    """

    id: str
    kind: str
    facts: Json
    hidden: bool
    in_background: bool
    listed: bool = False
    told: bool = False
    state: str = "running"
    waiting: Effects = field(default_factory=list)
    stopping: bool = False
    command: str = ""
    final: bool = False

    @property
    def name(self) -> str:
        """What it is called."""
        return string(self.facts.get("description")) or self.id


class AsyncTasks(SessionPart):
    """The tasks of one session.

    Args:
        stop_turn: Stops a turn of Claude's own that is shown as a task; whether it did, with what is to be done;
            `None` for an id that is no such turn's.
    """

    def __init__(self, stop_turn: Callable[[str], tuple[bool, Effects] | None] = lambda _task_id: None) -> None:
        self._stop_turn = stop_turn
        self._tasks: dict[str, Task] = {}
        self._background: set[str] = set()
        self._stops: dict[str, RequestId] = {}
        self._commands: dict[str, str] = {}
        self._leaving = False
        self.early_frames = {
            "system/task_started": self._started,
            "system/task_progress": self._progressed,
            "system/task_updated": self._updated,
            "system/task_notification": self._notified,
            "system/background_tasks_changed": self._listed,
            "assistant": self._called,
            "user": self._result_of_call,
            "result": self._turn_ended,
        }
        self.methods = {STOP_METHOD: self._stop}
        self.answers = {"stop_task": self._stopped}

    def see(self, event: Input) -> None:
        """An adapter that ends has no client left to tell."""
        self._leaving = self._leaving or isinstance(event, ShutDown)

    def process_gone(self) -> Effects:
        """What still ran has ended with the process."""
        effects: Effects = []
        for task in self._tasks.values():
            if task.in_background and task.state not in ENDED and not self._leaving:
                effects += [*self._tell(task), state_update(task.id, "stopped" if task.stopping else "failed")]
        stops, self._stops = self._stops, {}
        self._tasks.clear()
        self._background.clear()
        return [*effects, *(Respond(request, {"stopped": True}) for request in stops.values())]

    def session_over(self) -> Effects:
        """The same, when the session is closed."""
        return self.process_gone()

    def _started(self, frame: Frame) -> Effects:
        identity, kind = string(frame.get("task_id")), string(frame.get("task_type"))
        if kind == AGENT or not identity:
            return []
        if identity in self._tasks:
            return self._learn(self._tasks[identity], frame)
        listed = identity in self._background
        task = Task(
            identity,
            TYPES.get(kind, kind),
            {"description": string(frame.get("description"))},
            frame.get("skip_transcript") is True,
            listed or frame.get("is_backgrounded") is True,
            listed,
        )
        task.command = self._commands.get(string(frame.get("tool_use_id")), "")
        self._tasks[identity] = task
        return self._learn(task, frame)

    def _progressed(self, frame: Frame) -> Effects:
        task = self._tasks.get(string(frame.get("task_id")))
        if task is None or task.state in ENDED:
            return []
        told = {name: string(frame.get(key)) for key, name in PROGRESS.items() if string(frame.get(key))}
        if isinstance(frame.get("usage"), dict):
            told["usage"] = frame["usage"]
        return self._learn(task, frame, told)

    def _updated(self, frame: Frame) -> Effects:
        task = self._tasks.get(string(frame.get("task_id")))
        patch: Any = frame.get("patch")
        if task is None or not isinstance(patch, dict):
            return []
        effects: Effects = []
        if patch.get("is_backgrounded") is True and not task.in_background:
            task.in_background = True
            effects = self._learn(task, frame)
        return [*effects, *self._change_state(task, STATES.get(string(patch.get("status")), ""))]

    def _notified(self, frame: Frame) -> Effects:
        task = self._tasks.get(string(frame.get("task_id")))
        if task is None:
            return []
        task.final = True
        learned = self._learn(task, frame) if task.state not in ENDED else []
        state = STATES.get(string(frame.get("status")), "")
        return [*learned, *self._change_state(task, state, string(frame.get("summary")))]

    def _listed(self, frame: Frame) -> Effects:
        tasks = frame.get("tasks")
        if not isinstance(tasks, list):
            return []
        self._background = {string(task.get("task_id")) for task in tasks if isinstance(task, dict)}
        effects: Effects = []
        for task in self._tasks.values():
            if task.id in self._background:
                task.listed = True
                if not task.in_background:
                    task.in_background = True
                    effects += self._learn(task, {})
            elif task.listed and task.told:
                effects += self._change_state(task, "stopped")
            elif task.listed and task.state not in ENDED:
                task.state = "stopped"
                task.waiting.append(state_update(task.id, task.state))
        return effects

    def _called(self, frame: Frame) -> Effects:
        """Commands are remembered until their turn ends: one may go on as a task."""
        message = frame.get("message")
        blocks = message.get("content") if isinstance(message, dict) else None
        for block in blocks if isinstance(blocks, list) else ():
            if isinstance(block, dict) and block.get("type") == "tool_use" and isinstance(block.get("input"), dict):
                command = string(block["input"].get("command"))
                self._commands |= {string(block.get("id")): command} if command else {}
        return []

    def _result_of_call(self, frame: Frame) -> Effects:
        """The result of a command that goes on in the background names its task."""
        result = frame.get("tool_use_result")
        task = self._tasks.get(string(result.get("backgroundTaskId"))) if isinstance(result, dict) else None
        message = frame.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        if task is None or not isinstance(content, list):
            return []
        results = [block for block in content if isinstance(block, dict) and block.get("type") == "tool_result"]
        if len(results) != 1:
            return []
        found = {"tool_use_id": results[0].get("tool_use_id"), "output_file": _output_file(results[0].get("content"))}
        return self._learn(task, found)

    def _turn_ended(self, _frame: Frame) -> Effects:
        self._commands.clear()
        effects = [effect for task in self._tasks.values() if task.in_background for effect in self._tell(task)]
        self._tasks = {
            task.id: task
            for task in self._tasks.values()
            if task.state not in ENDED or task.id in self._stops or (task.listed and not task.final)
        }
        return effects

    def _learn(self, task: Task, frame: Json, told: Json | None = None) -> Effects:
        """Take over what a frame says of a task; tell what is new."""
        news = dict(told or {})
        for key, name in (("output_file", "outputFilePath"), ("tool_use_id", "toolCallId")):
            if string(frame.get(key)):
                news[name] = string(frame.get(key))
        news = {name: value for name, value in news.items() if task.facts.get(name) != value}
        task.facts |= news
        if task.told:
            return [_progress(task, news)] if news else []
        later = {name: value for name, value in news.items() if name not in SPAWNED_WITH}
        if later:
            task.waiting.append(_progress(task, later))
        return self._tell(task) if task.in_background and "toolCallId" in task.facts else []

    def _tell(self, task: Task) -> Effects:
        """The task begins for the client, with what has happened since."""
        if task.told:
            return []
        task.told = True
        waiting, task.waiting = task.waiting, []
        known = {name: task.facts[name] for name in SPAWNED_WITH if name in task.facts}
        spawned = {
            "sessionUpdate": "async_task_spawned",
            "asyncTaskId": task.id,
            "name": task.name,
            "taskType": task.kind,
            "description": known.pop("description", ""),
            # A command has its tool call in the transcript.
            "showInTranscript": not task.hidden and task.kind != SHELL,
            "canStop": True,
            **known,
        }
        return [AirUpdate(spawned), *waiting]

    def _change_state(self, task: Task, state: str, summary: str = "") -> Effects:
        if not state or state == task.state:
            return []
        corrects = task.state == "stopped" and state in ("completed", "failed") and not task.stopping
        if task.state in ENDED and not corrects:
            return []
        task.state = state
        if not task.in_background:
            return []
        update = state_update(task.id, state, summary)
        if not task.told and state not in ENDED:
            task.waiting.append(update)
            return []
        return [*self._tell(task), update]

    def _stop(self, event: MethodCalled) -> Effects:
        identity = event.params["asyncTaskId"]
        turn = self._stop_turn(identity)
        if turn is not None:
            stopped, effects = turn
            return [*effects, Respond(event.request, {"stopped": stopped})]
        task = self._tasks.get(identity)
        if task is None or not task.told or task.state in ENDED or task.stopping:
            return [Respond(event.request, {"stopped": False})]
        task.stopping = True
        self._stops[identity] = event.request
        return [stop_task(identity)]

    def _stopped(self, event: ControlAnswered) -> Effects:
        identity = event.key.split(" ", 1)[1]
        request = self._stops.pop(identity, None)
        if request is None:
            return []
        task = self._tasks[identity]
        if event.error:
            task.stopping = False
            return [Respond(request, {"stopped": False})]
        told = self._change_state(task, "stopped")
        if task.state != "stopped":
            return [*told, Respond(request, {"stopped": False})]
        return [*told, stopped_line(task.command or task.name), Respond(request, {"stopped": True})]


def state_update(task_id: str, state: str, summary: str = "") -> AirUpdate:
    """A task's new state."""
    told = {"summary": summary} if summary else {}
    return AirUpdate({"sessionUpdate": "async_task_state_update", "asyncTaskId": task_id, "state": state, **told})


def stopped_line(name: str) -> AirUpdate:
    """The line of the transcript that says that the person has stopped something."""
    content = text_block(f"**Task stopped by user:** {name}.")
    return AirUpdate({"sessionUpdate": "agent_message_chunk", "content": content})


def _progress(task: Task, news: Json) -> AirUpdate:
    return AirUpdate({"sessionUpdate": "async_task_progress", "asyncTaskId": task.id, **news})


def _output_file(content: Any) -> str:
    """The file that the result of such a command names; empty if it names none."""
    blocks = content if isinstance(content, list) else [{"text": content}]
    texts = (string(block.get("text")) for block in blocks if isinstance(block, dict))
    return next((match[1] for text in texts if (match := OUTPUT_FILE.search(text))), "")
