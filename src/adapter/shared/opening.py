"""Opening a session: Claude Code is started, and what drives it is put together."""

from __future__ import annotations

import logging
import os
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from types import MappingProxyType

from adapter.shared.auth_status import has_limits
from adapter.shared.background_list import BackgroundList
from adapter.shared.claude.client_options import ClientOptions, with_variables
from adapter.shared.claude.features import ClaudeHello
from adapter.shared.claude.options import SessionSpec, may_bypass_permissions
from adapter.shared.claude.task_output import output_paths
from adapter.shared.client_capabilities import (
    ClientCapabilities,
    SubagentForm,
    TerminalChannel,
)
from adapter.shared.command_files import CommandFiles
from adapter.shared.commands import offered_commands
from adapter.shared.config_options.settings import SessionConfig, Start
from adapter.shared.conversation import Conversation
from adapter.shared.core import Encoder
from adapter.shared.driver import ProcessSource, SessionDriver
from adapter.shared.files import find_skills
from adapter.shared.history.lineage import Lineage
from adapter.shared.history.replay import ReplayWatch
from adapter.shared.idle import NO_LIMITS, IdleLimits, IdlePool, IdleSession
from adapter.shared.ids import Sources
from adapter.shared.inputs import SessionOpened
from adapter.shared.jsonrpc.errors import ClaudeFailure, unknown_session
from adapter.shared.jsonrpc.messages import Json
from adapter.shared.jsonrpc.peer import Peer
from adapter.shared.launch import ClaudeLink, Conversations, Launcher, Started, UnknownConversationError
from adapter.shared.mcp.client_servers import ClientServers
from adapter.shared.providers import Routes
from adapter.shared.recorder import Recorder
from adapter.shared.session_base import SessionBase
from adapter.shared.session_extension import SessionExtension
from adapter.shared.session_params import configured_servers, session_options
from adapter.shared.subagents.part import Subagents
from adapter.shared.tools.facts import CallContext
from adapter.shared.updates import Command
from adapter.shared.wire.common import client_servers
from adapter.shared.workspace import check_cwd, check_directories, workspace_roots

log = logging.getLogger(__name__)

BYPASS = "bypassPermissions"
DEFAULT_MODE = "default"
RESTORED_MODES = frozenset({"default", "acceptEdits", "plan", "auto", "dontAsk", BYPASS})

MakeCore = Callable[[Conversation, SessionConfig, tuple[Command, ...]], SessionBase]


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
        hide_claude_auth: Accounts of claude.ai are neither offered nor used.
        idle_compact_seconds: After how long an idle session is compacted; 0 for never.
        idle_compact_tokens: How much it must hold for that.
        idle: When sessions let go of their Claude Code.
        adapter: How a person starts this adapter in a terminal.
    """

    peer: Peer
    capabilities: ClientCapabilities
    claude_executable: str
    environment: Mapping[str, str]
    relieved: Callable[[], Awaitable[None]]
    sources: Sources
    record_to: str = ""
    hide_claude_auth: bool = False
    idle_compact_seconds: float = 0.0
    idle_compact_tokens: int = 0
    idle: IdleLimits = NO_LIMITS
    adapter: str = "claude-acp"


@dataclass(frozen=True, slots=True)
class Past:
    """What the transcript of a session says of how it ran.

    Attributes:
        conversation_id: Claude Code's id of it: that of the session, or another one after `/clear`.
        title: Empty if it has none.
        permission_mode: That of its last prompt; empty if it is not known.
    """

    conversation_id: str
    title: str
    permission_mode: str = ""


@dataclass(slots=True)
class OpenSession:
    """A session of a connection, and what it was opened with.

    `opened` has what it has from before, until the client knows it.
    """

    spec: SessionSpec
    driver: SessionDriver
    core: SessionBase
    config: SessionConfig
    started: Started
    conversations: Conversations
    opened: SessionOpened
    begun: bool = False

    def remember(self, title: str, tasks: Json, subagents: tuple[Json, ...] = ()) -> None:
        """The session has these from before."""
        self.opened = replace(self.opened, title=title, tasks=tasks, subagents=subagents)

    def begin(self) -> None:
        """The client knows the session now, so what Claude Code says of it may go out. It may know it already."""
        if not self.begun:
            self.begun = True
            _connect(self.started.link, self.driver)
        self.driver.post(self.opened)
        self.opened = replace(self.opened, notices=(), title="", tasks={}, subagents=())


class SessionOpener:
    """Opens the sessions of one connection.

    Args:
        connection: See there.
        encoder: The protocol version's encoder.
        make_core: Makes the state machine of a session.
        extension: See there; `None` for a client that has none.

    Attributes:
        routes: Where its sessions' requests go.
        on_started: Called with each Claude Code that was started; raises `ClaudeFailure` for one that must not be used.
    """

    def __init__(
        self, connection: Connection, encoder: Encoder, make_core: MakeCore, extension: SessionExtension | None = None
    ) -> None:
        self._connection = connection
        self._encoder = encoder
        self._make_core = make_core
        self._extension = extension
        self.routes = Routes(connection.environment)
        self._launcher = Launcher(connection.environment, connection.relieved, self.routes)
        self._idle = IdlePool(connection.idle)
        self.on_started: Callable[[Started], None] = lambda _started: None

    def spec(self, params: Json, mcp_types: tuple[str, ...], session_id: str = "") -> SessionSpec:
        """What the parameters of `session/new` and its like ask for; without an id, a fresh one.

        Raises:
            ClientMistake: The folder, a server or an option is not usable.
            ClaudeFailure: A variable of the adapter is malformed, without which no session may start.
        """
        check_cwd(params["cwd"])
        environment = self._connection.environment
        options = with_variables(session_options(params), environment)
        user = os.getuid() if hasattr(os, "getuid") else None
        spec = SessionSpec(
            session_id=session_id or self._connection.sources.uuid(),
            cwd=params["cwd"],
            additional_directories=check_directories(params.get("additionalDirectories") or []),
            mcp_servers=configured_servers(params.get("mcpServers") or [], mcp_types),
            client_servers=client_servers(params.get("mcpServers") or []),
            cli_path=self._connection.claude_executable or None,
            may_bypass=may_bypass_permissions(environment, user) and options.may_bypass,
            tells_subagents=self._connection.capabilities.subagents is not SubagentForm.CALLS,
            shows_forms="form" in self._connection.capabilities.elicitation,
            suggests_prompts=self._connection.capabilities.air is not None,
            options=options,
        )
        return spec if self._extension is None else self._extension.prepare(spec)

    def replay_watch(self, session_id: str) -> ReplayWatch | None:
        """What the client's extensions make of the history of a session; `None` for nothing."""
        return None if self._extension is None else self._extension.watch_replay(session_id)

    def context(self, cwd: str) -> CallContext:
        """What tool families may know of the client, for a session in a folder."""
        capabilities = self._connection.capabilities
        skills = find_skills(self._connection.environment, cwd) if capabilities.air is not None else {}
        return replace(call_context(cwd, capabilities, skills), adapter=self._connection.adapter)

    async def open(self, spec: SessionSpec, on_ended: Callable[[], None], past: Past | None = None) -> OpenSession:
        """Start a session's Claude Code; nothing of it goes out before `OpenSession.begin`.

        Args:
            spec: The session.
            on_ended: Called when the session is over.
            past: The session has a transcript, which says this; `None` if it has none.

        Raises:
            ClaudeFailure: See `Launcher.start`.
            ClientMistake: Claude Code cannot resume the session.
        """
        started = await (self._launcher.start(spec) if past is None else self._resume(spec, past))
        started = replace(started, notices=(*spec.options.notices, *started.notices))
        try:
            self.on_started(started)
            mode = started.hello.permission_mode
            if mode == BYPASS and not spec.may_bypass:
                mode = DEFAULT_MODE
                await started.link.call({"subtype": "set_permission_mode", "mode": mode})
            config = SessionConfig(
                started.hello.models,
                mode,
                started.settings,
                may_bypass=spec.may_bypass,
                start=config_start(spec.options, self._connection.environment, started.hello),
            )
            config.serve(started.link.served)
            first = spec if past is None else spec.of(past.conversation_id)
            lineage = Lineage(self._connection.environment, spec.session_id, first.session_id)
            new_id = self._connection.sources.uuid
            conversations = Conversations(self._launcher, first, started.link, new_id, lineage.turn)
            return self._assemble(spec, started, config, conversations, on_ended)
        except BaseException:
            await started.link.process.kill()
            raise

    async def _resume(self, spec: SessionSpec, past: Past) -> Started:
        mode = past.permission_mode if past.permission_mode in RESTORED_MODES else ""
        if mode == BYPASS and not spec.may_bypass:
            mode = ""
        try:
            return await self._launcher.resume(spec.of(past.conversation_id), permission_mode=mode or None)
        except UnknownConversationError:
            raise unknown_session(spec.session_id) from None

    def _assemble(
        self,
        spec: SessionSpec,
        started: Started,
        config: SessionConfig,
        conversations: Conversations,
        on_ended: Callable[[], None],
    ) -> OpenSession:
        capabilities = self._connection.capabilities
        told = capabilities.subagents is not SubagentForm.CALLS or spec.options.initialize.get("forwardSubagentText")
        conversation = Conversation(self.context(spec.cwd), subagent_text=bool(told))
        commands = offered_commands(started.hello.commands)
        core = self._make_core(conversation, config, commands)
        add_parts(core, spec.session_id, spec.cwd, capabilities)
        core.parts.add(ClientServers(spec.client_servers))
        if self._extension is not None:
            roots = workspace_roots(spec.cwd, spec.additional_directories + spec.options.additional_directories)
            self._extension.equip(core, spec, roots, self._connection.sources.uuid())
        if self._connection.idle.seconds:
            core.parts.add(IdleSession(core, self._idle))
        driver = SessionDriver(
            spec.session_id,
            core,
            self._encoder,
            self._connection.peer,
            previews=capabilities.exact_patches,
            source=ProcessSource(
                start=lambda afresh: self._restart(conversations, config, driver, afresh=afresh),
                output_paths=partial(output_paths, self._connection.environment, spec.cwd),
                commands_changed=CommandFiles(self._connection.environment, spec.cwd).changed,
            ),
            recorder=self._recorder(spec, started, config, core),
            on_ended=on_ended,
        )
        opened = SessionOpened(
            started.notices,
            has_limits=has_limits(started.hello.account),
            idle_seconds=self._connection.idle_compact_seconds,
            idle_tokens=self._connection.idle_compact_tokens,
        )
        return OpenSession(spec, driver, core, config, started, conversations, opened)

    async def _restart(
        self, conversations: Conversations, config: SessionConfig, driver: SessionDriver, *, afresh: bool
    ) -> ClaudeLink:
        started = await conversations.start(config.mode, afresh=afresh, agent=config.chosen_agent)
        try:
            self.on_started(started)
        except ClaudeFailure:
            await started.link.process.kill()
            raise
        _connect(started.link, driver)
        return started.link

    def _recorder(
        self, spec: SessionSpec, started: Started, config: SessionConfig, core: SessionBase
    ) -> Recorder | None:
        folder = self._connection.record_to
        if not folder:
            return None
        capabilities = self._connection.capabilities
        made_with = {
            "core": type(core).__name__,
            "cwd": spec.cwd,
            "may_bypass": spec.may_bypass,
            "terminal": capabilities.terminal,
            "exact_patches": capabilities.exact_patches,
            "session_id": spec.session_id,
            "subagents": capabilities.subagents,
            "elicitation": sorted(capabilities.elicitation),
            "models": started.hello.models,
            "permission_mode": config.mode,
            "settings": started.settings,
            "commands": started.hello.commands,
            "start": asdict(config_start(spec.options, self._connection.environment, started.hello)),
        }
        return Recorder(folder, spec.session_id, made_with)


def add_parts(core: SessionBase, session_id: str, cwd: str, capabilities: ClientCapabilities) -> None:
    """Give a session the capabilities that depend on its client."""
    if not capabilities.subagents.has_sessions:
        return
    draft = capabilities.subagents is SubagentForm.DRAFT
    children = Subagents(session_id, cwd, core.config, core.conversation, draft=draft)
    core.parts.add(children)
    if capabilities.version == 2:
        core.parts.add(BackgroundList(session_id, core.tasks, core.conversation, children.session_of))


def _connect(link: ClaudeLink, driver: SessionDriver) -> None:
    driver.attach(link)
    link.connect(driver.frame, driver.exited)


def config_start(options: ClientOptions, environment: Mapping[str, str], hello: ClaudeHello) -> Start:
    """What a session's configuration must know of its start beside Claude Code's settings."""
    return Start(
        model=options.fields.get("model") or environment.get("ANTHROPIC_MODEL", ""),
        effort=environment.get("CLAUDE_CODE_EFFORT_LEVEL") or options.fields.get("effort", ""),
        fast=hello.fast_mode,
        agent=options.agent,
        agents=hello.agents,
    )


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
        elicitation=capabilities.elicitation,
    )
