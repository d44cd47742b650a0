"""Reading a whole transcript."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING

from adapter.shared.history.transcript import MODE_BLOCK, last_permission_mode, read_entries, read_subagents
from support.transcripts import Transcript, hello

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_broken_lines_are_passed_over_and_said_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = hello().write(tmp_path)
    path.write_bytes(b"\xff\xfe\n{broken\n\n[]\n7\n" + path.read_bytes() + b'{"type":"user","uu')
    with caplog.at_level(logging.WARNING):
        entries = read_entries(str(path))
    assert [entry["uuid"] for entry in entries] == ["e0", "e1"]
    assert [record.getMessage() for record in caplog.records] == [f"passed over 3 broken lines of {path}"]


def test_half_a_character_becomes_a_replacement(tmp_path: Path) -> None:
    transcript = hello()
    transcript.user("cut \ud83d")
    entries = read_entries(str(transcript.write(tmp_path)))
    assert entries[2]["message"]["content"] == "cut \ufffd"


def test_records_are_no_entries_and_attachments_are_kept_small(tmp_path: Path) -> None:
    transcript = hello()
    transcript.record("ai-title", aiTitle="x")
    transcript.record("api-request", params="x" * 100)
    transcript.add("attachment", "a", attachment={"type": "prompt_snapshot", "systemPrompt": ["x" * 1000]})
    transcript.add("attachment", "q", attachment={"type": "queued_command", "prompt": "And", "source_uuid": "s"})
    entries = read_entries(str(transcript.write(tmp_path)))
    assert [entry["uuid"] for entry in entries] == ["e0", "e1", "a", "q"]
    assert entries[2] == {
        "type": "attachment",
        "uuid": "a",
        "parentUuid": "e1",
        "isSidechain": False,
        "attachment": None,
    }
    assert entries[3]["attachment"] == {
        "type": "queued_command",
        "prompt": "And",
        "source_uuid": "s",
        "commandMode": None,
    }


def test_the_mode_is_that_of_the_last_prompt(tmp_path: Path) -> None:
    transcript = hello()
    transcript.user("More", permissionMode="acceptEdits")
    path = transcript.write(tmp_path)
    assert last_permission_mode(str(path)) == "acceptEdits"
    transcript.user("Big", toolUseResult="x" * (MODE_BLOCK + 100))
    assert last_permission_mode(str(transcript.write(tmp_path))) == "acceptEdits"


def test_a_transcript_may_name_no_mode(tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.user('"permissionMode":"plan"')
    assert last_permission_mode(str(transcript.write(tmp_path))) == ""


def test_the_mode_is_found_across_two_blocks(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    mark = b'"permissionMode":"plan"'
    path.write_bytes(b"x" * 50 + mark + b"y" * (MODE_BLOCK - 5))
    assert last_permission_mode(str(path)) == "plan"


def test_subagents_are_known_by_the_call_that_launched_them(tmp_path: Path) -> None:
    path = hello().write(tmp_path)
    folder = path.with_suffix("") / "subagents"
    folder.mkdir(parents=True)
    (folder / "agent-a.jsonl").write_text(hello(words="Look").text())
    about = {"toolUseId": "call", "description": "Look around", "agentType": "Explore", "requestShape": "background"}
    (folder / "agent-a.meta.json").write_text(json.dumps(about))
    (folder / "agent-b.jsonl").write_text(hello().text())
    (folder / "agent-c.jsonl").write_text(hello().text())
    (folder / "agent-c.meta.json").write_text("{broken")
    (agent,) = read_subagents(str(path))
    assert (agent.agent_id, agent.launch_id) == ("a", "call")
    assert (agent.title, agent.agent_type, agent.in_background) == ("Look around", "Explore", True)
    assert agent.entries[0]["message"]["content"][0]["text"] == "Look"
