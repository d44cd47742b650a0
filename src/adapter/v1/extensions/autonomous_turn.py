"""A turn that Claude Code begins by itself, as an async task of the type `turn`.

Source: docs/air-extensions.md, *Autonomous turn*. ACP v1 has no session state, so without it a client is not told that
Claude works again after a prompt was answered.
"""

from __future__ import annotations

from collections.abc import Callable

from adapter.shared.claude.frames import Frame
from adapter.shared.claude.lifecycle import is_placeholder, lifecycle_event
from adapter.shared.effects import Effects
from adapter.shared.inputs import Input, ShutDown
from adapter.shared.session_part import SessionPart
from adapter.shared.tools.text import string
from adapter.shared.turn_outcome import ABORTED
from adapter.v1.extensions.async_tasks import state_update, stopped_line
from adapter.v1.extensions.open_prompts import OpenPrompts
from adapter.v1.extensions.updates import AirUpdate

NAME = "Claude is working"
UNASKED = "Claude Code started a turn without a prompt."


class AutonomousTurn(SessionPart):
    """The turn of one session that no prompt has begun.

    Args:
        prompts: The session's open prompts.
        interrupt: Stops the turn that runs.
        token: Names turns whose frames have no id.
    """

    def __init__(self, prompts: OpenPrompts, interrupt: Callable[[], Effects], token: str) -> None:
        self._prompts = prompts
        self._interrupt = interrupt
        self._token = token
        self._count = 0
        self._task_id = ""
        self._stopped = False
        self._summary = ""
        self.early_frames = {
            "system/session_state_changed": self._state,
            "system/task_notification": self._notified,
            "stream_event": self._output,
            "assistant": self._output,
            "command_lifecycle": self._lifecycle,
            "result": self._result,
        }

    def stop(self, task_id: str) -> tuple[bool, Effects] | None:
        """Stop a turn: whether that can be done, and what is to be done; `None` if there is no such turn.

        An interrupt would end the prompts that wait as well, so it is not sent then.
        """
        if not task_id or task_id != self._task_id:
            return None
        if self._stopped or self._prompts.any_open():
            return False, []
        self._stopped = True
        return True, [*self._interrupt(), state_update(task_id, "stopped"), stopped_line(NAME)]

    def see(self, event: Input) -> None:
        """An adapter that ends has no client left to tell."""
        if isinstance(event, ShutDown):
            self._task_id = ""

    def process_gone(self) -> Effects:
        """The turn has ended with the process."""
        return self._end("failed")

    def session_over(self) -> Effects:
        """The same, when the session is closed."""
        return self._end("failed")

    def _state(self, frame: Frame) -> Effects:
        if frame.get("state") == "running":
            return self._begin(frame)
        return self._end("completed") if frame.get("state") == "idle" else []

    def _output(self, frame: Frame) -> Effects:
        return [] if self._task_id or frame.get("parent_tool_use_id") else self._begin(frame)

    def _notified(self, frame: Frame) -> Effects:
        self._summary = string(frame.get("summary"))
        return []

    def _lifecycle(self, frame: Frame) -> Effects:
        """A prompt that is folded into the turn owns it from then on."""
        uuid, state = lifecycle_event(frame)
        return self._end("completed") if state == "started" and self._prompts.has(uuid) else []

    def _result(self, frame: Frame) -> Effects:
        if is_placeholder(frame):
            return []
        if string(frame.get("terminal_reason")) in ABORTED:
            return self._end("stopped")
        return self._end("failed" if frame.get("is_error") is True else "completed")

    def _begin(self, frame: Frame) -> Effects:
        if self._task_id or self._prompts.any_open():
            return []
        self._count += 1
        self._task_id = f"autonomous-turn-{string(frame.get('uuid')) or f'{self._token}-{self._count}'}"
        description, self._summary = self._summary or UNASKED, ""
        spawned = {
            "sessionUpdate": "async_task_spawned",
            "asyncTaskId": self._task_id,
            "name": NAME,
            "taskType": "turn",
            "description": description,
            "showInTranscript": False,
            "canStop": True,
        }
        return [AirUpdate(spawned)]

    def _end(self, state: str) -> Effects:
        task_id, stopped = self._task_id, self._stopped
        self._task_id, self._stopped = "", False
        return [state_update(task_id, state)] if task_id and not stopped else []
