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
        self.link_reads, client_writes = os.pipe()
        client_reads, self.link_writes = os.pipe()
        self._input = os.fdopen(client_writes, "wb", buffering=0)
        self._output = os.fdopen(client_reads, "rb")

    def close(self) -> None:
        """Close all that is open."""
        self.hangs_up()
        self.stops_reading()
        os.close(self.link_reads)
        os.close(self.link_writes)

    def hangs_up(self) -> None:
        """Close the pipe that the link reads."""
        self._input.close()

    def stops_reading(self) -> None:
        """Close the pipe that the link writes."""
        self._output.close()

    async def says(self, data: bytes) -> None:
        """Write everything."""
        await anyio.to_thread.run_sync(self.write, data)

    async def reads(self, count: int = 1) -> list[bytes]:
        """The next lines."""
        with anyio.fail_after(SECONDS):
            return [await anyio.to_thread.run_sync(self._output.readline) for _ in range(count)]

    def write(self, data: bytes) -> None:
        """Write everything, waiting for the reader if need be."""
        rest = memoryview(data)
        while rest:
            rest = rest[self._input.write(rest) :]


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
