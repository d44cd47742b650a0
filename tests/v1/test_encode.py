"""What each neutral value looks like in ACP v1; every update is valid against the schema."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from adapter.shared.client_capabilities import TerminalChannel
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
from adapter.shared.work_updates import StateChanged, WorkState
from adapter.v1.encode import config_option, mode_list
from support.machine import NOW, v1_encoder
from support.schemas import document

Json = dict[str, Any]


def check(name: str, value: Any) -> None:
    error = document(1).error(name, value)
    assert error is None, f"{error.json_path}: {error.message}"


def encode(update: Update, terminal: TerminalChannel = TerminalChannel.NONE) -> list[Json]:
    updates = v1_encoder(terminal).updates(update)
    for entry in updates:
        check("SessionNotification", {"sessionId": "s", "update": entry})
    return updates


def report(**fields: Any) -> ToolReport:
    return ToolReport("t1", "Bash", opened=False, fields=fields)


@pytest.mark.parametrize("speaker", Speaker)
def test_text_chunk(speaker: Speaker) -> None:
    assert encode(TextChunk(speaker, "m1", "Hi")) == [
        {"sessionUpdate": speaker.value, "content": {"type": "text", "text": "Hi"}, "messageId": "m1"}
    ]


@pytest.mark.parametrize(
    ("source", "content"),
    [
        (
            {"type": "base64", "media_type": "image/png", "data": "aGk="},
            {"type": "image", "data": "aGk=", "mimeType": "image/png"},
        ),
        ({"type": "url", "url": "https://x/y.png"}, {"type": "text", "text": "[image: https://x/y.png]"}),
    ],
    ids=["base64", "url"],
)
def test_image_chunk(source: Json, content: Json) -> None:
    (update,) = encode(ImageChunk(Speaker.AGENT, "m1", {"type": "image", "source": source}))
    assert update == {"sessionUpdate": "agent_message_chunk", "content": content, "messageId": "m1"}


def test_the_first_report_of_a_call_opens_it() -> None:
    fields = {"name": "Bash", "rawInput": {}, "title": "Terminal", "content": ()}
    (update,) = encode(ToolReport("t1", "Bash", opened=True, fields=fields))
    assert update["sessionUpdate"] == "tool_call"
    assert (update["toolCallId"], update["title"], update["content"]) == ("t1", "Terminal", [])
    assert update["_meta"] == {"claudeCode": {"toolName": "Bash"}}


def test_a_later_report_updates_it() -> None:
    assert encode(report(title="ls")) == [
        {
            "sessionUpdate": "tool_call_update",
            "toolCallId": "t1",
            "title": "ls",
            "_meta": {"claudeCode": {"toolName": "Bash"}},
        }
    ]


@pytest.mark.parametrize(
    ("status", "shown"),
    [
        (ToolStatus.PENDING, "pending"),
        (ToolStatus.IN_PROGRESS, "in_progress"),
        (ToolStatus.COMPLETED, "completed"),
        (ToolStatus.FAILED, "failed"),
        (ToolStatus.CANCELLED, "failed"),
    ],
)
def test_tool_status(status: ToolStatus, shown: str) -> None:
    assert encode(report(status=status))[0]["status"] == shown


def test_every_tool_status_is_tested() -> None:
    assert len(ToolStatus) == 5


@pytest.mark.parametrize("kind", ToolKind)
def test_tool_kind(kind: ToolKind) -> None:
    assert encode(report(kind=kind))[0]["kind"] == kind.value


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        (Text("*done*"), {"type": "content", "content": {"type": "text", "text": "*done*"}}),
        (Block({"type": "text", "text": "x"}), {"type": "content", "content": {"type": "text", "text": "x"}}),
        (Block({"type": "page"}), {"type": "content", "content": {"type": "text", "text": "[page]"}}),
        (Diff("/w/a", "old", "new"), {"type": "diff", "path": "/w/a", "oldText": "old", "newText": "new"}),
        (Diff("/w/a", None, "new"), {"type": "diff", "path": "/w/a", "oldText": None, "newText": "new"}),
        (TerminalRef("t1"), {"type": "terminal", "terminalId": "t1"}),
    ],
)
def test_tool_content(content: Content, shown: Json) -> None:
    assert encode(report(content=(content,)))[0]["content"] == [shown]


def test_a_patch_is_a_code_block() -> None:
    (update,) = encode(report(content=(Patch("/w/a", "@@ -1 +1 @@\n-a\n+b\n", created=False),)))
    assert update["content"][0]["content"]["text"] == "```diff\n@@ -1 +1 @@\n-a\n+b\n```"


def test_locations_have_a_line_where_it_is_known() -> None:
    (update,) = encode(report(locations=(Location("/w/a", 3), Location("/w/b"))))
    assert update["locations"] == [{"path": "/w/a", "line": 3}, {"path": "/w/b"}]


def test_raw_input_and_output_go_as_they_are() -> None:
    (update,) = encode(report(rawInput={"command": "ls"}, rawOutput=[{"type": "text", "text": "a"}]))
    assert update["rawInput"] == {"command": "ls"}
    assert update["rawOutput"] == [{"type": "text", "text": "a"}]


def test_what_claude_code_says_beside_a_call_is_in_its_meta() -> None:
    call = ToolReport(
        "t1", "Bash", opened=False, fields={}, parent_id="agent", response={"stdout": ""}, non_execution_kind="rule"
    )
    assert encode(call)[0]["_meta"]["claudeCode"] == {
        "toolName": "Bash",
        "parentToolUseId": "agent",
        "nonExecutionKind": "rule",
        "toolResponse": {"stdout": ""},
    }


def terminal_report(change: TerminalChange) -> ToolReport:
    return ToolReport("t1", "Bash", opened=change.opened, fields={"title": "ls"}, terminal=change)


OPENED = TerminalChange("t1", opened=True)
NAMED = TerminalChange("t1", command="ls")
PRINTED = TerminalChange("t1", output=CommandOutput("a\n", 3))
SILENT = TerminalChange("t1", output=CommandOutput(""))


def test_without_a_terminal_channel_no_terminal_is_told() -> None:
    for change in (OPENED, NAMED, PRINTED):
        (update,) = encode(terminal_report(change))
        assert update["_meta"] == {"claudeCode": {"toolName": "Bash"}}


@pytest.mark.parametrize(
    ("channel", "key"),
    [(TerminalChannel.META, "terminal_output"), (TerminalChannel.META_DELTA, "terminal_output_delta")],
)
def test_terminal_meta(channel: TerminalChannel, key: str) -> None:
    (opened,) = encode(terminal_report(OPENED), channel)
    assert opened["_meta"]["terminal_info"] == {"terminal_id": "t1"}
    (named,) = encode(terminal_report(NAMED), channel)
    assert named["_meta"] == {"claudeCode": {"toolName": "Bash"}}
    output, end = encode(terminal_report(PRINTED), channel)
    assert output == {
        "sessionUpdate": "tool_call_update",
        "toolCallId": "t1",
        "_meta": {key: {"terminal_id": "t1", "data": "a\n"}},
    }
    assert end["_meta"]["terminal_exit"] == {"terminal_id": "t1", "exit_code": 3, "signal": None}


@pytest.mark.parametrize("channel", [TerminalChannel.META, TerminalChannel.META_DELTA])
@pytest.mark.parametrize("change", [SILENT, replace(SILENT, was_in_background=True)])
def test_a_command_without_an_exit_code_is_given_none(change: TerminalChange, channel: TerminalChannel) -> None:
    *_, end = encode(terminal_report(change), channel)
    assert end["_meta"]["terminal_exit"] == {"terminal_id": "t1", "exit_code": None, "signal": None}


@pytest.mark.parametrize("status", ["pending", "in_progress", "completed"])
def test_plan(status: str) -> None:
    assert encode(PlanChanged((PlanEntry("Read", status),))) == [
        {"sessionUpdate": "plan", "entries": [{"content": "Read", "status": status, "priority": "medium"}]}
    ]


def test_usage_in_mid_turn() -> None:
    assert encode(UsageChanged(120, 200_000, -1.0, "", None)) == [
        {"sessionUpdate": "usage_update", "used": 120, "size": 200_000}
    ]


def test_usage_at_the_end_of_a_turn() -> None:
    (update,) = encode(UsageChanged(120, 200_000, 0.5, "opus", {"kind": "human"}))
    assert update["cost"] == {"amount": 0.5, "currency": "USD"}
    assert update["_meta"] == {"_claude/origin": {"kind": "human"}, "_claude/model": "opus"}


def test_title() -> None:
    assert encode(TitleChanged("Mine")) == [{"sessionUpdate": "session_info_update", "title": "Mine", "updatedAt": NOW}]


def test_commands() -> None:
    (update,) = encode(CommandsChanged((Command("compact", "Shorten", "what to keep"), Command("usage", "Show", ""))))
    assert update["availableCommands"] == [
        {"name": "compact", "description": "Shorten", "input": {"hint": "what to keep"}},
        {"name": "usage", "description": "Show"},
    ]


MODEL = ConfigOption("model", "Model", "AI model", "model", "opus", (Choice("opus", "Opus", "Best"), Choice("x", "X")))
FAST = ConfigOption(
    "fast", "Fast", "Faster", "model_config", "on", (Choice("on", "On"), Choice("off", "Off")), toggle=True
)


def test_options() -> None:
    (update,) = encode(ConfigChanged((MODEL, FAST)))
    assert update["sessionUpdate"] == "config_option_update"
    assert update["configOptions"] == [config_option(MODEL), config_option(FAST)]


def test_a_choice_is_a_select() -> None:
    assert config_option(MODEL) == {
        "id": "model",
        "name": "Model",
        "description": "AI model",
        "category": "model",
        "type": "select",
        "currentValue": "opus",
        "options": [{"value": "opus", "name": "Opus", "description": "Best"}, {"value": "x", "name": "X"}],
    }


def test_a_switch_is_a_select_too() -> None:
    option = config_option(FAST)
    assert (option["type"], option["currentValue"]) == ("select", "on")
    assert [choice["value"] for choice in option["options"]] == ["on", "off"]


def test_mode() -> None:
    assert encode(ModeChanged("plan")) == [{"sessionUpdate": "current_mode_update", "currentModeId": "plan"}]


def test_modes_of_a_new_session() -> None:
    assert mode_list((Choice("plan", "Plan", "Plan first"),)) == [
        {"id": "plan", "name": "Plan", "description": "Plan first"}
    ]


@pytest.mark.parametrize("level", ["notice", "suggestion", "warning"])
def test_notice(level: str) -> None:
    (update,) = encode(Notice(level, "Mind the gap"))
    assert update["sessionUpdate"] == "agent_message_chunk"
    assert update["content"] == {"type": "text", "text": f"**{level.capitalize()}:** Mind the gap"}
    assert update["_meta"] == {"claudeCode": {"kind": "informational", "level": level}}


def test_information_is_told_as_it_is() -> None:
    (update,) = encode(Notice("info", "By the way"))
    assert update["content"] == {"type": "text", "text": "By the way"}


def test_a_notice_with_a_heading_of_its_own_has_no_level() -> None:
    (update,) = encode(Notice("warning", "a declined; retried with b.", heading="Model fallback"))
    assert update == {
        "sessionUpdate": "agent_message_chunk",
        "content": {"type": "text", "text": "**Model fallback:** a declined; retried with b."},
    }


@pytest.mark.parametrize("state", WorkState)
def test_v1_has_no_work_states(state: WorkState) -> None:
    assert encode(StateChanged(state, Outcome(StopReason.END_TURN))) == []


def test_v1_has_no_user_messages_for_prompts() -> None:
    assert encode(UserMessage("p1", ({"type": "text", "text": "Go"},))) == []


ONCE = PermissionOption("once", "Yes", "allow_once")
REJECT = PermissionOption("reject", "No", "reject_once")
LASTING = PermissionOption("always", "Yes, always", "allow_always", ({"type": "addRules"},))
FIELDS: Json = {
    "name": "Bash",
    "title": "ls",
    "kind": ToolKind.EXECUTE,
    "status": ToolStatus.PENDING,
    "content": (),
    "rawInput": {"command": "ls"},
}


def permission(**fields: Any) -> Json:
    question = PermissionQuestion("q1", "t1", "Bash", {"command": "ls"}, FIELDS, (), (ONCE, LASTING, REJECT))
    params = v1_encoder().permission("s", replace(question, **fields))
    check("RequestPermissionRequest", params)
    return params


def test_a_question_carries_the_whole_call() -> None:
    params = permission()
    assert params["sessionId"] == "s"
    assert params["toolCall"] == {
        "toolCallId": "t1",
        "name": "Bash",
        "title": "ls",
        "kind": "execute",
        "status": "pending",
        "content": [],
        "rawInput": {"command": "ls"},
    }


def test_the_options_are_in_the_order_in_which_they_are_shown() -> None:
    assert permission()["options"] == [
        {"optionId": "once", "name": "Yes", "kind": "allow_once"},
        {"optionId": "always", "name": "Yes, always", "kind": "allow_always"},
        {"optionId": "reject", "name": "No", "kind": "reject_once"},
    ]


def test_a_question_says_where_the_call_works_and_whose_tool_it_is() -> None:
    call = permission(locations=(Location("/etc/x"),), mcp_server={"name": "lab"})["toolCall"]
    assert call["locations"] == [{"path": "/etc/x"}]
    assert call["_meta"] == {"claudeCode": {"toolName": "Bash", "mcpServer": {"name": "lab"}}}


@pytest.mark.parametrize("reason", StopReason)
def test_prompt_result(reason: StopReason) -> None:
    outcome = Outcome(reason, None, TokenCount(1, 2, 3, 4), (("opus", TokenCount(5, 6, 7, 8)),))
    value = v1_encoder().prompt_result(outcome)
    check("PromptResponse", value)
    assert value["stopReason"] == reason.value
    assert value["usage"] == {
        "inputTokens": 1,
        "outputTokens": 2,
        "cachedReadTokens": 3,
        "cachedWriteTokens": 4,
        "totalTokens": 10,
    }
    (model,) = value["_meta"]["quota"]["model_usage"]
    assert (model["model"], model["token_count"]["totalTokens"]) == ("opus", 26)


def test_config_result() -> None:
    value = v1_encoder().config_result((MODEL,))
    check("SetSessionConfigOptionResponse", value)
    assert value == {"configOptions": [config_option(MODEL)]}


def test_a_call_that_works_on_says_for_how_long() -> None:
    beat = ToolReport("t1", "Bash", opened=False, fields={}, progress={"elapsedTimeSeconds": 60})
    (update,) = encode(beat)
    assert update["_meta"] == {"claudeCode": {"toolName": "Bash", "toolResponse": {"elapsedTimeSeconds": 60}}}
    assert "status" not in update
    (first,) = encode(replace(beat, fields={"status": ToolStatus.IN_PROGRESS}))
    assert (first["status"], first["_meta"]) == (
        "in_progress",
        {"claudeCode": {"toolName": "Bash", "toolResponse": {"elapsedTimeSeconds": 60}}},
    )
