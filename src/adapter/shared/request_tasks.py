"""Requests whose answer takes awaited steps: each is a task, and gets its one answer whatever becomes of it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial

from adapter.shared.jsonrpc.errors import AdapterBug, ClaudeFailure, ClientMistake, request_cancelled
from adapter.shared.jsonrpc.messages import Request, RequestId
from adapter.shared.jsonrpc.peer import Peer

log = logging.getLogger(__name__)


class RequestTasks:
    """The tasks of one connection.

    Args:
        peer: The client.
    """

    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self._tasks: dict[RequestId, asyncio.Task[None]] = {}

    def run(
        self, request: Request, work: Callable[[], Awaitable[None]], after: Callable[[], None] = lambda: None
    ) -> None:
        """Serve a request by `work`, which answers it or raises. `after` is called behind that, whatever happened."""
        task = asyncio.ensure_future(self._answer(request, work))
        self._tasks[request.id] = task
        task.add_done_callback(partial(self._worked, request.id, after))

    def cancel(self, identity: RequestId) -> bool:
        """Cancel the task of a request; whether there is one."""
        task = self._tasks.get(identity)
        return task is not None and task.cancel()

    def cancel_all(self) -> None:
        """Cancel every task."""
        for task in self._tasks.values():
            task.cancel()

    async def ended(self) -> None:
        """Wait until every task is over."""
        if self._tasks:
            await asyncio.wait(list(self._tasks.values()))

    async def _answer(self, request: Request, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        except asyncio.CancelledError:
            self._peer.fail(request.id, request_cancelled())
        except (ClientMistake, ClaudeFailure) as error:
            self._peer.fail(request.id, error)
        except Exception as error:
            log.exception("the adapter failed on %s", request.method)
            self._peer.fail(request.id, AdapterBug(str(error)))

    def _worked(self, identity: RequestId, after: Callable[[], None], _task: asyncio.Task[None]) -> None:
        self._tasks.pop(identity, None)
        if self._peer.is_open(identity):
            # The task was cancelled before its first step, so nothing of it ran.
            self._peer.fail(identity, request_cancelled())
        after()
