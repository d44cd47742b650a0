"""The agent side of a connection, for every core: its methods, its sessions, and how a session is made and ended."""

from __future__ import annotations

import asyncio
import logging
import os
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import Any

import anyio

from adapter.shared.auth_status import auth_status
from adapter.shared.claude.content import claude_content, prompt_text
from adapter.shared.claude.options import SessionSpec, may_bypass_permissions
from adapter.shared.claude.task_output import output_paths
from adapter.shared.client_capabilities import ClientCapabilities, TerminalChannel, allows_bypass
from adapter.shared.commands import offered_commands
from adapter.shared.config_options.settings import SessionConfig
from adapter.shared.conversation import Conversation
from adapter.shared.core import Encoder, SessionCore
from adapter.shared.driver import ProcessSource, SessionDriver
from adapter.shared.files import find_skills
from adapter.shared.ids import Sources
from adapter.shared.inputs import (
    CancelReceived,
    ConfigRequested,
    Input,
    PromptReceived,
    RequestCancelled,
    SessionOpened,
)
from adapter.shared.jsonrpc.errors import (
    AdapterBug,
    ClaudeFailure,
    ClientMistake,
    invalid_field,
    invalid_params,
    method_not_found,
    request_cancelled,
    unknown_session,
)
from adapter.shared.jsonrpc.messages import Json, Notification, Request, RequestId
from adapter.shared.jsonrpc.peer import Peer
from adapter.shared.launch import ClaudeLink, Conversations, Launcher, Started
from adapter.shared.recorder import Recorder
from adapter.shared.tools.facts import CallContext
from adapter.shared.updates import Command
from adapter.shared.wire.common import parse, parse_mcp_server
from adapter.shared.wire.v1 import CancelRequest

log = logging.getLogger(__name__)

BYPASS = "bypassPermissions"
DEFAULT_MODE = "default"


@dataclass(frozen=True, slots=True)
class Connection:
    """What an agent is made with.

    Attributes:
        peer: The client.
        capabilities: What the client declared.
        claude_executable: Another CLI than the bundled one; empty for that.
        environment: The adapter's own environment.
        relieved: See `ClaudeProcess`.
        sources: Ids and times.
        record_to: A folder for recordings of all sessions; empty for none.
    """

    peer: Peer
    capabilities: ClientCapabilities
    claude_executable: str
    environment: Mapping[str, str]
    relieved: Callable[[], Awaitable[None]]
    sources: Sources
    record_to: str = ""


@dataclass(frozen=True, slots=True)
class OpenSession:
    """A session of this connection."""

    driver: SessionDriver
    core: SessionCore


class AgentBase(ABC):
    """The agent of one connection, after `initialize`.

    Args:
        connection: See there.
        encoder: The protocol version's encoder.
    """

    def __init__(self, connection: Connection, encoder: Encoder) -> None:
        self.peer = connection.peer
        self._connection = connection
        self._encoder = encoder
        self._launcher = Launcher(connection.environment, connection.relieved)
        self._sessions: dict[str, OpenSession] = {}
        self._leaving: list[SessionDriver] = []
        self._work: dict[RequestId, asyncio.Task[None]] = {}
        self._told_auth: Json | None = None
        self.requests: dict[str, Callable[[Request], None]] = {}
        self.notifications: dict[str, Callable[[Notification], None]] = {
            "session/cancel": self._cancel,
            "$/cancel_request": self._cancel_request,
        }

    mcp_types: tuple[str, ...]
    """The MCP transports that this version offers."""

    @abstractmethod
    def make_core(
        self, conversation: Conversation, config: SessionConfig, commands: tuple[Command, ...]
    ) -> SessionCore:
        """The state machine of a session."""

    @abstractmethod
    def session_result(self, session_id: str, config: SessionConfig, commands: tuple[Command, ...]) -> Json:
        """The result of `session/new`."""

    def request(self, request: Request) -> None:
        """Serve a request."""
        handler = self.requests.get(request.method)
        try:
            if handler is None:
                raise method_not_found(request.method)
            handler(request)
        except ClientMistake as mistake:
            self.peer.fail(request.id, mistake)
        except Exception as error:
            log.exception("the adapter failed on %s", request.method)
            if self.peer.is_open(request.id):
                self.peer.fail(request.id, error)

    def notification(self, notification: Notification) -> None:
        """Serve a notification; one that is unknown or malformed is logged, as it has no answer."""
        handler = self.notifications.get(notification.method)
        if handler is None:
            log.info("passed over the unknown notification %s", notification.method)
            return
        try:
            handler(notification)
        except ClientMistake as mistake:
            log.warning("passed over %s: %s", notification.method, mistake.message)

    async def shut_down(self) -> None:
        """End all sessions at once."""
        for task in self._work.values():
            task.cancel()
        async with anyio.create_task_group() as group:
            for session in list(self._sessions.values()):
                group.start_soon(session.driver.shut_down)
            for driver in self._leaving:
                group.start_soon(driver.ended)
            for task in list(self._work.values()):
                group.start_soon(_finished, task)

    # What the version's methods are built from.

    def session(self, session_id: str) -> OpenSession:
        """An open session.

        Raises:
            ClientMistake: -32002 with the id.
        """
        session = self._sessions.get(session_id)
        if session is None:
            raise unknown_session(session_id)
        return session

    def is_open(self, session_id: str) -> bool:
        """Whether this connection has the session."""
        return session_id in self._sessions

    def post(self, session_id: str, event: Input) -> None:
        """Hand an input to a session."""
        self.session(session_id).driver.post(event)

    def prompt(self, request: Request, session_id: str, blocks: list[Json]) -> None:
        """Hand a prompt to a session."""
        driver = self.session(session_id).driver
        content = claude_content(blocks)
        uuid = self._connection.sources.uuid()
        driver.post(PromptReceived(request.id, uuid, content, tuple(blocks), prompt_text(blocks)))

    def configure(self, request: Request, session_id: str, option: str, value: str | bool, *, as_mode: bool) -> None:
        """Hand a change of configuration to a session."""
        text = value if isinstance(value, str) else "on" if value else "off"
        self.post(session_id, ConfigRequested(request.id, option, text, as_mode))

    def new_session(self, request: Request, cwd: str, servers: list[Json]) -> None:
        """Start a session and answer with what the version says of it.

        Raises:
            ClientMistake: The folder or a server is not usable.
        """
        check_cwd(cwd)
        configured: dict[str, Json] = {}
        for index, server in enumerate(servers):
            name, configuration = parse_mcp_server(server, f"mcpServers.{index}", self.mcp_types)
            if name in configured:
                message = f"two servers are named {name}"
                raise invalid_field(f"mcpServers.{index}.name", message)
            configured[name] = configuration
        environment = self._connection.environment
        user = os.getuid() if hasattr(os, "getuid") else None
        spec = SessionSpec(
            session_id=self._connection.sources.uuid(),
            cwd=cwd,
            mcp_servers=configured,
            cli_path=self._connection.claude_executable or None,
            may_bypass=may_bypass_permissions(environment, user) and allows_bypass(request.params),
        )
        self._run(request, partial(self._new_session, request, spec))

    async def _new_session(self, request: Request, spec: SessionSpec) -> None:
        started = await self._launcher.start(spec)
        mode = started.hello.permission_mode
        if mode == BYPASS and not spec.may_bypass:
            mode = DEFAULT_MODE
            await started.link.call({"subtype": "set_permission_mode", "mode": mode})
        config = SessionConfig(started.hello.models, mode, started.settings, may_bypass=spec.may_bypass)
        commands = offered_commands(started.hello.commands)
        try:
            driver = self._open(spec, started, config, commands)
        except BaseException:
            await started.link.process.kill()
            raise
        self._tell_auth(started)
        self.peer.respond(request.id, self.session_result(spec.session_id, config, commands))
        # Only now does the client know the session, so nothing of it may go out before.
        _connect(started.link, driver)
        driver.post(SessionOpened(started.notices))

    def _open(
        self, spec: SessionSpec, started: Started, config: SessionConfig, commands: tuple[Command, ...]
    ) -> SessionDriver:
        capabilities = self._connection.capabilities
        is_air = capabilities.air is not None
        skills = find_skills(self._connection.environment, spec.cwd) if is_air else {}
        conversation = Conversation(call_context(spec.cwd, capabilities, skills))
        core = self.make_core(conversation, config, commands)
        made_with = {
            "core": type(core).__name__,
            "cwd": spec.cwd,
            "may_bypass": spec.may_bypass,
            "terminal": capabilities.terminal,
            "exact_patches": capabilities.exact_patches,
            "models": started.hello.models,
            "permission_mode": config.mode,
            "settings": started.settings,
            "commands": started.hello.commands,
        }
        conversations = Conversations(self._launcher, spec, self._connection.sources.uuid)
        folder = self._connection.record_to
        driver = SessionDriver(
            spec.session_id,
            core,
            self._encoder,
            self.peer,
            previews=capabilities.exact_patches,
            source=ProcessSource(
                start=lambda afresh: self._restart(conversations, config, driver, afresh=afresh),
                output_paths=partial(output_paths, self._connection.environment, spec.cwd),
            ),
            recorder=Recorder(folder, spec.session_id, made_with) if folder else None,
            on_ended=lambda: self._forget(spec.session_id),
        )
        self._sessions[spec.session_id] = OpenSession(driver, core)
        return driver

    async def _restart(
        self, conversations: Conversations, config: SessionConfig, driver: SessionDriver, *, afresh: bool
    ) -> ClaudeLink:
        started = await conversations.start(config.mode, afresh=afresh)
        _connect(started.link, driver)
        return started.link

    def _forget(self, session_id: str) -> None:
        session = self._sessions.pop(session_id, None)
        self._leaving = [driver for driver in self._leaving if driver.ends_process]
        if session is not None:
            self._leaving.append(session.driver)

    def _tell_auth(self, started: Started) -> None:
        status = auth_status(started.hello.account)
        if status != self._told_auth:
            self._told_auth = status
            self.peer.notify("_auth/status_update", {"authStatus": status})

    def _cancel(self, notification: Notification) -> None:
        session_id = (notification.params or {}).get("sessionId") if isinstance(notification.params, dict) else None
        session = self._sessions.get(session_id) if isinstance(session_id, str) else None
        if session is None:
            log.info("session/cancel for the unknown session %r", session_id)
            return
        session.driver.post(CancelReceived())

    def _cancel_request(self, notification: Notification) -> None:
        identity = parse(CancelRequest, notification.params).requestId
        task = self._work.get(identity)
        if task is not None:
            task.cancel()
            return
        for session in list(self._sessions.values()):
            session.driver.post(RequestCancelled(identity))

    def _run(self, request: Request, work: Callable[[], Awaitable[None]]) -> None:
        task = asyncio.ensure_future(self._answer(request, work))
        self._work[request.id] = task
        task.add_done_callback(partial(self._worked, request.id))

    async def _answer(self, request: Request, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        except asyncio.CancelledError:
            self.peer.fail(request.id, request_cancelled())
        except (ClientMistake, ClaudeFailure) as error:
            self.peer.fail(request.id, error)
        except Exception as error:
            log.exception("the adapter failed on %s", request.method)
            self.peer.fail(request.id, AdapterBug(str(error)))

    def _worked(self, identity: RequestId, _task: asyncio.Task[None]) -> None:
        self._work.pop(identity, None)
        if self.peer.is_open(identity):
            # The task was cancelled before its first step, so nothing of it ran.
            self.peer.fail(identity, request_cancelled())


def call_context(
    cwd: str, capabilities: ClientCapabilities, skills: Mapping[str, str] = MappingProxyType({})
) -> CallContext:
    """What tool families may know of a client."""
    air = capabilities.air
    return CallContext(
        cwd,
        exact_patches=capabilities.exact_patches,
        terminal=capabilities.terminal is not TerminalChannel.NONE,
        snippets=capabilities.version == 1,
        copies_input=air is None or "rawInputRendering" not in air,
        one_field=air is not None,
        plan_file=air is not None and "planFile" in air,
        skills=skills,
    )


def _connect(link: ClaudeLink, driver: SessionDriver) -> None:
    driver.attach(link)
    link.connect(driver.frame, driver.exited)


async def _finished(task: asyncio.Task[Any]) -> None:
    await asyncio.wait([task])


def check_cwd(cwd: str) -> None:
    """A session's folder must be absolute and exist.

    Raises:
        ClientMistake: It is not; `data` has it as `cwd`, and its `path`.
    """
    if not PurePath(cwd).is_absolute():
        raise _wrong_cwd(cwd, f"`cwd` must be an absolute path, but received: {cwd}")
    try:
        exists = Path(cwd).is_dir()
    except (OSError, ValueError):
        exists = False
    if not exists:
        raise _wrong_cwd(cwd, f"`cwd` does not exist on the machine running the agent: {cwd}")


def _wrong_cwd(cwd: str, message: str) -> ClientMistake:
    return invalid_params(message, {"cwd": cwd, "path": "cwd"})
