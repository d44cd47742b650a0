"""What reports look like in ACP v1, for clients that declare a place for them and for those that do not."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.client_capabilities import read_v1_capabilities
from adapter.shared.tools.facts import ToolStatus
from adapter.shared.updates import (
    CompactionChanged,
    CompactionChunk,
    MemoryRecalled,
    Notice,
    PlanApproved,
    PromptSuggested,
    Update,
    UsageChanged,
)
from adapter.v1.encode import V1Encoder
from support.machine import NOW
from support.schemas import document

Json = dict[str, Any]
RICH: Json = {"session": {"notices": {}, "compaction": {}}}


def told(declared: Json, update: Update) -> list[Json]:
    updates = V1Encoder(read_v1_capabilities(declared), lambda: NOW).updates(update)
    for entry in updates:
        error = document(1).error("SessionNotification", {"sessionId": "s", "update": entry})
        assert error is None, f"{error.json_path}: {error.message}"
    return updates


def encode(update: Update) -> list[Json]:
    return told({}, update)


def rich(update: Update) -> list[Json]:
    return told(RICH, update)


@pytest.mark.parametrize(("level", "severity"), [("notice", "info"), ("suggestion", "info"), ("warning", "warning")])
def test_a_client_that_shows_notices_gets_them_as_such(level: str, severity: str) -> None:
    told = rich(Notice(level, "Mind the gap", heading="Model fallback"))
    assert told == [{"sessionUpdate": "notice", "severity": severity, "title": "Mind the gap"}]


def test_mere_information_is_no_notice() -> None:
    assert rich(Notice("info", "By the way")) == []


BEGUN = CompactionChanged("c1", ToolStatus.IN_PROGRESS, opened=True)
DONE = CompactionChanged("c1", ToolStatus.COMPLETED, summary="All of it.")
MEASURED = CompactionChanged("c1", ToolStatus.COMPLETED, facts={"trigger": "manual", "preTokens": 9})
FAILED = CompactionChanged("c1", ToolStatus.FAILED, error="too_few_groups")


def test_a_compaction_is_a_tool_call() -> None:
    meta = {"claudeCode": {"toolName": "compact"}}
    call = {"toolCallId": "c1", "_meta": meta}
    update = {"sessionUpdate": "tool_call_update", **call}
    shown = {"title": "Compact conversation", "kind": "think", "status": "in_progress"}
    assert encode(BEGUN) == [{"sessionUpdate": "tool_call", **call, **shown}]
    assert encode(DONE) == [{**update, "status": "completed"}]
    assert encode(MEASURED) == [{**update, "rawOutput": {"trigger": "manual", "preTokens": 9}}]
    content = [{"type": "content", "content": {"type": "text", "text": "Compaction failed: too_few_groups"}}]
    assert encode(FAILED) == [
        {**update, "status": "failed", "content": content, "rawOutput": {"error": "too_few_groups"}}
    ]
    assert encode(CompactionChanged("c1", ToolStatus.CANCELLED)) == [{**update, "status": "failed"}]
    assert encode(CompactionChunk("c1", "All")) == []


def test_a_client_that_follows_compactions_gets_them_by_their_id() -> None:
    update = {"sessionUpdate": "compaction_update", "compactionId": "c1"}
    assert rich(BEGUN) == [{**update, "status": "in_progress"}]
    summary = [{"type": "text", "text": "All of it."}]
    assert rich(DONE) == [{**update, "status": "completed", "summary": summary}]
    assert rich(MEASURED) == [{**update, "status": "completed"}]
    assert rich(FAILED) == [{**update, "status": "failed", "error": "too_few_groups"}]
    chunk = {"sessionUpdate": "compaction_summary_chunk", "compactionId": "c1"}
    assert rich(CompactionChunk("c1", "All")) == [{**chunk, "content": {"type": "text", "text": "All"}}]


def test_what_was_recalled_is_a_call_that_is_over() -> None:
    (update,) = encode(MemoryRecalled("m1", "select", ("/a.md", "/b.md")))
    assert update == {
        "sessionUpdate": "tool_call",
        "toolCallId": "m1",
        "title": "Recalled 2 memories",
        "kind": "read",
        "status": "completed",
        "locations": [{"path": "/a.md"}, {"path": "/b.md"}],
        "_meta": {"claudeCode": {"toolName": "memory_recall", "toolResponse": {"mode": "select"}}},
    }
    (made,) = encode(MemoryRecalled("m2", "synthesize", text="You like tea."))
    assert made["title"] == "Recalled synthesized memory"
    assert made["content"] == [{"type": "content", "content": {"type": "text", "text": "You like tea."}}]
    (one,) = encode(MemoryRecalled("m3", "select", ("/a.md",)))
    assert one["title"] == "Recalled 1 memory"


def test_suggestions_are_for_air() -> None:
    assert encode(PromptSuggested("run the tests")) == []


def test_the_limits_of_a_plan_go_with_the_usage() -> None:
    info = {"status": "allowed_warning", "rateLimitType": "five_hour", "utilization": 0.9}
    window = {"window": "five_hour", "used": 0.9, "resetsAt": 1799999999}
    (update,) = encode(UsageChanged(120, 200_000, -1.0, "opus", None, info, (window,)))
    assert update["_meta"] == {
        "_claude/rateLimit": info,
        "_claude/model": "opus",
        "claudeAcp": {"rateLimits": [window]},
    }


def test_an_approved_plan_is_for_clients_that_show_plans_by_their_id() -> None:
    (update,) = told({"plan": {}}, PlanApproved("# Plan"))
    assert update["plan"] == {"type": "markdown", "planId": "plan-mode", "content": "# Plan"}
    assert encode(PlanApproved("# Plan")) == []
