"""Which entries of a transcript are the conversation."""

from __future__ import annotations

from typing import Any

from adapter.shared.history.branch import active_branch, blocks_of, message_end, names_of
from support.transcripts import Transcript, hello, text


def ids(transcript: Transcript) -> list[str]:
    """The uuids of the conversation."""
    return [entry["uuid"] for entry in active_branch(transcript.entries)]


def test_what_was_taken_back_is_left_out() -> None:
    transcript = hello()
    transcript.user("Wrong", "wrong")
    transcript.answer("m2", text("No."), uuid="no")
    transcript.last = "e1"
    transcript.user("Right", "right")
    assert ids(transcript) == ["e0", "e1", "right"]


def test_what_follows_the_last_message_stays() -> None:
    transcript = hello()
    transcript.user("Wrong", "wrong")
    transcript.add("system", "of wrong", subtype="local_command")
    transcript.last = "e1"
    transcript.user("/context", "right")
    transcript.add("attachment", "attached")
    transcript.add("system", "output", subtype="local_command")
    transcript.user("Meta", "meta", isMeta=True)
    assert ids(transcript) == ["e0", "e1", "right", "attached", "output"]


def test_results_of_calls_that_ran_side_by_side_are_all_there() -> None:
    transcript = Transcript()
    transcript.user("Go", "go")
    first = transcript.call("t1", "Bash", "m")
    transcript.call("t2", "Bash", "m")
    transcript.call("t3", "Bash", "m")
    transcript.last = first["uuid"]
    transcript.result("t1", "one", uuid="r1")
    transcript.last = "e2"
    transcript.result("t2", "two", uuid="r2")
    transcript.last = "e3"
    transcript.result("t3", "three", uuid="r3")
    transcript.last = "r1"
    transcript.answer("m2", text("Done."), uuid="end")
    assert ids(transcript) == ["go", "e1", "e2", "e3", "r1", "r2", "r3", "end"]


def test_what_came_before_a_compaction_stays() -> None:
    transcript = hello()
    transcript.last = None
    transcript.add("system", "boundary", subtype="compact_boundary", logicalParentUuid="e1")
    transcript.user("The summary", "summary", isCompactSummary=True)
    transcript.user("More", "more")
    assert ids(transcript) == ["e0", "e1", "boundary", "summary", "more"]


def test_subagents_and_teams_are_not_the_conversation() -> None:
    transcript = hello()
    transcript.user("Look", "side", isSidechain=True)
    transcript.last = "e1"
    transcript.user("Team", "team", teamName="crew")
    assert ids(transcript) == ["e0", "e1"]


def test_a_subagents_transcript_has_nothing_but_side_entries() -> None:
    transcript = Transcript()
    transcript.user("Look", "look", isSidechain=True)
    assert [entry["uuid"] for entry in active_branch(transcript.entries, of_subagent=True)] == ["look"]


def test_a_ring_of_entries_ends() -> None:
    transcript = hello()
    transcript.entries[0]["parentUuid"] = "e1"
    assert ids(transcript) == ["e0", "e1"]


def test_an_empty_transcript_has_no_branch() -> None:
    assert active_branch([]) == []


def test_a_message_ends_with_the_last_of_its_entries() -> None:
    transcript = Transcript()
    transcript.user("Go", "go")
    transcript.answer("m", text("One"), uuid="one")
    transcript.answer("m", text("Two"), uuid="two")
    assert message_end(transcript.entries, "m") == "two"
    assert message_end(transcript.entries, "go") == "go"
    assert message_end(transcript.entries, "none") == ""


def test_clients_know_a_folded_prompt_by_its_own_id() -> None:
    entry: dict[str, Any] = {"type": "attachment", "uuid": "a", "attachment": {"source_uuid": "s"}}
    assert names_of(entry) == ("a", "s")


def test_a_bare_text_is_one_block() -> None:
    assert blocks_of({"message": {"content": "Hi"}}) == [{"type": "text", "text": "Hi"}]
    assert blocks_of({"message": {"content": ["x", {"type": "text"}]}}) == [{"type": "text"}]
    assert blocks_of({}) == []
