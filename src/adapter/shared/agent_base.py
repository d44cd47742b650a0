"""What every protocol version's agent does in the same way: dispatch, sessions, shut down.

An agent registers its methods in one table; a method's handler answers its request, now or later.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial

import anyio

from adapter.shared.auth_status import auth_status
from adapter.shared.claude.content import claude_content, prompt_text, unsent_attachments
from adapter.shared.claude.options import SessionSpec
from adapter.shared.config_options.settings import SessionConfig
from adapter.shared.conversation import Conversation
from adapter.shared.core import Encoder, SessionCore
from adapter.shared.driver import SessionDriver
from adapter.shared.inputs import (
    CancelReceived,
    ConfigRequested,
    Input,
    MethodCalled,
    PromptReceived,
    RequestCancelled,
)
from adapter.shared.jsonrpc.errors import ClientMistake, method_not_found, unknown_session
from adapter.shared.jsonrpc.messages import Json, Notification, Request
from adapter.shared.launch import Started
from adapter.shared.opening import Connection, OpenSession, SessionOpener
from adapter.shared.request_tasks import RequestTasks
from adapter.shared.updates import Command
from adapter.shared.wire.common import OfSession, parse
from adapter.shared.wire.v1 import CancelRequest

log = logging.getLogger(__name__)


class AgentBase(ABC):
    """The agent of one connection, after `initialize`.

    Args:
        connection: See there.
        encoder: The protocol version's encoder.
    """

    def __init__(self, connection: Connection, encoder: Encoder) -> None:
        self.peer = connection.peer
        self._connection = connection
        self._opener = SessionOpener(connection, encoder, self.make_core)
        self._sessions: dict[str, OpenSession] = {}
        self._leaving: list[SessionDriver] = []
        self.tasks = RequestTasks(connection.peer)
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
    def session_result(self, session_id: str, session: OpenSession) -> Json:
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
        self.tasks.cancel_all()
        async with anyio.create_task_group() as group:
            for session in list(self._sessions.values()):
                group.start_soon(session.driver.shut_down)
            for driver in self._leaving:
                group.start_soon(driver.ended)
            group.start_soon(self.tasks.ended)

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
        unsent = unsent_attachments(blocks)
        driver.post(PromptReceived(request.id, uuid, content, tuple(blocks), prompt_text(blocks), unsent))

    def configure(self, request: Request, session_id: str, option: str, value: str | bool, *, as_mode: bool) -> None:
        """Hand a change of configuration to a session."""
        text = value if isinstance(value, str) else "on" if value else "off"
        self.post(session_id, ConfigRequested(request.id, option, text, as_mode))

    def new_session(self, request: Request, params: Json) -> None:
        """Start a session and answer with what the version says of it.

        Raises:
            ClientMistake: The folder or a server is not usable.
        """
        self.tasks.run(request, partial(self._new_session, request, self._opener.spec(params, self.mcp_types)))

    def serve_in_session(self, method: str, model: type[OfSession]) -> None:
        """Let the session that `sessionId` names serve a method, with its parameters checked by `model`."""

        def serve(request: Request) -> None:
            params = parse(model, request.params)
            self.post(params.sessionId, MethodCalled(request.id, method, params.model_dump()))

        self.requests[method] = serve

    async def _new_session(self, request: Request, spec: SessionSpec) -> None:
        session = await self._opener.open(spec, on_ended=partial(self._forget, spec.session_id))
        self._sessions[spec.session_id] = session
        self._tell_auth(session.started)
        self.peer.respond(request.id, self.session_result(spec.session_id, session))
        session.begin()

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
        if self.tasks.cancel(identity):
            return
        for session in list(self._sessions.values()):
            session.driver.post(RequestCancelled(identity))
