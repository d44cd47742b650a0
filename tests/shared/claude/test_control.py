"""Control requests and their answers are matched by id, whatever comes between them."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.claude.control import ControlAnswer, ControlChannel


class Host:
    """A control channel, what it wrote, and the answers that it got."""

    def __init__(self) -> None:
        self.written: list[dict[str, Any]] = []
        self.answers: list[tuple[str, ControlAnswer]] = []
        self.channel = ControlChannel(self.written.append)

    def asks(self, name: str) -> str:
        """Send a request; returns its id."""
        self.channel.request({"subtype": name}, lambda answer: self.answers.append((name, answer)))
        identity: str = self.written[-1]["request_id"]
        return identity

    def hears(self, **response: Any) -> None:
        """A `control_response` frame."""
        self.channel.take({"type": "control_response", "response": response})


@pytest.fixture
def host() -> Host:
    return Host()


def test_a_request_has_an_id_of_its_own(host: Host) -> None:
    first, second = host.asks("one"), host.asks("two")
    assert host.written == [
        {"type": "control_request", "request_id": first, "request": {"subtype": "one"}},
        {"type": "control_request", "request_id": second, "request": {"subtype": "two"}},
    ]
    assert first != second


def test_answers_find_their_requests_in_any_order(host: Host) -> None:
    first, second = host.asks("one"), host.asks("two")
    host.hears(subtype="success", request_id=second, response={"b": 2})
    host.hears(subtype="success", request_id=first, response={"a": 1})
    assert host.answers == [("two", ControlAnswer({"b": 2})), ("one", ControlAnswer({"a": 1}))]


@pytest.mark.parametrize(
    ("error", "text"), [("no such mode", "no such mode"), ("", "unknown error"), (None, "unknown error")]
)
def test_an_error_is_an_answer_with_a_text(host: Host, error: Any, text: str) -> None:
    host.hears(subtype="error", request_id=host.asks("one"), error=error)
    assert host.answers == [("one", ControlAnswer({}, text))]


def test_a_success_may_have_no_response(host: Host) -> None:
    host.hears(subtype="success", request_id=host.asks("one"))
    assert host.answers == [("one", ControlAnswer({}))]


@pytest.mark.parametrize("response", ["text", [1], 1, None])
def test_a_response_of_another_form_counts_as_empty(host: Host, response: Any) -> None:
    host.hears(subtype="success", request_id=host.asks("one"), response=response)
    assert host.answers == [("one", ControlAnswer({}))]


def test_an_answer_is_taken_once(host: Host) -> None:
    identity = host.asks("one")
    host.hears(subtype="success", request_id=identity)
    host.hears(subtype="success", request_id=identity)
    host.channel.fail_all("gone")
    assert len(host.answers) == 1


@pytest.mark.parametrize(
    "frame",
    [
        {"type": "control_response", "response": {"subtype": "success", "request_id": "cli-7", "response": {}}},
        {"type": "control_response", "response": {"subtype": "success"}},
        {"type": "control_response", "response": None},
        {"type": "control_response"},
    ],
)
def test_echoes_of_our_own_answers_match_nothing(host: Host, frame: dict[str, Any]) -> None:
    host.asks("one")
    host.channel.take(frame)
    assert host.answers == []


def test_requests_of_claude_code_are_answered_or_refused(host: Host) -> None:
    host.channel.answer("cli-1", {"behavior": "allow"})
    host.channel.refuse("cli-2", "not here")
    success = {"subtype": "success", "request_id": "cli-1", "response": {"behavior": "allow"}}
    error = {"subtype": "error", "request_id": "cli-2", "error": "not here"}
    assert host.written == [
        {"type": "control_response", "response": success},
        {"type": "control_response", "response": error},
    ]


def test_every_open_request_fails_when_the_process_is_gone(host: Host) -> None:
    host.hears(subtype="success", request_id=host.asks("answered"))
    host.asks("one")
    host.asks("two")
    host.channel.fail_all("Claude Code is gone")
    gone = ControlAnswer({}, "Claude Code is gone")
    assert host.answers[1:] == [("one", gone), ("two", gone)]


@pytest.mark.parametrize("response", ["text", [1], {"subtype": "success", "request_id": ["acp-1"]}])
def test_an_answer_of_another_form_is_passed_over(host: Host, response: Any) -> None:
    host.asks("one")
    host.channel.take({"type": "control_response", "response": response})
    assert host.answers == []
