"""Held prompts: the states that one goes through, and the table of those that are not answered yet.

`advance` is the whole machine. Claude Code's lifecycle frames, results and idle drive it; nothing is inferred.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, assert_never

from adapter.shared.inputs import PromptReceived


class TurnEvent(StrEnum):
    """What can happen to a prompt.

    WRITTEN: it went to Claude Code. STARTED: Claude Code took it in. FOLDED_OVER: a later prompt was taken into its
    turn and owns the turn now. RESULT: the result of its turn came. HELD: it came, and a subagent works on in the
    background. RELEASED: no subagent does any more, and Claude Code has answered its end. DROPPED: Claude Code
    cancelled it. IDLE: Claude Code has nothing to do. HANDED_OVER: a fresh conversation takes it on. CANCEL: the client
    wants it ended. GIVEN_UP: Claude Code did not react to that. REFUSED: Claude Code does not take it. LOST: Claude
    Code died.
    """

    WRITTEN = "written"
    STARTED = "started"
    FOLDED_OVER = "folded over"
    RESULT = "result"
    HELD = "held"
    RELEASED = "released"
    DROPPED = "dropped"
    IDLE = "idle"
    HANDED_OVER = "handed over"
    CANCEL = "cancel"
    GIVEN_UP = "given up"
    REFUSED = "refused"
    LOST = "lost"


class Answer(StrEnum):
    """How a settled prompt is answered: by its result, as ended without one, as cancelled, or with the failure."""

    BY_RESULT = "result"
    ENDED = "end_turn"
    CANCELLED = "cancelled"
    FAILED = "error"


@dataclass(frozen=True, slots=True)
class Queued:
    """Not written yet: Claude Code is being started, or an interrupt is on its way.

    Attributes:
        lost: It was written to a Claude Code that died before it had begun with it.
    """

    lost: bool = False


@dataclass(frozen=True, slots=True)
class Sent:
    """Written, and not taken in yet.

    Attributes:
        again: For the second time. A prompt that no Claude Code outlives must not be written for ever.
    """

    again: bool = False


@dataclass(frozen=True, slots=True)
class Running:
    """Claude Code works on it, and it owns the turn."""


@dataclass(frozen=True, slots=True)
class Held:
    """Its turn is over, and a subagent that works in the background keeps it from being answered."""


@dataclass(frozen=True, slots=True)
class Cancelling:
    """The client has cancelled it and Claude Code has not ended it. `running`: it had been taken in by then."""

    running: bool


@dataclass(frozen=True, slots=True)
class Settled:
    """Answered."""

    answer: Answer


TurnState = Queued | Sent | Running | Held | Cancelling | Settled


def advance(state: TurnState, event: TurnEvent) -> TurnState:
    """The state after an event. An event that means nothing in a state leaves it as it is."""
    match state:
        case Queued():
            return _from_queued(state, event)
        case Sent():
            return _from_sent(state, event)
        case Running():
            return _from_running(event)
        case Held():
            return _from_held(event)
        case Cancelling():
            return _from_cancelling(state, event)
        case Settled():
            return state
        case _ as unreachable:
            assert_never(unreachable)


def _from_queued(state: Queued, event: TurnEvent) -> TurnState:
    if event is TurnEvent.WRITTEN:
        return Sent(again=state.lost)
    return Settled(Answer.CANCELLED) if event is TurnEvent.CANCEL else state


def _from_sent(state: Sent, event: TurnEvent) -> TurnState:
    match event:
        case TurnEvent.STARTED:
            return Running()
        case TurnEvent.FOLDED_OVER:
            return Settled(Answer.ENDED)
        case TurnEvent.RESULT:
            return Settled(Answer.BY_RESULT)
        case TurnEvent.HELD:
            return Held()
        case TurnEvent.HANDED_OVER:
            return Queued()
        case TurnEvent.CANCEL:
            return Cancelling(running=False)
        case TurnEvent.DROPPED:
            return Settled(Answer.CANCELLED)
        case TurnEvent.LOST if not state.again:
            return Queued(lost=True)
        case TurnEvent.REFUSED | TurnEvent.LOST:
            return Settled(Answer.FAILED)
        case _:
            return state


def _from_running(event: TurnEvent) -> TurnState:
    match event:
        case TurnEvent.FOLDED_OVER | TurnEvent.IDLE:
            return Settled(Answer.ENDED)
        case TurnEvent.RESULT:
            return Settled(Answer.BY_RESULT)
        case TurnEvent.HELD:
            return Held()
        case TurnEvent.HANDED_OVER:
            return Queued()
        case TurnEvent.CANCEL:
            return Cancelling(running=True)
        case TurnEvent.DROPPED:
            return Settled(Answer.CANCELLED)
        case TurnEvent.REFUSED | TurnEvent.LOST:
            return Settled(Answer.FAILED)
        case _:
            return Running()


def _from_held(event: TurnEvent) -> TurnState:
    match event:
        case TurnEvent.RELEASED | TurnEvent.IDLE | TurnEvent.HANDED_OVER:
            return Settled(Answer.BY_RESULT)
        case TurnEvent.CANCEL | TurnEvent.GIVEN_UP:
            return Settled(Answer.CANCELLED)
        case TurnEvent.REFUSED | TurnEvent.LOST:
            return Settled(Answer.FAILED)
        case _:
            return Held()


def _from_cancelling(state: Cancelling, event: TurnEvent) -> TurnState:
    match event:
        case TurnEvent.STARTED:
            return Cancelling(running=True)
        case TurnEvent.RESULT | TurnEvent.HELD:
            return Settled(Answer.BY_RESULT)
        case TurnEvent.FOLDED_OVER | TurnEvent.IDLE | TurnEvent.DROPPED | TurnEvent.GIVEN_UP:
            return Settled(Answer.CANCELLED)
        case TurnEvent.REFUSED | TurnEvent.LOST:
            return Settled(Answer.CANCELLED)
        case _:
            return state


@dataclass(frozen=True, slots=True)
class Settlement:
    """A prompt that has just been settled.

    Attributes:
        prompt: The prompt.
        answer: How it is answered.
        cancelled: The client had asked for its end.
        ends_turn: Its turn ends with it; a prompt that another one was folded over leaves its turn to that one.
    """

    prompt: PromptReceived
    answer: Answer
    cancelled: bool
    ends_turn: bool


@dataclass(frozen=True, slots=True)
class _Entry:
    prompt: PromptReceived
    state: TurnState


class TurnTable:
    """The prompts of a session that are not answered yet, oldest first."""

    def __init__(self) -> None:
        self._entries: dict[str, _Entry] = {}

    def add(self, prompt: PromptReceived) -> None:
        """A prompt has come."""
        self._entries[prompt.uuid] = _Entry(prompt, Queued())

    def queued(self) -> list[PromptReceived]:
        """The prompts that wait to be written."""
        return [entry.prompt for entry in self._entries.values() if isinstance(entry.state, Queued)]

    def cancelling(self) -> bool:
        """Whether a cancelled prompt waits for Claude Code."""
        return any(isinstance(entry.state, Cancelling) for entry in self._entries.values())

    def by_request(self, request: Any) -> PromptReceived | None:
        """The prompt of a request that is open."""
        return next((entry.prompt for entry in self._entries.values() if entry.prompt.request == request), None)

    def has_owner(self) -> bool:
        """Whether a prompt owns the turn that runs."""
        return any(_owns_turn(entry.state) for entry in self._entries.values())

    def held(self) -> list[PromptReceived]:
        """The prompts whose turn is over, and which are not answered yet."""
        return [entry.prompt for entry in self._entries.values() if isinstance(entry.state, Held)]

    def any_open(self) -> bool:
        """Whether a prompt waits for its turn, or has one that runs."""
        return any(not isinstance(entry.state, Held) for entry in self._entries.values())

    def rename_owner(self, uuid: str) -> None:
        """The turn goes on under another prompt's uuid, which steered it; the prompt that owns it stays the same."""
        for known, entry in list(self._entries.items()):
            if _owns_turn(entry.state) and known != uuid:
                prompt = replace(entry.prompt, uuid=uuid)
                self._entries = {
                    (uuid if key == known else key): (replace(value, prompt=prompt) if key == known else value)
                    for key, value in self._entries.items()
                }
                return

    def is_open(self, uuid: str) -> bool:
        """Whether the prompt is not answered yet."""
        return uuid in self._entries

    def waits(self, uuid: str) -> bool:
        """Whether Claude Code has the prompt and has not begun with it."""
        return uuid in self._entries and isinstance(self._entries[uuid].state, Sent)

    def apply(self, event: TurnEvent, uuid: str) -> list[Settlement]:
        """An event of one prompt; one that is settled or unknown has none."""
        entry = self._entries.get(uuid)
        return [] if entry is None else self._advance(entry, event)

    def apply_all(self, event: TurnEvent) -> list[Settlement]:
        """An event of all prompts."""
        return [settled for entry in list(self._entries.values()) for settled in self._advance(entry, event)]

    def hand_over(self, continued: Callable[[PromptReceived], PromptReceived]) -> list[Settlement]:
        """A fresh conversation takes over the prompts; `continued` says with what the running one goes on."""
        for uuid, entry in self._entries.items():
            if _owns_turn(entry.state):
                self._entries[uuid] = replace(entry, prompt=continued(entry.prompt))
        return self.apply_all(TurnEvent.HANDED_OVER)

    def fail_queued(self) -> list[Settlement]:
        """Claude Code could not be started for the prompts that wait: they fail."""
        waiting = self.queued()
        for prompt in waiting:
            del self._entries[prompt.uuid]
        return [Settlement(prompt, Answer.FAILED, cancelled=False, ends_turn=False) for prompt in waiting]

    def started(self, uuid: str) -> list[Settlement]:
        """Claude Code took a prompt in. If another one owned the turn, it does no more."""
        if uuid not in self._entries:
            return []
        others = [entry for entry in self._entries.values() if _owns_turn(entry.state) and entry.prompt.uuid != uuid]
        settled = [settlement for entry in others for settlement in self._advance(entry, TurnEvent.FOLDED_OVER)]
        return settled + self.apply(TurnEvent.STARTED, uuid)

    def idle(self, *, interrupt_open: bool) -> list[Settlement]:
        """Claude Code is idle. That may be the idle of the turn before, for a prompt that it has not taken in yet."""
        due = [
            entry
            for entry in self._entries.values()
            if _owns_turn(entry.state)
            or isinstance(entry.state, Held)
            or (isinstance(entry.state, Cancelling) and not interrupt_open)
        ]
        return [settlement for entry in due for settlement in self._advance(entry, TurnEvent.IDLE)]

    def result(self, named: list[str], *, of_host: bool, holds: bool = False) -> list[Settlement]:
        """A result has come: it answers the prompt that owns the turn, and ends what else it names.

        Args:
            named: The prompts that it says it answers.
            of_host: It belongs to a turn that a prompt began, not to one that Claude Code began.
            holds: The prompt is not to be answered yet.
        """
        owner = self._owner_of(named, of_host=of_host)
        if owner is None:
            return []
        others = [uuid for uuid in named if self.waits(uuid) and uuid != owner.prompt.uuid]
        settled = [settlement for uuid in others for settlement in self.apply(TurnEvent.FOLDED_OVER, uuid)]
        return settled + self._advance(owner, TurnEvent.HELD if holds else TurnEvent.RESULT)

    def _owner_of(self, named: list[str], *, of_host: bool) -> _Entry | None:
        open_ = {uuid: entry for uuid, entry in self._entries.items() if not isinstance(entry.state, Held)}
        known = [open_[uuid] for uuid in named if uuid in open_]
        owner = next((entry for entry in known if _owns_turn(entry.state)), known[-1] if known else None)
        if owner is not None or named or not of_host:
            return owner
        ranked = sorted(open_.values(), key=lambda entry: _rank(entry.state))
        return ranked[0] if ranked and not isinstance(ranked[0].state, Queued) else None

    def _advance(self, entry: _Entry, event: TurnEvent) -> list[Settlement]:
        uuid = entry.prompt.uuid
        state = advance(entry.state, event)
        if not isinstance(state, Settled):
            self._entries[uuid] = _Entry(entry.prompt, state)
            return []
        del self._entries[uuid]
        cancelled = isinstance(entry.state, Cancelling) or event is TurnEvent.CANCEL
        ends_turn = _owns_turn(entry.state) and event is not TurnEvent.FOLDED_OVER
        return [Settlement(entry.prompt, state.answer, cancelled, ends_turn)]


def _owns_turn(state: TurnState) -> bool:
    return isinstance(state, Running) or (isinstance(state, Cancelling) and state.running)


def _rank(state: TurnState) -> int:
    """The order in which a result that names no prompt is given away: the turn's owner, a cancelled one, a sent one."""
    if _owns_turn(state):
        return 0
    return 1 if isinstance(state, Cancelling) else 2 if isinstance(state, Sent) else 3
