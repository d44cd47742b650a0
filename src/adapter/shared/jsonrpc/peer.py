"""The JSON-RPC peer: correlates requests and responses, both ways, over one link.

It knows JSON-RPC and nothing of ACP. Exactly one response leaves for each request: answering consumes the entry that
the request opened.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from adapter.shared.jsonrpc.errors import AdapterBug, ClientMistake, error_object, invalid_request, parse_error
from adapter.shared.jsonrpc.framing import MAX_LINE_BYTES, LineFramer, OverlongLine
from adapter.shared.jsonrpc.messages import (
    Json,
    Malformed,
    Notification,
    Request,
    RequestId,
    Response,
    classify,
    decode,
    encode,
    error_message,
    notification_message,
    request_message,
    result_message,
)
from adapter.shared.jsonrpc.pending import PendingRequests
from adapter.shared.jsonrpc.stdio import Mergeable, StdioLink

log = logging.getLogger(__name__)

Answer = Callable[[Response], None]


class Batch:
    """The responses to one batch, sent as one array when the last of them is there (ACP v2, transports)."""

    def __init__(self) -> None:
        self.missing = 0
        self.responses: list[Json] = []


class Peer:
    """One connection.

    Args:
        link: Where lines come from and go to.
        on_request: Called with each request; it must lead to one `respond` or `fail`.
        on_notification: Called with each notification.
    """

    def __init__(
        self,
        link: StdioLink,
        on_request: Callable[[Request], None],
        on_notification: Callable[[Notification], None],
    ) -> None:
        self._link = link
        self._on_request = on_request
        self._on_notification = on_notification
        self._framer = LineFramer()
        self._incoming: PendingRequests[Batch | None] = PendingRequests()
        self._outgoing: PendingRequests[Answer] = PendingRequests()
        self._next_id = 0
        self.batches_allowed = False

    def receive(self, chunk: bytes) -> None:
        """Take the next bytes from the client."""
        for line in self._framer.push(chunk):
            self._receive_line(line)

    def respond(self, identity: RequestId, result: Any) -> None:
        """Answer a request."""
        self._answer(identity, result_message(identity, result))

    def fail(self, identity: RequestId, error: BaseException) -> None:
        """Answer a request with an error."""
        self._answer(identity, error_message(identity, error))

    def notify(self, method: str, params: Json) -> None:
        """Send a notification."""
        self._link.send(encode(notification_message(method, params)))

    def send_mergeable(self, message: Mergeable) -> None:
        """Send a notification whose neighbours may be merged with it if the client reads slowly."""
        self._link.send(message)

    def ask(self, method: str, params: Json, on_answer: Answer) -> RequestId:
        """Send a request; `on_answer` is called once, with its response. Returns the request's id."""
        identity = self._next_id
        self._next_id += 1
        line = encode(request_message(identity, method, params))
        self._outgoing.open(identity, on_answer)
        self._link.send(line)
        return identity

    def withdraw(self, identity: RequestId) -> None:
        """Cancel a request of ours: its answer is not awaited any more."""
        if self._outgoing.consume(identity) is not None:
            self.notify("$/cancel_request", {"requestId": identity})

    def is_open(self, identity: RequestId) -> bool:
        """Whether the client's request still waits for its response."""
        return identity in self._incoming

    def _receive_line(self, line: bytes | OverlongLine) -> None:
        if isinstance(line, OverlongLine):
            self._refuse(None, parse_error(f"the line is longer than {MAX_LINE_BYTES} bytes"))
            return
        if not line.strip():
            return
        try:
            value = decode(line)
        except ClientMistake as mistake:
            self._refuse(None, mistake)
            return
        if isinstance(value, list):
            self._receive_batch(value)
        else:
            self._receive_message(value, None)

    def _receive_batch(self, values: list[Any]) -> None:
        if not self.batches_allowed:
            self._refuse(None, invalid_request("JSON-RPC batches are not supported"))
            return
        if not values:
            self._refuse(None, invalid_request("a batch has at least one message"))
            return
        batch = Batch()
        batch.missing = 1
        for value in values:
            self._receive_message(value, batch)
        self._settle(batch, None)

    def _receive_message(self, value: Any, batch: Batch | None) -> None:
        message = classify(value)
        match message:
            case Request():
                self._receive_request(message, batch)
            case Notification():
                self._on_notification(message)
            case Response():
                self._receive_response(message)
            case Malformed():
                self._receive_malformed(message, batch)

    def _receive_request(self, request: Request, batch: Batch | None) -> None:
        if request.id in self._incoming:
            self._refuse(request.id, invalid_request(f"a request with id {request.id!r} is open already"), batch)
            return
        self._incoming.open(request.id, batch)
        if batch is not None:
            batch.missing += 1
        self._on_request(request)

    def _receive_response(self, response: Response) -> None:
        on_answer = self._outgoing.consume(response.id)
        if on_answer is None:
            log.debug("an answer to request %r, which is not open", response.id)
            return
        on_answer(response)

    def _receive_malformed(self, message: Malformed, batch: Batch | None) -> None:
        if message.answers is not None:
            # It cannot be used, but its question must not stay open for ever.
            self._receive_response(Response(message.answers, None, error_object(message.error)))
        # In a batch, an invalid entry is answered without an id (ACP v2, transports).
        self._refuse(message.id if batch is None else None, message.error, batch)

    def _refuse(self, identity: RequestId, error: ClientMistake, batch: Batch | None = None) -> None:
        message = error_message(identity, error)
        if batch is None:
            self._link.send(encode(message))
        else:
            batch.responses.append(message)

    def _answer(self, identity: RequestId, message: Json) -> None:
        if identity not in self._incoming:
            raise AdapterBug(f"a second response to request {identity!r}")
        # What cannot be encoded raises here, while the request is still open and can be answered otherwise.
        line = encode(message)
        batch = self._incoming.consume(identity)
        if batch is None:
            self._link.send(line)
        else:
            self._settle(batch, message)

    def _settle(self, batch: Batch, message: Json | None) -> None:
        if message is not None:
            batch.responses.append(message)
        batch.missing -= 1
        if batch.missing == 0 and batch.responses:
            self._link.send(encode(batch.responses))
