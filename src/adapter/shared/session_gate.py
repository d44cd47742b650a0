"""Sessions that are being opened or deleted: what a client sends to one waits until that is done, in its order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from adapter.shared.jsonrpc.errors import request_cancelled
from adapter.shared.jsonrpc.messages import Notification, Request, RequestId
from adapter.shared.tools.text import string

Message = Request | Notification


def session_named(message: Message) -> str:
    """The session that a message is for; empty if it names none."""
    return string(message.params.get("sessionId")) if isinstance(message.params, dict) else ""


class SessionGate:
    """The closed sessions of one connection.

    Args:
        fail: Answers a request with an error.
        dispatch: Serves a message that has waited.
    """

    def __init__(self, fail: Callable[[RequestId, BaseException], None], dispatch: Callable[[Message], None]) -> None:
        self._fail = fail
        self._dispatch = dispatch
        self._waiting: dict[str, deque[Message]] = {}

    def close(self, session_id: str) -> None:
        """Hold back what comes for a session."""
        self._waiting.setdefault(session_id, deque())

    def keeps(self, message: Message) -> bool:
        """Whether a message has to wait; it is kept then."""
        waiting = self._waiting.get(session_named(message))
        if waiting is None:
            return False
        waiting.append(message)
        return True

    def open(self, session_id: str) -> None:
        """Serve what has waited; the first of it may close the session again."""
        waiting = self._waiting.pop(session_id, deque())
        while waiting:
            message = waiting.popleft()
            if not self.keeps(message):
                self._dispatch(message)

    def cancel(self, identity: RequestId) -> bool:
        """End a request that waits; whether there is one."""
        for waiting in self._waiting.values():
            for message in waiting:
                if isinstance(message, Request) and message.id == identity:
                    waiting.remove(message)
                    self._fail(identity, request_cancelled())
                    return True
        return False

    def give_up(self) -> None:
        """The connection ends: every request that waits ends."""
        for waiting in self._waiting.values():
            for message in waiting:
                if isinstance(message, Request):
                    self._fail(message.id, request_cancelled("the adapter is ending"))
            waiting.clear()
