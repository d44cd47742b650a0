"""A history shown again."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.conversation import Conversation
from adapter.shared.history.branch import active_branch
from adapter.shared.history.replay import Replay
from adapter.shared.local_commands import sign_in_answer
from adapter.shared.tools.facts import CallContext, ToolReport, ToolStatus
from adapter.shared.updates import CompactionChanged, ImageChunk, MessageCleared, PlanChanged, Speaker, TextChunk
from support.transcripts import Transcript, hello, text

CONTEXT = CallContext("/w", exact_patches=False, terminal=False, snippets=True, copies_input=True)
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AA=="}}


def replayed(
    transcript: Transcript, subagents: dict[str, Transcript] | None = None, *, ended: bool = False
) -> list[Any]:
    """All updates but the marks of beginning messages."""
    inner = {call: active_branch(side.entries, of_subagent=True) for call, side in (subagents or {}).items()}
    replay = Replay(Conversation(CONTEXT), inner)
    updates = [update for step in replay.read(active_branch(transcript.entries)) for update in step]
    updates += replay.end() if ended else []
    return [update for update in updates if not isinstance(update, MessageCleared)]


def user(message_id: str, words: str) -> TextChunk:
    return TextChunk(Speaker.USER, message_id, words)


def agent(message_id: str, words: str) -> TextChunk:
    return TextChunk(Speaker.AGENT, message_id, words)


def statuses(updates: list[Any]) -> list[tuple[str, str, Any]]:
    """Call, parent and status of each report."""
    reports = [update for update in updates if isinstance(update, ToolReport)]
    return [(report.call_id, report.parent_id, report.fields.get("status")) for report in reports]


def test_prompts_and_answers_come_in_order_under_their_ids() -> None:
    assert replayed(hello()) == [user("e0", "Hello there"), agent("msg_1", "Hi.")]


def test_each_message_begins_anew_once() -> None:
    transcript = Transcript()
    transcript.user([text("One"), text("Two")])
    transcript.answer("m", {"type": "thinking", "thinking": "Hm."}, text("A"))
    transcript.answer("m", text("B"))
    updates = [
        update for step in Replay(Conversation(CONTEXT), {}).read(active_branch(transcript.entries)) for update in step
    ]
    assert updates == [
        MessageCleared(Speaker.USER, "e0"),
        user("e0", "One"),
        user("e0", "Two"),
        MessageCleared(Speaker.THOUGHT, "m"),
        TextChunk(Speaker.THOUGHT, "m", "Hm."),
        MessageCleared(Speaker.AGENT, "m"),
        agent("m", "A"),
        agent("m", "B"),
    ]


def test_an_image_of_a_prompt_is_shown() -> None:
    transcript = Transcript()
    transcript.user([text("Look"), IMAGE])
    assert replayed(transcript) == [user("e0", "Look"), ImageChunk(Speaker.USER, "e0", IMAGE)]


def test_a_call_is_opened_with_its_input_and_ends_as_it_ended() -> None:
    transcript = Transcript()
    transcript.call("t", "Read", file_path="/w/a.txt")
    transcript.result("t", "1\talpha", {"type": "text", "file": {"filePath": "/w/a.txt", "content": "alpha"}})
    opened, ended = replayed(transcript)
    assert opened.opened
    assert opened.fields["title"] == "Read a.txt"
    assert opened.fields["rawInput"] == {"file_path": "/w/a.txt"}
    assert opened.fields["status"] is ToolStatus.PENDING
    assert ended.fields["status"] is ToolStatus.COMPLETED
    assert ended.response is None


def test_a_call_that_was_refused_says_so() -> None:
    transcript = Transcript()
    transcript.call("t", "Bash", command="rm x")
    block = {"type": "tool_result", "tool_use_id": "t", "content": "no", "is_error": True}
    transcript.user([block], toolUseResult="User rejected tool use", toolDenialKind="user-rejected")
    ended = replayed(transcript)[-1]
    assert ended.non_execution_kind == "user-rejected"


def test_a_call_without_a_result_ends_with_the_history() -> None:
    transcript = Transcript()
    transcript.call("t", "Bash", command="sleep 9")
    assert statuses(replayed(transcript)) == [("t", "", ToolStatus.PENDING)]
    assert statuses(replayed(transcript, ended=True))[-1] == ("t", "", ToolStatus.CANCELLED)


def test_a_subagent_works_between_its_call_and_its_end() -> None:
    transcript, side = Transcript(), Transcript()
    transcript.call("a", "Agent", description="Look", prompt="Look")
    transcript.result("a", [text("Done.")], {"status": "completed"})
    side.user("Look", isSidechain=True)
    side.call("b", "Bash", command="ls")["isSidechain"] = True
    side.result("b", "x", isSidechain=True)
    side.answer("m", text("Report"), isSidechain=True)
    updates = replayed(transcript, {"a": side})
    assert statuses(updates) == [
        ("a", "", ToolStatus.PENDING),
        ("b", "a", ToolStatus.PENDING),
        ("b", "a", ToolStatus.COMPLETED),
        ("a", "", ToolStatus.COMPLETED),
    ]
    assert not [update for update in updates if isinstance(update, TextChunk)]


def test_a_subagent_in_the_background_works_after_its_launch() -> None:
    transcript, side = Transcript(), Transcript()
    transcript.call("a", "Agent", description="Look", prompt="Look")
    transcript.result("a", [text("Launched.")], {"isAsync": True, "status": "async_launched"})
    side.call("b", "Bash", command="ls")["isSidechain"] = True
    assert statuses(replayed(transcript, {"a": side})) == [
        ("a", "", ToolStatus.PENDING),
        ("a", "", ToolStatus.COMPLETED),
        ("b", "a", ToolStatus.PENDING),
        ("b", "a", ToolStatus.CANCELLED),
    ]


def test_a_prompt_that_was_folded_in_is_shown_under_its_own_id() -> None:
    transcript = hello()
    queued = {"type": "queued_command", "prompt": [text("And two")], "source_uuid": "s", "commandMode": "prompt"}
    transcript.add("attachment", attachment=queued)
    transcript.add("attachment", attachment={**queued, "commandMode": "task-notification", "prompt": "<task"})
    transcript.add("attachment", attachment=None)
    transcript.answer("m2", text("Both."))
    assert replayed(transcript)[2:] == [user("s", "And two"), agent("m2", "Both.")]


@pytest.mark.parametrize(
    ("content", "fields"),
    [
        ("<task-notification>\n<task-id>x</task-id>", {}),
        ("[Request interrupted by user for tool use]", {}),
        ("<local-command-stdout>Compacted</local-command-stdout>", {}),
        ("Base directory for this skill: /x", {"isMeta": True}),
        ("<command-name>/compact</command-name>", {}),
        ("This session is being continued from a previous conversation", {"isCompactSummary": True}),
    ],
)
def test_what_nobody_typed_is_not_shown(content: str, fields: dict[str, Any]) -> None:
    transcript = hello()
    transcript.user(content, **fields)
    transcript.answer("m2", text("On."))
    assert replayed(transcript)[2:] == [agent("m2", "On.")]


def test_the_filler_after_a_cut_prompt_is_not_shown_but_an_error_of_the_api_is() -> None:
    transcript = Transcript()
    transcript.answer("m1", text("No response requested."), message={"model": "<synthetic>"})
    transcript.answer("m2", text("API Error: 400"), message={"model": "<synthetic>"})
    assert replayed(transcript) == [agent("m2", "API Error: 400")]


def test_a_local_command_and_its_output_are_shown() -> None:
    transcript = Transcript()
    transcript.user("<command-name>/context</command-name>\n<command-args></command-args>", "p")
    out = "<local-command-stdout>## Context\n</local-command-stdout>"
    transcript.add("system", "o", subtype="local_command", content=out)
    transcript.add("system", "empty", subtype="local_command", content="<local-command-stdout></local-command-stdout>")
    transcript.user("Next", "n")
    assert replayed(transcript) == [user("p", "/context"), agent("o", "## Context"), user("n", "Next")]


def test_the_output_of_a_local_command_is_shown_though_nothing_follows() -> None:
    transcript = Transcript()
    transcript.user("<command-name>/context</command-name>\n<command-args></command-args>", "p")
    out = "<local-command-stdout>## Context\n</local-command-stdout>"
    transcript.add("system", "o", subtype="local_command", content=out)
    assert replayed(transcript) == [user("p", "/context"), agent("o", "## Context")]


@pytest.mark.parametrize("command", ["login", "logout"])
def test_a_sign_in_in_the_chat_is_shown_as_it_was_answered(command: str) -> None:
    transcript = hello()
    transcript.add("system", "p", subtype="local_command", content=f"/{command}")
    out = f"<local-command-stdout>/{command} isn't available in this environment.</local-command-stdout>"
    transcript.add("system", "o", subtype="local_command", content=out)
    assert replayed(transcript)[2:] == [user("p", f"/{command}"), agent("o", sign_in_answer(command, "claude-acp"))]


def test_a_remark_about_mcp_that_the_client_never_got_is_not_shown() -> None:
    transcript = hello()
    for number, args in enumerate(("", "reconnect lab")):
        typed = f"<command-name>/mcp</command-name><command-args>{args}</command-args>"
        transcript.user(typed, f"p{number}")
        out = "<local-command-stdout>Reconnect, enable, and disable aren't available.</local-command-stdout>"
        transcript.add("system", subtype="local_command", content=out)
    assert replayed(transcript)[2:] == [user("p0", "/mcp"), user("p1", "/mcp reconnect lab")]


def test_a_compaction_is_read_as_the_frames_that_tell_it(monkeypatch: pytest.MonkeyPatch) -> None:
    transcript = hello()
    transcript.last = None
    metadata = {"trigger": "manual", "preTokens": 120}
    transcript.add("system", "b", subtype="compact_boundary", logicalParentUuid="e1", compactMetadata=metadata)
    transcript.user("This session is being continued from one.\n\nThe summary", isCompactSummary=True)
    conversation = Conversation(CONTEXT)
    frames: list[Any] = []
    monkeypatch.setattr(conversation, "read", frames.append)
    for _ in Replay(conversation, {}).read(active_branch(transcript.entries)):
        pass
    status, done, boundary, summary = frames[1:]
    assert status["status"] == "compacting"
    assert done["compact_result"] == "success"
    assert boundary["compact_metadata"] == {"trigger": "manual", "pre_tokens": 120}
    assert status["uuid"] == "b"
    assert summary["isSynthetic"]


@pytest.mark.parametrize("end", ["", "\n\nIf you need specific details from before compaction, read it."])
def test_a_compaction_is_shown_with_its_summary_under_an_id_of_its_own(end: str) -> None:
    transcript = hello()
    for boundary in ("b1", "b2"):
        transcript.last = None
        metadata = {"trigger": "auto", "preTokens": 120}
        behind = transcript.entries[-1]["uuid"]
        transcript.add(
            "system", boundary, subtype="compact_boundary", logicalParentUuid=behind, compactMetadata=metadata
        )
        transcript.user(f"This session is being continued from one.\n\nIt was\n\nshort.{end}", isCompactSummary=True)
    shown = [update for update in replayed(transcript) if isinstance(update, CompactionChanged)]
    assert [update.compaction_id for update in shown] == ["b1"] * 3 + ["b2"] * 3
    began, ended, measured = shown[:3]
    assert (began.status, began.opened) == (ToolStatus.IN_PROGRESS, True)
    assert (ended.status, ended.summary) == (ToolStatus.COMPLETED, "It was\n\nshort.")
    assert measured.facts == {"trigger": "automatic", "preTokens": 120}
    assert replayed(transcript)[:2] == [user("e0", "Hello there"), agent("msg_1", "Hi.")]


def test_the_plan_is_told_and_its_tasks_are_known_at_the_end() -> None:
    transcript = Transcript()
    transcript.call("t", "TaskCreate", subject="First", activeForm="Doing it")
    transcript.result("t", "made", {"task": {"id": "1", "subject": "First"}})
    replay = Replay(Conversation(CONTEXT), {})
    plans = [update for step in replay.read(active_branch(transcript.entries)) for update in step]
    assert set(map(type, plans)) == {PlanChanged}
    assert replay.tasks() == {"1": ["First", "pending", "Doing it"]}
    later = Conversation(CONTEXT)
    later.recall_tasks(replay.tasks())
    assert later.tasks() == replay.tasks()


@pytest.mark.parametrize("entry", [{"message": None}, {"message": {"content": 7}}, {"message": {"content": [7, {}]}}])
def test_a_distorted_entry_costs_no_other(entry: dict[str, Any]) -> None:
    transcript = hello()
    transcript.add("assistant", **entry)
    transcript.add("user", **entry)
    transcript.add("system", subtype="local_command", content=None)
    transcript.user("On", "on")
    assert replayed(transcript)[2:] == [user("on", "On")]
