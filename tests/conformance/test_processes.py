"""Processes are found below their ancestor and by their mark, and awaited until they are gone."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import uuid
from typing import TYPE_CHECKING

import pytest

from adapter.conformance import processes

if TYPE_CHECKING:
    from collections.abc import Iterator

MARK = "CLAUDE_ACP_TEST_MARK"
# A parent that starts a child which waits for the end of a stdin that it inherits, tells its id, and waits itself.
PARENT = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], start_new_session=True)
print(child.pid, flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def mark() -> Iterator[str]:
    value = str(uuid.uuid4())
    yield value
    processes.kill(processes.marked(MARK, value))


def start(mark: str) -> tuple[subprocess.Popen[str], int]:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, MARK: mark},
    )
    assert parent.stdout is not None
    return parent, int(parent.stdout.readline())


def pids(found: list[processes.Process]) -> set[int]:
    return {process.pid for process in found}


def test_children_are_found_below_their_parent_and_orphans_by_their_mark(mark: str) -> None:
    parent, child = start(mark)
    with parent:
        assert child in pids(processes.descendants(parent.pid))
        assert pids(processes.marked(MARK, mark)) == {parent.pid, child}
        assert pids(processes.family(parent.pid, MARK, mark)) == {child}
        parent.kill()
        parent.wait()
        assert processes.descendants(parent.pid) == []
        assert pids(processes.family(parent.pid, MARK, mark)) == {child}


def test_a_wait_for_the_end_tells_what_is_left(mark: str) -> None:
    parent, child = start(mark)
    with parent:
        started = time.monotonic()
        left = processes.wait_until_gone(lambda: processes.marked(MARK, mark), 0.3)
        assert pids(left) == {parent.pid, child}
        assert 0.3 <= time.monotonic() - started < 5
        assert pids(processes.still_running(left)) == {parent.pid, child}
        processes.kill(left)
        processes.kill(left)
        parent.wait()
        assert processes.wait_until_gone(lambda: processes.marked(MARK, mark), 10) == []
        assert processes.still_running(left) == []


def test_zombies_do_not_run(mark: str) -> None:
    parent, child = start(mark)
    with parent:
        processes.kill([processes.Process(parent.pid, 0, ""), processes.Process(child, 0, "")])
        assert processes.wait_until_gone(lambda: processes.marked(MARK, mark), 10) == []
        assert parent.returncode is None
