"""What single frames mean to a client, malformed ones among them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from adapter.shared.claude.frames import unknown_frames
from adapter.shared.commands import MCP
from adapter.shared.conversation import Conversation
from adapter.shared.tools.facts import FileSnapshot, Location, Patch, ToolReport, ToolStatus
from adapter.shared.updates import (
    Command,
    CommandsChanged,
    ImageChunk,
    ModeChanged,
    Notice,
    PlanChanged,
    PlanEntry,
    Speaker,
    TextChunk,
    TitleChanged,
)
from shared.frames import (
    Frame,
    assistant,
    begins,
    block,
    delta,
    stream,
    system,
    text,
    tool_result,
    tool_use,
    user,
)
from shared.tools.contexts import PATCHES, PLAIN

if TYPE_CHECKING:
    from collections.abc import Iterator

HELLO = TextChunk(Speaker.AGENT, "msg", "hello")
IMAGE = {"type": "image", "source": {"type": "base64", "data": "AA=="}}
EDIT = {"file_path": "/w/a", "old_string": "b", "new_string": "c"}
HUNK = {"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1, "lines": ["-b", "+c"]}
CHANGE = {"filePath": "/w/a", "originalFile": "b\n", "structuredPatch": [HUNK]}


@pytest.fixture(autouse=True)
def counted() -> Iterator[None]:
    """Count from zero."""
    unknown_frames.clear()
    yield
    unknown_frames.clear()


@pytest.fixture
def conversation() -> Conversation:
    return Conversation(PLAIN)


def read(conversation: Conversation, *frames: Frame) -> list[Any]:
    """The updates of frames, without those of the context meter."""
    told = [update for frame in frames for update in conversation.read(frame) or []]
    return [update for update in told if type(update).__name__ != "UsageChanged"]


def statuses(told: list[Any]) -> list[Any]:
    return [update.fields.get("status") for update in told if isinstance(update, ToolReport)]


def test_words_and_thoughts_are_told_as_they_come(conversation: Conversation) -> None:
    told = read(
        conversation,
        begins("m1"),
        delta("thinking", thinking="hm"),
        delta("thinking", thinking=""),
        delta("signature", signature="x"),
        delta("text", text="a"),
        delta("text", text="b"),
        begins("m2"),
        delta("text", text="c"),
    )
    assert told == [
        TextChunk(Speaker.THOUGHT, "m1", "hm"),
        TextChunk(Speaker.AGENT, "m1", "a"),
        TextChunk(Speaker.AGENT, "m1", "b"),
        TextChunk(Speaker.AGENT, "m2", "c"),
    ]


def test_a_block_may_begin_with_words(conversation: Conversation) -> None:
    thinking = {"type": "thinking", "thinking": "hm"}
    told = read(conversation, begins(), block(thinking), block(text("hello")), block(text("")))
    assert told == [TextChunk(Speaker.THOUGHT, "msg", "hm"), HELLO]


def test_what_was_streamed_is_not_told_again(conversation: Conversation) -> None:
    read(conversation, begins(), delta("text", text="hello"))
    assert read(conversation, assistant(text("hello"), {"type": "thinking", "thinking": "hm"})) == []


def test_what_was_not_streamed_is_told_whole(conversation: Conversation) -> None:
    thinking = {"type": "thinking", "thinking": "hm", "signature": "x"}
    empty = {"type": "thinking", "thinking": "", "signature": "x"}
    told = read(conversation, assistant(thinking, empty, text(""), text("hello"), IMAGE))
    assert told == [TextChunk(Speaker.THOUGHT, "msg", "hm"), HELLO, ImageChunk(Speaker.AGENT, "msg", IMAGE)]


def test_a_message_of_another_turn_is_another_message(conversation: Conversation) -> None:
    read(conversation, begins(), delta("text", text="hello"))
    conversation.turn_over()
    assert read(conversation, assistant(text("hello"))) == [HELLO]


def test_the_words_of_a_subagent_are_not_the_conversations(conversation: Conversation) -> None:
    told = read(
        conversation,
        begins(),
        {**delta("text", text="x"), "parent_tool_use_id": "agent"},
        {**begins("inner"), "parent_tool_use_id": "agent"},
        delta("text", text="hello"),
        assistant(text("inner"), parent="agent", message_id="m2"),
    )
    assert told == [HELLO]


def test_a_call_is_opened_by_its_stream_and_refined_by_its_input(conversation: Conversation) -> None:
    told = read(
        conversation,
        begins(),
        block(tool_use(), index=1),
        delta("input_json", 1, partial_json='{"comm'),
        delta("input_json", 1, partial_json='and": "ls"'),
        delta("input_json", 2, partial_json='{"command": "no block"}'),
        assistant(tool_use(command="ls", timeout=5)),
    )
    assert [(report.opened, report.fields.get("rawInput")) for report in told] == [
        (True, {}),
        (False, {"command": "ls"}),
        (False, {"command": "ls", "timeout": 5}),
    ]


def test_inputs_of_the_message_before_are_forgotten(conversation: Conversation) -> None:
    read(conversation, begins(), block(tool_use(), index=1), begins("m2"))
    assert read(conversation, delta("input_json", 1, partial_json='{"command": "ls"}')) == []


def test_a_call_that_was_not_streamed_is_opened_by_its_frame(conversation: Conversation) -> None:
    told = read(conversation, assistant(tool_use(command="ls"), parent="agent"))
    assert [(report.opened, report.parent_id) for report in told] == [(True, "agent"), (False, "agent")]


@pytest.mark.parametrize(
    ("result", "meta", "status"),
    [
        (tool_result(), [], ToolStatus.COMPLETED),
        (tool_result(is_error=False), None, ToolStatus.COMPLETED),
        (tool_result(is_error=True), [], ToolStatus.FAILED),
        (tool_result(is_error=True), [{"id": "c", "non_execution_kind": "permission-rule"}], ToolStatus.FAILED),
        (tool_result(is_error=True), [{"id": "c", "non_execution_kind": "user-rejected"}], ToolStatus.CANCELLED),
        (tool_result(is_error=True), [{"id": "d", "non_execution_kind": "user-rejected"}], ToolStatus.FAILED),
        (tool_result(is_error=True), [{"id": "c", "non_execution_kind": 7}], ToolStatus.FAILED),
    ],
)
def test_a_result_ends_its_call(conversation: Conversation, result: Frame, meta: Any, status: ToolStatus) -> None:
    read(conversation, assistant(tool_use(command="ls")))
    assert statuses(read(conversation, user(result, tool_result_meta=meta))) == [status]
    assert not conversation.calls.is_open("c")


def test_a_structured_result_belongs_to_a_single_call(conversation: Conversation) -> None:
    read(conversation, assistant(tool_use("c"), tool_use("d"), tool_use("e")))
    streams = {"stdout": "out", "stderr": ""}
    (one,) = read(conversation, user(tool_result("c"), tool_use_result=streams))
    assert one.response == streams
    two = read(conversation, user(tool_result("d"), tool_result("e"), tool_use_result=streams))
    assert [report.response for report in two] == [None, None]


@pytest.mark.parametrize(
    "frame",
    [
        user(text("typed"), isReplay=True),
        user(tool_result("unknown")),
        {"type": "user", "message": {"content": "<command-name>/context</command-name>"}},
        user(text("[Request interrupted by user]")),
    ],
)
def test_what_the_user_said_is_not_told_again(conversation: Conversation, frame: Frame) -> None:
    assert read(conversation, frame) == []
    assert not unknown_frames


def test_a_change_is_shown_by_the_file_as_it_is_now() -> None:
    conversation = Conversation(PATCHES)
    read(conversation, assistant(tool_use(name="Edit", **EDIT)))
    frame = user(tool_result(), tool_use_result=CHANGE)
    (report,) = conversation.read_change(frame, FileSnapshot("text", "C\n"))
    assert report.fields["content"] == (Patch("/w/a", "@@ -1 +1 @@\n-b\n+C\n", created=False),)


def test_the_file_of_one_change_is_not_that_of_the_next() -> None:
    conversation = Conversation(PATCHES)
    read(conversation, assistant(tool_use(name="Edit", **EDIT)))
    conversation.read_change(user(text("x")), FileSnapshot("text", "C\n"))
    (report,) = read(conversation, user(tool_result(), tool_use_result=CHANGE))
    assert report.fields["content"] == (Patch("/w/a", "@@ -1,1 +1,1 @@\n-b\n+c\n", created=False),)


def test_a_hook_brings_the_result_of_a_subagents_tool(conversation: Conversation) -> None:
    read(conversation, assistant(tool_use(name="Edit", **EDIT), parent="agent"))
    (told,) = conversation.tool_responded("c", CHANGE)
    assert (told.response, told.fields) == (CHANGE, {})
    (ended,) = read(conversation, user(tool_result()))
    assert ended.fields["locations"] == (Location("/w/a", 1),)


def test_a_written_list_is_a_plan_and_no_call(conversation: Conversation) -> None:
    todos = [{"content": "Do it", "status": "pending", "activeForm": "Doing it"}]
    call = tool_use(name="TodoWrite", todos=todos)
    told = read(conversation, begins(), block(call), assistant(call), user(tool_result()))
    assert told == [PlanChanged((PlanEntry("Do it", "pending"),))]


@pytest.mark.parametrize(
    ("frame", "told"),
    [
        (system("status", status=None, permissionMode="plan"), [ModeChanged("plan")]),
        (system("status", status="requesting"), []),
        (system("status", permissionMode=["plan"]), []),
        (system("informational", level="warning", content="careful"), [Notice("warning", "careful")]),
        (system("informational", level="notice", content="look"), [Notice("notice", "look")]),
        (system("informational", level="info", content="x"), [Notice("info", "x")]),
        (system("informational", content="x"), [Notice("info", "x")]),
        (system("informational", level="info"), []),
        (system("informational", level="warning", content=None), []),
        (
            system("commands_changed", commands=[{"name": "hey"}, {"name": "mcp"}]),
            [CommandsChanged((Command("hey", "", ""), MCP))],
        ),
        (system("session_title_changed", title="Mine"), [TitleChanged("Mine")]),
    ],
)
def test_system_frames(conversation: Conversation, frame: Frame, told: list[Any]) -> None:
    assert read(conversation, frame) == told
    assert not unknown_frames


@pytest.mark.parametrize(
    "subtype",
    [
        "api_retry",
        "background_tasks_changed",
        "control_request_progress",
        "elicitation_complete",
        "files_persisted",
        "hook_progress",
        "hook_response",
        "hook_started",
        "init",
        "memory_recall",
        "model_refusal_no_fallback",
        "notification",
        "permission_denied",
        "plugin_install",
        "session_state_changed",
        "session_writes_lost",
        "task_progress",
        "task_started",
        "task_updated",
        "thinking_tokens",
        "worker_shutting_down",
    ],
)
def test_system_frames_that_tell_a_client_nothing_are_known(conversation: Conversation, subtype: str) -> None:
    assert read(conversation, system(subtype)) == []
    assert not unknown_frames


@pytest.mark.parametrize(("error", "kind"), [("rate_limit", "rate_limit"), (7, "unknown"), (None, "unknown")])
def test_the_error_of_a_message_is_that_of_its_turn(conversation: Conversation, error: Any, kind: str) -> None:
    assert read(conversation, assistant(text("hello"), error=error)) == [HELLO]
    failure = conversation.outcomes.read({"is_error": True, "result": "x"}, cancelled=False).failure
    assert failure is not None
    assert failure.kind == kind


def test_a_task_that_ends_ends_the_calls_of_its_subagent(conversation: Conversation) -> None:
    read(conversation, assistant(tool_use("agent", "Agent")), assistant(tool_use("c"), parent="agent"))
    told = read(conversation, system("task_notification", tool_use_id="agent", status="completed"))
    assert [(report.call_id, report.fields["status"]) for report in told] == [("c", ToolStatus.CANCELLED)]


@pytest.mark.parametrize("kind", ["result", "command_lifecycle", "control_request", "no_such_type"])
def test_other_frames_are_not_the_conversations(conversation: Conversation, kind: str) -> None:
    assert conversation.read({"type": kind}) is None


@pytest.mark.parametrize("subtype", ["brand_new", None, 7, ["init"]])
def test_an_unknown_system_frame_is_counted(conversation: Conversation, subtype: Any) -> None:
    assert read(conversation, system(subtype)) == []
    assert sum(unknown_frames.values()) == 1


@pytest.mark.parametrize(
    "frame",
    [
        {"type": "stream_event"},
        stream("content_block_delta"),
        delta("text"),
        delta("text", text=None),
        delta("thinking", thinking=7),
        stream("message_start"),
        stream("message_start", message={"usage": {}}),
        stream("message_start", message={"id": None}),
        stream("content_block_start", index=0),
        block({}),
        block(tool_use(call_id=None)),
        block(tool_use(name=None)),
        {"type": "assistant"},
        {"type": "assistant", "message": None},
        assistant(text(None) | {"text": 7}, message_id="other"),
        assistant("no block"),
        assistant(tool_use(call_id=7)),
        assistant({"type": "tool_use", "id": "c", "name": "Bash", "input": "text"}),
        {"type": "user"},
        {"type": "user", "message": {}},
        system("commands_changed"),
        system("session_title_changed", title=7),
    ],
)
def test_a_frame_that_lacks_something_is_counted_and_costs_no_other(conversation: Conversation, frame: Frame) -> None:
    told = read(conversation, begins(), frame, delta("text", text="hello"))
    assert told == [HELLO]
    assert sum(unknown_frames.values()) == 1


def test_a_block_that_lacks_something_costs_no_other(conversation: Conversation) -> None:
    lacking = [{"type": "text"}, "text", tool_use(name=7), tool_use(name=""), tool_use("")]
    frame = assistant(*lacking, text("hello"), tool_use(command="ls"))
    told = read(conversation, frame)
    assert told[0] == HELLO
    assert [report.opened for report in told[1:]] == [True, False]
    assert unknown_frames == {"form of a block": len(lacking)}


@pytest.mark.parametrize(
    "frame",
    [
        user(None, tool_result()),
        user("text", tool_result()),
        user(tool_result(), tool_result_meta=[{}]),
        user(tool_result(), tool_result_meta=["text"]),
        user(tool_result(), tool_result_meta=[{"id": []}]),
        user(tool_result(), tool_result_meta=7),
        user({"type": "tool_result"}, tool_result()),
        user(tool_result(call_id=7), tool_result()),
    ],
)
def test_a_result_is_not_lost_by_what_stands_beside_it(conversation: Conversation, frame: Frame) -> None:
    read(conversation, assistant(tool_use(command="ls")))
    assert statuses(read(conversation, frame)) == [ToolStatus.COMPLETED]


@pytest.mark.parametrize("patch", [["text"], [None], [{"lines": 7}]])
def test_a_result_whose_details_have_another_form_ends_its_call(conversation: Conversation, patch: Any) -> None:
    read(conversation, assistant(tool_use(name="Edit", **EDIT)))
    told = read(conversation, user(tool_result(), tool_use_result={**CHANGE, "structuredPatch": patch}))
    assert statuses(told) == [ToolStatus.COMPLETED]


@pytest.mark.parametrize("kind", ["image", "redacted_thinking", "tool_result"])
def test_known_content_blocks_that_tell_nothing_are_not_counted(conversation: Conversation, kind: str) -> None:
    read(conversation, begins(), block({"type": kind}), assistant({"type": kind}))
    assert not unknown_frames


@pytest.mark.parametrize("frame", [assistant({"type": "hologram"}), block({"type": "hologram"})])
def test_an_unknown_content_block_is_counted(conversation: Conversation, frame: Frame) -> None:
    read(conversation, frame)
    assert sum(unknown_frames.values()) == 1
