"""Whatever ends the adapter: Claude Code, the servers of the client and background commands end with it."""

from __future__ import annotations

import signal
import sys
import time
import uuid
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from adapter.conformance import mcp_echo, processes
from adapter.scripted.model import ScriptedModel
from support.client import AcpClient
from support.place import ADAPTER, Place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

BOUND = 15.0
"""Seconds: three times what the adapter promises."""
MARK = "CLAUDE_ACP_TEST_RUN"
MODEL: dict[str, Any] = {
    "work": [
        {
            "blocks": [
                {
                    "tool": "Bash",
                    "input": {"command": "sleep 600", "description": "Wait", "run_in_background": True},
                },
                {"tool": "mcp__echo__echo", "input": {"text": "heard"}},
            ]
        },
        {"blocks": [{"text": "It runs."}]},
    ]
}
SETTINGS = {"permissions": {"defaultMode": "default", "allow": ["Bash", "mcp__echo"]}}

# An editor that owns the adapter's pipes: when it dies, they close.
PARENT = """
import shutil, subprocess, sys, threading
child = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
def copy(source, target):
    while data := source.read1(65536):
        target.write(data)
        target.flush()
threading.Thread(target=copy, args=(child.stdout, sys.stdout.buffer), daemon=True).start()
copy(sys.stdin.buffer, child.stdin)
"""


class Work:
    """An adapter at work: Claude Code, a server of the client, and a background command run below it."""

    def __init__(self, client: AcpClient, mark: str) -> None:
        self.client = client
        self._mark = mark
        self.known: list[processes.Process] = []
        assert processes.wait_until(self._runs, BOUND), self.command_lines()

    def end(self, action: Callable[[], object]) -> tuple[int, list[processes.Process]]:
        """Does what ends the adapter; returns its exit status and what still runs when the bound is over."""
        deadline = time.monotonic() + BOUND
        action()
        status = self.client.wait_exit(BOUND)
        return status, processes.wait_until_gone(self._running, deadline - time.monotonic())

    def command_lines(self) -> str:
        """The command lines of the processes below the adapter."""
        return "\n".join(process.command for process in self.known)

    def _runs(self) -> bool:
        """Whether all that belongs to the work has started: the shell takes a moment to start its command."""
        self.known = processes.family(self.client.pid, MARK, self._mark)
        return all(part in self.command_lines() for part in ("stream-json", "mcp_echo.py", "sleep 600"))

    def _running(self) -> list[processes.Process]:
        found = [*processes.still_running(self.known), *processes.marked(MARK, self._mark)]
        return list({process.pid: process for process in found}.values())


@contextmanager
def at_work(folder: Path, command: list[str]) -> Iterator[Work]:
    """Starts an adapter and its work; kills what a failed test leaves."""
    place, mark = Place.make(folder, SETTINGS), str(uuid.uuid4())
    server = {"name": "echo", "command": sys.executable, "args": [mcp_echo.__file__]}
    servers = [{**server, "env": [{"name": MARK, "value": mark}]}]
    try:
        with (
            ScriptedModel(MODEL) as model,
            AcpClient(command, env={**place.environment(model.port), MARK: mark}, cwd=place.workspace) as client,
        ):
            client.call("initialize", {"protocolVersion": 1, "clientCapabilities": {}})
            session = client.call("session/new", {"cwd": str(place.workspace), "mcpServers": servers})["sessionId"]
            prompt = {"sessionId": session, "prompt": [{"type": "text", "text": "[[work]] go"}]}
            client.call("session/prompt", prompt)
            client.expect_text("echo: heard")
            yield Work(client, mark)
    finally:
        processes.kill(processes.marked(MARK, mark))


@pytest.mark.cli
def test_nothing_is_left_when_stdin_ends(tmp_path: Path) -> None:
    with at_work(tmp_path, ADAPTER) as work:
        assert work.end(work.client.close) == (0, [])


@pytest.mark.cli
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_nothing_is_left_after_a_signal(tmp_path: Path, name: str) -> None:
    with at_work(tmp_path, ADAPTER) as work:
        assert work.end(lambda: work.client.send_signal(signal.Signals[name])) == (0, [])


@pytest.mark.cli
def test_nothing_is_left_when_the_editor_is_killed(tmp_path: Path) -> None:
    with at_work(tmp_path, [sys.executable, "-c", PARENT, *ADAPTER]) as work:
        assert "-m adapter" in work.command_lines()
        assert work.end(lambda: work.client.send_signal(signal.SIGKILL)) == (-signal.SIGKILL, [])


@pytest.mark.cli
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process with its parent")
def test_nothing_is_left_when_the_adapter_is_killed(tmp_path: Path) -> None:
    with at_work(tmp_path, ADAPTER) as work:
        assert work.end(lambda: work.client.send_signal(signal.SIGKILL)) == (-signal.SIGKILL, [])
