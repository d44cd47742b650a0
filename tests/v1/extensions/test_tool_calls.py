"""Tool calls and questions for JetBrains AIR: each fact once, and nothing that was not asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from adapter.shared.client_capabilities import AIR_CAPABILITIES, read_v1_capabilities
from adapter.shared.permissions.options import PermissionOption, PermissionQuestion
from adapter.shared.tools.facts import (
    CommandOutput,
    Diff,
    Location,
    Patch,
    TerminalChange,
    Text,
    ToolReport,
    ToolStatus,
)
from adapter.v1.extensions.tool_calls import AirEncoder
from support.machine import NOW
from support.schemas import document

Json = dict[str, Any]
ALL = tuple(sorted(AIR_CAPABILITIES))
PATCH = Patch("/w/a b.txt", "@@ -1 +1 @@\n-a\n+b\n", created=False)
SHOWN_PATCH = {
    "type": "diff",
    "path": "/w/a b.txt",
    "oldText": None,
    "newText": "",
    "_meta": {
        "jetbrains": {
            "air": {
                "version": 1,
                "diffPatch": {
                    "version": 1,
                    "format": "git_patch",
                    "text": "diff --git a/w/a b.txt b/w/a b.txt\n--- a/w/a b.txt\t\n+++ b/w/a b.txt\t\n" + PATCH.hunks,
                },
            }
        }
    },
}


def encoder(*capabilities: str) -> AirEncoder:
    air = {"version": 1, "capabilities": list(capabilities)}
    declared = {"_meta": {"terminal_output_delta": True, "jetbrains": {"air": air}}}
    return AirEncoder(read_v1_capabilities(declared), lambda: NOW)


def encode(report: ToolReport, *capabilities: str) -> list[Json]:
    updates = encoder(*capabilities).updates(report)
    for update in updates:
        error = document(1).error("SessionNotification", {"sessionId": "s", "update": update})
        assert error is None, f"{error.json_path}: {error.message}"
    return updates


def report(tool: str = "Bash", **rest: Any) -> ToolReport:
    return ToolReport("t1", tool, **{"opened": False, "fields": {}, **rest})


def test_the_tool_is_named_when_its_call_opens_and_never_again() -> None:
    fields = {"name": "Bash", "status": ToolStatus.PENDING, "title": "Terminal", "content": ()}
    [opened] = encode(report(opened=True, parent_id="agent", fields=fields))
    assert opened["_meta"] == {"claudeCode": {"toolName": "Bash", "parentToolUseId": "agent"}}
    [later] = encode(report(parent_id="agent", fields={"title": "ls"}))
    assert later == {"toolCallId": "t1", "sessionUpdate": "tool_call_update", "title": "ls"}


def test_a_structured_result_is_cut_to_its_marks() -> None:
    fields = {"status": ToolStatus.COMPLETED}
    [marked] = encode(report("Agent", fields=fields, response={"status": "completed", "content": [], "isAsync": False}))
    assert marked["_meta"] == {"claudeCode": {"toolResponse": {"status": "completed", "isAsync": False}}}
    [plain] = encode(report("Read", fields=fields, response={"file": {"content": "x"}}))
    assert "_meta" not in plain


@pytest.mark.parametrize(
    ("hints", "air"),
    [
        ({"commandTitle": "List"}, {"commandTitle": "List"}),
        ({"subagent": True}, {"subagent": True}),
        ({"skill": {"name": "tidy", "path": "/w/SKILL.md"}}, {"skill": {"name": "tidy", "path": "/w/SKILL.md"}}),
    ],
)
def test_hints_stand_under_air(hints: Json, air: Json) -> None:
    [update] = encode(report(hints=hints))
    assert update["_meta"] == {"jetbrains": {"air": {"version": 1, **air}}}


def test_an_exact_change_is_a_git_patch() -> None:
    [update] = encode(report("Edit", fields={"content": (PATCH,)}), "diffPatch")
    assert update["content"] == [SHOWN_PATCH]


LAUNCH = report(
    fields={"status": ToolStatus.COMPLETED},
    terminal=TerminalChange("t1", output=CommandOutput("Started.", 0)),
    response={"backgroundTaskId": "b1"},
)


def test_a_command_in_the_background_is_marked_for_those_who_show_tasks() -> None:
    _output, ended = encode(LAUNCH, "asyncTasks")
    assert ended["_meta"]["jetbrains"] == {"air": {"asyncTasks": {"backgrounded": True}}}
    _output, ended = encode(LAUNCH)
    assert "jetbrains" not in ended["_meta"]


def test_an_approved_plan_takes_its_file_back() -> None:
    approved = report("ExitPlanMode", fields={"title": "Exited Plan Mode", "status": ToolStatus.COMPLETED})
    _ended, retraction = encode(approved, "planFile")
    assert (retraction["toolCallId"], retraction["rawInput"]) == ("t1:plan-file-clear", {"planFilePath": ""})
    assert len(encode(approved)) == 1
    assert len(encode(report("ExitPlanMode", fields={"status": ToolStatus.FAILED}), "planFile")) == 1


def test_a_question_repeats_only_what_it_adds() -> None:
    options = (PermissionOption("allow-once", "Allow", "allow_once"),)
    fields = {"title": "Edit a b.txt", "rawInput": {"file_path": "/w/a b.txt"}, "content": (PATCH,), "kind": "edit"}
    question = PermissionQuestion(
        "q1",
        "t1",
        "Edit",
        {},
        fields,
        (Location("/etc/x"),),
        options,
        heading="Edit a file",
        reason="outside",
        new_location=True,
        default_to_no=True,
        mcp_server={"name": "lab"},
    )
    assert encoder(*ALL).permission("s", question) == {
        "sessionId": "s",
        "toolCall": {
            "toolCallId": "t1",
            "title": "Edit a b.txt",
            "rawInput": {"file_path": "/w/a b.txt"},
            "content": [SHOWN_PATCH],
            "locations": [{"path": "/etc/x"}],
            "_meta": {"claudeCode": {"mcpServer": {"name": "lab"}}},
        },
        "options": [{"optionId": "allow-once", "name": "Allow", "kind": "allow_once"}],
        "_meta": {
            "jetbrains": {
                "air": {
                    "version": 1,
                    "permission": {
                        "version": 1,
                        "title": "Edit a file",
                        "description": "Reason: outside",
                        "defaultToNo": True,
                    },
                }
            }
        },
    }


def test_a_plain_question_is_short() -> None:
    fields = {"title": "ls", "rawInput": {}, "content": ()}
    asked = encoder(*ALL).permission("s", PermissionQuestion("q1", "t1", "Bash", {}, fields, (), (), heading="ls"))
    assert asked["toolCall"] == {"toolCallId": "t1", "title": "ls", "rawInput": {}}
    assert asked["_meta"]["jetbrains"]["air"]["permission"] == {"version": 1, "title": "ls"}


@pytest.mark.parametrize(("code", "told"), [(0, 0), (1, 1), (3, 1), (-1, 1)])
def test_an_exit_code_is_success_or_failure(code: int, told: int) -> None:
    *_, ended = encode(report(terminal=TerminalChange("t1", output=CommandOutput("x", code))))
    assert ended["_meta"]["terminal_exit"] == {"terminal_id": "t1", "exit_code": told, "signal": None}


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        (Text("It replaces a file."), {"type": "content", "content": {"type": "text", "text": "It replaces a file."}}),
        (Diff("/w/a", "a", "b\r\n"), {"type": "diff", "path": "/w/a", "oldText": "a", "newText": "b\r\n"}),
    ],
)
def test_a_question_shows_a_change_that_has_no_exact_patch(content: Text | Diff, shown: Json) -> None:
    fields = {"title": "Write a", "rawInput": {}, "content": (content,)}
    asked = encoder(*ALL).permission("s", PermissionQuestion("q1", "t1", "Write", {}, fields, (), (), heading="a"))
    assert asked["toolCall"]["content"] == [shown]


def test_a_call_that_works_on_says_for_how_long() -> None:
    beat = ToolReport("t1", "Bash", opened=False, fields={}, progress={"elapsedTimeSeconds": 60})
    (update,) = encode(beat)
    assert update["_meta"] == {"claudeCode": {"toolResponse": {"elapsedTimeSeconds": 60}}}
    assert "status" not in update
    (first,) = encode(replace(beat, fields={"status": ToolStatus.IN_PROGRESS}))
    assert (first["status"], first["_meta"]) == (
        "in_progress",
        {"claudeCode": {"toolResponse": {"elapsedTimeSeconds": 60}}},
    )
