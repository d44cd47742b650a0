"""What a v2 client is told of a session's work: running, requires_action, idle.

`advance` is the whole machine. A turn is foreground work from its start to its end; `requires_action` covers exactly
the session's own open requests while a turn is open.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from adapter.shared.outcome import Outcome
from adapter.shared.work_updates import StateChanged, WorkState


class WorkEvent(StrEnum):
    """What can happen to a session's work.

    BEGAN: a turn begins. ASKED: a request of the session is open. ANSWERED: the last open one was answered. WITHDRAWN:
    the last open one needs no answer any more, because its work is being stopped. ENDED: the turn is over.
    """

    BEGAN = "began"
    ASKED = "asked"
    ANSWERED = "answered"
    WITHDRAWN = "withdrawn"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Idle:
    """No turn is open."""


@dataclass(frozen=True, slots=True)
class Running:
    """A turn is open and nobody is waited for."""


@dataclass(frozen=True, slots=True)
class RequiresAction:
    """A turn is open and waits for the client."""


@dataclass(frozen=True, slots=True)
class Stopping:
    """A turn is open that waited for the client when its stop began; the client is told no more before its end."""


Work = Idle | Running | RequiresAction | Stopping


def advance(work: Work, event: WorkEvent) -> Work:
    """The state after an event. An event that means nothing in a state leaves it as it is."""
    match work:
        case Idle():
            return Running() if event is WorkEvent.BEGAN else work
        case Running():
            return RequiresAction() if event is WorkEvent.ASKED else _ended(work, event)
        case RequiresAction():
            if event is WorkEvent.ANSWERED:
                return Running()
            return Stopping() if event is WorkEvent.WITHDRAWN else _ended(work, event)
        case Stopping():
            return _ended(work, event)
        case _ as unreachable:
            assert_never(unreachable)


def _ended(work: Work, event: WorkEvent) -> Work:
    return Idle() if event is WorkEvent.ENDED else work


class WorkTracker:
    """The work of one session, as its client knows it."""

    def __init__(self) -> None:
        self._work: Work = Idle()

    @property
    def turn_open(self) -> bool:
        """Whether the client was told that the session works."""
        return not isinstance(self._work, Idle)

    def now(self) -> StateChanged:
        """What the client was told last."""
        match self._work:
            case Idle():
                return StateChanged(WorkState.IDLE)
            case Running():
                return StateChanged(WorkState.RUNNING)
            case RequiresAction() | Stopping():
                return StateChanged(WorkState.REQUIRES_ACTION)
            case _ as unreachable:
                assert_never(unreachable)

    def tell(self, event: WorkEvent, outcome: Outcome | None = None) -> list[StateChanged]:
        """Take an event; say what the client is to be told."""
        before, self._work = self._work, advance(self._work, event)
        if before == self._work:
            return []
        match self._work:
            case Idle():
                return [StateChanged(WorkState.IDLE, outcome)]
            case Running():
                return [StateChanged(WorkState.RUNNING)]
            case RequiresAction():
                return [StateChanged(WorkState.REQUIRES_ACTION)]
            case Stopping():
                return []
            case _ as unreachable:
                assert_never(unreachable)
