"""Where transcripts are."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from adapter.shared.history.places import find_transcript, is_session_id, projects_folder, subagent_files
from support.transcripts import OTHER, SESSION, hello

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({"HOME": "/home/ada"}, "/home/ada/.claude/projects"),
        ({"HOME": "/home/ada", "CLAUDE_CONFIG_DIR": "/etc/claude"}, "/etc/claude/projects"),
        ({"USERPROFILE": "/users/ada"}, "/users/ada/.claude/projects"),
        ({"CLAUDE_CONFIG_DIR": "/e\u0301"}, "/é/projects"),
    ],
)
def test_the_environment_says_where_they_are(environment: dict[str, str], folder: str) -> None:
    assert projects_folder(environment) == folder


def test_a_session_is_found_in_whatever_folder_it_is(tmp_path: Path) -> None:
    older = hello("/a").write(tmp_path)
    newer = hello("/b").write(tmp_path)
    os.utime(older, (1, 1))
    assert find_transcript(str(tmp_path), SESSION) == str(newer)
    newer.write_text("")
    assert find_transcript(str(tmp_path), SESSION) == str(older)
    assert find_transcript(str(tmp_path), OTHER) == ""
    assert find_transcript(str(tmp_path / "none"), SESSION) == ""


@pytest.mark.parametrize("identity", ["", "..", "../../etc/passwd", f"../{SESSION}", f"{SESSION}/x", "nobody"])
def test_what_is_no_session_id_never_gets_into_a_path(tmp_path: Path, identity: str) -> None:
    hello("/a").write(tmp_path)
    assert not is_session_id(identity)
    assert find_transcript(str(tmp_path), identity) == ""


def test_subagents_have_transcripts_beside_it(tmp_path: Path) -> None:
    path = hello("/a").write(tmp_path)
    assert subagent_files(str(path)) == []
    folder = path.with_suffix("") / "subagents"
    folder.mkdir(parents=True)
    for name in ("agent-b.jsonl", "agent-a.jsonl", "agent-a.meta.json"):
        (folder / name).write_text("")
    assert subagent_files(str(path)) == [str(folder / "agent-a.jsonl"), str(folder / "agent-b.jsonl")]
