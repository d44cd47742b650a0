"""What each neutral value looks like in draft ACP v2; every update is valid against the schema."""

from __future__ import annotations

import base64
from dataclasses import replace
from typing import Any

import pytest

from adapter.shared.jsonrpc.errors import AdapterBug, ClaudeFailure
from adapter.shared.outcome import Outcome, StopReason, TokenCount
from adapter.shared.permissions.options import PermissionOption, PermissionQuestion
from adapter.shared.tools.facts import (
    Block,
    CommandOutput,
    Content,
    Diff,
    Location,
    Patch,
    TerminalChange,
    TerminalRef,
    Text,
    ToolKind,
    ToolReport,
    ToolStatus,
)
from adapter.shared.updates import (
    Choice,
    Command,
    CommandsChanged,
    ConfigChanged,
    ConfigOption,
    ImageChunk,
    ModeChanged,
    Notice,
    PlanChanged,
    PlanEntry,
    Speaker,
    TextChunk,
    TitleChanged,
    Update,
    UsageChanged,
    UserMessage,
)
from adapter.shared.v2.encode import available_command, config_option
from adapter.shared.work_updates import StateChanged, WorkState
from support.machine import NOW, v2_encoder
from support.schemas import document

Json = dict[str, Any]


def check(name: str, value: Any) -> None:
    error = document(2).error(name, value)
    assert error is None, f"{error.json_path}: {error.message}"


def encode(update: Update) -> list[Json]:
    updates = v2_encoder().updates(update)
    for entry in updates:
        check("UpdateSessionNotification", {"sessionId": "s", "update": entry})
    return updates


def report(**fields: Any) -> ToolReport:
    return ToolReport("t1", "Bash", opened=False, fields=fields)


@pytest.mark.parametrize("speaker", Speaker)
def test_text_chunk(speaker: Speaker) -> None:
    assert encode(TextChunk(speaker, "m1", "Hi")) == [
        {"sessionUpdate": speaker.value, "messageId": "m1", "content": {"type": "text", "text": "Hi"}}
    ]


def test_image_chunk() -> None:
    source = {"type": "base64", "media_type": "image/png", "data": "aGk="}
    (update,) = encode(ImageChunk(Speaker.AGENT, "m1", {"type": "image", "source": source}))
    assert update["content"] == {"type": "image", "data": "aGk=", "mimeType": "image/png"}


def test_user_message() -> None:
    blocks = ({"type": "text", "text": "Go"}, {"type": "resource_link", "uri": "file:///a", "name": "a"})
    assert encode(UserMessage("p1", blocks)) == [
        {"sessionUpdate": "user_message", "messageId": "p1", "content": list(blocks)}
    ]


# Tool calls.


@pytest.mark.parametrize("opened", [True, False])
def test_the_first_report_of_a_call_is_an_update_too(opened: bool) -> None:
    assert encode(ToolReport("t1", "Bash", opened=opened, fields={"title": "ls"})) == [
        {"sessionUpdate": "tool_call_update", "toolCallId": "t1", "title": "ls"}
    ]


@pytest.mark.parametrize("status", ToolStatus)
def test_tool_status(status: ToolStatus) -> None:
    assert encode(report(status=status))[0]["status"] == status.value


@pytest.mark.parametrize("kind", ToolKind)
def test_tool_kind(kind: ToolKind) -> None:
    assert encode(report(kind=kind))[0]["kind"] == kind.value


HUNKS = "@@ -1 +1 @@\n-a\n+b\n"
MODIFIED = {"operation": "modify", "path": "/w/a", "fileType": "text"}
ADDED = {"operation": "add", "path": "/w/a", "fileType": "text"}


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        (Text("*done*"), {"type": "content", "content": {"type": "text", "text": "*done*"}}),
        (Block({"type": "text", "text": "x"}), {"type": "content", "content": {"type": "text", "text": "x"}}),
        (Diff("/w/a", "old", "new"), {"type": "diff", "changes": [MODIFIED]}),
        (Diff("/w/a", None, "new"), {"type": "diff", "changes": [ADDED]}),
        (
            Patch("/w/a", HUNKS, created=False),
            {
                "type": "diff",
                "changes": [MODIFIED],
                "patch": {"format": "git_patch", "text": f"diff --git /w/a /w/a\n--- /w/a\n+++ /w/a\n{HUNKS}"},
            },
        ),
        (
            Patch("/w/a", HUNKS, created=True),
            {
                "type": "diff",
                "changes": [ADDED],
                "patch": {
                    "format": "git_patch",
                    "text": f"diff --git /w/a /w/a\nnew file mode 100644\n--- /dev/null\n+++ /w/a\n{HUNKS}",
                },
            },
        ),
        (TerminalRef("t1"), {"type": "terminal", "terminalId": "t1"}),
    ],
    ids=["text", "block", "diff", "diff of a new file", "patch", "patch of a new file", "terminal"],
)
def test_tool_content(content: Content, shown: Json) -> None:
    assert encode(report(content=(content,)))[0]["content"] == [shown]


def test_locations_have_a_line_where_it_is_known() -> None:
    (update,) = encode(report(locations=(Location("/w/a", 3), Location("/w/b"))))
    assert update["locations"] == [{"path": "/w/a", "line": 3}, {"path": "/w/b"}]


def test_what_claude_code_says_beside_a_call_is_in_its_meta() -> None:
    call = ToolReport("t1", "Bash", opened=False, fields={}, parent_id="agent", non_execution_kind="permission-rule")
    assert encode(call)[0]["_meta"] == {
        "claudeCode": {"parentToolUseId": "agent", "nonExecutionKind": "permission-rule"}
    }


def test_a_report_that_says_nothing_is_not_sent() -> None:
    assert encode(report()) == []


def terminal(change: TerminalChange) -> list[Json]:
    return encode(ToolReport("t1", "Bash", opened=False, fields={}, terminal=change))


def test_a_terminal_is_opened_before_its_call() -> None:
    opened = ToolReport("t1", "Bash", opened=True, fields={"title": "ls"}, terminal=TerminalChange("t1", opened=True))
    assert [update["sessionUpdate"] for update in encode(opened)] == ["terminal_update", "tool_call_update"]


def test_a_terminal_has_its_command() -> None:
    assert terminal(TerminalChange("t1", command="ls")) == [
        {"sessionUpdate": "terminal_update", "terminalId": "t1", "command": "ls"}
    ]


@pytest.mark.parametrize(("code", "status"), [(0, {"exitCode": 0}), (3, {"exitCode": 3}), (-1, {})])
def test_a_terminal_ends_with_its_output_and_its_exit_status(code: int, status: Json) -> None:
    output, end = terminal(TerminalChange("t1", output=CommandOutput("añ\n", code)))
    assert base64.b64decode(output["output"]["data"]).decode() == "añ\n"
    assert end["exitStatus"] == status


def test_a_command_that_printed_nothing_has_no_output() -> None:
    (end,) = terminal(TerminalChange("t1", output=CommandOutput("", 0)))
    assert "output" not in end


# States.


@pytest.mark.parametrize("state", WorkState)
def test_state(state: WorkState) -> None:
    assert encode(StateChanged(state)) == [{"sessionUpdate": "state_update", "state": state.value, "background": []}]


@pytest.mark.parametrize("reason", StopReason)
def test_stop_reason(reason: StopReason) -> None:
    outcome = Outcome(reason, None, TokenCount(1, 2, 3, 4), (("opus", TokenCount(5, 6, 7, 8)),))
    (update,) = encode(StateChanged(WorkState.IDLE, outcome))
    assert update["stopReason"] == reason.value
    assert update["usage"] == {
        "inputTokens": 1,
        "outputTokens": 2,
        "cachedReadTokens": 3,
        "cachedWriteTokens": 4,
        "totalTokens": 10,
    }
    assert update["_meta"]["quota"]["model_usage"][0]["model"] == "opus"


def test_a_turn_without_a_result_has_no_usage() -> None:
    (update,) = encode(StateChanged(WorkState.IDLE, Outcome(StopReason.CANCELLED, measured=False)))
    assert update.keys() == {"sessionUpdate", "state", "background", "stopReason"}


def test_a_failed_turn_has_its_error() -> None:
    failed = Outcome(StopReason.END_TURN, ClaudeFailure("billing_error", "Credit balance is too low"))
    (update,) = encode(StateChanged(WorkState.IDLE, failed))
    assert update["stopReason"] == "error"
    assert update["error"]["data"] == {"errorKind": "billing_error"}
    assert "usage" not in update


# The rest.


@pytest.mark.parametrize("status", ["pending", "in_progress", "completed"])
def test_plan(status: str) -> None:
    (update,) = encode(PlanChanged((PlanEntry("Read", status),)))
    assert update["plan"] == {
        "type": "items",
        "planId": "plan",
        "entries": [{"content": "Read", "status": status, "priority": "medium"}],
    }


def test_usage() -> None:
    (update,) = encode(UsageChanged(120, 200_000, 0.5, "opus", {"kind": "human"}))
    assert (update["used"], update["size"], update["cost"]) == (120, 200_000, {"amount": 0.5, "currency": "USD"})


def test_title() -> None:
    assert encode(TitleChanged("Mine")) == [{"sessionUpdate": "session_info_update", "title": "Mine", "updatedAt": NOW}]


def test_commands() -> None:
    compact, usage = Command("compact", "Shorten", "what to keep"), Command("usage", "Show", "")
    (update,) = encode(CommandsChanged((compact, usage)))
    assert update["availableCommands"] == [available_command(compact), available_command(usage)]
    assert available_command(compact)["input"] == {"type": "text", "hint": "what to keep"}
    assert "input" not in available_command(usage)


CHOICES = (Choice("opus", "Opus", "Best"), Choice("x", "X"))
MODEL = ConfigOption("model", "Model", "AI model", "model", "opus", CHOICES)
SWITCH = (Choice("on", "On"), Choice("off", "Off"))


def test_options() -> None:
    (update,) = encode(ConfigChanged((MODEL,)))
    assert update["configOptions"] == [
        {
            "configId": "model",
            "name": "Model",
            "description": "AI model",
            "category": "model",
            "type": "select",
            "currentValue": "opus",
            "options": [{"value": "opus", "name": "Opus", "description": "Best"}, {"value": "x", "name": "X"}],
        }
    ]


@pytest.mark.parametrize(("current", "value"), [("on", True), ("off", False)])
def test_a_switch_is_a_boolean(current: str, value: bool) -> None:
    option = ConfigOption("fast", "Fast", "Faster", "model_config", current, SWITCH, toggle=True)
    encode(ConfigChanged((option,)))
    shown = config_option(option)
    assert (shown["type"], shown["currentValue"]) == ("boolean", value)
    assert "options" not in shown


def test_the_mode_has_no_update_of_its_own() -> None:
    assert encode(ModeChanged("plan")) == []


@pytest.mark.parametrize(("level", "severity"), [("notice", "info"), ("suggestion", "info"), ("warning", "warning")])
def test_notice(level: str, severity: str) -> None:
    assert encode(Notice(level, "Mind the gap")) == [
        {"sessionUpdate": "notice", "severity": severity, "title": "Mind the gap"}
    ]


# Questions and answers.

ONCE = PermissionOption("once", "Yes", "allow_once")
REJECT = PermissionOption("reject", "No", "reject_once")
FIELDS: Json = {
    "name": "Bash",
    "title": "ls",
    "kind": ToolKind.EXECUTE,
    "status": ToolStatus.PENDING,
    "content": (TerminalRef("t1"),),
    "rawInput": {"command": "ls"},
}


def permission(**fields: Any) -> Json:
    question = PermissionQuestion("q1", "t1", "Bash", {"command": "ls"}, FIELDS, (), (ONCE, REJECT), heading="Run ls?")
    params = v2_encoder().permission("s", replace(question, **fields))
    check("RequestPermissionRequest", params)
    return params


def test_a_question_says_why_it_is_asked() -> None:
    assert permission(reason="Path is outside")["description"] == "Reason: Path is outside"
    assert "description" not in permission()


def test_a_question_is_about_the_whole_call_without_its_status() -> None:
    params = permission()
    assert (params["sessionId"], params["title"]) == ("s", "Run ls?")
    assert params["subject"] == {
        "type": "tool_call",
        "toolCall": {
            "toolCallId": "t1",
            "name": "Bash",
            "title": "ls",
            "kind": "execute",
            "content": [{"type": "terminal", "terminalId": "t1"}],
            "rawInput": {"command": "ls"},
        },
    }
    assert [option["optionId"] for option in params["options"]] == ["once", "reject"]


def test_a_question_names_the_server_of_its_tool() -> None:
    server = {"name": "lab", "source": "dynamic"}
    assert permission(mcp_server=server)["subject"]["toolCall"]["_meta"] == {"claudeCode": {"mcpServer": server}}


def test_a_question_says_where_the_call_works() -> None:
    call = permission(locations=(Location("/etc/x"),))["subject"]["toolCall"]
    assert call["locations"] == [{"path": "/etc/x"}]


def test_config_result() -> None:
    value = v2_encoder().config_result((MODEL,))
    check("SetSessionConfigOptionResponse", value)
    assert value == {"configOptions": [config_option(MODEL)]}


def test_no_prompt_is_answered_by_an_outcome() -> None:
    with pytest.raises(AdapterBug):
        v2_encoder().prompt_result(Outcome(StopReason.END_TURN))


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
