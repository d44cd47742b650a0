"""What a recording means: each rule of the view by itself."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from adapter.conformance.recording import Entry
from adapter.conformance.view import view

from .samples import answered, asked, recording, said, update, view_of


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def test_answers_are_known_by_the_id_and_the_method_of_their_request() -> None:
    error = Entry(0, "<", {"jsonrpc": "2.0", "id": 2, "error": {"code": -32603}})
    parts = view_of(asked(1, "session/list"), answered(1, sessions=[]), asked(2, "x/y"), error, answered(9))
    assert parts["answers"] == {
        "1:session/list": {"result": {"sessions": []}},
        "2:x/y": {"error": {"code": -32603}},
        "9:?": {"result": {}},
    }


def test_long_answers_count_only_where_they_are_shown() -> None:
    entries = (asked(1, "session/new"), answered(1, modes=[]), asked(2, "session/list"), answered(2, sessions=[]))
    assert view_of(*entries)["answers"]["1:session/new"] == {"result": {"modes": []}}
    hidden = view_of(*entries, shows_setup=False)["answers"]
    assert hidden == {"1:session/new": "ok", "2:session/list": {"result": {"sessions": []}}}
    failed = Entry(0, "<", {"jsonrpc": "2.0", "id": 1, "error": {"code": 1}})
    assert view_of(asked(1, "session/new"), failed, shows_setup=False)["answers"] == {
        "1:session/new": {"error": {"code": 1}}
    }


def test_adjacent_text_of_a_message_is_joined() -> None:
    parts = view_of(said("a "), said("b"), said("c", "m2"), said("d", "m1"))
    assert [(entry[2], entry[-1]) for entry in parts["timeline"]] == [("m1", "a b"), ("m2", "c"), ("m1", "d")]


def test_the_order_is_kept_within_a_session_only() -> None:
    mine, other = said("a "), said("x", "m9", "<uuid-2>")
    assert view_of(mine, other, said("b"))["timeline"] == view_of(mine, said("b"), other)["timeline"]
    assert view_of(said("a", "m1"), said("b", "m2")) != view_of(said("b", "m2"), said("a", "m1"))


def test_what_the_model_says_beyond_its_script_is_passed_over() -> None:
    assert view_of(said("Do"), said("ne."))["timeline"] == []
    assert len(view_of(said("Done. Really."))["timeline"]) == 1


def test_content_that_is_no_text_is_an_entry_of_its_own() -> None:
    image = {"type": "image", "data": "x"}
    parts = view_of(update("agent_message_chunk", content=image), update("plan", entries=[], updatedAt="now"))
    assert parts["timeline"] == [["s1", "agent_message_chunk", {"content": image}], ["s1", "plan", {"entries": []}]]


def test_tool_calls_have_a_final_state_and_statuses_in_the_timeline() -> None:
    shown: dict[str, Any] = {"terminal_output": {"terminal_id": "t", "data": "a"}, "x": {"y": 1}}
    more: dict[str, Any] = {"terminal_output": {"terminal_id": "t", "data": "b"}, "x": {"z": 2}}
    parts = view_of(
        update("tool_call", toolCallId="c", title="Run", status="pending"),
        update("tool_call_update", toolCallId="c", title="Run it", _meta=shown),
        update("tool_call_update", toolCallId="c", status="completed", _meta=more),
    )
    assert parts["timeline"] == [["s1", "tool", "c"], ["s1", "tool-status", "c", "completed"]]
    merged = {"terminal_output": {"terminal_id": "t", "data": "ab"}, "x": {"y": 1, "z": 2}}
    state = {"session": "s1", "toolCallId": "c", "title": "Run it", "status": "completed", "_meta": merged}
    assert parts["tools"] == {"c": state}


def test_terminals_have_their_whole_output() -> None:
    both = "ä".encode()
    parts = view_of(
        update("terminal_update", terminalId="t", command="ls", output={"data": encoded("lost")}),
        update("terminal_update", terminalId="t", output={"data": encoded("a")}),
        update("terminal_output_chunk", terminalId="t", data=base64.b64encode(both[:1]).decode()),
        update("terminal_output_chunk", terminalId="t", data=base64.b64encode(both[1:]).decode()),
        update("terminal_update", terminalId="t", exitStatus={"exitCode": 0}),
    )
    assert parts["terminals"] == {"t": {"output": "aä", "command": "ls", "exitStatus": {"exitCode": 0}}}
    assert parts["timeline"] == []


@pytest.mark.parametrize("end", ["", "\n", "\n\n[killed]\n", "  "])
def test_the_end_of_an_output_is_passed_over(end: str) -> None:
    shown = {"terminal_output": {"terminal_id": "t", "data": f"a\nb{end}"}, "other": {"data": "x\n"}}
    parts = view_of(
        update("tool_call", toolCallId="c", _meta=shown),
        update("terminal_output_chunk", terminalId="t", data=encoded(f"a\nb{end}")),
        update("terminal_output_chunk", terminalId="u", data=encoded("[killed] a")),
    )
    meta = parts["tools"]["c"]["_meta"]
    assert meta == {"terminal_output": {"terminal_id": "t", "data": "a\nb"}, "other": {"data": "x\n"}}
    assert [terminal["output"] for terminal in parts["terminals"].values()] == ["a\nb", "[killed] a"]


def test_requests_of_the_agent_are_listed_and_in_the_timeline() -> None:
    params = {"sessionId": "<uuid-1>", "options": []}
    ask = Entry(0, "<", {"jsonrpc": "2.0", "id": 0, "method": "session/request_permission", "params": params})
    parts = view_of(ask)
    assert parts["requests"] == [{"method": "session/request_permission", "session": "s1", "params": {"options": []}}]
    assert parts["timeline"] == [["s1", "request", "session/request_permission"]]


def test_usage_counts_once_and_titles_by_their_text() -> None:
    parts = view_of(
        update("usage_update", used=1),
        update("usage_update", used=2),
        update("session_info_update", title="A", updatedAt="x"),
        update("session_info_update", title="A", other=1),
        Entry(0, "<", {"jsonrpc": "2.0", "method": "_auth/status", "params": {}}),
    )
    assert parts["other"] == [["_auth/status", {}], ["s1", "session_info_update", "A"], ["s1", "usage_update"]]
    assert parts["timeline"] == [["s1", "session_info_update", {"title": "A", "other": 1}]]


def test_ids_are_numbered_as_the_agent_uses_them() -> None:
    one = view_of(asked(1, "x", of="<uuid-7>"), said("see <uuid-8>", "<uuid-9>", "<uuid-8>"))
    other = view_of(said("see <uuid-1>", "<uuid-2>", "<uuid-1>"))
    assert one["timeline"] == other["timeline"]
    assert one["timeline"][0][2] == "<id-1>"


def test_what_another_tool_left_in_is_replaced() -> None:
    assert view_of(said("task 46e3c3ba"))["timeline"][0][-1] == "task <job-id>"


def test_the_shape_of_a_message_is_not_taken_for_granted() -> None:
    broken = [
        Entry(0, "<", {"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s"}}),
        Entry(0, "<", {"jsonrpc": "2.0", "method": "session/update"}),
        Entry(0, "<", {"jsonrpc": "2.0", "id": 1, "method": "x", "params": []}),
        Entry(0, ">raw", "{"),
        update("tool_call", toolCallId=None),
        update("terminal_output_chunk", terminalId=1, data=5),
    ]
    parts = view_of(*broken)
    assert [entry[0] for entry in parts["other"]] == ["session/update", "session/update"]
    assert parts["terminals"] == {"1": {"output": "5"}}


def test_files_are_a_part() -> None:
    assert view(recording(files={"a.txt": "x"}), shows_setup=False)["files"] == {"a.txt": "x"}
