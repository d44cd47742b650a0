"""One Claude Code process: started, read, written to, and stopped together with everything that it started."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import anyio

from adapter.shared.claude.frames import Frame, read_frame
from adapter.shared.claude.masking import Mask
from adapter.shared.claude.process_tree import descendants, die_with_parent, kill_survivors
from adapter.shared.jsonrpc.errors import ClaudeFailure
from adapter.shared.jsonrpc.framing import MAX_LINE_BYTES, LineFramer, OverlongLine
from adapter.shared.jsonrpc.messages import encode

log = logging.getLogger(__name__)

READ_SIZE = 256 * 1024
STDERR_LINES = 40
STDERR_LINE_BYTES = 64 * 1024
EXIT_GRACE_SECONDS = 0.5
STOP_EOF_SECONDS = 1.5
STOP_TERM_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class ProcessExit:
    """How a process ended. `status` is its exit status, or minus the signal's number; `reason` is for people."""

    status: int
    reason: str
    stderr: tuple[str, ...]

    def failure(self) -> ClaudeFailure:
        """This end as an error, with the last lines of stderr."""
        said = {"stderr": list(self.stderr)} if self.stderr else {}
        return ClaudeFailure("process_exited", self.reason, {"exitStatus": self.status, **said})


class ExitProtocol(asyncio.subprocess.SubprocessStreamProtocol):
    """Tells when the process itself has ended. `Process.wait` also waits for pipes that its children may hold open."""

    def __init__(self, limit: int, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(limit=limit, loop=loop)
        self.exited = asyncio.Event()

    def process_exited(self) -> None:
        """Called by the event loop."""
        super().process_exited()
        self.exited.set()


class ClaudeProcess:
    """A running Claude Code.

    Args:
        command: Path of the CLI and its arguments.
        cwd: Working directory.
        environment: The child's whole environment.
        on_frame: Called with each frame, in order, on the event loop.
        on_exit: Called once, after the last frame.
        relieved: Awaited between reads, so that a client that does not read slows Claude Code down.
    """

    def __init__(
        self,
        command: list[str],
        cwd: str,
        environment: Mapping[str, str],
        *,
        on_frame: Callable[[Frame], None],
        on_exit: Callable[[ProcessExit], None],
        relieved: Callable[[], Awaitable[None]],
    ) -> None:
        self.path = command[0]
        self._command = command
        self._cwd = cwd
        self._environment = environment
        self._on_frame = on_frame
        self._on_exit = on_exit
        self._relieved = relieved
        self._mask = Mask(environment)
        self._stderr: deque[str] = deque(maxlen=STDERR_LINES)
        self._overlong = False
        self._done = asyncio.Event()
        self._watcher: asyncio.Task[None] | None = None
        self._transport: asyncio.SubprocessTransport
        self._protocol: ExitProtocol
        self._process: asyncio.subprocess.Process

    async def start(self) -> None:
        """Spawn the process and begin to read it.

        Raises:
            ClaudeFailure: `start_failed`, naming the path and why it cannot be executed.
        """
        loop = asyncio.get_running_loop()
        try:
            self._transport, self._protocol = await loop.subprocess_exec(
                lambda: ExitProtocol(READ_SIZE, loop),
                *self._command,
                cwd=self._cwd,
                env=dict(self._environment),
                start_new_session=True,
                preexec_fn=die_with_parent if os.name == "posix" else None,
            )
        except OSError as error:
            why = error.strerror or str(error)
            if not Path(self._cwd).is_dir():  # noqa: ASYNC240 - one look at the reason of a failure.
                why = f"its working directory {self._cwd} does not exist"
            raise ClaudeFailure(
                "start_failed", f"cannot start Claude Code at {self.path}: {why}", {"path": self.path}
            ) from None
        self._process = asyncio.subprocess.Process(self._transport, self._protocol, loop)
        self._watcher = asyncio.ensure_future(self._watch())

    def send(self, frame: Frame) -> None:
        """Write one frame. Frames to a process that has ended are dropped: its exit is reported anyway."""
        stdin = self._process.stdin
        if stdin is not None and not stdin.is_closing():
            stdin.write(encode(frame))

    async def stop(self, farewell: Frame | None = None) -> None:
        """End the process and its children within about three seconds: by its own will, by SIGTERM, by SIGKILL.

        Args:
            farewell: A last frame, written before stdin is closed.
        """
        family = await anyio.to_thread.run_sync(descendants, self._process.pid)
        if farewell is not None:
            self.send(farewell)
        if self._process.stdin is not None:
            self._process.stdin.close()
        for end, seconds in ((self._process.terminate, STOP_EOF_SECONDS), (self._kill_group, STOP_TERM_SECONDS)):
            with anyio.move_on_after(seconds):
                await self._done.wait()
                break
            family += await anyio.to_thread.run_sync(descendants, self._process.pid)
            with contextlib.suppress(ProcessLookupError):
                end()
        await self._done.wait()
        await anyio.to_thread.run_sync(kill_survivors, family)

    async def kill(self) -> None:
        """End the process and its children at once, without a last word."""
        family = await anyio.to_thread.run_sync(descendants, self._process.pid)
        self._kill_group()
        await self._done.wait()
        await anyio.to_thread.run_sync(kill_survivors, family)

    def _kill_group(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            if os.name == "posix":
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()

    async def _watch(self) -> None:
        """Read until the process has ended, then report how."""
        try:
            closed_early = await self._read_to_the_end()
        finally:
            # Also when the loop is ending: whoever stops the process must not wait for ever.
            self._done.set()
        status = self._transport.get_returncode() or 0
        self._on_exit(ProcessExit(status, self._reason(status, closed_early=closed_early), tuple(self._stderr)))

    async def _read_to_the_end(self) -> bool:
        """Read until the process is gone; whether it closed its output before."""
        readers = [asyncio.ensure_future(self._read_stdout()), asyncio.ensure_future(self._read_stderr())]
        waiter = asyncio.ensure_future(self._protocol.exited.wait())
        await asyncio.wait([readers[0], waiter], return_when=asyncio.FIRST_COMPLETED)
        # Its children may hold the pipes open after its end, and it may close them before its end: neither may hang us.
        await asyncio.wait([*readers, waiter], timeout=EXIT_GRACE_SECONDS)
        closed_early = not waiter.done()
        if closed_early:
            self._kill_group()
        await waiter
        for reader in readers:
            reader.cancel()
        await asyncio.gather(*readers, return_exceptions=True)
        self._transport.close()
        return closed_early

    async def _read_stdout(self) -> None:
        stdout = self._process.stdout
        assert stdout is not None
        framer = LineFramer(MAX_LINE_BYTES)
        while chunk := await stdout.read(READ_SIZE):
            for line in framer.push(chunk):
                if isinstance(line, OverlongLine):
                    self._overlong = True
                    return
                self._take_line(line)
            await self._relieved()
        if isinstance(rest := framer.flush(), bytes):
            self._take_line(rest)

    def _take_line(self, line: bytes) -> None:
        frame = read_frame(line)
        if frame is not None:
            self._on_frame(frame)

    def last_words(self) -> tuple[str, ...]:
        """The last lines of stderr so far."""
        return tuple(self._stderr)

    async def _read_stderr(self) -> None:
        stderr = self._process.stderr
        assert stderr is not None
        framer = LineFramer(STDERR_LINE_BYTES)
        while chunk := await stderr.read(READ_SIZE):
            for line in framer.push(chunk):
                self._keep_stderr(line)
        if (rest := framer.flush()) is not None:
            self._keep_stderr(rest)

    def _keep_stderr(self, line: bytes | OverlongLine) -> None:
        text = (
            "(a line too long to keep)" if isinstance(line, OverlongLine) else line.decode("utf-8", "replace").strip()
        )
        if text:
            text = self._mask(text)
            self._stderr.append(text[:2000])
            log.debug("Claude Code: %s", text)

    def _reason(self, status: int, *, closed_early: bool) -> str:
        if self._overlong:
            return f"Claude Code at {self.path} sent a line longer than {MAX_LINE_BYTES} bytes and was stopped"
        if closed_early:
            return f"Claude Code at {self.path} closed its output and was stopped"
        how = f"was ended by signal {signal_name(-status)}" if status < 0 else f"exited with status {status}"
        last = f": {self._stderr[-1]}" if self._stderr else ""
        return f"Claude Code at {self.path} {how}{last}"


def signal_name(number: int) -> str:
    """`SIGKILL` for 9; the number itself where the platform has no name for it."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)
