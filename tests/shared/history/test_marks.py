"""What is written into transcripts."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from adapter.shared.history.index import SessionIndex
from adapter.shared.history.marks import append_tag, append_title, delete_transcript
from support.transcripts import SESSION, hello

if TYPE_CHECKING:
    from pathlib import Path


def test_a_title_and_a_tag_are_lines_that_the_list_reads_and_the_time_stays(tmp_path: Path) -> None:
    path = hello().write(tmp_path)
    os.utime(path, ns=(5, 7_000))
    index = SessionIndex(str(tmp_path))
    assert index.page()[0][0].summary.title == "Hello there"
    append_title(str(path), SESSION, "Chösen")
    append_tag(str(path), SESSION, "archived")
    [listed] = index.page(archived=True)[0]
    assert (listed.summary.title, listed.summary.chosen, listed.changed_ns) == ("Chösen", True, 7_000)
    append_tag(str(path), SESSION, "")
    assert not index.page()[0][0].summary.archived


def test_a_line_that_was_cut_off_does_not_swallow_the_record(tmp_path: Path) -> None:
    path = hello().write(tmp_path)
    path.write_text(path.read_text() + '{"type":"user","mess')
    append_title(str(path), SESSION, "Chosen")
    assert path.read_text().endswith('\n{"type":"user","mess\n' + path.read_text().splitlines()[-1] + "\n")
    assert SessionIndex(str(tmp_path)).page()[0][0].summary.title == "Chosen"


def test_a_transcript_that_is_gone_is_not_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "gone.jsonl"
    with pytest.raises(FileNotFoundError):
        append_title(str(path), SESSION, "x")
    assert not path.exists()


def test_a_transcript_is_deleted_with_its_subagents(tmp_path: Path) -> None:
    path = hello().write(tmp_path)
    (path.with_suffix("") / "subagents").mkdir(parents=True)
    delete_transcript(str(path))
    assert list(path.parent.iterdir()) == []
    delete_transcript(str(path))
