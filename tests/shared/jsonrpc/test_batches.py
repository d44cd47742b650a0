"""Batches: served on v2, with one array of responses when the last of them is there; refused on v1."""

from __future__ import annotations

import pytest

from adapter.shared.jsonrpc.messages import Notification, Request, Response
from shared.doubles import Caller, failure, request, result

NOTIFICATION = {"jsonrpc": "2.0", "method": "tell", "params": {}}


@pytest.fixture
def caller() -> Caller:
    return Caller(batches=True)


def test_the_responses_leave_together_when_the_last_is_there(caller: Caller) -> None:
    assert caller.says([request(1), NOTIFICATION, request(2)]) == []
    assert caller.requests == [Request(1, "do", {}), Notification("tell", {}), Request(2, "do", {})]
    caller.peer.respond(2, "two")
    assert caller.link.take() == []
    caller.peer.respond(1, "one")
    assert caller.link.take() == [[result(2, "two"), result(1, "one")]]


def test_a_batch_of_one_is_answered_with_an_array(caller: Caller) -> None:
    caller.says([request(1)])
    caller.peer.respond(1, "one")
    assert caller.link.take() == [[result(1, "one")]]


def test_requests_that_are_answered_while_the_batch_is_read_share_its_array() -> None:
    caller = Caller(batches=True)
    caller.peer._on_request = lambda asked: caller.peer.respond(asked.id, asked.method)
    assert caller.says([request(1, "a"), request(2, "b")]) == [[result(1, "a"), result(2, "b")]]


def test_a_batch_of_notifications_is_not_answered(caller: Caller) -> None:
    assert caller.says([NOTIFICATION, NOTIFICATION]) == []
    assert len(caller.requests) == 2


def test_invalid_entries_are_answered_in_the_array(caller: Caller) -> None:
    assert caller.says([1, request(7), {"jsonrpc": "2.0", "id": 8, "method": 1}]) == []
    caller.peer.respond(7, {})
    assert caller.link.take() == [
        [
            failure(None, -32600, "Invalid request: a message is a JSON object"),
            failure(None, -32600, "Invalid request: `method` must be a string"),
            result(7, {}),
        ]
    ]


def test_a_batch_of_invalid_entries_is_answered_at_once(caller: Caller) -> None:
    refusal = failure(None, -32600, "Invalid request: a message is a JSON object")
    assert caller.says([1, 2]) == [[refusal, refusal]]


def test_an_id_that_is_open_is_refused_in_the_array(caller: Caller) -> None:
    assert caller.says([request(1), request(1)]) == []
    caller.peer.respond(1, {})
    refusal = failure(1, -32600, "Invalid request: a request with id 1 is open already")
    assert caller.link.take() == [[refusal, result(1, {})]]


def test_answers_of_the_client_may_come_in_a_batch(caller: Caller) -> None:
    answers: list[Response] = []
    identity = caller.peer.ask("ask", {}, answers.append)
    caller.link.take()
    assert caller.says([result(identity, "yes")]) == []
    assert answers == [Response(identity, "yes", None)]


def test_two_batches_are_answered_apart(caller: Caller) -> None:
    caller.says([request(1), request(2)], [request(3)])
    caller.peer.respond(1, {})
    caller.peer.respond(3, {})
    assert caller.link.take() == [[result(3, {})]]
    caller.peer.respond(2, {})
    assert caller.link.take() == [[result(1, {}), result(2, {})]]


def test_an_empty_batch_is_refused(caller: Caller) -> None:
    assert caller.says([]) == [failure(None, -32600, "Invalid request: a batch has at least one message")]


@pytest.mark.parametrize("batch", [[], [request(1)], [NOTIFICATION]])
def test_batches_are_refused_whole_on_v1(batch: list[object]) -> None:
    caller = Caller()
    assert caller.says(batch) == [failure(None, -32600, "Invalid request: JSON-RPC batches are not supported")]
    assert caller.requests == []
    assert not caller.peer.is_open(1)
