"""The control channel: requests to Claude Code and their answers, matched by id, with no time-out of its own.

Knows frames and nothing of processes or event loops; whoever waits for an answer sets the bound.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from adapter.shared.jsonrpc.pending import PendingRequests

log = logging.getLogger(__name__)

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ControlAnswer:
    """What Claude Code said to a control request: `error` is its text, or `None` if the request succeeded."""

    response: Json
    error: str | None = None


OnAnswer = Callable[[ControlAnswer], None]


class ControlChannel:
    """Control requests of one process.

    Args:
        send: Writes one frame to the process.
    """

    def __init__(self, send: Callable[[Json], None]) -> None:
        self._send = send
        self._pending: PendingRequests[OnAnswer] = PendingRequests()
        self._count = 0

    def request(self, request: Json, on_answer: OnAnswer) -> None:
        """Send a request (`{"subtype": …, …}`); `on_answer` is called once, at the latest by `fail_all`."""
        self._count += 1
        identity = f"acp-{self._count}"
        self._pending.open(identity, on_answer)
        self._send({"type": "control_request", "request_id": identity, "request": request})

    def answer(self, request_id: str, response: Json) -> None:
        """Answer a request of Claude Code."""
        payload = {"subtype": "success", "request_id": request_id, "response": response}
        self._send({"type": "control_response", "response": payload})

    def refuse(self, request_id: str, error: str) -> None:
        """Answer a request of Claude Code with an error."""
        payload = {"subtype": "error", "request_id": request_id, "error": error}
        self._send({"type": "control_response", "response": payload})

    def take(self, frame: Json) -> None:
        """Handle a `control_response` frame. Claude Code echoes our own responses too; those match no request."""
        payload = frame.get("response")
        identity = payload.get("request_id") if isinstance(payload, dict) else None
        on_answer = self._pending.consume(identity) if isinstance(identity, str) else None
        if on_answer is None or not isinstance(payload, dict):
            return
        response = payload.get("response")
        if payload.get("subtype") == "error":
            on_answer(ControlAnswer({}, str(payload.get("error") or "unknown error")))
        else:
            on_answer(ControlAnswer(response if isinstance(response, dict) else {}))

    def fail_all(self, reason: str) -> None:
        """The process is gone: every open request fails."""
        for _, on_answer in self._pending.drain():
            on_answer(ControlAnswer({}, reason))
