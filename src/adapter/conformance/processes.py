"""Finds, awaits and ends the processes that an agent started, orphans among them, on Linux and macOS."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

POLL = 0.05


@dataclass(frozen=True)
class Process:
    """A running process. Zombies are not running: only their parent can remove them.

    Attributes:
        pid: Its id.
        parent: The id of its parent.
        command: Its command line, arguments separated by spaces.
        environment: Its environment as ``NAME=value`` entries, perhaps among others; empty where the system hides it.
    """

    pid: int
    parent: int
    command: str
    environment: tuple[str, ...] = field(default=(), repr=False)

    def __str__(self) -> str:
        return f"{self.pid} (of {self.parent}): {self.command}"


def running() -> list[Process]:
    """All processes of this machine that run."""
    return _running_linux() if sys.platform == "linux" else _running_ps()


def descendants(pid: int) -> list[Process]:
    """The processes below a process, without itself. Those whose parent has died are no longer below it."""
    children: dict[int, list[Process]] = {}
    for process in running():
        children.setdefault(process.parent, []).append(process)
    found: list[Process] = []
    below = list(children.get(pid, ()))
    while below:
        process = below.pop()
        found.append(process)
        below += children.get(process.pid, ())
    return found


def marked(name: str, value: str) -> list[Process]:
    """The processes whose environment has a variable: it is inherited, so that it finds orphans too."""
    entry = f"{name}={value}"
    return [process for process in running() if entry in process.environment]


def family(pid: int, name: str, value: str) -> list[Process]:
    """The descendants of a process and all processes that carry its mark, except itself and the caller."""
    found = {process.pid: process for process in [*descendants(pid), *marked(name, value)]}
    return [process for process in found.values() if process.pid not in {pid, os.getpid()}]


def still_running(known: Iterable[Process]) -> list[Process]:
    """Those of known processes that still run, be they orphans by now."""
    now = {(process.pid, process.command) for process in running()}
    return [process for process in known if (process.pid, process.command) in now]


def wait_until(condition: Callable[[], bool], timeout: float) -> bool:
    """Polls a condition that no event announces; returns whether it came true in time (seconds)."""
    deadline = time.monotonic() + timeout
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL)
    return True


def wait_until_gone(find: Callable[[], list[Process]], timeout: float) -> list[Process]:
    """Waits until ``find`` finds no process; returns those that are still there when the time (seconds) is over."""
    wait_until(lambda: not find(), timeout)
    return find()


def kill(processes: Iterable[Process]) -> None:
    """Ends processes with SIGKILL; those that are gone already do not matter."""
    for process in processes:
        try:
            os.kill(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            continue


def _running_linux() -> list[Process]:
    entries = [entry for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    return [process for entry in entries if (process := _read_linux(entry)) is not None]


def _read_linux(entry: Path) -> Process | None:
    """A process from its folder in /proc; None when it is gone, a zombie, or not ours to look at."""
    try:
        # The name stands in parentheses and may hold any character: what follows it begins after the last one.
        state, parent = (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()[:2]
        command = (entry / "cmdline").read_bytes().decode(errors="replace")
        environment = (entry / "environ").read_bytes().decode(errors="replace")
    except OSError:
        return None
    if state in {"Z", "X"}:
        return None
    return Process(int(entry.name), int(parent), " ".join(command.split("\0")).strip(), tuple(environment.split("\0")))


def _running_ps() -> list[Process]:
    """What ``ps`` tells; with -E it writes the environment behind the command, separated by spaces."""
    output = subprocess.run(
        ["ps", "-axEww", "-o", "pid=,ppid=,stat=,command="], capture_output=True, text=True, check=True
    ).stdout
    rows = [line.split(None, 3) for line in output.splitlines()]
    return [
        Process(int(row[0]), int(row[1]), row[3], tuple(row[3].split(" ")))
        for row in rows
        if len(row) == 4 and not row[2].startswith("Z")
    ]
