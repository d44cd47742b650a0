"""A call is opened once, told only what is new, and closed once."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.shared.tools.facts import (
    CallContext,
    CommandOutput,
    Diff,
    FileSnapshot,
    Location,
    Patch,
    TerminalChange,
    TerminalRef,
    Text,
    ToolKind,
    ToolReport,
    ToolStatus,
)
from adapter.shared.tools.tracker import NO_RESULT, ToolCalls
from shared.doubles import PROPERTY
from shared.tools.contexts import FIELDS, PATCHES, PLAIN, TERMINAL, failed, ran

EDIT: dict[str, Any] = {"file_path": "/w/a", "old_string": "b", "new_string": "c"}
PATCH = Patch("/w/a", "@@ -1 +1 @@\n-b\n+c\n", created=False)


def opened(context: CallContext = PLAIN, tool: str = "Bash", **tool_input: Any) -> ToolCalls:
    """The calls of a session in which one, `c`, is open."""
    calls = ToolCalls(context)
    calls.open("c", tool)
    if tool_input:
        calls.refine("c", tool_input)
    return calls


def fields(reports: list[ToolReport]) -> dict[str, Any]:
    """The fields of the one report."""
    (report,) = reports
    assert not report.opened
    return report.fields


def test_a_call_is_opened_with_all_that_its_name_says() -> None:
    assert ToolCalls(PLAIN).open("c", "Read", "parent") == [
        ToolReport(
            call_id="c",
            tool_name="Read",
            opened=True,
            fields={
                "name": "Read",
                "rawInput": {},
                "status": ToolStatus.PENDING,
                "title": "Read File",
                "kind": ToolKind.READ,
                "content": (),
                "locations": (),
            },
            parent_id="parent",
        )
    ]


def test_a_call_is_opened_once() -> None:
    calls = opened()
    assert calls.open("c", "Bash") == []
    calls.finish("c", ran("ok"))
    assert calls.open("c", "Bash") == []
    assert not calls.is_open("c")


def test_ids_of_a_turn_that_is_over_may_come_again() -> None:
    calls = opened()
    calls.finish("c", ran("ok"))
    calls.forget_closed()
    assert calls.open("c", "Bash") != []


def test_only_what_has_changed_is_told() -> None:
    calls = opened()
    assert fields(calls.refine("c", {"command": "ls"})) == {"rawInput": {"command": "ls"}, "title": "ls"}
    assert fields(calls.refine("c", {"command": "ls", "description": "List"})) == {
        "rawInput": {"command": "ls", "description": "List"},
        "content": (Text("List"),),
    }
    assert calls.refine("c", {"command": "ls", "description": "List"}) == []


def test_content_that_was_shown_is_not_taken_away() -> None:
    calls = opened(tool="Edit", **EDIT)
    assert "content" not in fields(calls.refine("c", {"file_path": "/w/a"}))


def test_half_an_input_is_shown_without_its_content() -> None:
    calls = opened(tool="Edit")
    assert fields(calls.refine("c", EDIT, complete=False)) == {
        "rawInput": EDIT,
        "title": "Edit a",
        "locations": (Location("/w/a"),),
    }
    assert fields(calls.refine("c", EDIT)) == {"content": (Diff("/w/a", "b", "c"),)}


def test_a_call_that_is_not_open_is_told_nothing() -> None:
    calls = ToolCalls(PLAIN)
    assert calls.refine("c", {"command": "ls"}) == []
    assert calls.finish("c", ran("ok")) == []
    assert calls.respond("c", {}) == []
    assert calls.show_preview("c", FileSnapshot("missing")) == []
    assert calls.describe("c") is None
    assert not calls.is_open("c")


def test_paths_are_told_whole() -> None:
    calls = ToolCalls(PLAIN)
    calls.open("c", "Read")
    assert fields(calls.refine("c", {"file_path": "src/a", "offset": 3}))["locations"] == (Location("/w/src/a", 3),)
    assert calls.locations("c") == (Location("/w/src/a", 3),)


@pytest.mark.parametrize(
    ("result", "status"),
    [
        (ran("ok"), ToolStatus.COMPLETED),
        (failed("oops"), ToolStatus.FAILED),
        (failed("no", "permission-rule"), ToolStatus.FAILED),
        (failed("no", "user-rejected"), ToolStatus.CANCELLED),
    ],
)
def test_a_result_ends_its_call(result: Any, status: ToolStatus) -> None:
    calls = opened()
    (report,) = calls.finish("c", result)
    assert report.fields["status"] is status
    assert report.fields["rawOutput"] == result.content
    assert report.non_execution_kind == result.non_execution_kind
    assert not calls.is_open("c")
    assert calls.finish("c", result) == []
    assert calls.refine("c", {"command": "late"}) == []


def test_a_result_replaces_what_is_shown() -> None:
    structured = {"stdout": "out", "stderr": ""}
    (report,) = opened(command="ls", description="List").finish("c", ran("out", structured))
    assert report.fields == {
        "status": ToolStatus.COMPLETED,
        "content": (Text("```console\nout\n```"),),
        "rawOutput": "out",
    }
    assert report.response == structured


def test_the_structured_result_of_a_failure_is_not_told() -> None:
    (report,) = opened().finish("c", failed("oops", structured="Error: oops"))
    assert report.response is None


def test_a_result_may_bring_a_title_and_places() -> None:
    (plan,) = opened(tool="ExitPlanMode").finish("c", ran("ok"))
    assert plan.fields["title"] == "Exited Plan Mode"
    change = {"filePath": "/w/a", "structuredPatch": [{"newStart": 7, "lines": ["-b", "+c"]}]}
    (edit,) = opened(tool="Edit", **EDIT).finish("c", ran("ok", change))
    assert edit.fields["locations"] == (Location("/w/a", 7),)


def test_a_terminal_is_opened_told_its_command_and_ended() -> None:
    calls = ToolCalls(TERMINAL)
    (begun,) = calls.open("c", "Bash")
    assert begun.terminal == TerminalChange("c", opened=True)
    assert begun.fields["content"] == (TerminalRef("c"),)
    (refined,) = calls.refine("c", {"command": "ls"})
    assert refined.terminal == TerminalChange("c", command="ls")
    assert calls.refine("c", {"command": "ls"}) == []
    (ended,) = calls.finish("c", ran("x", {"stdout": "out", "stderr": ""}))
    assert ended.terminal == TerminalChange("c", output=CommandOutput("out", 0))
    assert ended.fields == {"status": ToolStatus.COMPLETED}


def test_other_tools_have_no_terminal() -> None:
    calls = ToolCalls(TERMINAL)
    reports = calls.open("c", "Read") + calls.refine("c", {"file_path": "/w/a"}) + calls.finish("c", ran("a"))
    assert [report.terminal for report in reports] == [None, None, None]


def test_a_client_that_gets_each_fact_once_gets_no_input_that_is_shown_elsewhere() -> None:
    calls = ToolCalls(FIELDS)
    (begun,) = calls.open("c", "Write")
    assert "rawInput" not in begun.fields
    half = {"file_path": "/w/a", "content": "x", "mode": 1}
    assert "rawInput" not in fields(calls.refine("c", half, complete=False))
    assert fields(calls.refine("c", half))["rawInput"] == {"file_path": "/w/a", "mode": 1}
    assert opened(PLAIN, "Write").shown_input("c", half) == half


def test_a_client_that_gets_each_fact_once_gets_no_raw_result_that_is_shown_elsewhere() -> None:
    assert "rawOutput" not in fields(opened(FIELDS, "Grep").finish("c", ran("found")))
    assert fields(opened(FIELDS, "Skill").finish("c", ran("loaded")))["rawOutput"] == "loaded"
    assert "rawOutput" not in fields(opened(FIELDS, "Read").finish("c", ran("text")))
    assert "rawOutput" not in fields(opened(FIELDS, "Bash").finish("c", ran("text")))
    assert fields(opened(FIELDS, "Write").finish("c", ran("written")))["rawOutput"] == "written"
    change = {"filePath": "/w/a", "structuredPatch": [{"newStart": 1, "lines": ["-b", "+c"]}]}
    assert fields(opened(FIELDS, "Edit", **EDIT).finish("c", ran("edited", change)))["rawOutput"] == "edited"


def test_hints_are_told_once() -> None:
    calls = ToolCalls(FIELDS)
    calls.open("c", "Bash")
    (told,) = calls.refine("c", {"command": "ls", "description": "List"})
    assert told.hints == {"commandTitle": "List"}
    (again,) = calls.refine("c", {"command": "ls -l", "description": "List"})
    assert again.hints == {}
    (changed,) = calls.refine("c", {"command": "ls -l", "description": "List all"}, complete=False)
    assert (changed.fields, changed.hints) == ({}, {"commandTitle": "List all"})


def test_a_structured_result_that_comes_before_the_result_is_told_and_used() -> None:
    change = {"filePath": "/w/a", "structuredPatch": [{"newStart": 1, "lines": ["-b", "+c"]}]}
    calls = ToolCalls(PLAIN)
    calls.open("c", "Edit", "parent")
    assert calls.respond("c", change) == [
        ToolReport("c", "Edit", opened=False, fields={}, parent_id="parent", response=change)
    ]
    assert fields(calls.finish("c", ran("ok")))["content"] == (Diff("/w/a", "b", "c"),)


def test_calls_without_a_result_are_closed() -> None:
    calls = opened()
    calls.open("inner", "Read", "c")
    reports = calls.close(ToolStatus.FAILED)
    assert [(report.call_id, report.fields) for report in reports] == [
        ("c", {"status": ToolStatus.FAILED}),
        ("inner", {"status": ToolStatus.FAILED}),
    ]
    assert calls.close(ToolStatus.FAILED) == []


def test_calls_of_subagents_may_outlive_the_turn() -> None:
    calls = opened()
    calls.open("inner", "Read", "agent")
    assert [report.call_id for report in calls.close(ToolStatus.CANCELLED, main_only=True)] == ["c"]
    assert calls.is_open("inner")


def test_a_terminal_that_gets_no_result_ends_empty() -> None:
    (report,) = opened(TERMINAL).close(ToolStatus.CANCELLED)
    assert report.terminal == TerminalChange("c", output=CommandOutput(""))


@pytest.mark.parametrize(
    ("structured", "ends"),
    [(None, True), ({"status": "completed"}, True), ({"isAsync": False}, True), ({"isAsync": True}, False)],
)
def test_the_calls_of_a_subagent_end_before_it_unless_it_works_on(structured: Any, ends: bool) -> None:
    calls = opened(tool="Agent")
    calls.open("inner", "Read", "c")
    calls.open("other", "Read", "elsewhere")
    reports = calls.finish("c", ran("done", structured))
    assert [report.call_id for report in reports] == (["inner", "c"] if ends else ["c"])
    assert calls.is_open("inner") is not ends
    assert calls.is_open("other")
    assert [report.call_id for report in calls.close_inner("c")] == ([] if ends else ["inner"])


def test_a_call_of_a_stopped_subagent_says_that_it_has_no_result_and_keeps_its_change() -> None:
    calls = ToolCalls(PLAIN)
    calls.open("c", "Edit", "agent")
    calls.refine("c", EDIT)
    remark, change = fields(calls.close_inner("agent", stopped=True))["content"]
    assert remark == Text(NO_RESULT)
    assert isinstance(change, Diff)


def test_a_call_that_only_we_refused_ends_well() -> None:
    calls = opened(tool="ExitPlanMode")
    (report,) = calls.conclude("c")
    assert (report.fields, report.non_execution_kind) == ({"status": ToolStatus.COMPLETED}, "user-rejected")
    assert calls.conclude("c") == calls.finish("c", failed("no", "user-rejected")) == []


def test_a_call_without_a_result_can_be_ended() -> None:
    calls = opened(tool="SandboxNetworkAccess")
    (report,) = calls.end("c", ToolStatus.FAILED)
    assert report.fields == {"status": ToolStatus.FAILED}
    assert calls.end("c", ToolStatus.FAILED) == []


def test_the_facts_of_an_open_call() -> None:
    facts = opened(command="ls").describe("c")
    assert facts is not None
    assert facts.title == "ls"


STEPS = st.tuples(
    st.sampled_from(["open", "refine", "finish", "fail", "close", "respond"]),
    st.sampled_from(["a", "b"]),
    st.sampled_from(["Bash", "Edit", "Agent"]),
)


@PROPERTY
@given(st.lists(STEPS, max_size=25), st.sampled_from([PLAIN, TERMINAL, PATCHES, FIELDS]))
def test_every_order_opens_once_updates_after_and_closes_once(
    steps: list[tuple[str, str, str]], context: CallContext
) -> None:
    calls = ToolCalls(context)
    told: list[ToolReport] = []
    for step, call_id, tool in steps:
        match step:
            case "open":
                told += calls.open(call_id, tool)
            case "refine":
                told += calls.refine(call_id, {"command": tool, **EDIT})
            case "finish":
                told += calls.finish(call_id, ran("ok"))
            case "fail":
                told += calls.finish(call_id, failed("no", "user-rejected"))
            case "respond":
                told += calls.respond(call_id, {"a": 1})
            case _:
                told += calls.close(ToolStatus.CANCELLED)
    told += calls.close(ToolStatus.FAILED)
    for call_id in ("a", "b"):
        reports = [report for report in told if report.call_id == call_id]
        ends = [report.fields.get("status") not in (None, ToolStatus.PENDING) for report in reports]
        if reports:
            rest = [False] * (len(reports) - 1)
            assert [report.opened for report in reports] == [True, *rest]
            assert ends == [*rest, True]


def test_each_beat_of_a_call_is_told_once_and_its_status_with_the_first() -> None:
    calls = opened()
    (first,) = calls.progressed("c-heartbeat-0", "c", {"elapsedTimeSeconds": 30})
    assert (first.fields, first.progress) == ({"status": ToolStatus.IN_PROGRESS}, {"elapsedTimeSeconds": 30})
    assert calls.progressed("c-heartbeat-0", "c", {"elapsedTimeSeconds": 30}) == []
    (second,) = calls.progressed("c-heartbeat-1", "c", {"elapsedTimeSeconds": 60})
    assert (second.fields, second.progress) == ({}, {"elapsedTimeSeconds": 60})
    (ended,) = calls.finish("c", ran("ok"))
    assert ended.fields["status"] is ToolStatus.COMPLETED


@pytest.mark.parametrize(("context", "kept"), [(PLAIN, (Diff("/w/a", "b", "c"),)), (FIELDS, ())])
def test_a_change_that_was_refused_can_still_be_read(context: CallContext, kept: tuple[Diff, ...]) -> None:
    calls = opened(context, "Edit", **EDIT)
    refused = Text("```\nno\n```")
    assert fields(calls.finish("c", failed("no", "permission-rule")))["content"] == (refused, *kept)


def test_an_exact_change_that_was_refused_can_still_be_read() -> None:
    calls = opened(PATCHES, "Edit", **EDIT)
    calls.show_preview("c", FileSnapshot("text", "b\n"))
    assert fields(calls.finish("c", failed("no", "user-rejected")))["content"] == (Text("```\nno\n```"), PATCH)


def test_a_change_that_failed_by_itself_is_not_shown_as_one() -> None:
    calls = opened(PLAIN, "Edit", **EDIT)
    assert fields(calls.finish("c", failed("no such text")))["content"] == (Text("```\nno such text\n```"),)
