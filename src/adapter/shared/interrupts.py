"""Interrupts that Claude Code has not answered, and the bound of the wait for them."""

from __future__ import annotations

from adapter.shared.effects import Effects, SendControl, StartTimer, StopTimer
from adapter.shared.tools.facts import Json

CANCEL_SECONDS = 10.0
CANCEL_TIMER = "cancel"
INTERRUPT: Json = {"subtype": "interrupt", "cancel_queued": True}


class Interrupts:
    """The interrupts of one session."""

    def __init__(self) -> None:
        self._open = 0
        self._timer_runs = False

    def any_open(self) -> bool:
        """Whether Claude Code owes an answer; what is written now would be ended as well."""
        return self._open > 0

    def send(self) -> Effects:
        """Stop the running turn and all queued prompts. What comes later waits for the answer, so it has a bound."""
        self._open += 1
        timer: Effects = [] if self._timer_runs else [StartTimer(CANCEL_TIMER, CANCEL_SECONDS)]
        self._timer_runs = True
        return [SendControl("interrupt", INTERRUPT), *timer]

    def answered(self) -> None:
        """Claude Code has answered one."""
        self._open = max(0, self._open - 1)

    def forget(self) -> None:
        """Claude Code is gone: no answer comes any more."""
        self._open = 0

    def waited_for(self) -> bool:
        """Whether something waits for what an interrupt is to end."""
        return self._timer_runs

    def ran_out(self) -> bool:
        """The timer has fired; whether somebody still waited."""
        waited, self._timer_runs = self._timer_runs, False
        return waited

    def stop_timer(self) -> Effects:
        """Nothing waits for an interrupt any more."""
        return [StopTimer(CANCEL_TIMER)] if self.ran_out() else []
