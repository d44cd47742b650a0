"""Claude's tools as AIR is shown them: each fact in one field."""

from __future__ import annotations

from typing import Any

import pytest

from support.air import ALL, AirSession
from support.machine import calls, message_start, prompt, returns, returns_data, started, stream

Json = dict[str, Any]

WITHOUT_SESSIONS = tuple(name for name in ALL if name != "nativeSubagentSessions")
QUESTIONS = [{"question": "Which?", "header": "W", "options": [{"label": "A", "description": "a"}]}]
FINDINGS = [{"file": "a.py", "line": 1, "summary": "Bug", "failure_scenario": "Always"}]
AGENT = {"description": "Look", "prompt": "Look around"}
PLAN = {"plan": "1. Do it", "planFilePath": "/h/p.md"}
NOTEBOOK = {"notebook_path": "/workspace/n.ipynb", "cell_id": "c1", "new_source": "x = 1"}
WRITE = {"file_path": "/workspace/a.txt", "content": "x\n"}
WRITTEN: Json = {
    "type": "create",
    "filePath": "/workspace/a.txt",
    "content": "x\n",
    "structuredPatch": [],
    "originalFile": None,
}
EDIT = {"file_path": "/workspace/a.txt", "old_string": "a", "new_string": "b"}
FIELDS = ("title", "kind", "rawInput", "content", "rawOutput")
ABSENT = "absent"


def text(words: str) -> list[Json]:
    return [{"type": "content", "content": {"type": "text", "text": words}}]


def merged(updates: list[Json], call_id: str = "t1") -> Json:
    """What a client has of a call after some updates; `_meta` is merged too."""
    call: Json = {}
    for update in updates:
        if update.get("toolCallId") != call_id:
            continue
        meta = {**call.get("_meta", {})}
        for key, value in update.get("_meta", {}).items():
            meta[key] = {**meta.get(key, {}), **value} if isinstance(value, dict) else value
        call |= {**update, "_meta": meta}
    return call


def shown(tool: str, given: Json, *capabilities: str, end: Json | None = None) -> Json:
    """A call with its whole input, and its end."""
    air = AirSession(*capabilities)
    events: list[Any] = [prompt(1), started(1), calls("t1", tool, given), *([end] if end is not None else [])]
    return merged(air.gets(*events))


@pytest.mark.parametrize(
    ("tool", "given", "end", "expected", "air"),
    [
        (
            "Bash",
            {"command": "ls", "description": "List"},
            returns_data("t1", {"stdout": "a.txt", "stderr": ""}),
            (
                "ls",
                "execute",
                {"command": "ls", "description": "List"},
                [{"type": "terminal", "terminalId": "t1"}],
                ABSENT,
            ),
            {"commandTitle": "List"},
        ),
        (
            "PowerShell",
            {"command": "ls", "description": "List"},
            returns_data("t1", {"stdout": "a.txt", "stderr": ""}),
            (
                "ls",
                "execute",
                {"command": "ls", "description": "List"},
                [{"type": "terminal", "terminalId": "t1"}],
                ABSENT,
            ),
            {"commandTitle": "List"},
        ),
        (
            "Read",
            {"file_path": "/workspace/a.txt", "offset": 3, "limit": 2},
            returns("t1", "     3\tx"),
            ("Read a.txt (3 - 4)", "read", {"file_path": "/workspace/a.txt", "offset": 3, "limit": 2}, [], ABSENT),
            None,
        ),
        (
            "Write",
            WRITE,
            returns_data("t1", WRITTEN, "Written."),
            ("Write a.txt", "edit", {"file_path": "/workspace/a.txt"}, ["diff"], "Written."),
            None,
        ),
        (
            "Edit",
            EDIT,
            None,
            ("Edit a.txt", "edit", {"file_path": "/workspace/a.txt"}, ["diff"], ABSENT),
            None,
        ),
        (
            "NotebookEdit",
            NOTEBOOK,
            returns("t1", "Updated."),
            ("Edit cell c1 in n.ipynb", "edit", NOTEBOOK, [], ABSENT),
            None,
        ),
        (
            "Glob",
            {"pattern": "*.py"},
            returns("t1", "a.py"),
            ("Find `*.py`", "search", {"pattern": "*.py"}, text("a.py"), ABSENT),
            None,
        ),
        (
            "Grep",
            {"pattern": "found"},
            returns("t1", "a.py:1:found"),
            ('grep "found"', "search", {"pattern": "found"}, text("a.py:1:found"), ABSENT),
            None,
        ),
        (
            "WebFetch",
            {"url": "https://x.example", "prompt": "What?"},
            returns("t1", "That."),
            (
                "Fetch https://x.example",
                "fetch",
                {"url": "https://x.example", "prompt": "What?"},
                text("That."),
                ABSENT,
            ),
            None,
        ),
        (
            "WebSearch",
            {"query": "cats"},
            returns("t1", "Hits."),
            ('Search "cats"', "fetch", {"query": "cats"}, text("Hits."), ABSENT),
            None,
        ),
        (
            "Agent",
            AGENT,
            returns("t1", "Report."),
            ("Look", "think", AGENT, text("Report."), ABSENT),
            {"subagent": True},
        ),
        (
            "Task",
            AGENT,
            returns("t1", "Report."),
            ("Look", "think", AGENT, text("Report."), ABSENT),
            {"subagent": True},
        ),
        (
            "ExitPlanMode",
            PLAN,
            returns_data("t1", {"plan": "1. Do it", "filePath": "/h/p.md"}),
            ("Exited Plan Mode", "switch_mode", {"planFilePath": "/h/p.md"}, [], ABSENT),
            None,
        ),
        (
            "ExitPlanMode",
            PLAN,
            returns("t1", "Not yet.", kind="user-rejected"),
            ("Approve Plan", "switch_mode", {"planFilePath": "/h/p.md"}, [], "Not yet."),
            None,
        ),
        (
            "AskUserQuestion",
            {"questions": QUESTIONS},
            returns("t1", "A"),
            ("Asking for your input", "other", {"questions": QUESTIONS}, text("A"), ABSENT),
            None,
        ),
        (
            "Skill",
            {"skill": "pdf"},
            returns("t1", "Loaded."),
            ("Load skill: pdf", "other", {"skill": "pdf"}, [], "Loaded."),
            {"skill": {"name": "pdf"}},
        ),
        (
            "ReportFindings",
            {"findings": FINDINGS},
            returns("t1", "Reported."),
            ("Report 1 finding", "think", {"findings": FINDINGS}, text("Reported."), ABSENT),
            None,
        ),
        (
            "mcp__lab__add",
            {"a": 1},
            returns("t1", "2"),
            ("mcp__lab__add", "other", {"a": 1}, text("2"), ABSENT),
            {"mcp": {"server": "lab", "tool": "add"}},
        ),
    ],
)
def test_each_fact_of_a_tool_is_in_its_field(
    tool: str, given: Json, end: Json | None, expected: tuple[Any, ...], air: Json | None
) -> None:
    call = shown(tool, given, *WITHOUT_SESSIONS, end=end)
    fields = [call.get(name, ABSENT) for name in FIELDS]
    if expected[3] == ["diff"]:
        fields[3] = [item["type"] for item in fields[3]]
    assert fields == list(expected)
    assert call["_meta"]["claudeCode"]["toolName"] == tool
    assert call["_meta"].get("jetbrains", {}).get("air") == (None if air is None else {"version": 1, **air})
    assert call["_meta"].get("is_mcp_tool_call", False) is tool.startswith("mcp__")


@pytest.mark.parametrize(
    ("tool", "given", "copy"),
    [
        ("WebFetch", {"url": "https://x.example", "prompt": "What?"}, "What?"),
        ("Agent", AGENT, "Look around"),
        ("ExitPlanMode", {"plan": "1. Do it"}, "1. Do it"),
        ("AskUserQuestion", {"questions": QUESTIONS}, "Which?"),
        ("ReportFindings", {"findings": FINDINGS}, "Bug"),
        ("NotebookEdit", NOTEBOOK, "x = 1"),
    ],
)
def test_a_copy_of_the_input_is_for_those_who_do_not_render_it(tool: str, given: Json, copy: str) -> None:
    assert copy in str(shown(tool, given)["content"])
    assert shown(tool, given, "rawInputRendering")["content"] == []


def test_a_partial_input_is_a_title_and_no_raw_input() -> None:
    air = AirSession()
    block = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {}}
    part = {"type": "input_json_delta", "partial_json": '{"command": "ls -l", "descr'}
    sent = air.gets(
        prompt(1),
        started(1),
        message_start(),
        stream({"type": "content_block_start", "index": 0, "content_block": block}),
        stream({"type": "content_block_delta", "index": 0, "delta": part}),
    )
    assert merged(sent)["title"] == "ls -l"
    assert "rawInput" not in merged(sent)
    whole = {"command": "ls -l", "description": "List"}
    assert [update["rawInput"] for update in air.gets(calls("t1", "Bash", whole)) if "rawInput" in update] == [whole]


def test_a_plan_is_named_by_its_file_only_if_that_is_known_and_wanted() -> None:
    assert shown("ExitPlanMode", PLAN, "planFile")["rawInput"] == {"planFilePath": "/h/p.md"}
    assert shown("ExitPlanMode", PLAN)["rawInput"] == PLAN
    assert shown("ExitPlanMode", {"plan": "1. Do it"}, "planFile")["rawInput"] == {"plan": "1. Do it"}
    assert "planFilePath" not in shown("ExitPlanMode", {}, "planFile").get("rawInput", {})


def test_the_file_of_a_plan_may_come_with_its_result() -> None:
    end = returns_data("t1", {"plan": "1. Do it", "filePath": "/h/p.md"})
    assert shown("ExitPlanMode", {}, "planFile", end=end)["rawInput"] == {"planFilePath": "/h/p.md"}


def test_a_command_is_a_title_as_it_is() -> None:
    command = "echo 'one\n\n  two'  " + "x" * 5000
    assert shown("Bash", {"command": command})["title"] == command
