"""The agent's process as an editor runs it: JSON-RPC over stdio, one message a line, every wait with a bound."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from typing import IO, TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

# Short slices, because Windows delivers Ctrl-C to a thread only when its wait ends.
_SLICE = 0.2
_GRACE = 5.0
_LINES_OF_STDERR = 15


class DemoError(Exception):
    """The demo cannot go on; the message tells a person why."""


class Agent:
    """A running agent; leaving the ``with`` block stops it and what it started.

    Args:
        command: The agent's program and its arguments.
        env: Its whole environment.
        cwd: Its working folder.
        patience: Seconds without a message after which the agent counts as stuck.
        limit: Seconds that all may take, without those that ``extend`` adds.

    Raises:
        DemoError: The program cannot be started.
    """

    def __init__(
        self, command: Sequence[str], env: Mapping[str, str], cwd: Path, *, patience: float = 60, limit: float = 180
    ) -> None:
        self._patience = patience
        self._limit = limit
        self._deadline = time.monotonic() + limit
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._stderr: deque[str] = deque(maxlen=_LINES_OF_STDERR)
        try:
            # A session of its own: Ctrl-C reaches only the demo, which then stops the agent in good order.
            self._process = subprocess.Popen(
                command,
                env=env,
                cwd=cwd,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except OSError as error:
            raise DemoError(f"The agent cannot be started: {command[0]}: {error.strerror}") from error
        self._readers = [
            threading.Thread(target=self._read_stdout, args=(self._process.stdout,), daemon=True),
            threading.Thread(target=self._read_stderr, args=(self._process.stderr,), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        self.stop()
        if isinstance(error, DemoError) and self._stderr:
            error.add_note("The agent's last lines on its standard error:\n" + "".join(self._stderr).rstrip())

    def send(self, message: dict[str, Any]) -> None:
        """Writes one message.

        Raises:
            DemoError: The agent has ended.
        """
        stdin = _pipe(self._process.stdin)
        try:
            stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
            stdin.flush()
        except OSError as error:
            raise self._ended() from error

    def receive(self, waiting_for: str) -> dict[str, Any]:
        """Waits for the next message.

        Args:
            waiting_for: What the caller expects, for the message of an error.

        Raises:
            DemoError: The agent has ended, says nothing, takes too long, or wrote something else than JSON-RPC.
        """
        line = self._next_line(waiting_for)
        try:
            message = json.loads(line)
        except ValueError as error:
            text = line.decode(errors="replace").strip()
            raise DemoError(f"The agent wrote something else than JSON-RPC: {text[:200]}") from error
        if not isinstance(message, dict):
            raise DemoError(f"The agent wrote something else than JSON-RPC: {str(message)[:200]}")
        return message

    def extend(self, seconds: float) -> None:
        """Moves the limit, because somebody else than the agent took his time."""
        self._deadline += seconds

    def stop(self) -> None:
        """Ends the agent: first by closing its input, as an editor does, then by signals."""
        with contextlib.suppress(OSError):  # What was still buffered for an agent that has ended cannot be written.
            _pipe(self._process.stdin).close()
        if not self._exited():
            self._signal("SIGTERM")
        if not self._exited() or self._process.returncode != 0:
            # It is stuck, or it broke off and may have left behind what it started.
            self._signal("SIGKILL")
            self._exited()
        for reader, pipe in zip(self._readers, (self._process.stdout, self._process.stderr), strict=True):
            reader.join(_GRACE)
            if not reader.is_alive():
                _pipe(pipe).close()

    def _next_line(self, waiting_for: str) -> bytes:
        patient_until = time.monotonic() + self._patience
        while (left := min(patient_until, self._deadline) - time.monotonic()) > 0:
            try:
                line = self._lines.get(timeout=min(_SLICE, left))
            except queue.Empty:
                continue
            if line is None:
                raise self._ended()
            return line
        if self._deadline < patient_until:
            raise DemoError(f"The agent has not finished after {self._limit:g} seconds, waiting for {waiting_for}.")
        raise DemoError(f"The agent has said nothing for {self._patience:g} seconds, waiting for {waiting_for}.")

    def _ended(self) -> DemoError:
        code = self._process.returncode if self._exited() else None
        self._readers[1].join(_GRACE)
        how = "closed its output" if code is None else f"ended with exit status {code}"
        return DemoError(f"The agent {how} before the demo was over.")

    def _exited(self) -> bool:
        try:
            self._process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            return False
        return True

    def _signal(self, name: str) -> None:
        """Signals the agent and what it started; on Windows, where no group can be signalled, the agent alone."""
        with contextlib.suppress(OSError):  # They may have ended already.
            if sys.platform == "win32":
                self._process.kill()
            else:
                os.killpg(self._process.pid, getattr(signal, name))

    def _read_stdout(self, pipe: IO[bytes]) -> None:
        for line in pipe:
            if line.strip():
                self._lines.put(line)
        self._lines.put(None)

    def _read_stderr(self, pipe: IO[bytes]) -> None:
        for line in pipe:
            self._stderr.append(line.decode(errors="replace"))


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None, "all three pipes are opened at the start"
    return pipe
