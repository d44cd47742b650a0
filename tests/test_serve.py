"""Serving one client: which version it gets, what may come before and after `initialize`, and the end."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from adapter import serve
from adapter.serve import Server, agent_class, choose_version, in_a_terminal
from adapter.settings import Settings
from adapter.shared.client_capabilities import ClientCapabilities, SubagentForm, TerminalChannel
from adapter.shared.jsonrpc.errors import ClientMistake
from adapter.shared.jsonrpc.messages import Notification, Request
from adapter.shared.jsonrpc.stdio import StdioLink
from adapter.shared.v2.initialize import initialize_result as v2_result
from adapter.v1.agent import V1Agent
from adapter.v1.initialize import initialize_result as v1_result
from adapter.v2_bridge.agent import V2BridgeAgent
from adapter.v2_native.agent import V2NativeAgent
from shared.doubles import failure, request, result
from shared.jsonrpc.pipes import SECONDS, Client

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from adapter.shared.agent_base import AgentBase

PROTOCOLS = ("", "auto", "v1", "v2")
REQUESTED = (0, 1, 2, 3, 99)


def expected_version(protocol: str, experimental: bool, requested: int) -> int | None:
    """The table of docs/configuration.md, row by row; `None` for an error."""
    match protocol:
        case "v1":
            return 1
        case "v2":
            return 2 if requested >= 2 else None
        case "auto":
            wanted = requested >= 2
        case _:
            wanted = requested >= 2 and experimental
    return 2 if wanted else 1


@pytest.mark.parametrize(
    ("protocol", "experimental", "requested"),
    list(product(PROTOCOLS, (False, True), REQUESTED)),
)
def test_the_version_that_is_served(protocol: str, experimental: bool, requested: int) -> None:
    settings = Settings(protocol=protocol, experimental_v2=experimental)
    expected = expected_version(protocol, experimental, requested)
    if expected is not None:
        assert choose_version(requested, settings) == expected
        return
    with pytest.raises(ClientMistake) as raised:
        choose_version(requested, settings)
    data = {"requested": requested, "supported": [2]}
    assert raised.value == ClientMistake(-32022, "Unsupported protocol version", data)


@pytest.mark.parametrize(
    ("version", "core", "kind"),
    [(1, "bridge", V1Agent), (1, "native", V1Agent), (2, "bridge", V2BridgeAgent), (2, "native", V2NativeAgent)],
)
def test_the_core_that_serves(version: int, core: str, kind: type[AgentBase]) -> None:
    assert agent_class(version, core) is kind


class Core:
    """A core that writes down what it is handed."""

    def __init__(self) -> None:
        self.made_with: list[Any] = []
        self.got: list[Any] = []
        self.shut_downs = 0
        self.may_end = anyio.Event()
        self.may_end.set()
        self._changed = anyio.Event()

    def request(self, request: Request) -> None:
        self._take(request)

    def notification(self, notification: Notification) -> None:
        self._take(notification)

    async def has(self, count: int) -> list[Any]:
        """What it was handed, once it was so many."""
        with anyio.fail_after(SECONDS):
            while len(self.got) < count:
                await self._changed.wait()
        return self.got

    async def shut_down(self) -> None:
        self.shut_downs += 1
        await self.may_end.wait()

    def _take(self, message: Any) -> None:
        self.got.append(message)
        self._changed.set()
        self._changed = anyio.Event()


class Connection:
    """A server on real pipes, and its client."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
        self.client = Client()
        self.core = Core()
        self.server = Server(settings, StdioLink(self.client.link_reads, self.client.link_writes))
        self.loads: Callable[[], None] = lambda: None
        monkeypatch.setattr(self.server, "_make_agent", self._make)
        self.running = asyncio.ensure_future(self.server.run())

    def _make(self, version: int, capabilities: ClientCapabilities) -> Core:
        self.loads()
        self.core.made_with = [version, capabilities]
        return self.core

    async def says(self, *messages: Any) -> None:
        await self.client.says(b"".join(json.dumps(message).encode() + b"\n" for message in messages))

    async def hears(self) -> Any:
        (line,) = await self.client.reads()
        return json.loads(line)

    async def asks(self, message: Any) -> Any:
        await self.says(message)
        return await self.hears()

    async def ends(self) -> int:
        with anyio.fail_after(SECONDS):
            await self.running
        return self.server.status


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def connect(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Callable[..., Connection]]:
    opened: list[Connection] = []

    def connect(settings: Settings | None = None) -> Connection:
        opened.append(Connection(monkeypatch, settings or Settings(protocol="auto")))
        return opened[-1]

    yield connect
    for connection in opened:
        connection.core.may_end.set()
        connection.client.hangs_up()
        await connection.ends()
        connection.client.close()


def initialize(version: Any = 1, identity: Any = 0, **params: Any) -> dict[str, Any]:
    return request(identity, "initialize", protocolVersion=version, **params)


@pytest.mark.anyio
@pytest.mark.parametrize(("version", "answer"), [(1, v1_result([])), (2, v2_result([])), (0, v1_result([]))])
async def test_initialize_is_answered(connect: Callable[..., Connection], version: int, answer: Any) -> None:
    connection = connect()
    assert await connection.asks(initialize(version)) == result(0, answer)
    assert answer["protocolVersion"] == max(version, 1)


@pytest.mark.anyio
async def test_capabilities_are_read_in_the_form_of_the_version(connect: Callable[..., Connection]) -> None:
    for version, channel in ((1, TerminalChannel.META), (2, TerminalChannel.DISPLAY)):
        connection = connect()
        declared = {"_meta": {"terminal_output": True}}
        await connection.says(initialize(version, clientCapabilities=declared), request(1))
        await connection.core.has(1)
        baseline = (
            {
                "exact_patches": True,
                "subagents": SubagentForm.SESSIONS,
                "notices": True,
                "compaction": True,
                "plans": True,
            }
            if version == 2
            else {"exact_patches": False}
        )
        assert connection.core.made_with == [version, ClientCapabilities(version, channel, **baseline)]


@pytest.mark.anyio
@pytest.mark.parametrize("version", [None, "1", 1.0, 1.5, True, False, -1, [], {}, 2**64])
async def test_a_version_that_is_no_whole_number_is_refused(connect: Callable[..., Connection], version: Any) -> None:
    connection = connect()
    message = "`protocolVersion` must be a whole number"
    refusal = failure(0, -32602, f"Invalid params: {message}", {"path": "protocolVersion", "message": message})
    assert await connection.asks(initialize(version)) == refusal
    assert (await connection.asks(initialize(1)))["result"]["protocolVersion"] == 1


@pytest.mark.anyio
@pytest.mark.parametrize("params", [None, [], "text", {}])
async def test_initialize_needs_params(connect: Callable[..., Connection], params: Any) -> None:
    answer = await connect().asks({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
    assert (answer["error"]["code"], answer["error"]["data"]["path"]) == (-32602, "protocolVersion")


@pytest.mark.anyio
async def test_a_version_that_is_not_served_is_refused(connect: Callable[..., Connection]) -> None:
    connection = connect(Settings(protocol="v2"))
    data = {"requested": 1, "supported": [2]}
    assert await connection.asks(initialize(1)) == failure(0, -32022, "Unsupported protocol version", data)
    assert (await connection.asks(initialize(2)))["result"]["protocolVersion"] == 2


@pytest.mark.anyio
async def test_nothing_is_served_before_initialize(connect: Callable[..., Connection]) -> None:
    connection = connect()
    refusal = failure(5, -32600, "Invalid request: `initialize` must come first")
    assert await connection.asks(request(5, "session/new")) == refusal
    await connection.says({"jsonrpc": "2.0", "method": "session/cancel", "params": {}})
    await connection.says({"jsonrpc": "2.0", "method": "initialize", "params": {"protocolVersion": 1}})
    assert await connection.asks(request(6, "session/new")) == {**refusal, "id": 6}
    await connection.says(initialize(1), request(7, "session/new"))
    assert await connection.core.has(1) == [Request(7, "session/new", {})]


@pytest.mark.anyio
async def test_initialize_is_served_once(connect: Callable[..., Connection]) -> None:
    connection = connect()
    await connection.asks(initialize(1))
    refusal = failure(9, -32600, "Invalid request: `initialize` was served already")
    assert await connection.asks(initialize(2, identity=9)) == refusal
    assert await connection.asks([request(1)]) == failure(
        None, -32600, "Invalid request: JSON-RPC batches are not supported"
    )


@pytest.mark.anyio
async def test_batches_are_served_on_v2(connect: Callable[..., Connection]) -> None:
    connection = connect()
    await connection.says(initialize(2), [request(1), request(2)])
    assert await connection.core.has(2) == [Request(1, "do", {}), Request(2, "do", {})]


@pytest.mark.anyio
async def test_what_comes_while_the_core_is_loaded_waits_in_line(connect: Callable[..., Connection]) -> None:
    connection = connect()
    go_on = asyncio.Event()
    loop = asyncio.get_running_loop()
    connection.loads = lambda: asyncio.run_coroutine_threadsafe(_wait(go_on), loop).result(SECONDS)
    assert (await connection.asks(initialize(1)))["id"] == 0
    notification = {"jsonrpc": "2.0", "method": "tell", "params": {}}
    await connection.says(request(1), notification, request(2))
    assert await connection.asks([]) == failure(None, -32600, "Invalid request: JSON-RPC batches are not supported")
    assert connection.core.got == []
    go_on.set()
    assert await connection.core.has(3) == [Request(1, "do", {}), Notification("tell", {}), Request(2, "do", {})]


@pytest.mark.anyio
async def test_what_comes_after_the_core_is_loaded_reaches_it_in_order(connect: Callable[..., Connection]) -> None:
    connection = connect()
    await connection.says(initialize(1), request(1))
    await connection.core.has(1)
    await connection.says({"jsonrpc": "2.0", "method": "tell", "params": {}}, request(2))
    assert (await connection.core.has(3))[1:] == [Notification("tell", {}), Request(2, "do", {})]


async def _wait(event: asyncio.Event) -> None:
    await event.wait()


@pytest.mark.anyio
async def test_a_core_that_cannot_be_loaded_fails_what_waits_and_ends_the_adapter(
    connect: Callable[..., Connection],
) -> None:
    def broken() -> None:
        raise ImportError("no such module")

    connection = connect()
    connection.loads = broken
    await connection.says(initialize(1), request(1))
    assert (await connection.hears())["id"] == 0
    answer = await connection.hears()
    assert (answer["id"], answer["error"]["code"]) == (1, -32603)
    assert await connection.ends() == 1


@pytest.mark.anyio
async def test_the_end_of_the_client_shuts_the_core_down_once(connect: Callable[..., Connection]) -> None:
    connection = connect()
    await connection.says(initialize(1), request(1))
    await connection.core.has(1)
    connection.client.hangs_up()
    assert await connection.ends() == 0
    assert connection.core.shut_downs == 1


@pytest.mark.anyio
async def test_a_client_that_reads_no_more_has_ended(connect: Callable[..., Connection]) -> None:
    connection = connect()
    await connection.says(initialize(1), request(1))
    await connection.core.has(1)
    connection.client.stops_reading()
    await connection.says(initialize(1, identity=2))
    assert await connection.ends() == 0
    assert connection.core.shut_downs == 1


@pytest.mark.anyio
async def test_a_core_that_does_not_end_holds_nothing_up(
    connect: Callable[..., Connection], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(serve, "SHUTDOWN_SECONDS", 0.05)
    connection = connect()
    await connection.says(initialize(1), request(1))
    await connection.core.has(1)
    connection.core.may_end = anyio.Event()
    connection.client.hangs_up()
    assert await connection.ends() == 0
    assert "some processes did not end in time" in caplog.messages


def test_everything_ends_within_five_seconds() -> None:
    assert serve.SHUTDOWN_SECONDS + serve.FLUSH_SECONDS < 5


@pytest.mark.skipif(os.name != "posix", reason="quotes are a shell's")
def test_a_person_types_the_name_of_what_is_found_and_the_whole_of_what_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = tmp_path / "claude-acp"
    entry.write_text("")
    entry.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert in_a_terminal([sys.executable, str(entry)]) == "claude-acp"
    monkeypatch.setenv("PATH", "/nowhere")
    assert in_a_terminal(["/my python", str(entry)]) == f"'/my python' {entry}"
    assert in_a_terminal(["/py", "-m", "adapter"]) == "/py -m adapter"
