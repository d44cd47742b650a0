"""What a client is told of a compaction."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.conversation import Conversation
from adapter.shared.tools.facts import CallContext, ToolStatus
from adapter.shared.updates import CompactionChanged, CompactionChunk, UsageChanged
from shared.frames import Frame, begins, block, delta, system

BEGINS = system("status", status="compacting", uuid="c1")
SUCCEEDS = system("status", status=None, compact_result="success")
METADATA = {"trigger": "manual", "pre_tokens": 120, "post_tokens": 50, "duration_ms": 3}
BOUNDARY = system("compact_boundary", compact_metadata=METADATA)
FACTS = {"trigger": "manual", "preTokens": 120, "postTokens": 50, "durationMs": 3}
BEGUN = CompactionChanged("c1", ToolStatus.IN_PROGRESS, opened=True)
COMPLETED = CompactionChanged("c1", ToolStatus.COMPLETED)


@pytest.fixture
def conversation() -> Conversation:
    return Conversation(CallContext("/w", exact_patches=False, terminal=False))


def read(conversation: Conversation, *frames: Frame) -> list[Any]:
    return [update for frame in frames for update in conversation.read(frame) or []]


def compactions(updates: list[Any]) -> list[Any]:
    return [update for update in updates if isinstance(update, CompactionChanged | CompactionChunk)]


def test_it_begins_ends_and_is_measured(conversation: Conversation) -> None:
    told = read(conversation, BEGINS, SUCCEEDS, BOUNDARY)
    assert compactions(told) == [BEGUN, COMPLETED, CompactionChanged("c1", ToolStatus.COMPLETED, facts=FACTS)]


def test_the_window_holds_what_is_left(conversation: Conversation) -> None:
    told = read(conversation, begins(input_tokens=120), BEGINS, SUCCEEDS, BOUNDARY)
    assert [update.used for update in told if isinstance(update, UsageChanged)] == [120, 50]


def test_the_hook_brings_the_summary(conversation: Conversation) -> None:
    read(conversation, BEGINS)
    conversation.compactions.summarised("All of it.")
    assert read(conversation, SUCCEEDS) == [CompactionChanged("c1", ToolStatus.COMPLETED, summary="All of it.")]


def test_a_summary_that_went_out_in_chunks_is_not_sent_again(conversation: Conversation) -> None:
    chunks = (delta("compaction", content="All "), block({"type": "compaction", "content": "of it."}, 1))
    told = read(conversation, BEGINS, *chunks)
    assert compactions(told) == [BEGUN, CompactionChunk("c1", "All "), CompactionChunk("c1", "of it.")]
    conversation.compactions.summarised("All of it.\n")
    assert read(conversation, SUCCEEDS) == [COMPLETED]


def test_a_summary_that_differs_from_its_chunks_is_sent_whole(conversation: Conversation) -> None:
    read(conversation, BEGINS, delta("compaction", content="All "))
    conversation.compactions.summarised("All of it.")
    assert read(conversation, SUCCEEDS) == [CompactionChanged("c1", ToolStatus.COMPLETED, summary="All of it.")]


def test_pieces_of_no_compaction_are_nobodys(conversation: Conversation) -> None:
    assert read(conversation, delta("compaction", content="x"), SUCCEEDS) == []


@pytest.mark.parametrize(
    ("error", "status"),
    [("too_few_groups", ToolStatus.FAILED), ("API Error: Request was aborted.", ToolStatus.CANCELLED)],
)
def test_it_fails_or_is_cancelled(conversation: Conversation, error: str, status: ToolStatus) -> None:
    fails = system("status", status=None, compact_result="failed", compact_error=error)
    assert read(conversation, BEGINS, BEGINS, fails) == [BEGUN, CompactionChanged("c1", status, error=error)]


def test_one_that_has_no_end_is_over_with_its_turn(conversation: Conversation) -> None:
    read(conversation, BEGINS)
    assert conversation.turn_over() == [CompactionChanged("c1", ToolStatus.CANCELLED)]
    assert conversation.turn_over() == []


def test_a_boundary_without_a_begin_stands_for_all(conversation: Conversation) -> None:
    begun, ended, measured = compactions(read(conversation, {**BOUNDARY, "uuid": "b1"}))
    assert begun == CompactionChanged("b1", ToolStatus.IN_PROGRESS, opened=True)
    assert ended == CompactionChanged("b1", ToolStatus.COMPLETED)
    assert measured.facts == FACTS


def test_a_boundary_without_an_end_is_the_end(conversation: Conversation) -> None:
    ended, measured = compactions(read(conversation, BEGINS, BOUNDARY))[1:]
    assert ended == COMPLETED
    assert measured.facts == FACTS


@pytest.mark.parametrize("metadata", [None, {"trigger": 3, "pre_tokens": "many", "post_tokens": True}])
def test_sizes_that_are_none_are_left_out(conversation: Conversation, metadata: Any) -> None:
    told = read(conversation, BEGINS, SUCCEEDS, system("compact_boundary", compact_metadata=metadata))
    assert told[-1] == CompactionChanged("c1", ToolStatus.COMPLETED, facts={})
