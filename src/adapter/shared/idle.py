"""Sessions that nobody uses let go of their Claude Code, which starts again with the next prompt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from adapter.shared.claude.frames import Frame
from adapter.shared.effects import Effects, StartTimer
from adapter.shared.session_part import SessionPart
from adapter.shared.tools.text import string

IDLE_TIMER = "idle"
WAKING_TOOLS = frozenset({"CronCreate", "Monitor", "ScheduleWakeup"})
"""Tools after which Claude Code may begin a turn by itself at any time."""


class Parkable(Protocol):
    """What this needs of a session."""

    @property
    def runs(self) -> bool:
        """Whether it has a Claude Code, or is getting one."""
        ...

    def may_park(self) -> bool:
        """Whether nothing waits for its Claude Code."""
        ...

    def park(self) -> Effects:
        """Let go of it."""
        ...


@dataclass(frozen=True, slots=True)
class IdleLimits:
    """When a session lets go of its Claude Code.

    Attributes:
        seconds: After so long without anything to do; 0 for never.
        keep: Unless no more than so many sessions of the connection have one.
    """

    seconds: int = 0
    keep: int = 0


NO_LIMITS = IdleLimits()


class IdlePool:
    """The sessions of one connection.

    Args:
        limits: See there.
    """

    def __init__(self, limits: IdleLimits) -> None:
        self.limits = limits
        self._sessions: list[Parkable] = []

    def join(self, session: Parkable) -> None:
        """A session was opened."""
        self._sessions.append(session)

    def leave(self, session: Parkable) -> None:
        """A session is over."""
        self._sessions.remove(session)

    def is_full(self) -> bool:
        """Whether more sessions have a Claude Code than may keep it."""
        return sum(session.runs for session in self._sessions) > self.limits.keep


class IdleSession(SessionPart):
    """Parks one session. It never does while a turn, a question or background work is open, or a wake-up may come.

    Args:
        session: The session.
        pool: It and the others.
    """

    def __init__(self, session: Parkable, pool: IdlePool) -> None:
        self._session = session
        self._pool = pool
        self._turn = self._tasks = self._wakes = False
        self.frames = {
            "system/session_state_changed": self._state_changed,
            "system/background_tasks_changed": self._tasks_changed,
            "assistant": self._assistant,
        }
        pool.join(session)

    def process_started(self) -> Effects:
        """Claude Code runs and has nothing to do yet."""
        return self._wait()

    def prompt_received(self) -> Effects:
        """A turn begins, though Claude Code has not said so yet."""
        self._turn = True
        return []

    def timer_fired(self, name: str) -> Effects:
        """The session has been idle for long, unless something has begun since."""
        if name != IDLE_TIMER or self._busy():
            return []
        if not self._pool.is_full() or not self._session.may_park():
            return self._wait()
        return self._session.park()

    def process_gone(self) -> Effects:
        """What it did in the background and what was to wake it are gone with it."""
        self._turn = self._tasks = self._wakes = False
        return []

    def session_over(self) -> Effects:
        """The others count without it."""
        self._pool.leave(self._session)
        return []

    def _busy(self) -> bool:
        return self._turn or self._tasks or self._wakes

    def _wait(self) -> Effects:
        return [] if self._busy() else [StartTimer(IDLE_TIMER, float(self._pool.limits.seconds))]

    def _state_changed(self, frame: Frame) -> Effects:
        self._turn = frame.get("state") != "idle"
        return self._wait()

    def _tasks_changed(self, frame: Frame) -> Effects:
        self._tasks = bool(frame.get("tasks"))
        return self._wait()

    def _assistant(self, frame: Frame) -> Effects:
        message = frame.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        blocks = content if isinstance(content, list) else []
        names = {string(block.get("name")) for block in blocks if isinstance(block, dict)}
        self._wakes = self._wakes or not WAKING_TOOLS.isdisjoint(names)
        return []
