"""What the v1 core does, as v2's states of a session: running, requires_action, idle."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adapter.shared.claude.frames import Frame
from adapter.shared.effects import (
    AnswerControl,
    AskElicitation,
    AskPermission,
    Effects,
    RefuseControl,
    SendControl,
    WithdrawQuestion,
)
from adapter.shared.outcome import Outcome
from adapter.shared.session_part import SessionPart
from adapter.shared.work_state import WorkEvent, WorkTracker
from adapter.shared.work_updates import StateChanged


class States(SessionPart):
    """The states of one session, told as its turns and its questions come and go.

    Args:
        stops: Says whether a cancel is on its way, or a prompt that was cancelled still runs.
    """

    def __init__(self, stops: Callable[[], bool]) -> None:
        self._stops = stops
        self._work = WorkTracker()
        self._questions: set[str] = set()
        self._stopping = False
        self._prompt = ""
        self.early_frames = {"stream_event": self._output, "assistant": self._output}

    @property
    def turn_open(self) -> bool:
        """Whether the client was told that the session works."""
        return self._work.turn_open

    def now(self) -> StateChanged:
        """The state, for a client that opens the session again."""
        return self._work.now()

    def of_turn(self, uuid: str) -> bool:
        """Whether a prompt began the turn that runs."""
        return self.turn_open and bool(uuid) and uuid == self._prompt

    def began(self, prompt: str = "") -> Effects:
        """A turn runs, maybe for a prompt."""
        if self._work.turn_open:
            return []
        self._prompt = prompt
        begun = self._work.tell(WorkEvent.BEGAN)
        return [*begun, *(self._work.tell(WorkEvent.ASKED) if self._questions else [])]

    def ended(self, outcome: Outcome) -> Effects:
        """The turn is over."""
        self._stopping = False
        return [*self._work.tell(WorkEvent.ENDED, outcome)]

    def rewrite(self, effects: Effects) -> Effects:
        """Questions make the turn wait for the client."""
        return [rewritten for effect in effects for rewritten in self._rewritten(effect)]

    def _rewritten(self, effect: Any) -> Effects:
        match effect:
            case AskPermission() | AskElicitation():
                self._questions.add(effect.question.key)
                return [*self._work.tell(WorkEvent.ASKED), effect]
            case AnswerControl(request_id=key) | RefuseControl(request_id=key):
                return [effect, *self._closed(key, WorkEvent.ANSWERED)]
            case WithdrawQuestion():
                event = WorkEvent.WITHDRAWN if self._stopping or self._stops() else WorkEvent.ANSWERED
                return [effect, *self._closed(effect.key, event)]
            case SendControl(key="interrupt"):
                self._stopping = self._work.turn_open
                return [effect]
            case _:
                return [effect]

    def _closed(self, key: str, event: WorkEvent) -> Effects:
        if key not in self._questions:
            return []
        self._questions.discard(key)
        return [] if self._questions else [*self._work.tell(event)]

    def _output(self, frame: Frame) -> Effects:
        """Claude Code may begin a turn by itself: its output says so."""
        return [] if frame.get("parent_tool_use_id") else self.began()
