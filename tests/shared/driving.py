"""A driver with doubles on all its sides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import anyio
from anyio.lowlevel import checkpoint

from adapter.shared.claude.control import ControlChannel
from adapter.shared.driver import ProcessSource, SessionDriver
from adapter.shared.elicitation.requests import Elicitation
from adapter.shared.inputs import CancelReceived
from adapter.shared.jsonrpc.errors import ClaudeFailure
from adapter.shared.permissions.options import PermissionQuestion
from adapter.shared.updates import TextChunk
from shared.doubles import Caller

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from adapter.shared.core import Encoder
    from adapter.shared.driver import Link
    from adapter.shared.recorder import Recorder

SECONDS = 15
CANCEL = CancelReceived()
QUESTION = PermissionQuestion("q", "c", "Bash", {}, {}, (), ())
END = {"type": "control_request", "request_id": "end", "request": {"subtype": "end_session"}}


class FakeEncoder:
    """Gives values a short shape."""

    def updates(self, update: Any) -> list[Any]:
        return [{"mode": update.mode}, {"again": update.mode}]

    def chunk(self, chunk: TextChunk) -> Any:
        return {"text": chunk.text}

    def permission(self, session_id: str, question: PermissionQuestion) -> Any:
        return {"sessionId": session_id, "key": question.key}

    def elicitation(self, session_id: str, question: Elicitation) -> Any:
        return {"sessionId": session_id, "elicits": question.key}

    def prompt_result(self, outcome: Any) -> Any:
        return {"stop": outcome.stop}

    def config_result(self, options: Any) -> Any:
        return {"options": list(options)}


class FakeProcess:
    """A process that ends when it may."""

    def __init__(self) -> None:
        self.sent: list[Any] = []
        self.ended: list[Any] = []
        self.may_end = anyio.Event()
        self.may_end.set()

    def send(self, frame: Any) -> None:
        self.sent.append(frame)

    async def stop(self, farewell: Any = None) -> None:
        await self.may_end.wait()
        self.ended.append(farewell)

    async def kill(self) -> None:
        await self.may_end.wait()
        self.ended.append("killed")


class FakeLink:
    """A running Claude Code."""

    def __init__(self, permission_mode: str = "plan") -> None:
        self.process = FakeProcess()
        self.control = ControlChannel(self.process.send)
        self.permission_mode = permission_mode
        self.served: tuple[str, ...] | None = None


class Session:
    """A driver with a core that does what it is told, and all that happened."""

    def __init__(self, *, previews: bool = False) -> None:
        self.client = Caller()
        self.inputs: list[Any] = []
        self.recorded: list[Any] = []
        self.ended = 0
        self.does: Callable[[Any], list[Any]] = lambda _event: []
        self.link = FakeLink()
        self.outputs: list[str] = []
        self.commands_changed = False
        self.starts: Callable[[], Awaitable[Any]] = self._no_start
        self.driver = SessionDriver(
            "s",
            self,
            cast("Encoder", FakeEncoder()),
            self.client.peer,
            previews=previews,
            source=ProcessSource(
                start=lambda _afresh: cast("Awaitable[Link]", self.starts()),
                output_paths=lambda _session, _task: iter(self.outputs),
                commands_changed=lambda: self.commands_changed,
            ),
            recorder=cast("Recorder", self),
            on_ended=self._end,
        )
        self.driver.attach(cast("Link", self.link))

    def handle(self, event: Any) -> list[Any]:
        self.inputs.append(event)
        return self.does(event)

    def snapshot(self) -> list[Any]:
        return []

    def record(self, event: Any) -> None:
        self.recorded.append(event)

    def close(self) -> None:
        self.recorded.append("closed")

    def performs(self, *effects: Any) -> list[Any]:
        """The core wants these done; returns what the client hears at once."""
        self.does = lambda event: list(effects) if event is CANCEL else []
        self.driver.post(CANCEL)
        return self.client.link.take()

    async def has(self, count: int) -> list[Any]:
        """The inputs, once they are so many."""
        await until(lambda: len(self.inputs) >= count)
        return self.inputs

    async def _no_start(self) -> Any:
        raise ClaudeFailure("start_failed", "no")

    def _end(self) -> None:
        self.ended += 1


async def until(condition: Callable[[], object]) -> None:
    """Let the event loop run until the condition holds."""
    with anyio.fail_after(SECONDS):
        while not condition():
            await checkpoint()
