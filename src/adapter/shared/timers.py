"""The timers of one session."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from adapter.shared.effects import StartTimer, StopTimer
from adapter.shared.inputs import Input, TimerFired


class Timers:
    """Timers by name.

    Args:
        post: Takes `TimerFired` when one runs out.
    """

    def __init__(self, post: Callable[[Input], None]) -> None:
        self._post = post
        self._running: dict[str, asyncio.TimerHandle] = {}

    def start(self, effect: StartTimer) -> None:
        """Start a timer; one of that name that runs starts again."""
        self._stop(effect.name)
        loop = asyncio.get_running_loop()
        self._running[effect.name] = loop.call_later(effect.seconds, self._post, TimerFired(effect.name))

    def stop(self, effect: StopTimer) -> None:
        """Stop a timer, if it runs."""
        self._stop(effect.name)

    def stop_all(self) -> None:
        """Stop every timer."""
        for name in list(self._running):
            self._stop(name)

    def _stop(self, name: str) -> None:
        timer = self._running.pop(name, None)
        if timer is not None:
            timer.cancel()
