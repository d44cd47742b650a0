"""Steering a v1 session: a prompt that goes into the running turn at once, which then goes on with it.

Claude Code ends the turn that runs and begins one with the steering prompt, or takes it into the turn at a tool's end.
The prompt that is held owns what follows: it is answered by the result of its last steering prompt's turn.
"""

from __future__ import annotations

from dataclasses import replace

from adapter.shared.claude.frames import Frame
from adapter.shared.effects import Effects
from adapter.shared.inputs import SteerReceived
from adapter.shared.outcome import Outcome
from adapter.shared.session_part import SessionPart
from adapter.shared.tools.text import string
from adapter.shared.turn_outcome import ABORTED, joined


class Steering(SessionPart):
    """The steering prompts of one session.

    Attributes:
        turn_open: Claude Code works on a turn, whoever began it.
    """

    def __init__(self) -> None:
        self.turn_open = False
        self._waiting: list[SteerReceived] = []
        self._written: dict[str, SteerReceived] = {}
        self._lost: set[str] = set()
        self._spent: list[Outcome] = []
        self.frames = {
            "system/init": self._turn_began,
            "result": self._turn_ended,
            "system/session_state_changed": self._state_changed,
        }

    def add(self, steer: SteerReceived) -> None:
        """A steering prompt has come; it waits to be written."""
        self._waiting.append(steer)

    @property
    def waits(self) -> bool:
        """Whether one waits to be written."""
        return bool(self._waiting)

    def take(self) -> list[SteerReceived]:
        """Those that wait, which are written now."""
        waiting, self._waiting = self._waiting, []
        self._written |= {steer.uuid: steer for steer in waiting}
        return waiting

    def began(self, uuid: str) -> bool:
        """Claude Code has begun with a prompt: whether it is a steering one."""
        return self._written.pop(uuid, None) is not None

    def ended(self, uuid: str) -> None:
        """Claude Code forgets a prompt that it has not begun with."""
        self._written.pop(uuid, None)

    def successor(self) -> str:
        """The steering prompt that Claude Code turns to when the turn ends; empty if there is none."""
        return next(iter(self._written), "")

    def spend(self, outcome: Outcome) -> None:
        """A turn that was steered away has used this."""
        self._spent.append(outcome)

    def complete(self, outcome: Outcome) -> Outcome:
        """The outcome of a turn with all that the turns before it have used, by model."""
        spent, self._spent = self._spent, []
        for before in spent:
            outcome = replace(outcome, by_model=joined(before, outcome).by_model)
        return outcome

    def drop(self) -> None:
        """What was to be steered is ended."""
        self._waiting.clear()
        self._written.clear()

    def process_gone(self) -> Effects:
        """What it had not begun with goes to the next process, but not to a third one, with what waits."""
        self.turn_open = False
        again = [steer for uuid, steer in self._written.items() if uuid not in self._lost]
        self._lost = {steer.uuid for steer in again}
        self._waiting[:0] = again
        self._written.clear()
        return []

    def _turn_began(self, _frame: Frame) -> Effects:
        self.turn_open = True
        return []

    def _turn_ended(self, _frame: Frame) -> Effects:
        self.turn_open = False
        return []

    def _state_changed(self, frame: Frame) -> Effects:
        self.turn_open = self.turn_open and frame.get("state") != "idle"
        return []


def is_steered_away(result: Frame) -> bool:
    """Whether a turn was stopped, as it is for a steering prompt. Claude Code calls that an error in some moments."""
    return string(result.get("terminal_reason")) in ABORTED
