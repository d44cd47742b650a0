"""MCP servers that the client provides itself: Claude Code's messages to them go over the connection, and back.

Claude Code knows such a server as one of its host and sends `mcp_message` requests with whole JSON-RPC messages. ACP's
`mcp/message` carries one inner request; what of MCP has no place there is dealt with here: the handshake, if the
server knows none, and the notifications of Claude Code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from adapter.shared.claude.frames import Frame, note_unknown
from adapter.shared.effects import AnswerControl, AskServer, Effects, RefuseControl, SendControl, WithdrawQuestion
from adapter.shared.inputs import ClientAnswered, ServersProvided, ServerTold
from adapter.shared.jsonrpc.errors import INTERNAL_ERROR, METHOD_NOT_FOUND
from adapter.shared.session_part import SessionPart
from adapter.shared.tools.facts import Json
from adapter.shared.tools.text import string

KEY = "mcp-message"
TOLD = "mcp-told"
SUBTYPE = "mcp_message"
HANDSHAKE = "initialize"
CANCELLED = "notifications/cancelled"
DONE: Json = {"mcp_response": {"jsonrpc": "2.0", "result": {}}}


@dataclass(frozen=True, slots=True)
class Asked:
    """A request of Claude Code's at a server of the client's.

    Attributes:
        request_id: The control request that it came with; the client knows it by the same id.
        name: Claude Code's name of the server.
        server_id: The client's id of it.
        message: The JSON-RPC request.
    """

    request_id: str
    name: str
    server_id: str
    message: Json


class ClientServers(SessionPart):
    """The servers of one session.

    Args:
        servers: The client's ids of them, by name.
    """

    def __init__(self, servers: Mapping[str, str]) -> None:
        self._servers = dict(servers)
        self._open: dict[str, Asked] = {}
        self.controls = {SUBTYPE: self._message}
        self.frames = {"control_cancel_request": self._not_needed}
        self.client_answers = {KEY: self._answered}
        inputs: dict[type, Callable[[Any], Effects]] = {ServersProvided: self._provided, ServerTold: self._told}
        self.inputs = inputs

    def process_gone(self) -> Effects:
        """Nobody waits for the answers any more."""
        return self._withdraw_all()

    def session_over(self) -> Effects:
        """The same."""
        return self._withdraw_all()

    def _message(self, request_id: str, request: Json) -> Effects:
        name, message = string(request.get("server_name")), request.get("message")
        server_id = self._servers.get(name)
        if server_id is None or not isinstance(message, dict) or not string(message.get("method")):
            return [RefuseControl(request_id, f"the client provides no MCP server named {name}")]
        if "id" not in message:
            cancelled = self._cancelled(name, message) if message["method"] == CANCELLED else []
            return [*cancelled, AnswerControl(request_id, DONE)]
        asked = Asked(request_id, name, server_id, message)
        self._open[request_id] = asked
        params = message.get("params")
        return [_question(asked, params if isinstance(params, dict) else None)]

    def _cancelled(self, name: str, message: Json) -> Effects:
        """Claude Code does without the answer to a request; the control request that it came with still gets one."""
        params = message.get("params")
        inner = params.get("requestId") if isinstance(params, dict) else None
        moot = [one for one in self._open.values() if one.name == name and one.message["id"] == inner]
        return [effect for one in moot for effect in self._end(one, _error(INTERNAL_ERROR, "cancelled"))]

    def _end(self, asked: Asked, outcome: Json) -> Effects:
        del self._open[asked.request_id]
        return [WithdrawQuestion(_key(asked)), _reply(asked, outcome)]

    def _not_needed(self, frame: Frame) -> Effects:
        asked = self._open.pop(string(frame.get("request_id")), None)
        return [] if asked is None else [WithdrawQuestion(_key(asked))]

    def _answered(self, event: ClientAnswered) -> Effects:
        asked = self._open.pop(event.key.removeprefix(f"{KEY} "), None)
        if asked is None:
            return []
        outcome = _outcome(event)
        if asked.message["method"] == HANDSHAKE and outcome.get("error", {}).get("code") == METHOD_NOT_FOUND:
            outcome = {"result": _greeting(asked)}
        return [_reply(asked, outcome)]

    def _provided(self, event: ServersProvided) -> Effects:
        self._servers = dict(event.servers)
        return []

    def _told(self, event: ServerTold) -> Effects:
        """A notification belongs to a request that is open; Claude Code is told in the name of the server."""
        asked = self._open.get(event.request_id)
        if asked is None or asked.server_id != event.server_id:
            note_unknown("word of an MCP server of the client", f"{event.method} for {event.request_id}")
            return []
        params = {} if event.params is None else {"params": event.params}
        message = {"jsonrpc": "2.0", "method": event.method, **params}
        return [SendControl(TOLD, {"subtype": SUBTYPE, "server_name": asked.name, "message": message})]

    def _withdraw_all(self) -> Effects:
        withdrawn: Effects = [WithdrawQuestion(_key(asked)) for asked in self._open.values()]
        self._open.clear()
        return withdrawn


def _key(asked: Asked) -> str:
    return f"{KEY} {asked.request_id}"


def _question(asked: Asked, params: Json | None) -> AskServer:
    return AskServer(_key(asked), asked.server_id, asked.request_id, string(asked.message["method"]), params)


def _reply(asked: Asked, outcome: Json) -> AnswerControl:
    reply = {"jsonrpc": "2.0", "id": asked.message["id"], **outcome}
    return AnswerControl(asked.request_id, {"mcp_response": reply})


def _outcome(event: ClientAnswered) -> Json:
    """The inner outcome; an error of the connection itself becomes an inner one, as Claude Code knows no other."""
    if event.error is not None:
        return _error(event.error.get("code", INTERNAL_ERROR), string(event.error.get("message")))
    carried = event.result if isinstance(event.result, dict) else {}
    if "result" in carried:
        return {"result": carried["result"]}
    if isinstance(carried.get("error"), dict):
        return {"error": carried["error"]}
    return _error(INTERNAL_ERROR, "the client's answer has neither a result nor an error")


def _error(code: int, message: str) -> Json:
    return {"error": {"code": code, "message": message}}


def _greeting(asked: Asked) -> Json:
    """What a server says at a handshake, for one that has none: MCP has done without since its 2026-07-28 version."""
    params = asked.message.get("params")
    version = params.get("protocolVersion") if isinstance(params, dict) else None
    about = {"name": asked.name, "version": "1"}
    return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": about}
