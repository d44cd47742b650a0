"""What every protocol version's agent does in the same way: dispatch, sessions, shut down.

An agent registers its methods in one table; a method's handler answers its request, now or later.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial

import anyio

from adapter.shared.accounts import Accounts
from adapter.shared.claude.content import claude_content, prompt_text, unsent_attachments
from adapter.shared.claude.options import SessionSpec
from adapter.shared.cli_auth import CliAuth
from adapter.shared.client_capabilities import ClientCapabilities
from adapter.shared.config_options.settings import SessionConfig
from adapter.shared.conversation import Conversation
from adapter.shared.core import Encoder
from adapter.shared.driver import SessionDriver
from adapter.shared.inputs import (
    CancelReceived,
    ChildCancelled,
    ConfigRequested,
    Input,
    MethodCalled,
    PromptReceived,
    RequestCancelled,
    RestartWanted,
    SteerReceived,
)
from adapter.shared.jsonrpc.errors import (
    ClaudeFailure,
    ClientMistake,
    invalid_field,
    method_not_found,
    unknown_session,
)
from adapter.shared.jsonrpc.messages import Json, Notification, Request
from adapter.shared.opening import Connection, OpenSession, Past, SessionOpener
from adapter.shared.request_tasks import RequestTasks
from adapter.shared.session_base import SessionBase
from adapter.shared.session_extension import SessionExtension
from adapter.shared.session_gate import Message, SessionGate, session_named
from adapter.shared.session_updates import replay_end
from adapter.shared.updates import Command
from adapter.shared.wire.common import OfSession, parse
from adapter.shared.wire.v1 import CancelRequest
from adapter.shared.workspace import same_folders

log = logging.getLogger(__name__)


class AgentBase(ABC):
    """The agent of one connection, after `initialize`.

    Args:
        connection: See there.
        encoder: The protocol version's encoder.
        extension: What the client's extensions add to each session; `None` for nothing.
    """

    def __init__(self, connection: Connection, encoder: Encoder, extension: SessionExtension | None = None) -> None:
        self.peer = connection.peer
        self._connection = connection
        self.encoder = encoder
        self.opener = SessionOpener(connection, encoder, self.make_core, extension)
        self.sessions: dict[str, OpenSession] = {}
        self.begun: set[str] = set()
        self.conversations: dict[str, str] = {}
        self.gate = SessionGate(connection.peer.fail, self._dispatch)
        self._leaving: list[SessionDriver] = []
        self.tasks = RequestTasks(connection.peer)
        self.accounts = Accounts(
            connection.peer,
            self.tasks,
            self.opener.routes,
            CliAuth(connection.claude_executable, connection.environment),
            gateways=connection.capabilities.gateway,
            hide_claude=connection.hide_claude_auth,
            reroute=self._reroute,
        )
        self.opener.on_started = self.accounts.started
        self.requests: dict[str, Callable[[Request], None]] = {
            "providers/list": self.accounts.list_providers,
            "providers/set": self.accounts.set_provider,
            "providers/disable": self.accounts.disable_provider,
        }
        self.notifications: dict[str, Callable[[Notification], None]] = {
            "session/cancel": self._cancel,
            "$/cancel_request": self._cancel_request,
        }

    mcp_types: tuple[str, ...]
    """The MCP transports that this version offers."""

    @abstractmethod
    def make_core(
        self, conversation: Conversation, config: SessionConfig, commands: tuple[Command, ...]
    ) -> SessionBase:
        """The state machine of a session."""

    @abstractmethod
    def session_result(self, session_id: str, session: OpenSession) -> Json:
        """The result of `session/new`."""

    def opened_result(self, session_id: str, session: OpenSession) -> Json:
        """The result of a method that opens a session whose id the client knows."""
        return {key: value for key, value in self.session_result(session_id, session).items() if key != "sessionId"}

    def stays_open(self, session: OpenSession, spec: SessionSpec) -> bool:
        """Whether an open session can serve a client that opens it again, or has to be started anew."""
        same_place = same_folders(session.spec.place, spec.place)
        return same_place and session.spec.mcp_servers == spec.mcp_servers

    def history_shown(self, session_id: str) -> None:
        """All of a session's history that the client has asked for was sent: tell one that wants to know."""
        if self._connection.capabilities.replay_end:
            self.peer.notify("session/update", {"sessionId": session_id, "update": replay_end()})

    @property
    def capabilities(self) -> ClientCapabilities:
        """What the client declared."""
        return self._connection.capabilities

    def request(self, request: Request) -> None:
        """Serve a request, or keep it until its session is open."""
        if self.gate.keeps(request):
            return
        handler = self.requests.get(request.method)
        try:
            if handler is None:
                raise method_not_found(request.method)
            self._refuse_subagent(request)
            handler(request)
        except (ClientMistake, ClaudeFailure) as error:
            self.peer.fail(request.id, error)
        except Exception as error:
            log.exception("the adapter failed on %s", request.method)
            if self.peer.is_open(request.id):
                self.peer.fail(request.id, error)

    def notification(self, notification: Notification) -> None:
        """Serve a notification; one that is unknown or malformed is logged, as it has no answer."""
        if self.gate.keeps(notification):
            return
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
        self.gate.give_up()
        self.tasks.cancel_all()
        async with anyio.create_task_group() as group:
            for session in list(self.sessions.values()):
                group.start_soon(session.driver.shut_down)
            for driver in self._leaving:
                group.start_soon(driver.ended)
            group.start_soon(self.tasks.ended)

    def _dispatch(self, message: Message) -> None:
        if isinstance(message, Request):
            self.request(message)
        else:
            self.notification(message)

    # What the version's methods are built from.

    def session(self, session_id: str) -> OpenSession:
        """An open session.

        Raises:
            ClientMistake: -32002 with the id.
        """
        session = self.sessions.get(session_id)
        if session is None:
            raise unknown_session(session_id)
        return session

    def _refuse_subagent(self, request: Request) -> None:
        """A subagent's session takes no requests: it can only be watched and cancelled.

        Raises:
            ClientMistake: -32602, the request is for one.
        """
        session_id = session_named(request)
        if session_id and self._parent(session_id) is not None:
            raise invalid_field("sessionId", f"{session_id} is a subagent's: it can only be watched and cancelled")

    def _parent(self, session_id: str) -> OpenSession | None:
        """The session that a subagent's session belongs to."""
        return next((session for session in self.sessions.values() if session.core.parts.has_session(session_id)), None)

    def post(self, session_id: str, event: Input) -> None:
        """Hand an input to a session."""
        self.session(session_id).driver.post(event)

    def prompt(
        self, request: Request, session_id: str, blocks: list[Json], *, steers: bool = False, report_id: str = ""
    ) -> None:
        """Hand a prompt to a session; see `PromptReceived`."""
        driver = self.session(session_id).driver
        content = claude_content(blocks)
        uuid = self._connection.sources.uuid()
        unsent = unsent_attachments(blocks)
        text = prompt_text(blocks)
        prompt = PromptReceived(
            request.id, uuid, content, tuple(blocks), text, unsent, steers=steers, report_id=report_id
        )
        driver.post(prompt)

    def steer(self, request: Request, session_id: str, blocks: list[Json], *, goal: bool = False) -> None:
        """Hand a prompt for the running turn to a session."""
        driver = self.session(session_id).driver
        uuid = self._connection.sources.uuid()
        content, unsent = claude_content(blocks), unsent_attachments(blocks)
        driver.post(SteerReceived(request.id, uuid, content, tuple(blocks), prompt_text(blocks), unsent, goal=goal))

    def configure(self, request: Request, session_id: str, option: str, value: str | bool, *, as_mode: bool) -> None:
        """Hand a change of configuration to a session."""
        text = value if isinstance(value, str) else "on" if value else "off"
        self.post(session_id, ConfigRequested(request.id, option, text, as_mode))

    def new_session(self, request: Request, params: Json) -> None:
        """Start a session and answer with what the version says of it.

        Raises:
            ClientMistake: The folder, a server or an option is not usable.
            ClaudeFailure: See `SessionOpener.spec`.
        """
        self.tasks.run(request, partial(self.begin_session, request, self.opener.spec(params, self.mcp_types)))

    def serve_in_session(self, method: str, model: type[OfSession]) -> None:
        """Let the session that `sessionId` names serve a method, with its parameters checked by `model`."""

        def serve(request: Request) -> None:
            params = parse(model, request.params)
            self.post(params.sessionId, MethodCalled(request.id, method, params.model_dump()))

        self.requests[method] = serve

    async def begin_session(self, request: Request, spec: SessionSpec) -> None:
        """Start a session with an empty conversation and answer with what the version says of it."""
        session = await self.open(spec, None)
        self.begun.add(spec.session_id)
        self.answer_opened(request, spec.session_id, session, known=False)

    async def open(self, spec: SessionSpec, past: Past | None) -> OpenSession:
        """Start a session's Claude Code: see `SessionOpener.open`."""
        return await self.opener.open(spec, on_ended=partial(self._forget, spec.session_id), past=past)

    def answer_opened(self, request: Request, session_id: str, session: OpenSession, *, known: bool) -> None:
        """Answer a request that opened a session; from now on what Claude Code says of it goes out.

        Args:
            request: The request.
            session_id: The session's id.
            session: The session; it may have been open before.
            known: The request named the session.
        """
        self.sessions[session_id] = session
        result = self.opened_result(session_id, session) if known else self.session_result(session_id, session)
        self.peer.respond(request.id, result)
        session.begin()

    async def end_session(self, session_id: str) -> None:
        """End a session, if it is open, as if the client had closed it."""
        session = self.sessions.get(session_id)
        if session is not None:
            self._forget(session_id)
            await session.driver.shut_down()

    async def session_left(self, session_id: str) -> None:
        """Wait until no process of an ended session runs."""
        for driver in self._leaving:
            if driver.session_id == session_id:
                await driver.ended()

    def _forget(self, session_id: str) -> None:
        session = self.sessions.pop(session_id, None)
        self._leaving = [driver for driver in self._leaving if driver.ends_process]
        if session is not None:
            self._leaving.append(session.driver)
            self.conversations[session_id] = session.conversations.current_id

    def conversation_of(self, session_id: str) -> str:
        """Claude Code's id of the conversation that a session is or was in; after `/clear` it has another one."""
        session = self.sessions.get(session_id)
        known = self.conversations.get(session_id, session_id)
        return known if session is None else session.conversations.current_id

    def open_in(self, conversation: str) -> list[str]:
        """The open sessions that are in a conversation."""
        return [one for one, session in self.sessions.items() if session.conversations.current_id == conversation]

    def sessions_in(self, conversation: str) -> list[str]:
        """The sessions that were in a conversation when they ended."""
        return [one for one, known in self.conversations.items() if known == conversation]

    async def _reroute(self) -> None:
        """Restart the sessions that are quiet, and wait for these; the others follow when they are."""
        drivers = [session.driver for session in self.sessions.values()]
        for driver in drivers:
            driver.post(RestartWanted())
        for driver in drivers:
            await driver.started()

    def _cancel(self, notification: Notification) -> None:
        session_id = session_named(notification)
        if (session := self.sessions.get(session_id)) is not None:
            session.driver.post(CancelReceived())
        elif (parent := self._parent(session_id)) is not None:
            parent.driver.post(ChildCancelled(session_id))
        else:
            log.info("session/cancel for the unknown session %r", session_id)

    def _cancel_request(self, notification: Notification) -> None:
        identity = parse(CancelRequest, notification.params).requestId
        if self.tasks.cancel(identity) or self.gate.cancel(identity):
            return
        for session in list(self.sessions.values()):
            session.driver.post(RequestCancelled(identity))
