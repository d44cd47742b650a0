"""Every exception has one form on the wire, which says whose fault it was."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.jsonrpc import errors
from adapter.shared.jsonrpc.errors import AdapterBug, ClaudeFailure, ClientMistake, error_object


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (
            errors.parse_error("unexpected end"),
            {"code": -32700, "message": "Parse error", "data": {"message": "unexpected end"}},
        ),
        (errors.invalid_request("no"), {"code": -32600, "message": "Invalid request: no"}),
        (
            errors.method_not_found("a/b"),
            {"code": -32601, "message": '"Method not found": a/b', "data": {"method": "a/b"}},
        ),
        (
            errors.invalid_params("x: no", {"path": "x"}),
            {"code": -32602, "message": "Invalid params: x: no", "data": {"path": "x"}},
        ),
        (errors.invalid_params(""), {"code": -32602, "message": "Invalid params"}),
        (
            errors.unknown_session("s"),
            {"code": -32002, "message": "Resource not found", "data": {"sessionId": "s"}},
        ),
        (
            errors.unsupported_version(1, [2]),
            {
                "code": -32022,
                "message": "Unsupported protocol version",
                "data": {"requested": 1, "supported": [2]},
            },
        ),
        (errors.request_cancelled(), {"code": -32800, "message": "Request cancelled"}),
        (errors.request_cancelled("gone"), {"code": -32800, "message": "gone"}),
    ],
)
def test_the_mistakes_of_a_client_say_what_to_change(error: ClientMistake, expected: dict[str, Any]) -> None:
    assert error_object(error) == expected
    assert str(error) == expected["message"]


@pytest.mark.parametrize("kind", ["authentication_failed", "oauth_org_not_allowed"])
def test_a_sign_in_that_failed_is_auth_required(kind: str) -> None:
    assert error_object(ClaudeFailure(kind, "Please run /login")) == {
        "code": -32000,
        "message": "Authentication required: Please run /login",
        "data": {"errorKind": kind},
    }


@pytest.mark.parametrize("kind", ["rate_limit", "overloaded", "unknown", "process_exited"])
def test_other_failures_of_claude_are_internal_errors_with_their_kind(kind: str) -> None:
    assert error_object(ClaudeFailure(kind, "limit reached", {"exitStatus": 1})) == {
        "code": -32603,
        "message": "Internal error: limit reached",
        "data": {"errorKind": kind, "exitStatus": 1},
    }


@pytest.mark.parametrize("error", [AdapterBug("secret"), KeyError("secret"), ValueError("secret")])
def test_a_fault_of_ours_is_a_plain_sentence_without_details(error: Exception) -> None:
    assert error_object(error) == {
        "code": -32603,
        "message": "Internal error: a fault in the adapter; its log on stderr has the details",
    }


def test_errors_are_equal_when_the_wire_would_say_the_same() -> None:
    assert ClientMistake(1, "a", {"b": 1}) == ClientMistake(1, "a", {"b": 1})
    assert ClientMistake(1, "a", {"b": 1}) != ClientMistake(1, "a", {"b": 2})
    assert ClaudeFailure("a", "b") == ClaudeFailure("a", "b", {})
    assert ClaudeFailure("a", "b") != ClaudeFailure("c", "b")
    failure: object = ClaudeFailure("a", "b")
    mistake: object = ClientMistake(-32603, "Internal error: b", {"errorKind": "a"})
    assert error_object(ClaudeFailure("a", "b")) == error_object(
        ClientMistake(-32603, "Internal error: b", {"errorKind": "a"})
    )
    assert failure != mistake
    assert mistake != failure
    assert len({ClientMistake(1, "a"), ClaudeFailure("a", "b")}) == 2
