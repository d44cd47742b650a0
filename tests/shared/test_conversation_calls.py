"""Calls that the model's servers answer, and beats of calls that work on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from adapter.shared.claude.frames import unknown_frames
from adapter.shared.conversation import Conversation
from adapter.shared.tools.facts import ToolReport, ToolStatus
from shared.frames import Frame, assistant, begins, block, delta, tool_result, tool_use, user
from shared.tools.contexts import PLAIN

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def counted() -> Iterator[None]:
    """Count from zero."""
    unknown_frames.clear()
    yield
    unknown_frames.clear()


@pytest.fixture
def conversation() -> Conversation:
    return Conversation(PLAIN)


def read(conversation: Conversation, *frames: Frame) -> list[Any]:
    return [update for frame in frames for update in conversation.read(frame) or []]


@pytest.mark.parametrize("kind", ["server_tool_use", "mcp_tool_use"])
def test_a_tool_of_the_models_servers_is_a_call_whose_result_is_in_the_same_message(
    conversation: Conversation, kind: str
) -> None:
    use = {"type": kind, "id": "s1", "name": "web_search", "input": {"query": "acp"}}
    result = {
        "type": "web_search_tool_result",
        "tool_use_id": "s1",
        "content": [{"title": "A", "url": "https://a.org"}],
    }
    told = read(
        conversation,
        begins(),
        block({**use, "input": {}}, index=1),
        delta("input_json", 1, partial_json='{"query": "acp"}'),
        assistant(use),
        block(result, index=2),
        assistant(result),
    )
    reports = [report for report in told if isinstance(report, ToolReport)]
    assert [(report.call_id, report.opened) for report in reports] == [("s1", True), ("s1", False), ("s1", False)]
    assert reports[1].fields["title"] == 'Search "acp"'
    assert reports[2].fields["status"] is ToolStatus.COMPLETED
    assert not unknown_frames


def progress(call_id: str, parent: str | None = None, seconds: Any = 30, **more: Any) -> Frame:
    return {
        "type": "tool_progress",
        "tool_use_id": call_id,
        "parent_tool_use_id": parent,
        "elapsed_time_seconds": seconds,
        **more,
    }


@pytest.mark.parametrize(
    ("frame", "told"),
    [
        (progress("c-heartbeat-0", "c"), {"elapsedTimeSeconds": 30}),
        (progress("c", "other"), {"elapsedTimeSeconds": 30}),
        (progress("inner", "c", 60), {"elapsedTimeSeconds": 60}),
        (
            progress("c", subagent_type="Explore", subagent_retry={"attempt": 1}),
            {"elapsedTimeSeconds": 30, "subagentType": "Explore", "subagentRetry": {"attempt": 1}},
        ),
        (progress("c", seconds="soon"), {"elapsedTimeSeconds": 0}),
    ],
)
def test_a_beat_says_that_its_call_or_its_parent_works_on(conversation: Conversation, frame: Frame, told: Any) -> None:
    read(conversation, assistant(tool_use()))
    (report,) = read(conversation, frame)
    assert (report.call_id, report.tool_name, report.progress) == ("c", "Bash", told)
    assert report.fields == {"status": ToolStatus.IN_PROGRESS}


def test_a_beat_of_a_call_that_is_over_or_was_never_seen_is_not_told(conversation: Conversation) -> None:
    read(conversation, assistant(tool_use()), user(tool_result()))
    assert read(conversation, progress("c-heartbeat-1", "c"), progress("x", "y"), progress("z")) == []
