"""What is of one run gets a stable name, and everything else stays."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from adapter.conformance.neutral import Neutral
from adapter.conformance.recording import Entry

UUID = "6f2c1f0e-3f1d-4c7a-9a53-0d6b5c1f2a3b"
OTHER = "7f2c1f0e-3f1d-4c7a-9a53-0d6b5c1f2a3b"


def neutral(value: Any) -> Any:
    return Neutral({"/tmp/x/workspace": "<cwd>", "/tmp/x": "<folder>"}, 4711).value(value)


def test_ids_are_numbered_in_the_order_in_which_they_come() -> None:
    said = {"a": UUID, "b": [f"is {OTHER}", UUID], OTHER: 1}
    assert neutral(said) == {"a": "<uuid-1>", "b": ["is <uuid-2>", "<uuid-1>"], "<uuid-2>": 1}


def test_session_ids_of_any_form_are_found_before_all_else() -> None:
    entries = [
        Entry(0, "<", {"id": 1, "result": "sess_x1"}),
        Entry(1, "<", {"method": "session/update", "params": {"sessionId": "sess_x1", "text": "sess_x1 stays"}}),
        Entry(2, ">raw", "{"),
    ]
    found = [entry.message for entry in Neutral({}).entries(entries)]
    assert found[0] == {"id": 1, "result": "<session-1>"}
    assert found[1]["params"] == {"sessionId": "<session-1>", "text": "sess_x1 stays"}
    assert found[2] == "{"


def test_commands_in_the_background_are_known_by_where_they_are_named() -> None:
    told = encoded("written to /x/tasks/bterminal.output")
    entries = [
        Entry(0, "<", {"text": "stop brdoisgwk and bterminal and btaskmemb, not builders1"}),
        Entry(1, "<", {"text": "running in background with ID: brdoisgwk. Output"}),
        Entry(2, "<", {"sessionUpdate": "terminal_output_chunk", "data": told}),
        Entry(3, "<", {"taskId": "btaskmemb"}),
    ]
    found = [entry.message for entry in Neutral({}).entries(entries)]
    assert found[0]["text"] == "stop <task-id> and <task-id> and <task-id>, not builders1"
    assert found[1]["text"] == "running in background with ID: <task-id>. Output"
    assert found[2]["data"] == encoded("written to /x/tasks/<task-id>.output")
    assert found[3] == {"taskId": "<task-id>"}
    assert Neutral({}).entries([Entry(0, "<", {"sessionId": "<uuid-1>"})])[0].message == {"sessionId": "<uuid-1>"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/tmp/x/workspace/a.txt", "<cwd>/a.txt"),
        ("/tmp/x/home", "<folder>/home"),
        ("http://127.0.0.1:4711/v1", "http://127.0.0.1:<port>/v1"),
        ("at 2026-01-02T03:04:05.678Z", "at <time>"),
        ("Next run: Feb 28 2:30pm.", "Next run: <time>."),
        ("next run Feb 28 2:30pm:", "next run <time>:"),
        ("duration_ms: 327</usage>", "duration_ms: <varies></usage>"),
        ("/tmp/claude-1000/x", "<tmp>/x"),
        ("/private/tmp/claude-0/x", "<tmp>/x"),
        ("/x/plans/red-fox.md", "/x/plans/<plan>.md"),
        ("mcp-lab-blob-1796093909420-0eacaq.png", "mcp-lab-blob-<varies>.png"),
        ("to a0123456789abcdef", "to <agent-id>"),
        ("Resuming agent a1b41e6", "Resuming agent <agent-id>"),
        ('{"ref":"2d97ee"}', '{"ref":"<varies>"}'),
        ("task 46e3c3ba", "task <job-id>"),
        ("because building backwards defaced", "because building backwards defaced"),
        ("toolu_b_0_0 msg_b_1 1.2.3", "toolu_b_0_0 msg_b_1 1.2.3"),
    ],
)
def test_texts_that_vary_get_a_name(text: str, expected: str) -> None:
    assert neutral(text) == expected


def test_members_that_vary_are_known_by_their_name() -> None:
    said = {"durationMs": 5, "agentId": "x", "nextFireAt": 1.5, "ref": "2d97ee", "tokens": 5, "createdAt": None}
    varies = dict.fromkeys(("durationMs", "agentId", "nextFireAt", "ref"), "<varies>")
    assert neutral(said) == {**varies, "tokens": 5, "createdAt": None}
    assert neutral({"durationMs": {"min": 1}, "agentId": True}) == {"durationMs": {"min": 1}, "agentId": True}


def test_lists_of_commands_keep_what_scenarios_are_about() -> None:
    commands = [{"name": "compact"}, {"name": "review"}, "broken"]
    listed = neutral({"sessionUpdate": "available_commands_update", "availableCommands": commands})
    assert listed["availableCommands"] == [{"name": "compact"}]
    assert neutral({"sessionUpdate": "other", "availableCommands": commands})["availableCommands"] == commands


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def test_paths_in_the_bytes_of_a_terminal_are_found() -> None:
    chunk = neutral({"sessionUpdate": "terminal_output_chunk", "data": encoded("in /tmp/x/workspace")})
    assert chunk["data"] == encoded("in <cwd>")
    whole = neutral({"sessionUpdate": "terminal_update", "output": {"data": encoded("in /tmp/x"), "n": 1}})
    assert whole["output"] == {"data": encoded("in <folder>"), "n": 1}
    binary = base64.b64encode(b"\xff\xfe").decode()
    assert neutral({"sessionUpdate": "terminal_output_chunk", "data": binary})["data"] == binary
