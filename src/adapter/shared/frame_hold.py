"""Keeping Claude Code's frames back while something that belongs before them is being found out."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from adapter.shared.effects import Effects
from adapter.shared.inputs import FileChanged, Input, PermissionAsked


class FrameHold:
    """The frames of one session that wait. The session goes on with everything else."""

    def __init__(self) -> None:
        self._waiting: deque[Any] = deque()
        self._held = False

    def begin(self) -> None:
        """Keep the frames that come from now on back."""
        self._held = True

    def end(self) -> None:
        """What was waited for is there: the frames go on, after the effects of this input."""
        self._held = False

    def keeps(self, event: Input) -> bool:
        """Keep an input back if it is a frame and frames are being kept back, or older ones still wait."""
        if not isinstance(event, dict | FileChanged | PermissionAsked) or not (self._held or self._waiting):
            return False
        self._waiting.append(event)
        return True

    def released(self, take: Callable[[Any], Effects]) -> Effects:
        """Go on with the frames that waited, until one of them begins another hold."""
        effects: Effects = []
        while self._waiting and not self._held:
            effects += take(self._waiting.popleft())
        return effects

    def give_up(self) -> None:
        """Claude Code is gone, and with it what was waited for; so the frames behind that mean nothing any more."""
        self._held = False
        self._waiting.clear()
