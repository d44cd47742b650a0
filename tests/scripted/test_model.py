from __future__ import annotations

import http.client
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from adapter.scripted import ScriptedModel, ScriptError

if TYPE_CHECKING:
    from collections.abc import Iterator

RESULT = {"type": "x_tool_result", "tool_use_id": "s", "content": []}
SCRIPTS: dict[str, Any] = {
    "talk": [
        {"blocks": [{"thinking": "hm"}, {"text": "two words"}], "usage": {"input_tokens": 5}, "output_tokens": 9},
        {"blocks": [{"text": "cut"}], "stop": "max_tokens"},
    ],
    "tool": [{"blocks": [{"text": "now"}, {"tool": "Bash", "input": {"command": "echo 0123456789 0123456789"}}]}],
    "given": [
        {
            "blocks": [
                {"given": {"type": "server_tool_use", "id": "s", "name": "x", "input": {"a": 1}}},
                {"given": RESULT},
            ]
        }
    ],
    "busy": [
        {"error": {"type": "overloaded_error", "message": "Overloaded"}, "status": 529},
        {"error": {"type": "api_error"}},
    ],
    "late": [{"blocks": [{"text": "late"}], "delay": 0.2}],
    "slow": [{"blocks": [{"text": "one two three"}], "chunk_delay": 0.1}],
    "endless": [{"blocks": [{"text": "one two"}], "chunk_delay": 600}, {"blocks": [{"text": "never"}], "delay": 600}],
}


class Reply(NamedTuple):
    status: int
    body: Any


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel(SCRIPTS) as running:
        yield running


def connect(model: ScriptedModel) -> http.client.HTTPConnection:
    return http.client.HTTPConnection("127.0.0.1", model.port, timeout=10)


def body_for(name: str, *, step: int = 0, stream: bool = False) -> dict[str, Any]:
    messages = [{"role": "user", "content": f"[[{name}]]"}, *[{"role": "assistant", "content": "x"}] * step]
    return {"model": "claude-test", "stream": stream, "tools": [{}], "messages": messages}


def call(model: ScriptedModel, method: str, path: str, body: bytes | None = None) -> Reply:
    with closing(connect(model)) as connection:
        connection.request(method, path, body)
        response = connection.getresponse()
        raw = response.read()
        return Reply(response.status, json.loads(raw) if raw else None)


def post(model: ScriptedModel, body: dict[str, Any], path: str = "/v1/messages?beta=true") -> Reply:
    return call(model, "POST", path, json.dumps(body).encode())


def stream(model: ScriptedModel, body: dict[str, Any]) -> list[dict[str, Any]]:
    with closing(connect(model)) as connection:
        connection.request("POST", "/v1/messages", json.dumps({**body, "stream": True}))
        response = connection.getresponse()
        assert response.headers["content-type"] == "text/event-stream"
        events = response.read().decode().removesuffix("\n\n").split("\n\n")
    found = []
    for event in events:
        name, data = event.split("\n")
        found.append(json.loads(data.removeprefix("data: ")))
        assert name == f"event: {found[-1]['type']}"
    return found


def test_answers_a_whole_message(model: ScriptedModel) -> None:
    assert post(model, body_for("talk")) == (
        200,
        {
            "id": "msg_talk_0",
            "type": "message",
            "role": "assistant",
            "model": "claude-test",
            "content": [
                {"type": "thinking", "thinking": "hm", "signature": "c2ln"},
                {"type": "text", "text": "two words"},
            ],
            "stop_reason": "end_turn",
            "stop_sequence": None,
            "usage": {
                "input_tokens": 5,
                "cache_creation_input_tokens": 0,
                "cache_read_input_tokens": 0,
                "output_tokens": 9,
            },
        },
    )


def test_streams_thinking_and_words(model: ScriptedModel) -> None:
    events = stream(model, body_for("talk"))
    start = events[0]["message"]
    assert (start["id"], start["content"], start["stop_reason"]) == ("msg_talk_0", [], None)
    assert (start["usage"]["input_tokens"], start["usage"]["output_tokens"]) == (5, 1)
    assert [event.get("content_block") or event.get("delta") for event in events[1:-2]] == [
        {"type": "thinking", "thinking": "", "signature": ""},
        {"type": "thinking_delta", "thinking": "hm"},
        {"type": "signature_delta", "signature": "c2ln"},
        None,
        {"type": "text", "text": ""},
        {"type": "text_delta", "text": "two "},
        {"type": "text_delta", "text": "words"},
        None,
    ]
    assert [event["index"] for event in events[1:-2]] == [0] * 4 + [1] * 4
    assert events[-2]["delta"] == {"stop_reason": "end_turn", "stop_sequence": None}
    assert events[-2]["usage"] == {"output_tokens": 9}
    assert events[-1] == {"type": "message_stop"}


def test_gives_blocks_as_they_are_and_streams_their_input(model: ScriptedModel) -> None:
    events = [event for event in stream(model, body_for("given")) if "index" in event]
    assert [event.get("content_block") or event.get("delta") for event in events] == [
        {"type": "server_tool_use", "id": "s", "name": "x", "input": {}},
        {"type": "input_json_delta", "partial_json": '{"a": 1}'},
        None,
        RESULT,
        None,
    ]


def test_streams_a_tool_call_in_pieces(model: ScriptedModel) -> None:
    events = [event for event in stream(model, body_for("tool")) if event.get("index") == 1]
    assert events[0]["content_block"] == {"type": "tool_use", "id": "toolu_tool_0_1", "name": "Bash", "input": {}}
    pieces = [event["delta"]["partial_json"] for event in events[1:-1]]
    assert json.loads("".join(pieces)) == {"command": "echo 0123456789 0123456789"}
    assert [len(piece) for piece in pieces] == [24, 17]


def test_a_tool_call_stops_the_message_for_its_result(model: ScriptedModel) -> None:
    answer = post(model, body_for("tool")).body
    assert answer["stop_reason"] == "tool_use"
    assert answer["content"][1]["id"] == "toolu_tool_0_1"


def test_a_step_may_name_its_stop_reason(model: ScriptedModel) -> None:
    assert post(model, body_for("talk", step=1)).body["stop_reason"] == "max_tokens"


@pytest.mark.parametrize("streams", [True, False])
def test_answers_errors(model: ScriptedModel, streams: bool) -> None:
    busy = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    assert post(model, body_for("busy", stream=streams)) == (529, busy)
    assert post(model, body_for("busy", step=1, stream=streams)) == (
        500,
        {"type": "error", "error": {"type": "api_error"}},
    )


def test_answers_the_other_requests_of_claude_code(model: ScriptedModel) -> None:
    assert post(model, body_for("talk"), "/v1/messages/count_tokens?beta=true") == (200, {"input_tokens": 1234})
    assert post(model, {"events": []}, "/api/event_logging") == (200, {})
    assert call(model, "GET", "/v1/models") == (200, {"data": [], "has_more": False})
    assert call(model, "HEAD", "/") == (200, None)


def test_a_body_that_is_not_json_is_a_bad_request(model: ScriptedModel) -> None:
    status, answer = call(model, "POST", "/v1/messages", b"{")
    assert (status, answer["error"]["type"]) == (400, "invalid_request_error")
    assert model.requests == []


def test_one_connection_serves_many_requests(model: ScriptedModel) -> None:
    with closing(connect(model)) as connection:
        for step in range(3):
            connection.request("POST", "/v1/messages", json.dumps(body_for("talk", step=step)))
            assert json.loads(connection.getresponse().read())["id"] == f"msg_talk_{step}"


def test_keeps_what_was_asked_after_the_end() -> None:
    with ScriptedModel(SCRIPTS) as model:
        post(model, body_for("talk"))
        post(model, {"n": 1}, "/v1/messages/count_tokens")
    assert model.requests == [("/v1/messages?beta=true", body_for("talk")), ("/v1/messages/count_tokens", {"n": 1})]


def test_serves_requests_at_the_same_time(model: ScriptedModel) -> None:
    with ThreadPoolExecutor(8) as pool:
        began = time.monotonic()
        answers = list(pool.map(lambda _: post(model, body_for("late")).body["id"], range(8)))
        duration = time.monotonic() - began
    assert answers == ["msg_late_0"] * 8
    assert len(model.requests) == 8
    assert 0.2 <= duration < 8 * 0.2


def test_waits_between_words(model: ScriptedModel) -> None:
    began = time.monotonic()
    stream(model, body_for("slow"))
    assert time.monotonic() - began >= 0.3


def test_serves_loopback_only(model: ScriptedModel) -> None:
    assert model._running.socket.getsockname() == ("127.0.0.1", model.port)


@pytest.mark.parametrize("step", [0, 1])
def test_stops_within_a_second_in_the_middle_of_an_answer(step: int) -> None:
    before = threading.active_count()
    with closing(http.client.HTTPConnection("127.0.0.1", timeout=10)) as connection:
        with ScriptedModel(SCRIPTS) as model:
            connection.port = model.port
            connection.request("POST", "/v1/messages", json.dumps(body_for("endless", step=step, stream=True)))
            if step == 0:
                assert connection.getresponse().readline() == b"event: message_start\n"
            began = time.monotonic()
        assert time.monotonic() - began < 1
    assert threading.active_count() == before


def test_a_client_that_hangs_up_is_no_error(capfd: pytest.CaptureFixture[str]) -> None:
    script = {"a": [{"blocks": [{"text": "word " * 20_000}]}]}
    with ScriptedModel(script) as model, closing(connect(model)) as connection:
        connection.request("POST", "/v1/messages", json.dumps(body_for("a", stream=True)))
        connection.getresponse().readline()
    assert capfd.readouterr().err == ""


def test_refuses_a_bad_script_before_it_serves() -> None:
    with pytest.raises(ScriptError, match="script 'a', step 0"):
        ScriptedModel({"a": [{}]})


def test_has_no_port_before_it_serves() -> None:
    with pytest.raises(RuntimeError, match="with block"):
        _ = ScriptedModel({}).port
