"""The pipe to the client: two threads that block on it, and an outbox that batches and merges what waits.

Threads, not non-blocking descriptors: they work on files and consoles too, and do not change the mode of a descriptor
that other processes share.
"""

from __future__ import annotations

import asyncio
import os
import queue
import threading
from collections.abc import Callable
from typing import Protocol

READ_SIZE = 256 * 1024
CONGESTED_BYTES = 64 * 1024 * 1024


class Mergeable(Protocol):
    """A message that can take in the one that follows it while both wait for a slow reader."""

    size: int

    def merge(self, later: Mergeable) -> bool:
        """Take `later` in, if the two are parts of the same text."""
        ...

    def encode(self) -> bytes:
        """The message as one line."""
        ...


class StdioLink:
    """Reads chunks from one descriptor and writes lines to another, for the event loop that made it.

    Lines leave in the order of `send`. What waits goes out in one write. Only while the reader is behind (a write has
    not returned yet) are adjacent mergeable messages merged, so nothing that could be sent now is held back.

    Args:
        read_fd: Blocking descriptor of the client's messages.
        write_fd: Blocking descriptor of ours.
    """

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._read_fd = read_fd
        self._write_fd = write_fd
        self._waiting: list[bytes | Mergeable] = []
        self._waiting_bytes = 0
        self._busy = False
        self._scheduled = False
        self._broken = False
        self._batches: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._drained = asyncio.Event()
        self._drained.set()
        self._relieved = asyncio.Event()
        self._relieved.set()
        self._on_broken: Callable[[], None] = lambda: None

    def start(
        self, on_chunk: Callable[[bytes], None], on_eof: Callable[[], None], on_broken: Callable[[], None]
    ) -> None:
        """Start both threads. The callbacks run on the event loop; `on_broken` if the client has closed our output."""
        self._on_broken = on_broken
        threading.Thread(target=self._read, args=(on_chunk, on_eof), name="client-reader", daemon=True).start()
        threading.Thread(target=self._write, name="client-writer", daemon=True).start()

    def send(self, message: bytes | Mergeable) -> None:
        """Queue one message."""
        if self._broken:
            return
        waiting = self._waiting
        size = len(message) if isinstance(message, bytes) else message.size
        self._waiting_bytes += size
        if self._busy:
            if self._waiting_bytes > CONGESTED_BYTES:
                self._relieved.clear()
            if waiting and not isinstance(message, bytes):
                last = waiting[-1]
                if not isinstance(last, bytes) and last.merge(message):
                    return
        waiting.append(message)
        if not self._scheduled and not self._busy:
            self._scheduled = True
            self._drained.clear()
            self._loop.call_soon(self._flush)

    async def relieved(self) -> None:
        """Wait until the backlog is bearable again; sources of output call this between reads."""
        await self._relieved.wait()

    async def drained(self) -> None:
        """Wait until everything sent so far is written, or the client is gone."""
        await self._drained.wait()

    def _flush(self) -> None:
        self._scheduled = False
        batch = b"".join([entry if isinstance(entry, bytes) else entry.encode() for entry in self._waiting])
        self._waiting.clear()
        self._waiting_bytes = 0
        self._relieved.set()
        self._busy = True
        self._batches.put(batch)

    def _written(self) -> None:
        self._busy = False
        if self._waiting:
            self._flush()
        else:
            self._drained.set()

    def _break(self) -> None:
        self._broken = True
        self._waiting.clear()
        self._drained.set()
        self._relieved.set()
        self._on_broken()

    def _read(self, on_chunk: Callable[[bytes], None], on_eof: Callable[[], None]) -> None:
        try:
            while chunk := os.read(self._read_fd, READ_SIZE):
                self._post(on_chunk, chunk)
        except OSError:
            pass
        self._post(on_eof)

    def _write(self) -> None:
        while True:
            view = memoryview(self._batches.get())
            try:
                while view:
                    view = view[os.write(self._write_fd, view) :]
            except OSError:
                self._post(self._break)
                return
            self._post(self._written)

    def _post(self, callback: Callable[..., None], *arguments: object) -> None:
        try:
            self._loop.call_soon_threadsafe(callback, *arguments)
        except RuntimeError:
            # The loop has closed: the program is on its way out and nobody listens any more.
            return
