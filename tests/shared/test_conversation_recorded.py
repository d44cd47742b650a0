"""Recorded sessions of Claude Code as a client is told of them."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.claude.frames import unknown_frames
from adapter.shared.conversation import Conversation
from adapter.shared.tools.facts import CommandOutput, Json, TerminalChange, TerminalRef, Text, ToolReport, ToolStatus
from adapter.shared.updates import PlanChanged, Speaker, TextChunk, UsageChanged
from shared.frames import recorded
from shared.tools.contexts import PLAIN, TERMINAL

NOT_THE_CONVERSATIONS = {"result", "command_lifecycle", "prompt_suggestion", "control_request", "control_response"}


def tell(name: str, context: Any = PLAIN) -> list[Any]:
    """All updates of a recorded session; nothing in it is unknown."""
    unknown_frames.clear()
    conversation = Conversation(context)
    told: list[Any] = []
    for frame in recorded(name):
        updates = conversation.read(frame)
        if frame["type"] == "result":
            conversation.turn_over()
        if updates is None:
            assert frame["type"] in NOT_THE_CONVERSATIONS
        told += updates or []
    assert not unknown_frames
    return told


def words(told: list[Any], speaker: Speaker) -> dict[str, str]:
    """What was said, by message."""
    said: dict[str, str] = {}
    for update in told:
        if isinstance(update, TextChunk) and update.speaker is speaker:
            said[update.message_id] = said.get(update.message_id, "") + update.text
    return said


def reports(told: list[Any]) -> list[ToolReport]:
    return [update for update in told if isinstance(update, ToolReport)]


def whole_texts(name: str, kind: str) -> dict[str, str]:
    """The texts of the main conversation, as Claude Code repeats them whole after it has streamed them."""
    said: dict[str, str] = {}
    for frame in recorded(name):
        if frame["type"] != "assistant" or frame["parent_tool_use_id"]:
            continue
        for block in frame["message"]["content"]:
            if block["type"] == kind:
                said[frame["message"]["id"]] = block[kind]
    return said


@pytest.mark.parametrize("name", ["plain_and_tool", "tasks", "subagent", "api_error"])
def test_every_text_is_told_once(name: str) -> None:
    told = tell(name)
    assert words(told, Speaker.AGENT) == whole_texts(name, "text")
    assert words(told, Speaker.THOUGHT) == whole_texts(name, "thinking")
    assert words(told, Speaker.USER) == {}


def test_a_command_is_told_from_its_name_to_its_output() -> None:
    told = reports(tell("plain_and_tool"))
    tool_input = {"command": "echo hi; ls", "description": "List files"}
    by_name, by_command, by_description, whole, ended = [report.fields for report in told]
    assert (by_name["title"], by_name["rawInput"], by_name["status"]) == ("Terminal", {}, ToolStatus.PENDING)
    assert by_command == {"title": "echo hi; ls", "rawInput": {"command": "echo hi; ls"}}
    assert by_description == {"rawInput": tool_input}
    assert whole == {"content": (Text("List files"),)}
    assert ended == {
        "status": ToolStatus.COMPLETED,
        "content": (Text("```console\nhi\na.txt\n```"),),
        "rawOutput": "hi\na.txt",
    }
    assert told[-1].response["stdout"] == "hi\na.txt"
    assert [report.opened for report in told] == [True, False, False, False, False]


def test_a_terminal_is_told_from_its_opening_to_its_output() -> None:
    told = reports(tell("plain_and_tool", TERMINAL))
    call = told[0].call_id
    assert told[0].fields["content"] == (TerminalRef(call),)
    assert [report.terminal for report in told if report.terminal] == [
        TerminalChange(call, opened=True),
        TerminalChange(call, command="echo hi; ls"),
        TerminalChange(call, output=CommandOutput("hi\na.txt", 0)),
    ]


def test_tasks_are_told_as_a_plan_and_not_as_calls() -> None:
    told = tell("tasks")
    plans = [update for update in told if isinstance(update, PlanChanged)]
    assert [[(entry.content, entry.status) for entry in plan.entries] for plan in plans] == [
        [("Do A", "pending")],
        [("Do A", "pending")],
        [("Do A", "pending"), ("Do B", "pending")],
        [("Do A", "pending"), ("Do B", "pending")],
        [("Doing A", "in_progress"), ("Do B", "pending")],
        [("Doing A", "in_progress"), ("Do B", "pending")],
        [("Do A", "completed"), ("Do B", "pending")],
        [("Do A", "completed"), ("Do B", "pending")],
    ]
    assert reports(told) == []


def test_the_calls_of_a_subagent_name_their_parent() -> None:
    told = reports(tell("subagent"))
    agent = told[0]
    assert (agent.tool_name, agent.parent_id, agent.hints) == ("Agent", "", {"subagent": True})
    inner = [report for report in told if report.parent_id == agent.call_id]
    assert (inner[0].tool_name, inner[0].opened) == ("Bash", True)
    assert inner[-1].fields["status"] is ToolStatus.COMPLETED
    assert told.index(inner[0]) > told.index(agent)


def test_the_context_meter_follows_the_messages() -> None:
    usage = [update.used for update in tell("plain_and_tool") if isinstance(update, UsageChanged)]
    assert usage == [101, 120, 101, 120, 101, 120]


def test_an_error_of_the_api_is_told_as_text_and_named_in_the_outcome() -> None:
    conversation = Conversation(PLAIN)
    failures: list[Json] = []
    for frame in recorded("api_error"):
        conversation.read(frame)
        if frame["type"] == "result":
            failure = conversation.outcomes.read(frame, cancelled=False).failure
            assert failure is not None
            failures.append({"kind": failure.kind, "message": failure.message[:14]})
    assert failures == [{"kind": "unknown", "message": "API Error: 400"}] * 2
