"""Follows the output of running commands; nothing is polled while none runs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

from adapter.shared.claude.task_output import TaskOutput
from adapter.shared.effects import FollowOutput, ForgetOutput
from adapter.shared.inputs import Input, OutputGrew

INTERVAL = 0.2
"""Seconds between two looks at the files."""


class LiveOutput:
    """The commands of one session whose output is followed.

    Args:
        paths: Where the output of a task may be: from the ids of Claude Code's session and of the task.
        post: Takes what is new.
    """

    def __init__(self, paths: Callable[[str, str], Iterator[str]], post: Callable[[Input], None]) -> None:
        self._paths = paths
        self._post = post
        self._followed: dict[str, TaskOutput] = {}
        self._timer: asyncio.TimerHandle | None = None

    def follow(self, effect: FollowOutput) -> None:
        """Begin with a command."""
        if effect.call_id in self._followed:
            return
        output = TaskOutput.open(self._paths(effect.session_id, effect.task_id))
        if output is None:
            return
        self._followed[effect.call_id] = output
        if self._timer is None:
            self._look()

    def forget(self, effect: ForgetOutput) -> None:
        """The command has ended."""
        output = self._followed.pop(effect.call_id, None)
        if output is not None:
            output.close()

    def catch_up(self) -> None:
        """Take in all that is there: a frame that comes now may be the end of a command."""
        for call_id, output in list(self._followed.items()):
            while text := output.read():
                self._post(OutputGrew(call_id, text))

    def close(self) -> None:
        """Claude Code is gone, and its commands with it."""
        for output in self._followed.values():
            output.close()
        self._followed.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        self._timer = None
        if not self._followed:
            return
        self._timer = asyncio.get_running_loop().call_later(INTERVAL, self._look)
        for call_id, output in list(self._followed.items()):
            if text := output.read():
                self._post(OutputGrew(call_id, text))
