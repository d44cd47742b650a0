"""Serving one client: stdio, `initialize`, the choice of a core, and the end.

`initialize` is answered with what is loaded by then. The core, pydantic and the SDK are imported after that, in a
thread; messages that come meanwhile wait in line.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from adapter.settings import Settings
from adapter.shared.client_capabilities import ClientCapabilities, read_v1_capabilities, read_v2_capabilities
from adapter.shared.jsonrpc.errors import (
    ClientMistake,
    invalid_field,
    invalid_request,
    request_cancelled,
    unsupported_version,
)
from adapter.shared.jsonrpc.messages import Json, Notification, Request
from adapter.shared.jsonrpc.peer import Peer
from adapter.shared.jsonrpc.stdio import StdioLink
from adapter.shared.logging import configure_logging
from adapter.shared.v2.initialize import initialize_result as v2_initialize_result
from adapter.shared.v2.initialize import login_methods as v2_login_methods
from adapter.v1.air import with_declaration
from adapter.v1.initialize import initialize_result as v1_initialize_result
from adapter.v1.initialize import login_methods as v1_login_methods

if TYPE_CHECKING:
    from adapter.shared.agent_base import AgentBase
    from adapter.shared.opening import Connection

log = logging.getLogger(__name__)

SHUTDOWN_SECONDS = 4.5
FLUSH_SECONDS = 0.4
SIGNALS = ("SIGTERM", "SIGINT", "SIGHUP")


class Agent(Protocol):
    """What a core serves with."""

    def request(self, request: Request) -> None:
        """Serve a request."""
        ...

    def notification(self, notification: Notification) -> None:
        """Serve a notification."""
        ...

    async def shut_down(self) -> None:
        """End everything."""
        ...


def choose_version(requested: int, settings: Settings) -> int:
    """The protocol version to serve (docs/architecture.md, negotiation).

    Raises:
        ClientMistake: -32022, if only v2 is served and the client wants less.
    """
    if settings.protocol == "v2":
        if requested < 2:
            raise unsupported_version(requested, [2])
        return 2
    offered = settings.protocol == "auto" or (settings.protocol == "" and settings.experimental_v2)
    return 2 if offered and requested >= 2 else 1


def agent_class(version: int, v2_core: str) -> Callable[[Connection], AgentBase]:
    """What serves a protocol version."""
    from adapter.v1.agent import V1Agent  # noqa: PLC0415
    from adapter.v2_bridge.agent import V2BridgeAgent  # noqa: PLC0415
    from adapter.v2_native.agent import V2NativeAgent  # noqa: PLC0415 - as in `_make_agent`.

    if version == 1:
        return V1Agent
    return V2NativeAgent if v2_core == "native" else V2BridgeAgent


class Server:
    """One connection from its first byte to its last.

    Args:
        settings: How to serve.
        link: The client's pipe.
    """

    def __init__(self, settings: Settings, link: StdioLink) -> None:
        self._settings = settings
        self._link = link
        self._peer = Peer(link, self._request, self._notification)
        self._stop = asyncio.Event()
        self.status = 0
        self._initialized = False
        self._waiting: deque[Request | Notification] = deque()
        self._agent: Agent | None = None
        self._loading: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Serve until the client is gone or a signal comes; then stop all that was started."""
        loop = asyncio.get_running_loop()
        for name in SIGNALS:
            if hasattr(signal, name):
                _on_signal(loop, getattr(signal, name), self._stop.set)
        self._link.start(self._peer.receive, self._end_of_input, self._stop.set)
        await self._stop.wait()
        await self._shut_down()

    def _end_of_input(self) -> None:
        """What came last may lack its newline."""
        self._peer.receive(b"\n")
        self._stop.set()

    def _request(self, request: Request) -> None:
        if request.method == "initialize":
            self._initialize(request)
        elif not self._initialized:
            self._peer.fail(request.id, invalid_request("`initialize` must come first"))
        elif self._agent is None:
            self._waiting.append(request)
        else:
            self._agent.request(request)

    def _notification(self, notification: Notification) -> None:
        if self._agent is not None:
            self._agent.notification(notification)
        elif self._initialized:
            self._waiting.append(notification)
        else:
            log.info("passed over %s before `initialize`", notification.method)

    def _initialize(self, request: Request) -> None:
        try:
            if self._initialized:
                raise invalid_request("`initialize` was served already")
            version, capabilities = self._negotiate(request.params)
        except ClientMistake as mistake:
            self._peer.fail(request.id, mistake)
            return
        self._initialized = True
        self._peer.batches_allowed = version == 2
        self._peer.respond(request.id, self._initialize_result(version, capabilities))
        self._loading = asyncio.ensure_future(self._load(version, capabilities))

    def _initialize_result(self, version: int, capabilities: ClientCapabilities) -> Json:
        hide = self._settings.hide_claude_auth
        if version == 1:
            result = v1_initialize_result(v1_login_methods(capabilities, own_command(), hide_claude=hide))
            return with_declaration(result, capabilities)
        return v2_initialize_result(v2_login_methods(capabilities, hide_claude=hide))

    def _negotiate(self, params: Any) -> tuple[int, ClientCapabilities]:
        requested = params.get("protocolVersion") if isinstance(params, dict) else None
        if not isinstance(requested, int) or isinstance(requested, bool) or requested < 0:
            message = "`protocolVersion` must be a whole number"
            raise invalid_field("protocolVersion", message)
        version = choose_version(requested, self._settings)
        if version == 1:
            return 1, read_v1_capabilities(_declared(params, "clientCapabilities"))
        return 2, read_v2_capabilities(_declared(params, "capabilities"))

    async def _load(self, version: int, capabilities: ClientCapabilities) -> None:
        await self._link.drained()
        try:
            self._agent = await asyncio.to_thread(self._make_agent, version, capabilities)
        except Exception as error:
            log.exception("the core for ACP v%d cannot be loaded", version)
            for message in self._waiting:
                if isinstance(message, Request):
                    self._peer.fail(message.id, error)
            self._waiting.clear()
            self.status = 1
            self._stop.set()
            return
        while self._waiting:
            message = self._waiting.popleft()
            if isinstance(message, Request):
                self._agent.request(message)
            else:
                self._agent.notification(message)

    def _make_agent(self, version: int, capabilities: ClientCapabilities) -> Agent:
        from adapter.shared.idle import IdleLimits  # noqa: PLC0415
        from adapter.shared.ids import Sources  # noqa: PLC0415 - all of these load pydantic and the SDK: see above.
        from adapter.shared.opening import Connection  # noqa: PLC0415

        connection = Connection(
            peer=self._peer,
            capabilities=capabilities,
            claude_executable=self._settings.claude_executable,
            environment=self._settings.environment,
            relieved=self._link.relieved,
            sources=Sources(),
            record_to=self._settings.record_to,
            hide_claude_auth=self._settings.hide_claude_auth,
            idle_compact_seconds=self._settings.idle_compact_minutes * 60.0,
            idle_compact_tokens=self._settings.idle_compact_tokens,
            idle=IdleLimits(self._settings.idle_seconds, self._settings.idle_keep),
            adapter=in_a_terminal(own_command()),
        )
        return agent_class(version, self._settings.v2_core)(connection)

    async def _shut_down(self) -> None:
        if self._loading is not None:
            self._loading.cancel()
        for message in self._waiting:
            if isinstance(message, Request):
                self._peer.fail(message.id, request_cancelled("the adapter is ending"))
        self._waiting.clear()
        if self._agent is not None:
            try:
                await asyncio.wait_for(self._agent.shut_down(), SHUTDOWN_SECONDS)
            except TimeoutError:
                log.warning("some processes did not end in time")
        try:
            await asyncio.wait_for(self._link.drained(), FLUSH_SECONDS)
        except TimeoutError:
            log.info("the client did not read our last messages")


def _declared(params: Json, key: str) -> Any:
    return params.get(key)


def _on_signal(loop: asyncio.AbstractEventLoop, number: int, callback: Callable[[], None]) -> None:
    if os.name == "posix":
        loop.add_signal_handler(number, callback)
    else:
        # Windows has no handlers on its loop; a plain one wakes the loop instead.
        signal.signal(number, lambda _number, _frame: loop.call_soon_threadsafe(callback))


def serve(settings: Settings) -> int:
    """Serve the client on stdin and stdout; returns the exit status."""
    configure_logging(settings.log_level, settings.log_file)
    read_fd, write_fd = take_over_stdio()
    return asyncio.run(_serve(settings, read_fd, write_fd))


def own_command() -> list[str]:
    """How this adapter is started: a program and its arguments."""
    entry = sys.argv[0]
    if entry.endswith("__main__.py") or not os.path.isfile(entry):  # noqa: PTH113 - as a text.
        return [sys.executable, "-m", "adapter"]
    entry = os.path.abspath(entry)  # noqa: PTH100 - as a text.
    return [entry] if entry.endswith(".exe") else [sys.executable, entry]


def in_a_terminal(command: list[str]) -> str:
    """What a person types for a command: its name alone if that is found, else the whole with its paths."""
    import shlex  # noqa: PLC0415 - what `initialize` need not wait for.
    import shutil  # noqa: PLC0415 - the same.

    name = os.path.basename(command[-1]).removesuffix(".exe")  # noqa: PTH119 - as a text.
    found = shutil.which(name)
    if found is not None and os.path.abspath(found) == command[-1]:  # noqa: PTH100 - as a text.
        return name
    return shlex.join(command) if os.name == "posix" else subprocess.list2cmdline(command)


def pass_through(settings: Settings, arguments: list[str]) -> int:
    """Become Claude Code's own command line, for example for a login; returns only where that is not possible."""
    from adapter.shared.claude.options import child_environment  # noqa: PLC0415 - loads the SDK.
    from adapter.shared.claude.transport import command_line, make_options  # noqa: PLC0415 - loads the SDK.

    try:
        path = command_line(make_options(cli_path=settings.claude_executable or None))[0]
        environment = child_environment(settings.environment, os.getcwd())  # noqa: PTH109 - as a text.
        if os.name == "posix":
            os.execve(path, [path, *arguments], environment)  # noqa: S606 - the very command line is wanted.
        return subprocess.call([path, *arguments], env=environment)
    except OSError as error:
        sys.stderr.write(f"claude-acp: Claude Code cannot be started: {error}\n")
        return 127


async def _serve(settings: Settings, read_fd: int, write_fd: int) -> int:
    server = Server(settings, StdioLink(read_fd, write_fd))
    await server.run()
    return server.status


def take_over_stdio() -> tuple[int, int]:
    """Keep the client's pipe aside; stdin becomes empty and stdout goes to stderr, so that nobody else reaches it."""
    read_fd, write_fd = _kept(0), _kept(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout.flush()
    return read_fd, write_fd


def _kept(descriptor: int) -> int:
    """A copy of a descriptor; one that was closed before the start stands for an empty file."""
    try:
        return os.dup(descriptor)
    except OSError:
        return os.open(os.devnull, os.O_RDWR)
