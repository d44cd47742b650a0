"""Opening a session: Claude Code is started, and what drives it is put together."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from adapter.shared.claude.options import SessionSpec, may_bypass_permissions
from adapter.shared.claude.task_output import output_paths
from adapter.shared.client_capabilities import ClientCapabilities, TerminalChannel, allows_bypass
from adapter.shared.commands import offered_commands
from adapter.shared.config_options.settings import SessionConfig
from adapter.shared.conversation import Conversation
from adapter.shared.core import Encoder, SessionCore
from adapter.shared.driver import ProcessSource, SessionDriver
from adapter.shared.files import find_skills
from adapter.shared.idle import NO_LIMITS, IdleLimits, IdlePool, IdleSession
from adapter.shared.ids import Sources
from adapter.shared.inputs import SessionOpened
from adapter.shared.jsonrpc.errors import invalid_field
from adapter.shared.jsonrpc.messages import Json
from adapter.shared.jsonrpc.peer import Peer
from adapter.shared.launch import ClaudeLink, Conversations, Launcher, Started
from adapter.shared.recorder import Recorder
from adapter.shared.session_base import SessionBase
from adapter.shared.tools.facts import CallContext
from adapter.shared.updates import Command
from adapter.shared.wire.common import parse_mcp_server
from adapter.shared.workspace import check_cwd

BYPASS = "bypassPermissions"
DEFAULT_MODE = "default"

MakeCore = Callable[[Conversation, SessionConfig, tuple[Command, ...]], SessionCore]


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
        idle: When sessions let go of their Claude Code.
    """

    peer: Peer
    capabilities: ClientCapabilities
    claude_executable: str
    environment: Mapping[str, str]
    relieved: Callable[[], Awaitable[None]]
    sources: Sources
    record_to: str = ""
    idle: IdleLimits = NO_LIMITS


@dataclass(frozen=True, slots=True)
class OpenSession:
    """A session of a connection, and what it was opened with."""

    driver: SessionDriver
    core: SessionCore
    config: SessionConfig
    commands: tuple[Command, ...]
    started: Started

    def begin(self) -> None:
        """The client knows the session now, so what Claude Code says of it may go out."""
        _connect(self.started.link, self.driver)
        self.driver.post(SessionOpened(self.started.notices))


class SessionOpener:
    """Opens the sessions of one connection.

    Args:
        connection: See there.
        encoder: The protocol version's encoder.
        make_core: Makes the state machine of a session.
    """

    def __init__(self, connection: Connection, encoder: Encoder, make_core: MakeCore) -> None:
        self._connection = connection
        self._encoder = encoder
        self._make_core = make_core
        self._launcher = Launcher(connection.environment, connection.relieved)
        self._idle = IdlePool(connection.idle)

    def spec(self, params: Json, mcp_types: tuple[str, ...], session_id: str = "") -> SessionSpec:
        """What the parameters of `session/new` and its like ask for; without an id, a fresh one.

        Raises:
            ClientMistake: The folder or a server is not usable.
        """
        check_cwd(params["cwd"])
        environment = self._connection.environment
        user = os.getuid() if hasattr(os, "getuid") else None
        return SessionSpec(
            session_id=session_id or self._connection.sources.uuid(),
            cwd=params["cwd"],
            mcp_servers=_mcp_servers(params.get("mcpServers") or [], mcp_types),
            cli_path=self._connection.claude_executable or None,
            may_bypass=may_bypass_permissions(environment, user) and allows_bypass(params),
        )

    async def open(self, spec: SessionSpec, on_ended: Callable[[], None]) -> OpenSession:
        """Start a session's Claude Code; nothing of it goes out before `OpenSession.begin`.

        Args:
            spec: The session.
            on_ended: Called when the session is over.

        Raises:
            ClaudeFailure: See `Launcher.start`.
        """
        started = await self._launcher.start(spec)
        mode = started.hello.permission_mode
        if mode == BYPASS and not spec.may_bypass:
            mode = DEFAULT_MODE
            await started.link.call({"subtype": "set_permission_mode", "mode": mode})
        config = SessionConfig(started.hello.models, mode, started.settings, may_bypass=spec.may_bypass)
        try:
            return self._assemble(spec, started, config, on_ended)
        except BaseException:
            await started.link.process.kill()
            raise

    def _assemble(
        self, spec: SessionSpec, started: Started, config: SessionConfig, on_ended: Callable[[], None]
    ) -> OpenSession:
        capabilities = self._connection.capabilities
        is_air = capabilities.air is not None
        skills = find_skills(self._connection.environment, spec.cwd) if is_air else {}
        conversation = Conversation(call_context(spec.cwd, capabilities, skills))
        commands = offered_commands(started.hello.commands)
        core = self._make_core(conversation, config, commands)
        if self._connection.idle.seconds and isinstance(core, SessionBase):
            core.add(IdleSession(core, self._idle))
        conversations = Conversations(self._launcher, spec, started.link, self._connection.sources.uuid)
        driver = SessionDriver(
            spec.session_id,
            core,
            self._encoder,
            self._connection.peer,
            previews=capabilities.exact_patches,
            source=ProcessSource(
                start=lambda afresh: _restart(conversations, config, driver, afresh=afresh),
                output_paths=partial(output_paths, self._connection.environment, spec.cwd),
            ),
            recorder=self._recorder(spec, started, config, core),
            on_ended=on_ended,
        )
        return OpenSession(driver, core, config, commands, started)

    def _recorder(
        self, spec: SessionSpec, started: Started, config: SessionConfig, core: SessionCore
    ) -> Recorder | None:
        capabilities = self._connection.capabilities
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
        folder = self._connection.record_to
        return Recorder(folder, spec.session_id, made_with) if folder else None


async def _restart(
    conversations: Conversations, config: SessionConfig, driver: SessionDriver, *, afresh: bool
) -> ClaudeLink:
    started = await conversations.start(config.mode, afresh=afresh)
    _connect(started.link, driver)
    return started.link


def _connect(link: ClaudeLink, driver: SessionDriver) -> None:
    driver.attach(link)
    link.connect(driver.frame, driver.exited)


def _mcp_servers(servers: list[Json], types: tuple[str, ...]) -> dict[str, Json]:
    configured: dict[str, Json] = {}
    for index, server in enumerate(servers):
        name, configuration = parse_mcp_server(server, f"mcpServers.{index}", types)
        if name in configured:
            raise invalid_field(f"mcpServers.{index}.name", f"two servers are named {name}")
        configured[name] = configuration
    return configured


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
