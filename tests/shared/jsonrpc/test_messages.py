"""Messages are told apart as JSON-RPC 2.0 defines them, and written as one line of valid UTF-8."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from adapter.shared.jsonrpc.errors import ClientMistake, error_object
from adapter.shared.jsonrpc.framing import MAX_LINE_BYTES
from adapter.shared.jsonrpc.messages import (
    Malformed,
    Notification,
    Request,
    Response,
    classify,
    decode,
    encode,
    error_message,
    notification_message,
    request_message,
    result_message,
    without_surrogates,
)

WHOLE = {"jsonrpc": "2.0"}


def refusal(value: Any) -> tuple[Any, int, str]:
    """The id, the code and the text of the error that answers a malformed value."""
    message = classify(value)
    assert isinstance(message, Malformed)
    error = error_object(message.error)
    return message.id, error["code"], error["message"]


@pytest.mark.parametrize("identity", [0, 7, -1, "a", "", None])
def test_a_call_with_an_id_is_a_request(identity: Any) -> None:
    call = {"params": [1], "id": identity, "method": "x", **WHOLE}
    assert classify(call) == Request(identity, "x", [1])


def test_a_call_without_an_id_is_a_notification() -> None:
    assert classify({**WHOLE, "method": "x", "params": {"a": 1}}) == Notification("x", {"a": 1})


def test_params_may_be_absent() -> None:
    assert classify({**WHOLE, "id": 1, "method": "x"}) == Request(1, "x", None)
    assert classify({**WHOLE, "method": "x"}) == Notification("x", None)


def test_an_answer_is_a_response_with_its_result_or_its_error() -> None:
    assert classify({**WHOLE, "id": 1, "result": None}) == Response(1, None, None)
    assert classify({**WHOLE, "id": "b", "error": {"code": 1}}) == Response("b", None, {"code": 1})


@pytest.mark.parametrize("value", [[], None, 1, "text", True, [{}]])
def test_a_value_that_is_no_object_is_refused(value: Any) -> None:
    assert refusal(value) == (None, -32600, "Invalid request: a message is a JSON object")


@pytest.mark.parametrize("identity", [1.5, True, False, [], {}])
def test_an_id_of_another_type_is_refused_with_no_id(identity: Any) -> None:
    expected = (None, -32600, "Invalid request: `id` must be a string, an integer or null")
    assert refusal({**WHOLE, "id": identity, "method": "x"}) == expected


@pytest.mark.parametrize("version", [{"jsonrpc": "1.0"}, {"jsonrpc": 2.0}, {"jsonrpc": None}, {}])
def test_another_version_of_jsonrpc_is_refused_with_the_id(version: Any) -> None:
    expected = (3, -32600, 'Invalid request: `jsonrpc` must be "2.0"')
    assert refusal({**version, "id": 3, "method": "x"}) == expected


@pytest.mark.parametrize("method", [None, 1, ["x"], {}])
def test_a_method_that_is_no_string_is_refused(method: Any) -> None:
    assert refusal({**WHOLE, "id": 3, "method": method}) == (3, -32600, "Invalid request: `method` must be a string")


def test_an_answer_may_have_a_null_error_beside_its_result() -> None:
    assert classify({**WHOLE, "id": 1, "result": {}, "error": None}) == Response(1, {}, None)


@pytest.mark.parametrize(
    "rest",
    [
        {},
        {"result": 1, "error": {}},
        {"result": 1, "error": "text"},
        {"error": None},
        {"error": "text"},
        {"error": 1},
        {"error": []},
    ],
)
def test_an_object_that_is_neither_a_call_nor_an_answer_is_refused_without_an_id(rest: Any) -> None:
    text = "Invalid request: a message has a `method`, or an `id` with either a `result` or an `error` object"
    assert refusal({**WHOLE, "id": 3, **rest}) == (None, -32600, text)
    message = classify({**WHOLE, "id": 3, **rest})
    assert isinstance(message, Malformed)
    assert message.answers == 3


@pytest.mark.parametrize("rest", [{}, {"result": 1}, {"error": {}}])
def test_an_answer_without_an_id_answers_nothing(rest: Any) -> None:
    message = classify({**WHOLE, **rest})
    assert isinstance(message, Malformed)
    assert (message.id, message.answers, message.error.code) == (None, None, -32600)


@pytest.mark.parametrize("line", [b"{", b"not json", b'{"a": 1} {}', b"\xff", b"{'a': 1}", b'"\x00"', b"NaN"])
def test_a_line_that_is_no_json_is_a_parse_error_with_the_reason(line: bytes) -> None:
    with pytest.raises(ClientMistake) as raised:
        decode(line)
    assert (raised.value.code, raised.value.message) == (-32700, "Parse error")
    assert raised.value.data is not None
    assert raised.value.data["message"]


def test_a_line_is_decoded_whatever_the_order_of_its_keys() -> None:
    assert decode(b' {"params": {"b": "\\u0000"}, "id": 1} \r') == {"id": 1, "params": {"b": "\0"}}


def test_messages_are_built_as_jsonrpc_defines_them() -> None:
    assert result_message(1, {"a": 1}) == {"jsonrpc": "2.0", "id": 1, "result": {"a": 1}}
    assert notification_message("m", {}) == {"jsonrpc": "2.0", "method": "m", "params": {}}
    assert request_message("i", "m", {"a": 1}) == {"jsonrpc": "2.0", "id": "i", "method": "m", "params": {"a": 1}}
    error = {"code": 5, "message": "no", "data": {"why": "because"}}
    assert error_message(None, ClientMistake(5, "no", {"why": "because"})) == {
        "jsonrpc": "2.0",
        "id": None,
        "error": error,
    }


def test_a_message_is_one_line_of_utf_8() -> None:
    assert encode({"text": "ä\n😀"}) == '{"text":"ä\\n😀"}\n'.encode()


def test_lone_surrogates_become_the_replacement_character() -> None:
    line = encode({"a\ud800": ["x\udfff\ud83d", {"b": "\ude00 fine"}], "n": 1, "t": None})
    assert orjson.loads(line) == {"a\ufffd": ["x\ufffd\ufffd", {"b": "\ufffd fine"}], "n": 1, "t": None}
    assert line.count(b"\n") == 1


@pytest.mark.parametrize(
    ("line", "value"),
    [
        (rb'{"a":"cut \ud83d"}', {"a": "cut \ufffd"}),
        (rb'{"\uDE00":["\ud83d\ude00 \udfff"]}', {"\ufffd": ["\U0001f600 \ufffd"]}),
    ],
)
def test_half_a_character_from_the_client_costs_nothing_else(line: bytes, value: Any) -> None:
    assert decode(line) == value


@pytest.mark.parametrize("line", [rb'["\ud800",NaN]', rb'["\ud800"', b"[" * 100_000 + rb'"\ud800"', b'["\\ud800\xff"]'])
def test_half_a_character_does_not_make_bad_json_good(line: bytes) -> None:
    with pytest.raises(ClientMistake) as raised:
        decode(line)
    assert raised.value.code == -32700


def test_surrogate_pairs_become_their_character() -> None:
    assert without_surrogates("\ud83d\ude00") == "😀"


def test_what_is_no_text_is_copied_as_it_is() -> None:
    assert without_surrogates({"a": [1, 1.5, None, True]}) == {"a": [1, 1.5, None, True]}


def test_what_is_nested_deeply_is_one_line_too() -> None:
    deep: list[Any] = []
    for _ in range(400):
        deep = [deep]
    assert encode({"a": deep, "b": "grün"}) == b'{"a":' + b"[" * 401 + b"]" * 401 + ',"b":"grün"}\n'.encode()


def test_a_message_that_is_longer_than_a_line_may_be_is_refused() -> None:
    with pytest.raises(ValueError, match="longer than a line may be"):
        encode("x" * MAX_LINE_BYTES)
