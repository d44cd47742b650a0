"""An agent in memory: what the client writes goes in, what it would read comes out, and a test plays Claude Code."""

from __future__ import annotations

import asyncio
import json
from itertools import count
from typing import TYPE_CHECKING, Any, cast

from adapter.shared.agent_base import AgentBase
from adapter.shared.claude.features import ClaudeHello
from adapter.shared.claude.process import ClaudeProcess, ProcessExit
from adapter.shared.client_capabilities import ClientCapabilities, read_v1_capabilities, read_v2_capabilities
from adapter.shared.ids import Sources
from adapter.shared.jsonrpc.peer import Peer
from adapter.shared.launch import ClaudeLink, Launcher, Started
from adapter.shared.opening import Connection
from adapter.v1.agent import V1Agent
from adapter.v2_bridge.agent import V2BridgeAgent
from adapter.v2_native.agent import V2NativeAgent
from support.cores import Core
from support.machine import MODELS, NOW, result
from support.schemas import SchemaChecker

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from adapter.shared.claude.options import SessionSpec
    from adapter.shared.jsonrpc.errors import ClaudeFailure
    from adapter.shared.jsonrpc.messages import Notification, Request
    from adapter.shared.jsonrpc.stdio import Mergeable, StdioLink

Json = dict[str, Any]

NOTHING: Mapping[str, str] = {}
PATIENCE = 10.0
"""Seconds."""

AGENTS: dict[Core, tuple[Callable[[Connection], AgentBase], ClientCapabilities]] = {
    Core.V1: (V1Agent, read_v1_capabilities({})),
    Core.BRIDGE: (V2BridgeAgent, read_v2_capabilities({})),
    Core.NATIVE: (V2NativeAgent, read_v2_capabilities({})),
}


class FakeProcess:
    """Stands for a process of Claude Code: it keeps what it is told."""

    path = "claude"

    def __init__(self) -> None:
        self.frames: list[Json] = []
        self.ended = False

    def send(self, frame: Json) -> None:
        """The adapter writes a frame."""
        self.frames.append(frame)

    async def stop(self, _farewell: Json | None = None) -> None:
        """The adapter ends it."""
        self.ended = True

    async def kill(self) -> None:
        """The adapter kills it."""
        self.ended = True


class FakeClaude:
    """A Claude Code that the adapter has started."""

    def __init__(self, spec: SessionSpec, *, resumed: bool, must_exist: bool = False) -> None:
        self.spec = spec
        self.resumed = resumed
        self.must_exist = must_exist
        self.process = FakeProcess()
        self.link = ClaudeLink()
        self.link.process = cast("ClaudeProcess", self.process)

    def says(self, *frames: Json) -> None:
        """Frames of Claude Code."""
        for frame in frames:
            self.link.take(frame)

    def dies(self) -> None:
        """Claude Code is gone."""
        self.link.ended(ProcessExit(1, "Claude Code exited with status 1", ()))

    def prompts(self) -> list[str]:
        """The texts of the prompts that it has got."""
        return [frame["message"]["content"][0]["text"] for frame in self.process.frames if frame["type"] == "user"]

    def uuids(self) -> list[str]:
        """The uuids of these prompts."""
        return [frame["uuid"] for frame in self.process.frames if frame["type"] == "user"]

    def begins(self, uuid: str) -> None:
        """It takes a prompt in."""
        self.says({"type": "command_lifecycle", "command_uuid": uuid, "state": "started"})

    def finishes(self, uuid: str) -> None:
        """The turn of a prompt ends well."""
        self.says({**result(), "user_message_uuids": [uuid]})

    def controls(self) -> list[str]:
        """The subtypes of the control requests that it has got."""
        sent = [frame for frame in self.process.frames if frame["type"] == "control_request"]
        return [frame["request"]["subtype"] for frame in sent]


class FakeLauncher:
    """Starts instances of Claude Code.

    Attributes:
        started: All of them, oldest first.
        may_start: Whether starts go on; a start waits for it.
        failure: What a start fails with, if anything.
        mode: The permission mode of the user's settings.
    """

    def __init__(self) -> None:
        self.started: list[FakeClaude] = []
        self.may_start = asyncio.Event()
        self.may_start.set()
        self.failure: ClaudeFailure | None = None
        self.mode = "default"
        self.cancelled = 0

    async def resume(self, spec: SessionSpec, *, permission_mode: str | None = None) -> Started:
        """Starts one on a transcript."""
        return await self.start(spec, resume=True, permission_mode=permission_mode)

    async def start(
        self,
        spec: SessionSpec,
        *,
        resume: bool = False,
        must_exist: bool = False,
        permission_mode: str | None = None,
    ) -> Started:
        """Starts one."""
        try:
            await self.may_start.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if self.failure is not None:
            raise self.failure
        claude = FakeClaude(spec, resumed=resume, must_exist=must_exist)
        self.started.append(claude)
        mode = permission_mode or self.mode
        claude.link.permission_mode = mode
        return Started(claude.link, ClaudeHello((), MODELS, {}, mode, "2.1.332"), {})


class Memory:
    """One connection. Every message of the agent is checked against the schema; `problems` has what is wrong.

    Args:
        core: What serves it.
        environment: The adapter's.
        capabilities: The client's; `None` for one that declares nothing.
    """

    def __init__(
        self, core: Core, environment: Mapping[str, str] = NOTHING, capabilities: ClientCapabilities | None = None
    ) -> None:
        self.messages: list[Json] = []
        self.problems: list[str] = []
        self._written = asyncio.Event()
        self._checker = SchemaChecker(core.version)
        make_agent, plain = AGENTS[core]
        self.launcher = FakeLauncher()
        self.peer = Peer(cast("StdioLink", self), self._request, self._notification)
        numbers = count(1)
        sources = Sources(uuid=lambda: f"uuid-{next(numbers)}", now=lambda: NOW)
        connection = Connection(self.peer, capabilities or plain, "", environment, self.relieved, sources)
        self.agent = make_agent(connection)
        self.agent.opener._launcher = cast("Launcher", self.launcher)

    def _request(self, received: Request) -> None:
        self.agent.request(received)

    def _notification(self, received: Notification) -> None:
        self.agent.notification(received)

    def send(self, message: bytes | Mergeable) -> None:
        """The agent writes a message."""
        sent = json.loads(message if isinstance(message, bytes) else message.encode())
        try:
            self._checker.agent_sent(sent)
        except AssertionError as error:
            self.problems.append(str(error))
        self.messages.append(sent)
        self._written.set()

    async def relieved(self) -> None:
        """The client always reads in time."""

    def write(self, *messages: Json) -> None:
        """The client writes messages, all at once."""
        for message in messages:
            self._checker.client_sent(message)
        self.peer.receive(b"".join(json.dumps(message).encode() + b"\n" for message in messages))

    def responses(self) -> dict[Any, Json]:
        """The responses so far, by the id of their request."""
        return {message["id"]: message for message in self.messages if "method" not in message}

    def errors(self) -> dict[Any, int]:
        """The codes of the error responses so far, by the id of their request."""
        return {number: answer["error"]["code"] for number, answer in self.responses().items() if "error" in answer}

    def updates(self, session_id: str | None = None) -> list[Json]:
        """The session updates so far, of one session or of all."""
        notified = [message["params"] for message in self.messages if message.get("method") == "session/update"]
        return [params["update"] for params in notified if session_id in {None, params["sessionId"]}]

    def questions(self) -> list[Json]:
        """The parameters of the permission questions so far."""
        return [message["params"] for message in self.messages if message.get("method") == "session/request_permission"]

    async def until(self, happened: Callable[[], bool]) -> None:
        """Waits for a message with which something is so."""
        async with asyncio.timeout(PATIENCE):
            while not happened():
                self._written.clear()
                await self._written.wait()

    async def new(self, number: int, cwd: str = "/") -> str:
        """Makes a session and returns its id."""
        self.write(new(number, cwd))
        await settle()
        session_id: str = self.responses()[number]["result"]["sessionId"]
        return session_id


async def settle() -> None:
    """Lets everything happen that can happen now."""
    for _ in range(20):
        await asyncio.sleep(0)


def run(
    test: Callable[[Memory], Awaitable[None]],
    core: Core,
    environment: Mapping[str, str] = NOTHING,
    capabilities: ClientCapabilities | None = None,
) -> None:
    """Runs the steps of a test on a connection, whose messages must all be valid."""

    async def steps() -> None:
        memory = Memory(core, environment, capabilities)
        await test(memory)
        assert memory.problems == []

    asyncio.run(steps())


def request(number: int, method: str, **params: Any) -> Json:
    """A request of the client."""
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def notification(method: str, **params: Any) -> Json:
    """A notification of the client."""
    return {"jsonrpc": "2.0", "method": method, "params": params}


def new(number: int, cwd: str = "/", **params: Any) -> Json:
    """`session/new`."""
    return request(number, "session/new", **{"cwd": cwd, "mcpServers": [], **params})


def prompt(number: int, session_id: str, text: str = "Go") -> Json:
    """`session/prompt`."""
    return request(number, "session/prompt", sessionId=session_id, prompt=[{"type": "text", "text": text}])


def close(number: int, session_id: str) -> Json:
    """`session/close`."""
    return request(number, "session/close", sessionId=session_id)


def cancel(session_id: str) -> Json:
    """`session/cancel`."""
    return notification("session/cancel", sessionId=session_id)
