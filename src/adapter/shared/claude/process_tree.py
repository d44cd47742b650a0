"""Processes that Claude Code started: finding them before it goes, and ending those that outlive it."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

PR_SET_PDEATHSIG = 1
LINUX = sys.platform.startswith("linux")


class ProcessId(NamedTuple):
    """A process that cannot be mistaken for a later one with the same number: `started` is opaque, but stays equal."""

    pid: int
    started: str


def descendants(pid: int) -> list[ProcessId]:
    """All children of `pid`, and theirs, as they are now. Empty where the platform has no way to tell."""
    children: defaultdict[int, list[ProcessId]] = defaultdict(list)
    for parent, child in _process_table():
        children[parent].append(child)
    found: list[ProcessId] = []
    waiting = [pid]
    while waiting:
        for child in children.get(waiting.pop(), ()):
            found.append(child)
            waiting.append(child.pid)
    return found


def kill_survivors(processes: list[ProcessId]) -> None:
    """Kill those of `processes` that still run."""
    alive = {child for _, child in _process_table()}
    for process in processes:
        if process in alive:
            with contextlib.suppress(OSError):
                os.kill(process.pid, signal.SIGKILL)


def die_with_parent() -> None:
    """Ask Linux to send this process SIGTERM when its parent dies. Runs in the child, between fork and exec.

    Claude Code ends its background commands on SIGTERM, and MCP servers see their input close.
    """
    if _LIBC is not None:
        _LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)


def _process_table() -> list[tuple[int, ProcessId]]:
    """Pairs of (parent's pid, process)."""
    return _linux_table() if LINUX else _posix_table() if os.name == "posix" else []


def _linux_table() -> list[tuple[int, ProcessId]]:
    table: list[tuple[int, ProcessId]] = []
    for entry in os.listdir("/proc"):  # noqa: PTH208 - Path objects for every process cost too much here.
        if not entry.isdigit():
            continue
        try:
            stat = Path("/proc", entry, "stat").read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        # The fields after the command's name, which may hold spaces and parentheses: state, parent, …, start time.
        fields = stat.rpartition(")")[2].split()
        if fields[0] != "Z":
            table.append((int(fields[1]), ProcessId(int(entry), fields[19])))
    return table


def _posix_table() -> list[tuple[int, ProcessId]]:
    listing = subprocess.run(
        ["ps", "-axo", "ppid=,pid=,lstart="], capture_output=True, text=True, check=False, timeout=5
    ).stdout
    rows = (line.split(None, 2) for line in listing.splitlines())
    return [(int(row[0]), ProcessId(int(row[1]), row[2])) for row in rows if len(row) == 3]


_LIBC = ctypes.CDLL(None, use_errno=True) if LINUX else None
