"""Doubles for the edges of the shared layer, and the settings of its property tests."""

from __future__ import annotations

from typing import Any

import orjson
from hypothesis import settings

from adapter.shared.jsonrpc.peer import Peer
from adapter.shared.jsonrpc.stdio import Mergeable, StdioLink

Json = dict[str, Any]

PROPERTY = settings(deadline=None, database=None)
"""No deadline, since other work on the machine would break it; no database, since it would lie in the repository."""


class RecordingLink(StdioLink):
    """A client's pipe that keeps what is sent."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []

    def send(self, message: bytes | Mergeable) -> None:
        """Keep one message as its line."""
        self.lines.append(message if isinstance(message, bytes) else message.encode())

    def take(self) -> list[Any]:
        """The messages that were sent since the last call, parsed."""
        lines, self.lines = self.lines, []
        return [orjson.loads(line) for line in lines]


class Caller:
    """A peer together with what it heard from its client.

    Attributes:
        link: What the peer sent.
        requests: The requests and notifications that it handed on, in order.
    """

    def __init__(self, *, batches: bool = False) -> None:
        self.link = RecordingLink()
        self.requests: list[Any] = []
        self.peer = Peer(self.link, self.requests.append, self.requests.append)
        if batches:
            self.peer.batches_allowed = True

    def says(self, *values: Any) -> list[Any]:
        """The client sends values, one a line; returns what it gets at once."""
        self.peer.receive(b"".join(orjson.dumps(value) + b"\n" for value in values))
        return self.link.take()


def request(identity: Any, method: str = "do", **params: Any) -> Json:
    """A request of the client."""
    return {"jsonrpc": "2.0", "id": identity, "method": method, "params": params}


def result(identity: Any, value: Any) -> Json:
    """A successful response."""
    return {"jsonrpc": "2.0", "id": identity, "result": value}


def failure(identity: Any, code: int, message: str, data: Any = None) -> Json:
    """An error response."""
    error = {"code": code, "message": message, **({} if data is None else {"data": data})}
    return {"jsonrpc": "2.0", "id": identity, "error": error}
