"""Claude's structured patch as fragments and as hunks, and what an Edit makes of a text."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.tools.diff import LARGEST_PREVIEW_BYTES, apply_edit, exact_patch, hunk_diffs, hunk_patch
from adapter.shared.tools.facts import Diff, FileSnapshot, Location, Patch

HUNKS = [
    {"oldStart": 1, "oldLines": 3, "newStart": 1, "newLines": 3, "lines": [" a", "-b", "+c", " d"]},
    {
        "oldStart": 20,
        "oldLines": 1,
        "newStart": 21,
        "newLines": 2,
        "lines": [" x", "+y", "\\ No newline at end of file"],
    },
]


def test_each_hunk_is_a_fragment_with_the_line_where_it_begins() -> None:
    diffs, locations = hunk_diffs("/w/a", HUNKS)
    assert diffs == (Diff("/w/a", "a\nb\nd", "a\nc\nd"), Diff("/w/a", "x", "x\ny"))
    assert locations == (Location("/w/a", 1), Location("/w/a", 21))


def test_hunks_are_a_patch_as_they_are() -> None:
    text = "@@ -1,3 +1,3 @@\n a\n-b\n+c\n d\n@@ -20,1 +21,2 @@\n x\n+y\n\\ No newline at end of file\n"
    assert hunk_patch("/w/a", HUNKS) == (Patch("/w/a", text, created=False),)


@pytest.mark.parametrize("hunks", [None, [], "text", {}, 1])
def test_no_hunks_are_no_fragments_and_no_patch(hunks: Any) -> None:
    assert hunk_diffs("/w/a", hunks) == ((), ())
    assert hunk_patch("/w/a", hunks) == ()


@pytest.mark.parametrize("hunk", [{}, {"lines": None}, {"lines": [1, None]}, {"newStart": "1", "lines": []}])
def test_a_hunk_without_lines_is_an_empty_fragment(hunk: Any) -> None:
    assert hunk_diffs("/w/a", [hunk]) == ((Diff("/w/a", "", ""),), (Location("/w/a", 0),))


def test_a_hunk_without_numbers_is_a_patch_still() -> None:
    assert hunk_patch("/w/a", [{"lines": ["+a"], "oldStart": "1"}]) == (
        Patch("/w/a", "@@ -0,0 +0,0 @@\n+a\n", created=False),
    )


@pytest.mark.parametrize(
    ("text", "old", "new", "after"),
    [
        ("a b c", "b", "x", "a x c"),
        ("a\nb\n", "a\nb", "c", "c\n"),
        ("aaa", "b", "x", None),
        ("a a", "a", "x", None),
        ("", "", "new", "new"),
        ("text", "", "new", None),
        ("a\nb\nc\n", "b", "", "a\nc\n"),
        ("a\nb\nc\n", "b\n", "", "a\nc\n"),
        ("a b c", "b", "", "a  c"),
        ("a\nb", "b", "", "a\n"),
        ("x", "x", "\\1 $& \\n", "\\1 $& \\n"),
    ],
)
def test_an_edit_of_one_place(text: str, old: str, new: str, after: str | None) -> None:
    assert apply_edit(text, old, new, everywhere=False) == after


def test_an_edit_that_would_be_too_large_is_not_made() -> None:
    assert apply_edit("a" * 1024, "a", "x" * 1024, everywhere=True) == "x" * LARGEST_PREVIEW_BYTES
    assert apply_edit("a" * 1025, "a", "x" * 1024, everywhere=True) is None
    assert apply_edit("a" * 1_000_000, "a", "x" * 1_000_000, everywhere=True) is None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (FileSnapshot("opaque"), "a"),
        (FileSnapshot("text", "\ufeffa"), "b"),
        (FileSnapshot("text", "a"), "\ufeffa"),
        (FileSnapshot("missing"), "a\r"),
        (FileSnapshot("missing"), "a\0"),
        (FileSnapshot("missing"), "\u20ac" * 400_000),
        (FileSnapshot("text", "\u20ac" * 400_000), "a"),
        (FileSnapshot("text", "a"), "a"),
        (FileSnapshot("missing"), ""),
    ],
)
def test_texts_without_an_exact_patch(before: FileSnapshot, after: str) -> None:
    assert exact_patch("/w/a", before, after) is None


@pytest.mark.parametrize(
    ("text", "old", "new", "after"),
    [
        ("a a a", "a", "x", "x x x"),
        ("a", "a", "x", "x"),
        ("b", "a", "x", None),
        ("a\nb\na\n", "a", "", "b\n"),
        ("a\nb a", "a", "", "b a"),
    ],
)
def test_an_edit_of_every_place(text: str, old: str, new: str, after: str | None) -> None:
    assert apply_edit(text, old, new, everywhere=True) == after
