"""The ACP v2 agent of either core: its methods, each a line in a table."""

from __future__ import annotations

from typing import Any

from adapter.shared.agent_base import AgentBase
from adapter.shared.claude.options import SessionSpec
from adapter.shared.client_capabilities import steers
from adapter.shared.inputs import ServerTold
from adapter.shared.jsonrpc.errors import invalid_field, invalid_params
from adapter.shared.jsonrpc.messages import Json, Notification, Request
from adapter.shared.opening import Connection, OpenSession
from adapter.shared.session_methods import SessionMethods
from adapter.shared.v2.encode import V2Encoder, available_command, config_option
from adapter.shared.wire.common import BLOCKS, OpensKnown, parse
from adapter.shared.wire.v2 import (
    CancelTerminal,
    CancelToolCall,
    NewSession,
    Prompt,
    ResumeSession,
    ServerMessage,
    SetConfigOption,
)
from adapter.shared.workspace import same_folders

VALUE_TYPES = {"id": str, "boolean": bool}


class V2Agent(AgentBase):
    """Serves draft ACP v2 on one connection; a core says how its sessions are made."""

    mcp_types = ("stdio", "http", "acp")

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection, V2Encoder(connection.sources.now))
        self._methods = SessionMethods(self, connection.environment, connection.relieved)
        self.requests |= {
            "session/new": self._new,
            "session/resume": self._resume,
            "session/fork": self._fork,
            "session/prompt": self._prompt,
            "session/set_config_option": self._set_config_option,
            "auth/login": self.accounts.login,
            "auth/logout": self.accounts.logout,
            "auth/status": self.accounts.status,
            **self._methods.requests,
        }

        self.serve_in_session("terminal/cancel", CancelTerminal)
        self.serve_in_session("tool_call/cancel", CancelToolCall)
        self.notifications["mcp/message"] = self._server_told

    def session_result(self, session_id: str, session: OpenSession) -> Json:
        """`NewSessionResponse`."""
        return {
            "sessionId": session_id,
            "configOptions": [config_option(option) for option in session.config.options()],
            "availableCommands": [available_command(command) for command in session.core.commands()],
        }

    def stays_open(self, session: OpenSession, spec: SessionSpec) -> bool:
        """An open session keeps its place and its work, with other MCP servers too."""
        if not same_folders((spec.cwd,), (session.spec.cwd,)):
            raise invalid_field("cwd", f"the session is open in {session.spec.cwd}")
        if not same_folders(spec.additional_directories, session.spec.additional_directories):
            raise invalid_field("additionalDirectories", "the session is open with other directories")
        return True

    def _new(self, request: Request) -> None:
        self.new_session(request, parse(NewSession, request.params).model_dump(by_alias=True))

    def _prompt(self, request: Request) -> None:
        _check_types(request.params)
        params = parse(Prompt, request.params)
        blocks = [block.model_dump(exclude_none=True) for block in params.prompt]
        self.prompt(request, params.sessionId, blocks, steers=steers(request.params))

    def _set_config_option(self, request: Request) -> None:
        params = parse(SetConfigOption, request.params)
        expected = VALUE_TYPES.get(params.type)
        if expected is None or not isinstance(params.value, expected):
            message = "`type` is id with a string value, or boolean with a boolean value"
            raise invalid_field("type", message)
        self.configure(request, params.sessionId, params.configId, params.value, as_mode=False)

    def _resume(self, request: Request) -> None:
        params = parse(ResumeSession, request.params)
        # Servers that are left out are none, and not those of an earlier request.
        named = {"mcpServers": params.mcpServers or []}
        fields = {**params.model_dump(by_alias=True), **named}
        self._methods.load(request, fields, replay=params.replayFrom is not None)

    def _server_told(self, notification: Notification) -> None:
        told = parse(ServerMessage, notification.params)
        word = ServerTold(told.serverId, told.requestId, told.method, told.params)
        for session in list(self.sessions.values()):
            if told.serverId in session.spec.client_servers.values():
                session.driver.post(word)

    def _fork(self, request: Request) -> None:
        self._methods.fork(request, parse(OpensKnown, request.params).model_dump(by_alias=True))


def _check_types(params: Any) -> None:
    """The draft leaves the types of content open: a block of another type is not malformed, but nothing takes it."""
    blocks = params.get("prompt") if isinstance(params, dict) else None
    for block in blocks if isinstance(blocks, list) else []:
        kind = block.get("type") if isinstance(block, dict) else None
        if isinstance(kind, str) and kind not in BLOCKS:
            raise invalid_params(f"Content blocks of type {kind} are not supported", {"type": kind})
