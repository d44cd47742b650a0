"""`/compact` on our own account, in a session that has been idle for long and holds much: off unless it is wanted.

A conversation that goes on after a pause is sent whole, without the model's cache. A short one is cheaper.
"""

from __future__ import annotations

from collections.abc import Callable

from adapter.shared.claude.frames import Frame
from adapter.shared.effects import Effects, SendPrompt, StartTimer, StopTimer
from adapter.shared.session_part import SessionPart
from adapter.shared.tools.facts import Json
from adapter.shared.usage import UsageMeter

TIMER = "idle-compaction"
COMPACT: Json = {"type": "text", "text": "/compact"}


class IdleCompaction(SessionPart):
    """The idle compactions of one session: at most one between two prompts.

    Args:
        usage: How much the conversation holds.
        may_write: Whether nothing runs and a prompt could be written.
        began: Tells the client that the session works, where it has a word for that.
        resume_work: Writes the prompts that have come meanwhile.
    """

    def __init__(
        self,
        usage: UsageMeter,
        *,
        may_write: Callable[[], bool],
        began: Callable[[], Effects],
        resume_work: Callable[[], Effects],
    ) -> None:
        self._usage = usage
        self._may_write = may_write
        self._began = began
        self._resume_work = resume_work
        self._seconds = 0.0
        self._tokens = 0
        self._prompted = False
        self.runs = False
        self.frames = {"system/session_state_changed": self._state, "conversation_reset": self._reset}

    def configure(self, seconds: float, tokens: int) -> None:
        """Compact after so many idle seconds, 0 for never, if the conversation holds at least so many tokens."""
        self._seconds = seconds
        self._tokens = tokens

    def prompted(self) -> Effects:
        """A prompt is being written."""
        self._prompted = True
        return [StopTimer(TIMER)] if self._seconds else []

    def timer_fired(self, name: str) -> Effects:
        """The session has been idle for long."""
        if name != TIMER or not self._prompted or self._usage.used < self._tokens or not self._may_write():
            return []
        self._prompted = False
        self.runs = True
        return [*self._began(), SendPrompt("", (COMPACT,))]

    def process_gone(self) -> Effects:
        """It ends with Claude Code."""
        self.runs = False
        return []

    def _reset(self, _frame: Frame) -> Effects:
        """The conversation is empty: there is nothing to shorten before the next prompt."""
        self._prompted = False
        return []

    def _state(self, frame: Frame) -> Effects:
        if frame.get("state") != "idle":
            return []
        if self.runs:
            self.runs = False
            return self._resume_work()
        return [StartTimer(TIMER, self._seconds)] if self._seconds and self._prompted else []
