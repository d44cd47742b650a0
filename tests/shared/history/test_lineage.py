"""What is kept of the conversations of a session."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import pytest

from adapter.shared.history import lineage
from adapter.shared.history.index import SessionIndex
from adapter.shared.history.lineage import Lineage
from adapter.shared.history.summary import END_BYTES
from support.transcripts import OTHER, SESSION, hello, text

if TYPE_CHECKING:
    from pathlib import Path

THIRD = "33333333-3333-4333-8333-333333333333"


class Kept:
    """A session in a config folder."""

    def __init__(self, folder: Path) -> None:
        self.projects = folder / "projects"
        self.environment = {"CLAUDE_CONFIG_DIR": str(folder)}
        self.lineage = Lineage(self.environment, SESSION, SESSION)

    def conversations(self, session_id: str = SESSION) -> list[str]:
        return SessionIndex(str(self.projects)).conversations(session_id)

    def write(self, conversation: str, words: str = "Hello") -> Path:
        return hello("/w", conversation, words).write(self.projects)


def test_the_id_of_a_session_leads_to_the_conversation_that_it_is_in(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    paths = [kept.write(one) for one in (SESSION, OTHER, THIRD)]
    for conversation in (SESSION, SESSION, OTHER, OTHER, THIRD, THIRD):
        kept.lineage.turn(conversation)
    assert kept.conversations() == [SESSION, OTHER, THIRD]
    assert [path.read_text().count("claude-acp") for path in paths] == [1, 2, 1]


def test_a_transcript_that_is_not_there_yet_is_marked_when_it_is(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    kept.write(SESSION)
    kept.lineage.turn(OTHER)
    assert kept.conversations() == [SESSION]
    kept.write(OTHER)
    kept.lineage.turn(OTHER)
    assert kept.conversations() == [SESSION, OTHER]


def test_a_conversation_in_which_nothing_was_said_is_passed_over(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    kept.write(SESSION)
    kept.lineage.turn(OTHER)
    kept.write(THIRD)
    kept.lineage.turn(THIRD)
    assert kept.conversations() == [SESSION, THIRD]


def test_a_mark_far_from_the_beginning_is_repeated_near_the_end(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    kept.write(SESSION)
    path = kept.write(OTHER, "long " * END_BYTES)
    kept.lineage.turn(OTHER)
    kept.lineage.turn(OTHER)
    assert path.read_text().count("claude-acp") == 1
    more = hello("/w", OTHER)
    more.answer("msg_2", text("long " * END_BYTES))
    more.answer("msg_3", text("Done."))
    path.write_text(path.read_text() + more.text())
    assert SessionIndex(str(kept.projects)).conversations(OTHER)[0] == OTHER
    kept.lineage.turn(OTHER)
    assert kept.conversations(OTHER) == [SESSION, OTHER]


def test_a_session_that_is_opened_again_is_not_marked_twice(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    kept.write(SESSION)
    path = kept.write(OTHER)
    kept.lineage.turn(OTHER)
    before = path.read_bytes()
    Lineage(kept.environment, SESSION, OTHER).turn(OTHER)
    assert path.read_bytes() == before


def test_a_transcript_that_cannot_be_written_costs_no_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_given: Any) -> None:
        raise PermissionError("read-only")

    monkeypatch.setattr(lineage, "append_session", refuse)
    kept = Kept(tmp_path)
    kept.write(OTHER)
    with caplog.at_level(logging.WARNING):
        kept.lineage.turn(OTHER)
    assert "read-only" in caplog.text
