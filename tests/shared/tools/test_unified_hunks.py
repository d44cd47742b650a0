"""Exact patches: applied to the old text they give the new one, and they show no more than they must."""

from __future__ import annotations

import random
from itertools import pairwise, takewhile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.shared.tools import diff
from adapter.shared.tools.diff import CONTEXT_LINES, exact_patch, unified_hunks
from adapter.shared.tools.facts import FileSnapshot, Patch
from shared.doubles import PROPERTY
from shared.tools.unified import Hunk, apply_hunks, parse_hunks

NUMBERS = "".join(f"{number}\n" for number in range(1, 31))
TEXT = st.lists(st.sampled_from(["a", "b", "", "-", "+", "@@", "\\ No", " x", "ä", "\x0b\x85"]), max_size=30).map(
    "\n".join
)


@st.composite
def edited_texts(draw: st.DrawFn) -> tuple[str, str]:
    """A text, and what a few edits made of it."""
    lines = draw(TEXT).split("\n")
    edited = list(lines)
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(edited)))
        stop = draw(st.integers(start, min(len(edited), start + 3)))
        edited[start:stop] = draw(st.lists(st.sampled_from(["new", "b", ""]), max_size=3))
    return "\n".join(lines), "\n".join(edited)


def leading_context(lines: list[tuple[str, str]]) -> int:
    return len(list(takewhile(lambda line: line[0] == " ", lines)))


def check(before: str, after: str) -> None:
    hunks = unified_hunks(before, after)
    assert apply_hunks(before, hunks) == after
    assert (hunks == "") == (before == after)
    parsed = parse_hunks(hunks)
    for hunk in parsed:
        assert leading_context(hunk.lines) <= CONTEXT_LINES
        assert leading_context(hunk.lines[::-1]) <= CONTEXT_LINES
        assert any(sign != " " for sign, _ in hunk.lines)
    assert all(end_of(first) < second.old_start for first, second in pairwise(parsed))


def end_of(hunk: Hunk) -> int:
    """The last old line of a hunk."""
    return hunk.old_start + hunk.old_length - 1


@PROPERTY
@given(edited_texts())
def test_the_hunks_make_the_new_text_of_the_old(texts: tuple[str, str]) -> None:
    check(*texts)


@PROPERTY
@given(TEXT, TEXT)
def test_the_hunks_make_any_text_of_any_other(before: str, after: str) -> None:
    check(before, after)


@PROPERTY
@given(edited_texts())
def test_very_long_changes_are_one_change(texts: tuple[str, str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(diff, "DIFFLIB_LINES", 3)
        check(*texts)


def test_a_change_has_three_lines_around_it() -> None:
    hunks = unified_hunks(NUMBERS, NUMBERS.replace("10\n", "ten\n"))
    assert hunks == "@@ -7,7 +7,7 @@\n 7\n 8\n 9\n-10\n+ten\n 11\n 12\n 13\n"


def test_changes_whose_context_meets_share_a_hunk() -> None:
    together = NUMBERS.replace("10\n", "ten\n").replace("17\n", "seventeen\n")
    apart = NUMBERS.replace("10\n", "ten\n").replace("18\n", "eighteen\n")
    assert len(parse_hunks(unified_hunks(NUMBERS, together))) == 1
    assert len(parse_hunks(unified_hunks(NUMBERS, apart))) == 2


def test_the_second_hunk_knows_what_the_first_has_shifted() -> None:
    first, second = parse_hunks(unified_hunks(NUMBERS, NUMBERS.replace("5\n", "", 1).replace("25\n", "x\ny\n")))
    assert (first.old_start, first.new_start) == (2, 2)
    assert (second.old_start, second.old_length, second.new_start, second.new_length) == (22, 7, 21, 8)


@pytest.mark.parametrize(
    ("before", "after", "hunks"),
    [
        ("", "a\n", "@@ -0,0 +1 @@\n+a\n"),
        ("", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n"),
        ("a\n", "", "@@ -1 +0,0 @@\n-a\n"),
        ("a\n", "b\n", "@@ -1 +1 @@\n-a\n+b\n"),
        ("a\nb\n", "b\n", "@@ -1,2 +1 @@\n-a\n b\n"),
        ("a", "a\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"),
        ("a\n", "a", "@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n"),
        ("a\nz", "b\nz", "@@ -1,2 +1,2 @@\n-a\n+b\n z\n\\ No newline at end of file\n"),
        ("", "\n", "@@ -0,0 +1 @@\n+\n"),
        ("", "", ""),
        ("a\n", "a\n", ""),
    ],
)
def test_the_form_of_the_hunks(before: str, after: str, hunks: str) -> None:
    assert unified_hunks(before, after) == hunks
    assert apply_hunks(before, hunks) == after


def test_a_small_change_of_a_large_file_is_small_and_quick() -> None:
    lines = [f"line {number}" for number in range(100_000)]
    before = "\n".join(lines)
    lines[50_000] = "changed"
    assert len(unified_hunks(before, "\n".join(lines)).split("\n")) == 10


def test_large_texts_that_have_nothing_in_common_are_quick() -> None:
    source = random.Random(1)
    before = "".join(f"{source.random()}\n" for _ in range(20_000))
    after = "".join(f"{source.random()}\n" for _ in range(20_000))
    (hunk,) = parse_hunks(unified_hunks(before, after))
    assert (hunk.old_length, hunk.new_length) == (20_000, 20_000)


def test_a_patch_is_of_the_text_that_is_there() -> None:
    before = FileSnapshot("text", "a\n")
    assert exact_patch("/w/a", before, "b\n") == Patch("/w/a", "@@ -1 +1 @@\n-a\n+b\n", created=False)


def test_a_patch_of_a_missing_file_creates_it() -> None:
    assert exact_patch("/w/a", FileSnapshot("missing"), "b\n") == Patch("/w/a", "@@ -0,0 +1 @@\n+b\n", created=True)


def test_a_patch_that_changes_nothing_is_none() -> None:
    assert exact_patch("/w/a", FileSnapshot("text", "a\n"), "a\n") is None
    assert exact_patch("/w/a", FileSnapshot("missing"), "") is None


@pytest.mark.parametrize("after", ["b\r\n", "b\0"])
def test_a_text_that_no_patch_shows_exactly_has_none(after: str) -> None:
    assert exact_patch("/w/a", FileSnapshot("text", "a\n"), after) is None


def test_a_file_that_no_patch_shows_exactly_has_none() -> None:
    assert exact_patch("/w/a", FileSnapshot("opaque"), "b\n") is None
