"""MCP servers that the client provides: what goes to them, what comes back."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.effects import AnswerControl, AskServer, RefuseControl, SendControl, WithdrawQuestion
from adapter.shared.inputs import ClientAnswered, CloseRequested, ServersProvided, ServerTold
from adapter.shared.mcp.client_servers import ClientServers
from adapter.shared.v2.session import V2Session
from support.machine import bridge_core, dies, handle, native_core, of, withdraws

Json = dict[str, Any]

KEY = "mcp-message r1"
REPLY = {"jsonrpc": "2.0", "id": 7}


def message(method: str = "tools/call", *, server: str = "tools", key: str = "r1", **fields: Any) -> Json:
    """Claude Code has a message for a server of its host."""
    inner = {"jsonrpc": "2.0", "method": method, "id": 7, **fields}
    request = {"subtype": "mcp_message", "server_name": server, "message": inner}
    return {"type": "control_request", "request_id": key, "request": request}


def notice(method: str, **params: Any) -> Json:
    """The same without an answer."""
    frame = message(method, key="r2", params=params)
    del frame["request"]["message"]["id"]
    return frame


@pytest.fixture(params=[bridge_core, native_core])
def core(request: pytest.FixtureRequest) -> V2Session:
    """A session whose client provides one server."""
    core: V2Session = request.param()
    core.parts.add(ClientServers({"tools": "s-1"}))
    return core


def replied(core: V2Session, answer: ClientAnswered) -> Json:
    [reply] = of(handle(core, answer), AnswerControl)
    assert reply.request_id == "r1"
    inner: Json = reply.response["mcp_response"]
    return inner


def test_a_request_goes_to_the_client_under_the_servers_id(core: V2Session) -> None:
    assert handle(core, message(params={"name": "x"})) == [AskServer(KEY, "s-1", "r1", "tools/call", {"name": "x"})]
    assert handle(core, message("tools/list", key="r3")) == [AskServer("mcp-message r3", "s-1", "r3", "tools/list")]


@pytest.mark.parametrize(
    "outcome", [{"result": {"content": []}}, {"result": None}, {"error": {"code": 1, "message": "x"}}]
)
def test_the_inner_outcome_comes_back_as_it_is(core: V2Session, outcome: Json) -> None:
    handle(core, message())
    assert replied(core, ClientAnswered(KEY, {**outcome, "_meta": {}})) == {**REPLY, **outcome}


def test_an_error_of_the_connection_is_one_of_the_server(core: V2Session) -> None:
    handle(core, message())
    error = {"code": -32603, "message": "gone"}
    assert replied(core, ClientAnswered(KEY, None, {**error, "data": 1})) == {**REPLY, "error": error}


def test_an_answer_without_an_outcome_is_an_error(core: V2Session) -> None:
    handle(core, message())
    assert replied(core, ClientAnswered(KEY, []))["error"]["code"] == -32603


@pytest.mark.parametrize(
    "unknown",
    [
        ClientAnswered(KEY, None, {"code": -32601, "message": "unknown"}),
        ClientAnswered(KEY, {"error": {"code": -32601, "message": "unknown"}}),
    ],
)
def test_a_server_without_a_handshake_gets_on_with_claude_code(core: V2Session, unknown: ClientAnswered) -> None:
    handle(core, message("initialize", params={"protocolVersion": "2025-11-25"}))
    result = replied(core, unknown)["result"]
    assert (result["protocolVersion"], result["capabilities"]) == ("2025-11-25", {"tools": {}})


def test_a_handshake_that_fails_otherwise_fails(core: V2Session) -> None:
    handle(core, message("initialize"))
    assert "error" in replied(core, ClientAnswered(KEY, {"error": {"code": -32000, "message": "no"}}))


def test_notifications_of_claude_code_stay_here(core: V2Session) -> None:
    [reply] = handle(core, notice("notifications/initialized"))
    assert reply == AnswerControl("r2", {"mcp_response": {"jsonrpc": "2.0", "result": {}}})


def test_a_request_that_claude_code_gives_up_is_withdrawn(core: V2Session) -> None:
    handle(core, message())
    effects = handle(core, notice("notifications/cancelled", requestId=7))
    assert effects[0] == WithdrawQuestion(KEY)
    assert [reply.request_id for reply in of(effects, AnswerControl)] == ["r1", "r2"]
    assert handle(core, ClientAnswered(KEY, {"result": {}})) == []


def test_one_whose_control_request_is_cancelled_is_withdrawn_without_an_answer(core: V2Session) -> None:
    handle(core, message())
    assert handle(core, withdraws("r1")) == [WithdrawQuestion(KEY)]


@pytest.mark.parametrize("end", [dies(), CloseRequested(9)])
def test_the_end_withdraws_what_is_open(core: V2Session, end: Any) -> None:
    handle(core, message())
    assert WithdrawQuestion(KEY) in handle(core, end)


def test_a_server_that_nobody_provides_is_refused(core: V2Session) -> None:
    assert of(handle(core, message(server="other")), RefuseControl) != []
    handle(core, ServersProvided({"other": "s-2"}))
    assert of(handle(core, message(server="other", key="r4")), AskServer)[0].server_id == "s-2"
    assert of(handle(core, message(key="r5")), RefuseControl) != []


def test_word_about_an_open_request_reaches_claude_code(core: V2Session) -> None:
    handle(core, message())
    [told] = handle(core, ServerTold("s-1", "r1", "notifications/progress", {"progress": 1}))
    inner = {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progress": 1}}
    assert told == SendControl("mcp-told", {"subtype": "mcp_message", "server_name": "tools", "message": inner})


@pytest.mark.parametrize("word", [ServerTold("s-2", "r1", "x"), ServerTold("s-1", "r9", "x")])
def test_word_about_anything_else_does_not(core: V2Session, word: ServerTold) -> None:
    handle(core, message())
    assert handle(core, word) == []
