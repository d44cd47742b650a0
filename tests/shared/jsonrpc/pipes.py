"""The client's end of a pair of pipes, and what a link on the other end calls back."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Any

import anyio
from anyio.lowlevel import checkpoint

from adapter.shared.jsonrpc.stdio import StdioLink

if TYPE_CHECKING:
    from collections.abc import Callable

FILLER = b"x" * (1024 * 1024) + b"\n"
"""More than a pipe holds, so that its write returns only when the client reads."""
SECONDS = 15
"""A time-out that only a fault reaches."""


class Client:
    """The other side of a link: it writes what the link reads, and reads what the link writes."""

    def __init__(self) -> None:
        self.link_reads, self._writes = os.pipe()
        self._reads, self.link_writes = os.pipe()
        self._open = {self.link_reads, self._writes, self._reads, self.link_writes}
        self._rest = b""

    def close(self) -> None:
        """Close all that is open, the ends that are written to first: a thread that reads sees the end then."""
        for descriptor in (self.link_writes, self._writes, self._reads, self.link_reads):
            self._close(descriptor)

    def hangs_up(self) -> None:
        """Close the pipe that the link reads."""
        self._close(self._writes)

    def stops_reading(self) -> None:
        """Close the pipe that the link writes."""
        self._close(self._reads)

    def write(self, data: bytes) -> None:
        """Write everything, waiting for the reader if need be."""
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self._writes, rest) :]

    async def says(self, data: bytes) -> None:
        """Write everything in a thread."""
        with anyio.fail_after(SECONDS):
            await anyio.to_thread.run_sync(self.write, data, abandon_on_cancel=True)

    async def reads(self, count: int = 1) -> list[bytes]:
        """The next lines."""
        with anyio.fail_after(SECONDS):
            return [await self._line() for _ in range(count)]

    async def _line(self) -> bytes:
        parts = [self._rest]
        while b"\n" not in parts[-1]:
            chunk = await anyio.to_thread.run_sync(os.read, self._reads, 1 << 20, abandon_on_cancel=True)
            assert chunk, "the link has closed its output"
            parts.append(chunk)
        line, self._rest = b"".join(parts).split(b"\n", 1)
        return line + b"\n"

    def _close(self, descriptor: int) -> None:
        if descriptor in self._open:
            self._open.remove(descriptor)
            os.close(descriptor)


class Heard:
    """What a link called back."""

    def __init__(self) -> None:
        self.data = b""
        self.ends = 0
        self.breaks = 0
        self._changed = asyncio.Event()

    def chunk(self, chunk: bytes) -> None:
        """The link read something."""
        self.data += chunk
        self._changed.set()

    def end(self) -> None:
        """The client hung up."""
        self.ends += 1
        self._changed.set()

    def broken(self) -> None:
        """The client reads no more."""
        self.breaks += 1
        self._changed.set()

    async def until(self, condition: Callable[[], Any]) -> None:
        """Wait for callbacks until the condition holds."""
        with anyio.fail_after(SECONDS):
            while not condition():
                self._changed.clear()
                await self._changed.wait()


def start(client: Client) -> tuple[StdioLink, Heard]:
    """A link to the client, started."""
    heard = Heard()
    link = StdioLink(client.link_reads, client.link_writes)
    link.start(heard.chunk, heard.end, heard.broken)
    return link, heard


async def fall_behind(link: StdioLink) -> None:
    """Make the link wait for a client that does not read."""
    link.send(FILLER)
    await checkpoint()
