"""What a question shows of a change: the file's text once, in a patch, a diff or the input."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.tools.facts import Content, Diff, FileSnapshot, Patch, Text
from shared.tools.contexts import FIELDS, PATCHES, PLAIN, ran
from shared.tools.test_tracker import EDIT, PATCH, fields, opened

LONG = "x" * (1024 * 1024 + 1)
WRITE: dict[str, Any] = {"file_path": "/w/a", "content": "new\n"}
OPAQUE = FileSnapshot("opaque")


def test_a_preview_is_for_clients_that_take_patches() -> None:
    before = FileSnapshot("text", "b\n")
    assert opened(PLAIN, "Edit", **EDIT).show_preview("c", before) == []
    calls = opened(PATCHES, "Edit", **EDIT)
    assert fields(calls.show_preview("c", before)) == {"content": (PATCH,)}
    assert calls.show_preview("c", before) == []
    assert calls.show_preview("c", FileSnapshot("opaque")) == []
    assert calls.snapshot("c")["content"] == (PATCH,)


def test_the_question_carries_the_preview_where_each_fact_comes_once() -> None:
    calls = opened(FIELDS, "Edit", **EDIT)
    assert calls.show_preview("c", FileSnapshot("text", "b\n")) == []
    assert calls.snapshot("c")["content"] == (PATCH,)


@pytest.mark.parametrize(
    ("text", "before", "shown"),
    [
        ("new\n", FileSnapshot("missing"), Patch("/w/a", "@@ -0,0 +1 @@\n+new\n", created=True)),
        ("a\r\n", FileSnapshot("missing"), Diff("/w/a", None, "a\r\n")),
        ("a\r\n", FileSnapshot("text", "old\n"), Diff("/w/a", "old\n", "a\r\n")),
        (LONG, FileSnapshot("text", "old\n"), Diff("/w/a", "old\n", LONG)),
        ("", FileSnapshot("missing"), Diff("/w/a", None, "")),
    ],
)
def test_a_question_shows_the_text_of_a_write_once(text: str, before: FileSnapshot, shown: Content) -> None:
    tool_input = {**WRITE, "content": text}
    calls = opened(FIELDS, "Write", **tool_input)
    assert calls.show_preview("c", before) == []
    assert calls.snapshot("c")["content"] == (shown,)
    assert calls.shown_input("c", tool_input) == {"file_path": "/w/a"}


def test_a_question_keeps_the_text_of_a_write_that_no_diff_shows() -> None:
    calls = opened(FIELDS, "Write", **WRITE)
    assert (calls.snapshot("c")["content"], calls.shown_input("c", WRITE)) == ((), WRITE)
    calls.show_preview("c", OPAQUE)
    assert isinstance(calls.snapshot("c")["content"][0], Text)
    assert calls.shown_input("c", WRITE) == WRITE


def test_a_question_does_not_repeat_a_snippet_or_take_back_the_file_of_a_plan() -> None:
    calls = opened(FIELDS, "Edit", **EDIT)
    calls.show_preview("c", OPAQUE)
    assert calls.snapshot("c")["content"] == ()
    assert calls.shown_input("c", EDIT) == {"file_path": "/w/a"}
    plan = {"plan": "x", "planFilePath": "/w/p"}
    assert opened(FIELDS, "ExitPlanMode", **plan).shown_input("c", plan) == {"planFilePath": "/w/p"}


@pytest.mark.parametrize("before", [OPAQUE, FileSnapshot("text", "\ufeffb\n")])
def test_a_change_of_a_file_that_claude_code_reads_otherwise_has_no_patch(before: FileSnapshot) -> None:
    hunk = {"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1, "lines": ["-b", "+new"]}
    change = {"filePath": "/w/a", "originalFile": "b\n", "structuredPatch": [hunk]}
    calls = opened(FIELDS, "Write", **WRITE)
    calls.show_preview("c", before)
    (ended,) = calls.finish("c", ran("ok", change, FileSnapshot("text", "new\n")))
    assert ended.fields["content"] == (Diff("/w/a", "b", "new"),)
