"""What Claude Code started is found before it goes, and ended by its identity, not by its number alone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from adapter.shared.claude import process_tree
from adapter.shared.claude.process_tree import ProcessId, descendants, kill_survivors

if TYPE_CHECKING:
    from collections.abc import Iterator

TREE = """
import os, subprocess, sys
depth = int(sys.argv[2])
print(os.getpid(), flush=True)
if depth:
    subprocess.Popen([sys.executable, "-IS", "-c", sys.argv[1], sys.argv[1], str(depth - 1)], start_new_session=True)
sys.stdin.readline()
"""
"""Tells its id, starts itself once more in a session of its own for each level, and ends with its stdin."""
ECHO = "import sys\nfor line in sys.stdin:\n    print(line, end='', flush=True)"
ORPHAN = """
import subprocess, sys
from adapter.shared.claude.process_tree import die_with_parent
child = [sys.executable, "-IS", "-c", "import sys; print('up', flush=True); sys.stdin.readline()"]
subprocess.Popen(child, start_new_session=True, preexec_fn=die_with_parent)
sys.stdin.readline()
"""
linux_only = pytest.mark.skipif(not process_tree.LINUX, reason="the parent-death signal is Linux's")


def spawn(*arguments: str | Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(Path(process_tree.__file__).parents[3])}
    return subprocess.Popen(
        arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, start_new_session=True
    )


def read_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


@pytest.fixture
def tree() -> Iterator[tuple[subprocess.Popen[str], int, int]]:
    """A process, the id of its child, the id of its grandchild."""
    with spawn(sys.executable, "-IS", "-c", TREE, TREE, "2") as parent:
        assert int(read_line(parent)) == parent.pid
        yield parent, int(read_line(parent)), int(read_line(parent))
        parent.kill()


def test_children_are_found_to_any_depth_in_sessions_of_their_own(tree: tuple[subprocess.Popen[str], int, int]) -> None:
    parent, child, grandchild = tree
    assert {process.pid for process in descendants(parent.pid)} == {child, grandchild}
    assert [process.pid for process in descendants(child)] == [grandchild]
    assert descendants(grandchild) == []


def test_survivors_are_ended_after_their_parent(tree: tuple[subprocess.Popen[str], int, int]) -> None:
    parent, _, _ = tree
    family = descendants(parent.pid)
    parent.kill()
    parent.wait()
    kill_survivors(family)
    # They share the pipe: it ends when the last of them has.
    assert read_line(parent) == ""
    kill_survivors(family)


def test_a_process_that_got_the_number_of_another_is_spared() -> None:
    with spawn(sys.executable, "-IS", "-c", ECHO) as process:
        (known,) = [child for child in descendants(os.getpid()) if child.pid == process.pid]
        kill_survivors([ProcessId(known.pid, f"{known.started}0")])
        assert process.stdin is not None
        process.stdin.write("still here\n")
        process.stdin.flush()
        assert read_line(process) == "still here"
        kill_survivors([known])
        assert process.wait() == -signal.SIGKILL


def test_a_process_keeps_its_identity(tree: tuple[subprocess.Popen[str], int, int]) -> None:
    parent, _, _ = tree
    assert descendants(parent.pid) == descendants(parent.pid)


def test_zombies_are_no_descendants() -> None:
    with spawn(sys.executable, "-IS", "-c", ECHO) as process:
        assert process.pid in {child.pid for child in descendants(os.getpid())}
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert process.pid not in {child.pid for child in descendants(os.getpid())}


def test_a_program_may_have_any_name(tmp_path: Path) -> None:
    program = tmp_path / "a) R 1 (b"
    program.write_text("#!/bin/sh\necho up\nread line\n")
    program.chmod(0o755)
    with spawn(program) as process:
        assert read_line(process) == "up"
        (found,) = [child for child in descendants(os.getpid()) if child.pid == process.pid]
        kill_survivors([found])
        assert process.wait() == -signal.SIGKILL


def test_a_process_that_is_gone_has_no_descendants() -> None:
    with spawn(sys.executable, "-IS", "-c", "") as process:
        process.wait()
    assert descendants(process.pid) == []


@linux_only
def test_a_child_dies_with_its_parent() -> None:
    with spawn(sys.executable, "-c", ORPHAN) as parent:
        assert read_line(parent) == "up"
        parent.kill()
        # The child's stdin is open still, and it holds the pipe as long as it lives.
        assert read_line(parent) == ""


def test_macos_is_asked_through_ps(monkeypatch: pytest.MonkeyPatch) -> None:
    listing = (
        "    1   100 Mon Nov 30 12:00:00 2026\n"
        "  100   200 Mon Nov 30 12:00:01 2026\n"
        "  200   300 Mon Nov 30 12:00:02 2026\n"
        "  bad\n"
        "    1   400 Mon Nov 30 12:00:03 2026\n"
    )
    asked: list[list[str]] = []

    def run(command: list[str], **_options: object) -> SimpleNamespace:
        asked.append(command)
        return SimpleNamespace(stdout=listing)

    monkeypatch.setattr(process_tree, "LINUX", False)
    monkeypatch.setattr(process_tree, "subprocess", SimpleNamespace(run=run))
    assert descendants(100) == [
        ProcessId(200, "Mon Nov 30 12:00:01 2026"),
        ProcessId(300, "Mon Nov 30 12:00:02 2026"),
    ]
    assert asked == [["ps", "-axo", "ppid=,pid=,lstart="]]


def test_a_platform_that_cannot_tell_has_no_descendants(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_tree, "LINUX", False)
    monkeypatch.setattr(process_tree, "os", SimpleNamespace(name="nt"))
    assert descendants(os.getppid()) == []
