"""What a list says of a session."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.history.summary import Summary, compact_summary, one_line, read_summary, typed_text
from support.transcripts import Transcript, hello, text


def summary(transcript: Transcript) -> Summary | None:
    """The summary of a short transcript."""
    data = transcript.text().encode()
    return read_summary(data, data)


def title(transcript: Transcript) -> str:
    """Its title."""
    read = summary(transcript)
    assert read is not None
    return read.title


def test_without_a_title_it_is_the_first_prompt() -> None:
    assert summary(hello("/w")) == Summary(
        "Hello there", chosen=False, named=False, archived=False, first_cwd="/w", last_cwd="/w"
    )


def test_a_generated_title_wins_over_the_prompt_and_a_chosen_one_over_both() -> None:
    transcript = hello()
    transcript.record("ai-title", aiTitle="Generated")
    assert title(transcript) == "Generated"
    transcript.record("custom-title", customTitle="Chosen")
    transcript.record("ai-title", aiTitle="Generated later")
    assert title(transcript) == "Chosen"


def test_the_last_title_counts() -> None:
    transcript = hello()
    for words in ("One", "Two"):
        transcript.record("custom-title", customTitle=words)
    read = summary(transcript)
    assert read is not None
    assert (read.title, read.chosen, read.named) == ("Two", True, True)


def test_a_title_inside_a_message_is_none() -> None:
    transcript = hello()
    transcript.user('{"type":"custom-title","customTitle":"Quoted"}')
    transcript.user({"type": "custom-title", "customTitle": "Nested"})
    assert title(transcript) == "Hello there"


@pytest.mark.parametrize(("tags", "archived"), [((), False), (("archived",), True), (("archived", ""), False)])
def test_the_last_tag_says_whether_it_is_archived(tags: tuple[str, ...], archived: bool) -> None:
    transcript = hello()
    for tag in tags:
        transcript.record("tag", tag=tag)
    read = summary(transcript)
    assert read is not None
    assert read.archived is archived


def test_what_was_not_typed_is_no_title() -> None:
    transcript = Transcript()
    transcript.user("<local-command-caveat>The command below</local-command-caveat>", isMeta=True)
    transcript.user("<command-name>/context</command-name><command-args></command-args>")
    transcript.user("[Request interrupted by user]")
    transcript.user([text("  The real\nquestion  ")])
    assert title(transcript) == "The real question"


def test_a_command_is_the_title_where_nothing_else_was_said() -> None:
    transcript = Transcript()
    transcript.user(
        "<command-message>hi</command-message>\n<command-name>/hi</command-name><command-args>Ada</command-args>"
    )
    assert title(transcript) == "/hi Ada"


@pytest.mark.parametrize("mark", [{"isSidechain": True}, {"teamName": "crew"}])
def test_what_a_subagent_or_a_team_said_is_not_listed(mark: dict[str, Any]) -> None:
    transcript = Transcript()
    transcript.user("Look", **mark)
    assert summary(transcript) is None


@pytest.mark.parametrize("data", [b"", b"\0\0\n{broken\n[]\n", b'{"type":"ai-title","aiTitle":"x"}\n'])
def test_where_nobody_has_said_anything_nothing_is_listed(data: bytes) -> None:
    assert read_summary(data, data) is None


def test_a_first_line_that_is_longer_than_what_is_read_costs_the_prompt_only() -> None:
    transcript = hello(words="x" * 5000)
    transcript.record("ai-title", aiTitle="Generated")
    data = transcript.text().encode()
    read = read_summary(data[:1000], data[-1000:])
    assert read is not None
    assert (read.title, read.first_cwd) == ("Generated", "/w")


def test_the_last_folder_is_told_beside_the_first() -> None:
    transcript = hello("/a")
    transcript.cwd = "/b"
    transcript.user("More")
    read = summary(transcript)
    assert read is not None
    assert (read.first_cwd, read.last_cwd) == ("/a", "/b")


def test_half_a_character_in_a_title_becomes_a_replacement() -> None:
    transcript = hello()
    transcript.record("custom-title", customTitle="Cut \ud83d")
    assert title(transcript) == "Cut \ufffd"


def test_a_title_is_cut_by_characters() -> None:
    assert one_line("😀" * 300) == "😀" * 199 + "…"
    assert one_line(" a\n b ") == "a b"


@pytest.mark.parametrize(
    ("stored", "typed"),
    [
        ("Hi", "Hi"),
        ("<command-name>/x</command-name>", "/x"),
        ("<task-notification>\n<task-id>1", ""),
        ("<system-reminder>x", ""),
        ("<b>bold</b>", "<b>bold</b>"),
    ],
)
def test_what_a_person_typed_is_told_from_what_was_put_there(stored: str, typed: str) -> None:
    assert typed_text(stored) == typed


def test_the_summary_of_a_compaction_is_what_stands_between_the_words_around_it() -> None:
    before = "This session is being continued from a previous conversation.\n\n"
    reminder = "<system-reminder>\n<tools-used-before-summary></tools-used-before-summary>\n</system-reminder>\n"
    after = "\n\nIf you need specific details from before compaction, read the file."
    assert compact_summary(f"{before}{reminder}Done.\n\nAll of it.{after}") == "Done.\n\nAll of it."
    assert compact_summary("Done.\n\nAll of it.") == "Done.\n\nAll of it."


def test_a_record_of_ours_names_the_session_and_the_conversation_behind_this_one() -> None:
    transcript = hello()
    transcript.record("claude-acp", continues="first")
    transcript.record("claude-acp", continuedIn="next")
    transcript.record("cost-state")
    transcript.answer("msg_2", text("Late."))
    read = summary(transcript)
    assert read is not None
    assert (read.continues, read.continued_in) == ("first", "next")


def test_a_conversation_that_a_person_went_on_with_has_none_behind_it() -> None:
    transcript = hello()
    transcript.record("claude-acp", continuedIn="next")
    transcript.user("More, in a terminal")
    read = summary(transcript)
    assert read is not None
    assert read.continued_in == ""
