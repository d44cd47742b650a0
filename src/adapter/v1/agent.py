"""The ACP v1 agent: its methods, each a line in a table."""

from __future__ import annotations

from adapter.shared.agent_base import AgentBase
from adapter.shared.client_capabilities import sent_report_id
from adapter.shared.config_options.settings import SessionConfig
from adapter.shared.conversation import Conversation
from adapter.shared.jsonrpc.errors import invalid_params
from adapter.shared.jsonrpc.messages import Json, Request
from adapter.shared.opening import Connection, OpenSession
from adapter.shared.session_methods import SessionMethods
from adapter.shared.updates import Command
from adapter.shared.wire.common import OpensKnown, parse
from adapter.shared.wire.v1 import Goal, LoadSession, NewSession, Prompt, SetConfigOption, SetMode, Steer
from adapter.v1.air import air_encoder, air_extension, air_methods
from adapter.v1.encode import V1Encoder
from adapter.v1.session import V1Session


class V1Agent(AgentBase):
    """Serves ACP v1 on one connection."""

    mcp_types = ("stdio", "http", "sse")

    def __init__(self, connection: Connection) -> None:
        self._encoder = _encoder(connection)
        super().__init__(connection, self._encoder, air_extension(connection.capabilities))
        self._methods = SessionMethods(self, connection.environment, connection.relieved)
        self.requests |= {
            "session/new": self._new,
            "session/load": self._load,
            "session/resume": self._resume,
            "session/fork": self._fork,
            "session/prompt": self._prompt,
            "session/set_mode": self._set_mode,
            "session/set_config_option": self._set_config_option,
            "_session/steering": self._steer,
            "_session/goal": self._goal,
            "authenticate": self.accounts.login,
            "logout": self.accounts.logout,
            **self._methods.requests,
        }
        for method, model in air_methods(connection.capabilities).items():
            self.serve_in_session(method, model)

    def make_core(self, conversation: Conversation, config: SessionConfig, commands: tuple[Command, ...]) -> V1Session:
        """A v1 session."""
        return V1Session(conversation, config, commands)

    def session_result(self, session_id: str, session: OpenSession) -> Json:
        """`NewSessionResponse`; the commands follow in an update."""
        return {
            "sessionId": session_id,
            "modes": {
                "currentModeId": session.config.mode,
                "availableModes": self._encoder.mode_list(session.config.modes()),
            },
            **self._encoder.config_result(session.config.options()),
        }

    def _new(self, request: Request) -> None:
        self.new_session(request, parse(NewSession, request.params).model_dump(by_alias=True))

    def _prompt(self, request: Request) -> None:
        params = parse(Prompt, request.params)
        blocks = [block.model_dump(exclude_none=True) for block in params.prompt]
        self.prompt(request, params.sessionId, blocks, report_id=sent_report_id(request.params))

    def _steer(self, request: Request) -> None:
        params = parse(Steer, request.params)
        if not params.prompt:
            raise invalid_params("steer params require a non-empty prompt array")
        self.steer(request, params.sessionId, [block.model_dump(exclude_none=True) for block in params.prompt])

    def _goal(self, request: Request) -> None:
        params = parse(Goal, request.params)
        if params.action not in ("set", "clear"):
            raise invalid_params('goal action must be "set" or "clear"')
        if params.action == "set" and not params.objective.strip():
            raise invalid_params('goal action "set" requires a non-empty objective')
        command = f"/goal {params.objective.strip()}" if params.action == "set" else "/goal clear"
        self.steer(request, params.sessionId, [{"type": "text", "text": command}], goal=True)

    def _set_mode(self, request: Request) -> None:
        params = parse(SetMode, request.params)
        self.configure(request, params.sessionId, "mode", params.modeId, as_mode=True)

    def _set_config_option(self, request: Request) -> None:
        params = parse(SetConfigOption, request.params)
        self.configure(request, params.sessionId, params.configId, params.value, as_mode=False)

    def _load(self, request: Request) -> None:
        self._methods.load(request, parse(LoadSession, request.params).model_dump(by_alias=True), replay=True)

    def _resume(self, request: Request) -> None:
        self._methods.load(request, parse(OpensKnown, request.params).model_dump(by_alias=True), replay=False)

    def _fork(self, request: Request) -> None:
        self._methods.fork(request, parse(OpensKnown, request.params).model_dump(by_alias=True))


def _encoder(connection: Connection) -> V1Encoder:
    made_with = connection.capabilities, connection.sources.now
    return air_encoder(*made_with) or V1Encoder(*made_with)
