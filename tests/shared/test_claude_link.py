"""A process with its control channel: what comes before a session takes it over is kept for it."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.claude.process import ProcessExit
from adapter.shared.launch import ClaudeLink

pytestmark = pytest.mark.anyio


def link() -> tuple[ClaudeLink, list[Any]]:
    """A link without a process, and what it handed to its session."""
    return ClaudeLink(), []


async def test_what_came_before_the_session_is_handed_over_first() -> None:
    early, heard = link()
    exit_ = ProcessExit(1, "gone", ())
    early.take({"type": "system", "number": 1})
    early.take({"type": "result", "number": 2})
    early.ended(exit_)
    early.connect(lambda _link, frame: heard.append(frame["number"]), lambda _link, ended: heard.append(ended))
    assert heard == [1, 2, exit_]
    assert early.early_frames == []


async def test_what_comes_later_goes_to_the_session_at_once() -> None:
    late, heard = link()
    late.connect(lambda from_, frame: heard.append((from_, frame)), lambda from_, ended: heard.append((from_, ended)))
    assert heard == []
    exit_ = ProcessExit(0, "gone", ())
    late.take({"type": "system"})
    late.take({"type": "control_response", "response": {"request_id": "x"}})
    late.ended(exit_)
    assert heard == [(late, {"type": "system"}), (late, exit_)]


async def test_calls_fail_with_a_process_that_ends_before_its_session() -> None:
    early, sent = link()
    answers: list[Any] = []
    early.control._send = sent.append
    early.control.request({"subtype": "initialize"}, answers.append)
    early.ended(ProcessExit(1, "it died", ()))
    assert [answer.error for answer in answers] == ["it died"]
