"""The ACP v1 agent: its methods, each a line in a table."""

from __future__ import annotations

from adapter.shared.agent_base import AgentBase
from adapter.shared.config_options.settings import SessionConfig
from adapter.shared.conversation import Conversation
from adapter.shared.inputs import CloseRequested
from adapter.shared.jsonrpc.messages import Json, Request
from adapter.shared.opening import Connection, OpenSession
from adapter.shared.updates import Command
from adapter.shared.wire.common import OfSession, parse
from adapter.shared.wire.v1 import NewSession, Prompt, SetConfigOption, SetMode
from adapter.v1.encode import V1Encoder, config_option, mode_list
from adapter.v1.session import V1Session


class V1Agent(AgentBase):
    """Serves ACP v1 on one connection."""

    mcp_types = ("stdio", "http", "sse")

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection, _encoder(connection))
        self.requests |= {
            "session/new": self._new,
            "session/prompt": self._prompt,
            "session/set_mode": self._set_mode,
            "session/set_config_option": self._set_config_option,
            "session/close": self._close,
            "authenticate": self.accounts.login,
            "logout": self.accounts.logout,
        }

    def make_core(self, conversation: Conversation, config: SessionConfig, commands: tuple[Command, ...]) -> V1Session:
        """A v1 session."""
        return V1Session(conversation, config, commands)

    def session_result(self, session_id: str, session: OpenSession) -> Json:
        """`NewSessionResponse`; the commands follow in an update."""
        return {
            "sessionId": session_id,
            "modes": {"currentModeId": session.config.mode, "availableModes": mode_list(session.config.modes())},
            "configOptions": [config_option(option) for option in session.config.options()],
        }

    def _new(self, request: Request) -> None:
        self.new_session(request, parse(NewSession, request.params).model_dump(by_alias=True))

    def _prompt(self, request: Request) -> None:
        params = parse(Prompt, request.params)
        self.prompt(request, params.sessionId, [block.model_dump(exclude_none=True) for block in params.prompt])

    def _set_mode(self, request: Request) -> None:
        params = parse(SetMode, request.params)
        self.configure(request, params.sessionId, "mode", params.modeId, as_mode=True)

    def _set_config_option(self, request: Request) -> None:
        params = parse(SetConfigOption, request.params)
        self.configure(request, params.sessionId, params.configId, params.value, as_mode=False)

    def _close(self, request: Request) -> None:
        self.post(parse(OfSession, request.params).sessionId, CloseRequested(request.id))


def _encoder(connection: Connection) -> V1Encoder:
    if connection.capabilities.air is None:
        return V1Encoder(connection.capabilities, connection.sources.now)
    from adapter.v1.extensions.tool_calls import AirEncoder  # noqa: PLC0415 - loaded for AIR only.

    return AirEncoder(connection.capabilities, connection.sources.now)
