"""What users hit with edits, outputs, refusals and rules, on the real Claude Code."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

import pytest

from support.scenario import run_scenario

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.cli

FILES: dict[str, bytes] = {
    "crlf.txt": b"one\r\ntwo\r\nthree\r\n",
    "bom.txt": b"\xef\xbb\xbfone\ntwo\n",
    "utf16.txt": "one\ntwo\n".encode("utf-16"),
    "latin1.txt": b"one\ntwo caf\xe9\n",
    "binary.bin": b"\x00\x01two\x02\xff\xfe",
    "empty.txt": b"",
    "no_newline.txt": b"one\ntwo",
    "with space é.txt": b"one\ntwo\n",
}


def tool(name: str, **tool_input: Any) -> dict[str, Any]:
    return {"blocks": [{"tool": name, "input": tool_input}]}


def said(text: str) -> dict[str, Any]:
    return {"blocks": [{"text": text}]}


@pytest.mark.parametrize("profile", ["plain", "v2", "v2_native"])
def test_files_of_any_encoding_are_edited_without_a_fault(tmp_path: Path, profile: str) -> None:
    steps: list[dict[str, Any]] = []
    for name in FILES:
        path = f"@CWD@/{name}"
        steps.append(tool("Bash", command=f"base64 -d '{name}.b64' > '{name}'"))
        steps.append(tool("Read", file_path=path))
        steps.append(tool("Edit", file_path=path, old_string="two", new_string="TWO"))
        steps.append(tool("Write", file_path=path, content="new\n"))
    scenario = {
        "workspace": {f"{name}.b64": base64.b64encode(data).decode() for name, data in FILES.items()},
        "settings": {"permissions": {"defaultMode": "acceptEdits", "allow": ["Bash(base64:*)"]}},
        "model": {"edit": [*steps, said("Done.")]},
        "steps": [{"do": "new"}, {"do": "prompt", "text": "[[edit]] all"}],
    }
    outcome = run_scenario(scenario, profile, tmp_path)
    traffic = outcome.traffic
    assert traffic.stop_reasons() == ["end_turn"]
    statuses = traffic.tool_statuses()
    assert len(statuses) == 4 * len(FILES)
    assert set(statuses) <= {"completed", "failed"}
    edits = [call for call in traffic.tool_calls().values() if call["name"] == "Edit"]
    changed = [call for call in edits if call["status"] == "completed"]
    assert len(changed) >= 4
    shown = json.dumps(changed)
    assert "TWO" in shown
    if profile == "plain":
        (crlf,) = [call for call in changed if call["title"] == "Edit crlf.txt"]
        (diff,) = crlf["content"]
        assert diff["oldText"].splitlines() == ["one", "two", "three"]
        assert diff["newText"].splitlines() == ["one", "TWO", "three"]


def test_a_large_output_is_shown_without_the_tags_around_it_and_says_where_it_is(tmp_path: Path) -> None:
    scenario = {
        "model": {"list": [tool("Bash", command="seq 35001; echo to-stderr >&2"), said("Listed.")]},
        "steps": [{"do": "new"}, {"do": "prompt", "text": "[[list]] numbers"}],
    }
    (call,) = run_scenario(scenario, "plain", tmp_path).traffic.tool_calls().values()
    text = call["content"][0]["content"]["text"]
    assert "persisted-output" not in text
    assert text.startswith("```console\n1\n2\n3\n")
    assert "The whole output is in " in text


def test_what_a_person_must_read_is_whole(tmp_path: Path) -> None:
    command = "cat > out.txt <<'EOF'\nfirst line\nsecond line\nEOF"
    edit = {"file_path": "@CWD@/a.txt", "old_string": "beta", "new_string": "BETA"}
    scenario = {
        "workspace": {"a.txt": "alpha\nbeta\n"},
        "model": {
            "all": [
                tool("Bash", command=command, description="Write two lines"),
                tool("Read", file_path="@CWD@/a.txt"),
                tool("Edit", **edit),
                tool("FooBar", x=1),
                said("Done."),
            ]
        },
        "answers": ["reject_once", "reject_once"],
        "steps": [{"do": "new"}, {"do": "prompt", "text": "[[all]] go"}],
    }
    traffic = run_scenario(scenario, "plain", tmp_path).traffic
    bash, _, edited, unknown = traffic.tool_calls().values()
    asked = [request["toolCall"] for request in traffic.agent_requests("session/request_permission")]
    assert [bash["title"], asked[0]["title"]] == [command, command]
    assert "Write two lines" in json.dumps(asked[0]["content"])
    assert edited["status"] == "failed"
    assert [item["newText"] for item in edited["content"] if item["type"] == "diff"] == ["BETA"]
    assert (unknown["title"], unknown["kind"], unknown["rawInput"]) == ("FooBar", "other", {"x": 1})
    assert traffic.stop_reasons() == ["end_turn"]


def test_one_no_leaves_the_other_calls_of_the_turn(tmp_path: Path) -> None:
    calls = [{"tool": "Bash", "input": {"command": f"touch {name}"}} for name in ("first", "second")]
    scenario = {
        "model": {"two": [{"blocks": calls}, said("Both answered.")]},
        "answers": ["reject_once", "allow_once"],
        "steps": [{"do": "new"}, {"do": "prompt", "text": "[[two]] go"}],
    }
    outcome = run_scenario(scenario, "plain", tmp_path)
    assert outcome.traffic.tool_statuses() == ["failed", "completed"]
    assert "second" in outcome.files
    assert "first" not in outcome.files
    assert outcome.traffic.stop_reasons() == ["end_turn"]
    last = json.dumps([request.body["messages"] for request in outcome.model_requests if request.body.get("tools")][-1])
    assert last.count('"tool_result"') == 2


def test_the_users_rules_are_obeyed_and_kept(tmp_path: Path) -> None:
    rules = [f"Bash(tool{number}:*)" for number in range(20)]
    local = {"permissions": {"allow": rules}, "unknownKey": {"a": [1]}}
    scenario = {
        "workspace": {
            ".env": "SECRET=1\n",
            ".claude/settings.json": json.dumps({"permissions": {"deny": ["Read(./.env)"], "ask": ["Bash(ls:*)"]}}),
            ".claude/settings.local.json": json.dumps(local),
            "make.sh": "echo made >> made.txt\n",
        },
        "model": {
            "all": [
                tool("Read", file_path="@CWD@/.env"),
                tool("Bash", command="ls"),
                tool("Bash", command="sh make.sh"),
                tool("Bash", command="sh make.sh"),
                said("Done."),
            ]
        },
        "answers": ["allow_once", "allow_always"],
        "steps": [{"do": "new"}, {"do": "prompt", "text": "[[all]] go"}],
    }
    outcome = run_scenario(scenario, "plain", tmp_path)
    asked = [request["toolCall"]["title"] for request in outcome.traffic.agent_requests("session/request_permission")]
    assert asked == ["ls", "sh make.sh"]
    assert outcome.traffic.tool_statuses() == ["failed", "completed", "completed", "completed"]
    kept = json.loads(outcome.files[".claude/settings.local.json"])
    assert kept["unknownKey"] == {"a": [1]}
    assert [rule for rule in kept["permissions"]["allow"] if rule in rules] == rules
    assert any("make.sh" in rule for rule in kept["permissions"]["allow"])


def test_background_work_outlives_the_turn_in_the_same_process(tmp_path: Path) -> None:
    command = "sh -c 'sleep 2; ps -o ppid= -p $$ > done.txt'"
    scenario = {
        "settings": {"permissions": {"defaultMode": "default", "allow": ["Bash"]}},
        "model": {
            "start": [tool("Bash", command=command, run_in_background=True), said("Started."), said("It is done.")],
            "next": [said("Still here.")],
        },
        "steps": [
            {"do": "new"},
            {"do": "prompt", "text": "[[start]] go"},
            {"do": "await_file", "file": "done.txt"},
            {"do": "prompt", "text": "[[next]] go"},
        ],
        "env": {"CLAUDE_ACP_RECORD": str(tmp_path)},
    }
    place = tmp_path / "place"
    place.mkdir()
    outcome = run_scenario(scenario, "plain", place)
    assert outcome.traffic.stop_reasons() == ["end_turn", "end_turn"]
    assert "done.txt" in outcome.files
    assert "Still here." in outcome.traffic.text()
    (recording,) = tmp_path.glob("*.jsonl")
    inputs = {json.loads(line).get("input") for line in recording.read_text().splitlines()}
    assert "PromptReceived" in inputs
    assert inputs.isdisjoint({"ProcessEnded", "ProcessStarted"})
