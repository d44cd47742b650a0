"""The peer matches requests and responses both ways, and answers each request exactly once."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.shared.jsonrpc import peer as peer_module
from adapter.shared.jsonrpc.errors import AdapterBug, ClaudeFailure
from adapter.shared.jsonrpc.framing import LineFramer
from adapter.shared.jsonrpc.messages import Notification, Request, Response
from shared.doubles import PROPERTY, Caller, failure, request, result

OPEN_ALREADY = "Invalid request: a request with id 1 is open already"


@pytest.fixture
def caller() -> Caller:
    return Caller()


def test_calls_are_handed_on_in_order(caller: Caller) -> None:
    notification = {"jsonrpc": "2.0", "method": "tell", "params": {"a": 1}}
    assert caller.says(request(1, "first"), notification, request("x", "last", b=2)) == []
    assert caller.requests == [Request(1, "first", {}), Notification("tell", {"a": 1}), Request("x", "last", {"b": 2})]


def test_a_request_is_answered_with_its_result_or_its_error(caller: Caller) -> None:
    caller.says(request(1), request("x"))
    assert caller.peer.is_open(1)
    caller.peer.respond(1, {"ok": True})
    caller.peer.fail("x", ClaudeFailure("rate_limit", "later"))
    assert not caller.peer.is_open(1)
    assert caller.link.take() == [
        result(1, {"ok": True}),
        failure("x", -32603, "Internal error: later", {"errorKind": "rate_limit"}),
    ]


@pytest.mark.parametrize("second", ["respond", "fail"])
@pytest.mark.parametrize("first", ["respond", "fail"])
def test_a_second_response_is_a_bug_and_stays_off_the_wire(caller: Caller, first: str, second: str) -> None:
    answers: dict[str, Any] = {
        "respond": lambda: caller.peer.respond(1, {}),
        "fail": lambda: caller.peer.fail(1, AdapterBug("x")),
    }
    caller.says(request(1))
    answers[first]()
    caller.link.take()
    with pytest.raises(AdapterBug, match="a second response to request 1"):
        answers[second]()
    assert caller.link.take() == []


def test_a_response_to_a_request_that_never_came_is_a_bug(caller: Caller) -> None:
    with pytest.raises(AdapterBug, match="'9'"):
        caller.peer.respond("9", {})
    assert caller.link.take() == []


@PROPERTY
@given(st.lists(st.tuples(st.sampled_from(["ask", "answer"]), st.integers(0, 3)), max_size=30))
def test_each_request_gets_exactly_one_response(steps: list[tuple[str, int]]) -> None:
    caller = Caller()
    asked = answered = refused = 0
    still_open: set[int] = set()
    for step, identity in steps:
        if step == "ask":
            asked += 1
            refused += len(caller.says(request(identity)))
            still_open.add(identity)
        elif identity in still_open:
            caller.peer.respond(identity, {})
            answered += len(caller.link.take())
            still_open.remove(identity)
        else:
            with pytest.raises(AdapterBug):
                caller.peer.respond(identity, {})
            assert caller.link.take() == []
    assert asked == len(still_open) + answered + refused
    assert all(caller.peer.is_open(identity) == (identity in still_open) for identity in range(4))


def test_an_id_that_is_open_is_refused_and_the_first_request_stays_open(caller: Caller) -> None:
    caller.says(request(1, "first"))
    assert caller.says(request(1, "again")) == [failure(1, -32600, OPEN_ALREADY)]
    assert caller.requests == [Request(1, "first", {})]
    caller.peer.respond(1, {})
    assert caller.link.take() == [result(1, {})]


def test_an_id_can_be_used_again_after_its_answer(caller: Caller) -> None:
    caller.says(request(1))
    caller.peer.respond(1, {})
    caller.says(request(1, "again"))
    assert caller.requests[-1] == Request(1, "again", {})


def test_ids_of_different_types_are_different(caller: Caller) -> None:
    assert caller.says(request(1), request("1"), request(None)) == []
    assert len(caller.requests) == 3
    caller.peer.respond(None, {})
    assert caller.link.take() == [result(None, {})]


@pytest.mark.parametrize("line", [b"{oops", b"\xff\xfe", b"\x00"])
def test_a_line_that_is_no_json_is_answered_and_the_next_one_is_served(caller: Caller, line: bytes) -> None:
    caller.peer.receive(line + b"\n" + orjson.dumps(request(1)) + b"\n")
    (answer,) = caller.link.take()
    assert (answer["id"], answer["error"]["code"]) == (None, -32700)
    assert caller.requests == [Request(1, "do", {})]


@pytest.mark.parametrize("value", [1, "x", {"jsonrpc": "1.0", "id": 5, "method": "x"}])
def test_a_malformed_message_is_answered_and_the_next_one_is_served(caller: Caller, value: Any) -> None:
    (answer,) = caller.says(value, request(1))
    assert answer["error"]["code"] == -32600
    assert answer["id"] == (5 if isinstance(value, dict) else None)
    assert caller.requests == [Request(1, "do", {})]


def test_blank_lines_are_passed_over(caller: Caller) -> None:
    caller.peer.receive(b"\n  \t\r\n" + orjson.dumps(request(1)) + b"\r\n")
    assert caller.link.take() == []
    assert caller.requests == [Request(1, "do", {})]


def test_a_line_over_the_limit_is_answered_once_and_the_next_one_is_served(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peer_module, "MAX_LINE_BYTES", 100)
    caller.peer._framer = LineFramer(100)
    caller.peer.receive(b"x" * 101)
    caller.peer.receive(b"y" * 101 + b"\n" + orjson.dumps(request(1)) + b"\n")
    reason = {"message": "the line is longer than 100 bytes"}
    assert caller.link.take() == [failure(None, -32700, "Parse error", reason)]
    assert caller.requests == [Request(1, "do", {})]


def test_a_question_is_answered_once(caller: Caller) -> None:
    answers: list[Response] = []
    first = caller.peer.ask("ask", {"a": 1}, answers.append)
    second = caller.peer.ask("ask", {"a": 2}, answers.append)
    assert first != second
    assert caller.link.take() == [request(first, "ask", a=1), request(second, "ask", a=2)]
    assert caller.says(result(second, "two"), result(first, "one"), result(second, "late")) == []
    assert answers == [Response(second, "two", None), Response(first, "one", None)]


def test_a_question_can_be_answered_with_an_error(caller: Caller) -> None:
    answers: list[Response] = []
    identity = caller.peer.ask("ask", {}, answers.append)
    caller.says(failure(identity, -1, "no"))
    assert answers == [Response(identity, None, {"code": -1, "message": "no"})]


def test_an_answer_to_no_question_is_passed_over(caller: Caller) -> None:
    assert caller.says(result(99, {}), result("x", {}), failure(None, 1, "no")) == []
    assert caller.requests == []


def test_a_withdrawn_question_is_cancelled_and_its_late_answer_ignored(caller: Caller) -> None:
    answers: list[Response] = []
    identity = caller.peer.ask("ask", {}, answers.append)
    caller.link.take()
    caller.peer.withdraw(identity)
    cancel = {"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": identity}}
    assert caller.link.take() == [cancel]
    assert caller.says(result(identity, {})) == []
    assert answers == []


def test_an_answered_question_is_not_withdrawn(caller: Caller) -> None:
    answers: list[Response] = []
    identity = caller.peer.ask("ask", {}, answers.append)
    caller.says(result(identity, {}))
    caller.peer.withdraw(identity)
    assert caller.link.take() == []


@pytest.mark.parametrize("rest", [{}, {"error": "no"}, {"result": 1, "error": {"code": 1, "message": "no"}}])
def test_a_malformed_answer_fails_its_question_and_is_refused(caller: Caller, rest: dict[str, Any]) -> None:
    answers: list[Response] = []
    identity = caller.peer.ask("ask", {}, answers.append)
    caller.link.take()
    (refusal,) = caller.says({"jsonrpc": "2.0", "id": identity, **rest})
    assert (refusal["id"], refusal["error"]["code"]) == (None, -32600)
    assert answers == [Response(identity, None, refusal["error"])]


def test_the_refusal_of_an_answer_does_not_seem_to_answer_a_request_of_the_client(caller: Caller) -> None:
    caller.says(request(0, "open"))
    (answer,) = caller.says({"jsonrpc": "2.0", "id": 0, "result": {}, "error": {"code": 1, "message": "no"}})
    assert answer["id"] is None
    assert caller.peer.is_open(0)


def test_notifications_of_ours_leave_as_they_are(caller: Caller) -> None:
    caller.peer.notify("session/update", {"a": 1})
    assert caller.link.take() == [{"jsonrpc": "2.0", "method": "session/update", "params": {"a": 1}}]


class Chunk:
    """A message that could be merged."""

    size = 1

    def merge(self, _later: Any) -> bool:
        return False

    def encode(self) -> bytes:
        return b'"chunk"\n'


def test_mergeable_notifications_keep_their_place(caller: Caller) -> None:
    caller.peer.notify("before", {})
    caller.peer.send_mergeable(Chunk())
    caller.peer.notify("after", {})
    before, chunk, after = caller.link.take()
    assert (before["method"], chunk, after["method"]) == ("before", "chunk", "after")
