"""What a history says of its subagents."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.history.agents import PastAgent, calls_of, ends_of
from support.transcripts import Transcript, text


def agent(side: Transcript) -> PastAgent:
    return PastAgent("a1", "call", "Look", "Explore", side.entries)


def side() -> Transcript:
    """A subagent that has answered."""
    transcript = Transcript()
    transcript.user("Look")
    transcript.call("t", "Bash", command="ls")
    transcript.result("t", "x")
    transcript.answer("m", text("Report"))
    return transcript


def message(transcript: Transcript, words: str) -> None:
    transcript.user(f"The coordinator sent a message:\n{words}", isMeta=True, origin={"kind": "coordinator"})


def notified(status: str, task: str = "a1") -> str:
    return f"<task-notification>\n<task-id>{task}</task-id>\n<status>{status}</status>\n</task-notification>"


def test_the_model_is_the_one_that_answered_last() -> None:
    transcript = side()
    transcript.answer("m2", text("Other"), message={"model": "other"})
    transcript.answer("m3", text("No."), message={"model": "<synthetic>"})
    assert agent(transcript).model == "other"
    assert agent(Transcript()).model == ""


def test_a_message_to_a_subagent_at_rest_begins_a_run() -> None:
    transcript = side()
    message(transcript, "again")
    transcript.call("t2", "Bash", command="ls")
    transcript.result("t2", "x")
    message(transcript, "and this")
    assert [begins for _, begins in agent(transcript).delegations()] == [True, False]


def test_how_a_subagent_ended() -> None:
    transcript = side()
    assert agent(transcript).end("") == ("completed", "")
    assert agent(transcript).end("failed") == ("failed", "")
    transcript.call("t2", "Bash", command="ls")
    assert agent(transcript).end("") == ("", "")
    transcript.user([text("[Request interrupted by user for tool use]")])
    assert agent(transcript).end("completed") == ("stopped", "")
    transcript.answer("m2", text("API Error: 529"), isApiErrorMessage=True)
    assert agent(transcript).end("") == ("failed", "API Error: 529")
    assert agent(Transcript()).end("") == ("", "")


def test_calls_are_found_with_who_made_them() -> None:
    transcript = Transcript()
    transcript.call("a", "Agent", prompt="Look")
    transcript.call("b", "Bash", command="ls")
    transcript.answer("m", {"type": "tool_use", "id": "c", "name": ["Agent"], "input": {}})
    transcript.answer("m", {"type": "tool_use", "id": "d", "name": "Agent", "input": 7})
    inner = Transcript()
    inner.call("e", "Agent", prompt=7)
    found = calls_of([("", transcript.entries), ("a1", inner.entries)], frozenset({"Agent"}))
    assert {call.call_id: (call.agent_id, call.said("prompt")) for call in found.values()} == {
        "a": ("", "Look"),
        "e": ("a1", ""),
    }


@pytest.mark.parametrize("queued", [True, False])
def test_the_last_notification_of_an_end_counts(*, queued: bool) -> None:
    def tell(status: str) -> None:
        told: Any = notified(status)
        if queued:
            attachment = {"type": "queued_command", "prompt": told, "commandMode": "task-notification"}
            transcript.add("attachment", attachment=attachment)
        else:
            transcript.user(told)

    transcript = Transcript()
    tell("completed")
    tell("failed")
    transcript.user("no notification of <task-id>")
    assert ends_of([("", transcript.entries)]) == {"a1": "failed"}
