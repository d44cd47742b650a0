"""Small programs that stand in for Claude Code, and a process that runs one and keeps what it did."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Any

import anyio
from anyio.lowlevel import checkpoint

from adapter.shared.claude.process import ClaudeProcess, ProcessExit

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from pathlib import Path

Json = dict[str, Any]

SECONDS = 20
"""A time-out that only a fault reaches."""
PRELUDE = f"""#!{sys.executable} -IS
import json, os, signal, subprocess, sys, time

def say(**frame):
    print(json.dumps(frame), flush=True)

def hear():
    return json.loads(sys.stdin.readline() or "null")

def answer(request, response):
    say(type="control_response", response=dict(subtype="success", request_id=request["request_id"], response=response))

def complain(*lines):
    print(*lines, sep="\\n", file=sys.stderr, flush=True)

def start_child(script, **how):
    command = [sys.executable, "-IS", "-c", "import os, signal, sys, time\\n" + script]
    how = dict(stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True) | how
    child = subprocess.Popen(command, stdout=subprocess.PIPE, **how)
    child.stdout.readline()

"""
"""What each program begins with."""


def install(folder: Path, script: str, name: str = "claude") -> str:
    """Write a program; returns its path."""
    program = folder / name
    program.write_text(PRELUDE + script)
    program.chmod(0o755)
    return str(program)


async def never_behind() -> None:
    """The client reads everything at once."""


class Run:
    """A process, its frames and its end.

    Args:
        command: Its command line.
        folder: Its working directory.
    """

    def __init__(
        self,
        *command: str,
        folder: Path,
        environment: Mapping[str, str] | None = None,
        relieved: Callable[[], Awaitable[None]] = never_behind,
    ) -> None:
        self.frames: list[Json] = []
        self.exits: list[ProcessExit] = []
        self.on_end: Callable[[], None] = lambda: None
        self._changed = anyio.Event()
        self.process = ClaudeProcess(
            list(command),
            str(folder),
            environment or {},
            on_frame=self._take,
            on_exit=self._end,
            relieved=relieved,
        )

    @property
    def transport(self) -> asyncio.SubprocessTransport:
        """What holds its pipes on our side."""
        return self.process._transport

    async def end(self) -> ProcessExit:
        """How it ended, once it has."""
        await self._until(lambda: bool(self.exits))
        (exit_,) = self.exits
        return exit_

    async def clear_away(self) -> None:
        """End it, be it ended or not, and close its pipes, even if a child of its holds them."""
        self.transport.close()
        await self.end()
        await checkpoint()

    async def frame(self, number: int = 0) -> Json:
        """One of its frames, once it is there."""
        await self._until(lambda: len(self.frames) > number)
        return self.frames[number]

    async def _until(self, condition: Callable[[], bool]) -> None:
        with anyio.fail_after(SECONDS):
            while not condition():
                await self._changed.wait()

    def _take(self, frame: Json) -> None:
        assert not self.exits
        self.frames.append(frame)
        self._wake()

    def _end(self, exit_: ProcessExit) -> None:
        self.exits.append(exit_)
        self.on_end()
        self._wake()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = anyio.Event()
