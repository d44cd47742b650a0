"""Edit and Write: a snippet first, then the real change, exact where the client takes patches."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from adapter.shared.tools.facts import (
    Diff,
    FileSnapshot,
    InputFacts,
    Location,
    Patch,
    ResultFacts,
    Text,
    ToolKind,
    ToolResult,
)
from adapter.shared.tools.families import family_of
from adapter.shared.tools.families.files import preview
from shared.tools.contexts import FIELDS, PATCHES, PLAIN, failed, ran

PATH = "/w/a.txt"
EDIT = {"file_path": PATH, "old_string": "b", "new_string": "c"}
WRITE = {"file_path": PATH, "content": "new\n"}
BEFORE, AFTER = "a\nb\n", "a\nc\n"
HUNKS = "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"
HUNK = {"oldStart": 1, "oldLines": 2, "newStart": 1, "newLines": 2, "lines": [" a", "-b", "+c"]}
CHANGE = {"filePath": PATH, "originalFile": BEFORE, "structuredPatch": [HUNK]}
CREATED: dict[str, Any] = {
    "type": "create",
    "filePath": PATH,
    "content": "new\n",
    "structuredPatch": [],
    "originalFile": None,
}
FRAGMENT = (Diff(PATH, "a\nb", "a\nc"),)
PATCH = (Patch(PATH, HUNKS, created=False),)
CREATION = (Patch(PATH, "@@ -0,0 +1 @@\n+new\n", created=True),)


def describe(tool: str, tool_input: dict[str, Any], context: Any = PLAIN) -> InputFacts:
    return family_of(tool).describe(tool, tool_input, context)


def read(tool: str, tool_input: dict[str, Any], result: ToolResult, context: Any = PLAIN) -> ResultFacts:
    return family_of(tool).read_result(tool, tool_input, result, context)


@pytest.mark.parametrize(
    ("tool", "title", "carried"),
    [("Edit", "Edit", {"old_string", "new_string"}), ("Write", "Preparing file…", {"content"})],
)
@pytest.mark.parametrize("tool_input", [{}, {"file_path": None}, {"file_path": ""}])
def test_a_file_that_is_not_known_yet(tool: str, title: str, carried: Any, tool_input: dict[str, Any]) -> None:
    assert describe(tool, tool_input) == InputFacts(title, ToolKind.EDIT, locations=(), carried=frozenset(carried))


@pytest.mark.parametrize("tool", ["Edit", "Write"])
def test_a_path_alone_is_a_title_and_a_location(tool: str) -> None:
    facts = describe(tool, {"file_path": PATH})
    assert (facts.title, facts.content, facts.locations) == (f"{tool} a.txt", (), (Location(PATH),))


@pytest.mark.parametrize(
    ("tool", "tool_input", "diff"),
    [
        ("Edit", EDIT, Diff(PATH, "b", "c")),
        ("Edit", {**EDIT, "old_string": ""}, Diff(PATH, None, "c")),
        ("Edit", {**EDIT, "new_string": ""}, Diff(PATH, "b", "")),
        ("Write", WRITE, Diff(PATH, None, "new\n")),
        ("Write", {**WRITE, "content": ""}, Diff(PATH, None, "")),
    ],
)
def test_the_input_is_a_snippet(tool: str, tool_input: dict[str, Any], diff: Diff) -> None:
    assert describe(tool, tool_input).content == (diff,)


@pytest.mark.parametrize(
    ("tool", "tool_input"),
    [
        ("Edit", {"file_path": PATH, "old_string": "b"}),
        ("Edit", {"file_path": PATH, "new_string": "c"}),
        ("Edit", {**EDIT, "new_string": 7}),
        ("Edit", {"old_string": "b", "new_string": "c"}),
        ("Write", {"file_path": PATH}),
        ("Write", {**WRITE, "content": ["x"]}),
        ("Write", {"content": "x"}),
    ],
)
def test_half_an_input_is_no_snippet(tool: str, tool_input: dict[str, Any]) -> None:
    assert describe(tool, tool_input).content == ()


def test_a_client_of_patches_gets_no_snippet_of_a_write() -> None:
    assert describe("Write", WRITE, FIELDS).content == describe("Write", WRITE, PATCHES).content == ()
    assert describe("Edit", EDIT, PATCHES).content == ()
    assert describe("Edit", EDIT, FIELDS).content == (Diff(PATH, "b", "c"),)


@pytest.mark.parametrize(
    ("tool", "tool_input", "before", "shown"),
    [
        ("Edit", EDIT, FileSnapshot("text", BEFORE), PATCH[0]),
        ("Edit", EDIT, FileSnapshot("text", "x"), None),
        ("Edit", EDIT, FileSnapshot("text", "b b"), None),
        (
            "Edit",
            {**EDIT, "replace_all": True},
            FileSnapshot("text", "b b\n"),
            Patch(PATH, "@@ -1 +1 @@\n-b b\n+c c\n", created=False),
        ),
        ("Edit", {**EDIT, "replace_all": "yes"}, FileSnapshot("text", "b b\n"), None),
        ("Edit", EDIT, FileSnapshot("opaque"), None),
        (
            "Edit",
            {**EDIT, "old_string": ""},
            FileSnapshot("missing"),
            Patch(PATH, "@@ -0,0 +1 @@\n+c\n\\ No newline at end of file\n", created=True),
        ),
        ("Write", WRITE, FileSnapshot("missing"), CREATION[0]),
        ("Write", WRITE, FileSnapshot("text", "old\n"), Patch(PATH, "@@ -1 +1 @@\n-old\n+new\n", created=False)),
        ("Write", WRITE, FileSnapshot("text", "new\n"), None),
        (
            "Write",
            WRITE,
            FileSnapshot("opaque"),
            Text(f"This replaces {PATH}, whose present content cannot be shown as text."),
        ),
        ("Bash", {"command": "x"}, FileSnapshot("text", "x"), None),
        ("NotebookEdit", WRITE, FileSnapshot("missing"), None),
    ],
)
def test_a_preview_is_what_the_tool_would_do_to_the_file(
    tool: str, tool_input: dict[str, Any], before: FileSnapshot, shown: Any
) -> None:
    assert preview(tool, tool_input, before) == shown


def test_a_change_is_a_fragment_for_each_hunk() -> None:
    second = {**HUNK, "newStart": 20, "lines": ["+x"]}
    facts = read("Edit", EDIT, ran("ok", {**CHANGE, "structuredPatch": [HUNK, second]}))
    assert facts.content == (*FRAGMENT, Diff(PATH, "", "x"))
    assert facts.locations == (Location(PATH, 1), Location(PATH, 20))


def test_a_change_without_a_path_is_of_the_file_of_the_input() -> None:
    change = {key: value for key, value in CHANGE.items() if key != "filePath"}
    assert read("Edit", EDIT, ran("ok", change)).content == FRAGMENT


def test_a_created_file_leaves_what_is_shown() -> None:
    assert read("Write", WRITE, ran("ok", CREATED)) == ResultFacts(raw=True)


@pytest.mark.parametrize("context", [PATCHES, FIELDS])
@pytest.mark.parametrize(
    ("tool", "tool_input", "change", "content"),
    [
        ("Edit", EDIT, CHANGE, PATCH),
        ("Write", WRITE, CREATED, CREATION),
        ("Write", {"file_path": PATH, "content": AFTER}, CHANGE, PATCH),
    ],
)
def test_a_change_is_an_exact_patch_for_a_client_that_takes_one(
    context: Any, tool: str, tool_input: dict[str, Any], change: dict[str, Any], content: Any
) -> None:
    original = change["originalFile"]
    before = FileSnapshot("missing") if original is None else FileSnapshot("text", original)
    result = replace(ran("ok", change), before=before)
    assert read(tool, tool_input, result, context).content == content


@pytest.mark.parametrize(
    ("tool", "tool_input", "after"),
    [
        ("Edit", EDIT, None),
        ("Edit", EDIT, FileSnapshot("text", AFTER.replace("\n", "\r\n"))),
        ("Write", {"file_path": PATH, "content": AFTER}, FileSnapshot("text", AFTER)),
    ],
)
def test_a_file_that_nobody_read_before_has_no_exact_patch_where_its_line_ends_are_unknown(
    tool: str, tool_input: dict[str, Any], after: FileSnapshot | None
) -> None:
    assert read(tool, tool_input, ran("ok", CHANGE, after), FIELDS).content == FRAGMENT


def test_the_patch_is_of_the_file_as_it_was_written() -> None:
    formatted = FileSnapshot("text", "a\nC\n")
    facts = read("Edit", EDIT, ran("ok", CHANGE, formatted), PATCHES)
    assert facts.content == (Patch(PATH, HUNKS.replace("+c", "+C"), created=False),)


def test_a_file_that_has_no_exact_patch_is_shown_by_claudes_hunks() -> None:
    opaque = ran("ok", CHANGE, FileSnapshot("opaque"))
    hunks = "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"
    assert read("Edit", EDIT, opaque, PATCHES).content == (Patch(PATH, hunks, created=False),)
    assert read("Edit", EDIT, opaque, FIELDS).content == FRAGMENT


@pytest.mark.parametrize("text", ["a\r\n", "\ufeffa\n", "x" * (1024 * 1024 + 1)])
def test_a_written_text_that_has_no_exact_patch_is_shown_by_fragments(text: str) -> None:
    result = ran("ok", CHANGE, FileSnapshot("text", text))
    assert read("Write", {**WRITE, "content": text}, result, FIELDS).content == FRAGMENT
    assert read("Write", {**WRITE, "content": text}, ran("ok", CHANGE), FIELDS).content == FRAGMENT


@pytest.mark.parametrize("original", ["a\r\nb\r\n", "a\0b", "\ufeffa\nb\n", "x" * (1024 * 1024 + 1)])
def test_an_original_that_has_no_exact_patch_is_shown_by_fragments(original: str) -> None:
    change = {**CHANGE, "originalFile": original}
    assert read("Edit", EDIT, ran("ok", change), FIELDS).content == FRAGMENT
    assert read("Edit", EDIT, ran("ok", change), PATCHES).content == PATCH


def test_a_created_file_without_an_exact_patch_is_shown_whole() -> None:
    tool_input = {"file_path": PATH, "content": "a\r\n"}
    facts = read("Write", tool_input, ran("ok", {**CREATED, "content": "a\r\n"}), PATCHES)
    assert facts.content == (Diff(PATH, None, "a\r\n"),)


@pytest.mark.parametrize("context", [PLAIN, PATCHES, FIELDS])
@pytest.mark.parametrize("structured", ["text", [1]])
def test_a_change_of_which_nothing_is_known_leaves_what_is_shown(context: Any, structured: Any) -> None:
    assert read("Edit", EDIT, ran("ok", structured), context) == ResultFacts(raw=True)


@pytest.mark.parametrize("context", [PLAIN, PATCHES, FIELDS])
@pytest.mark.parametrize("kind", ["", "user-rejected", "permission-rule"])
def test_a_failure_is_a_code_block(context: Any, kind: str) -> None:
    facts = read("Edit", EDIT, failed("String not found", kind, "Error: x"), context)
    assert facts == ResultFacts(content=(Text("```\nString not found\n```"),))


@pytest.mark.parametrize("structured", [{"structuredPatch": None}, {"structuredPatch": "text"}, {"filePath": 7}])
def test_a_change_without_hunks_leaves_what_is_shown(structured: dict[str, Any]) -> None:
    assert read("Edit", EDIT, ran("ok", structured)) == ResultFacts(raw=True)


@pytest.mark.parametrize(
    ("tool", "tool_input", "said", "content"),
    [
        ("Write", WRITE, "File created successfully at: /w/a.txt", CREATION[0]),
        ("Write", WRITE, "The file /w/a.txt has been updated successfully.", Diff(PATH, "", "new\n")),
        ("Write", {**WRITE, "content": "a\r\n"}, "File created successfully", Diff(PATH, None, "a\r\n")),
        ("Edit", EDIT, "ok", Patch(PATH, "@@ -1 +1 @@\n-b\n+c\n", created=False)),
        ("Edit", {**EDIT, "new_string": ""}, "ok", Patch(PATH, "@@ -1 +0,0 @@\n-b\n", created=False)),
        ("Edit", {**EDIT, "old_string": ""}, "ok", Patch(PATH, "@@ -0,0 +1 @@\n+c\n", created=True)),
        ("Edit", {**EDIT, "new_string": "c\r"}, "ok", Diff(PATH, "b", "c\r")),
    ],
)
def test_a_change_that_only_its_input_tells_is_shown_from_it(
    tool: str, tool_input: dict[str, Any], said: str, content: Any
) -> None:
    assert read(tool, tool_input, ran(said), PATCHES) == ResultFacts(content=(content,), raw=True)


@pytest.mark.parametrize(
    ("tool", "tool_input", "context", "content"),
    [
        ("Write", WRITE, PLAIN, None),
        ("Edit", EDIT, PLAIN, None),
        ("Write", WRITE, FIELDS, CREATION),
        ("Edit", EDIT, FIELDS, None),
        ("Edit", {}, PATCHES, None),
    ],
)
def test_what_the_input_has_shown_already_stays(
    tool: str, tool_input: dict[str, Any], context: Any, content: Any
) -> None:
    assert read(tool, tool_input, ran("ok"), context) == ResultFacts(content=content, raw=True)


def test_a_preview_stays_where_the_result_says_nothing() -> None:
    result = replace(ran("ok"), before=FileSnapshot("text", BEFORE))
    assert read("Edit", EDIT, result, PATCHES) == ResultFacts(raw=True)
