"""An adapter process whose client writes bytes and reads lines, for what is not a message or not one at a time."""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import threading
from typing import TYPE_CHECKING, Any, Self

from support.place import ADAPTER, Place

if TYPE_CHECKING:
    from pathlib import Path

    from support.cores import Core

TIMEOUT = 30.0


class RawClient:
    """A client of one adapter, after ``initialize``.

    Args:
        folder: An empty folder.
        core: What serves it.
    """

    def __init__(self, folder: Path, core: Core) -> None:
        place = Place.make(folder)
        self._process = subprocess.Popen(
            ADAPTER,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**place.environment(1), **core.variables},
            cwd=place.workspace,
        )
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        info = {"name": "test", "version": "1"}
        params = {"protocolVersion": core.version, "clientCapabilities": {}, "capabilities": {}, "info": info}
        self.write(json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}).encode())
        assert self.read()["result"]["protocolVersion"] == core.version

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(BrokenPipeError):
            self._stdin().close()
        try:
            assert self._process.wait(TIMEOUT) == 0
        finally:
            self._process.kill()
            self._process.wait()
            self._reader.join(TIMEOUT)
            assert self._process.stdout is not None
            self._process.stdout.close()

    def write(self, line: bytes) -> None:
        """Writes a line."""
        self._stdin().write(line + b"\n")
        self._stdin().flush()

    def read(self) -> Any:
        """The next line, as JSON."""
        return json.loads(self._lines.get(timeout=TIMEOUT))

    def _stdin(self) -> Any:
        assert self._process.stdin is not None
        return self._process.stdin

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
