"""Leaves are counted and compared; each rule by itself."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.conformance.compare import ABSENT, Comparison, Difference, compare, leaves
from adapter.conformance.view import PARTS

from .samples import said, update, view_of


def parts(**given: Any) -> dict[str, Any]:
    """A view with some parts; the others are empty."""
    return {part: given.get(part, [] if part in ("timeline", "requests", "other") else {"": 1}) for part in PARTS}


def test_leaves_are_plain_values_with_their_places() -> None:
    value = {"a": [1, {"b": None}], "c": {}, "d": [], "agentInfo": {"name": "x"}}
    assert list(leaves(value, "/x")) == [("/x/a/0", 1), ("/x/a/1/b", None), ("/x/c", {}), ("/x/d", [])]


def test_equal_views_have_no_differences() -> None:
    one = view_of(said("a"), update("plan", entries=[]))
    result = compare(one, one)
    assert result.differences == ()
    assert result.equal == result.leaves > 5


def test_leaves_of_either_side_count_once() -> None:
    result = compare(parts(tools={"t": {"a": 1, "b": 2}}), parts(tools={"t": {"a": 1, "b": 3, "c": 4}}), ["tools"])
    assert result == Comparison(3, (Difference("/tools/t/b", 2, 3), Difference("/tools/t/c", ABSENT, 4)))
    assert result.equal == 1


def test_only_the_wanted_parts_are_compared() -> None:
    result = compare(parts(tools={"t": 1}), parts(tools={"t": 2}), ["answers"])
    assert result.differences == ()


def test_one_entry_more_is_one_difference_and_shifts_nothing() -> None:
    theirs = parts(timeline=[["s1", "plan", {"n": 1}], ["s1", "tool", "t"]])
    ours = parts(timeline=[["s1", "notice", {"text": "x"}], ["s1", "plan", {"n": 1}], ["s1", "tool", "t"]])
    more = compare(theirs, ours, ["timeline"])
    assert [found.place for found in more.differences] == ["/timeline/+0/0", "/timeline/+0/1", "/timeline/+0/2/text"]
    less = compare(ours, theirs, ["timeline"])
    assert [found.place for found in less.differences] == ["/timeline/0/0", "/timeline/0/1", "/timeline/0/2/text"]
    assert {found.ours for found in less.differences} == {ABSENT}


def test_requests_are_paired_by_their_tool_call() -> None:
    def ask(call: str, options: int) -> dict[str, Any]:
        return {"method": "ask", "session": "s1", "params": {"toolCall": {"toolCallId": call}, "n": options}}

    result = compare(parts(requests=[ask("a", 1), ask("b", 2)]), parts(requests=[ask("b", 3)]), ["requests"])
    assert Difference("/requests/1/params/n", 2, 3) in result.differences
    assert all(found.place.startswith(("/requests/0/", "/requests/1/params/n")) for found in result.differences)


def test_texts_are_paired_by_their_message() -> None:
    theirs, ours = view_of(said("a", "m1"), said("b", "m2")), view_of(said("c", "m2"))
    changed = [found for found in compare(theirs, ours, ["timeline"]).differences if found.ours != ABSENT]
    assert changed == [Difference("/timeline/1/4", "b", "c")]


@pytest.mark.parametrize(
    ("theirs", "ours", "same"),
    [
        ("<id-1>", "<id-2>", True),
        ("in <id-1>/x", "in <id-9>/x", True),
        ("<id-1>/x", "<id-1>/y", False),
        (1, 1.0, True),
        (1, True, False),
        (None, 0, False),
        ({}, [], False),
    ],
)
def test_which_number_an_id_has_says_nothing(theirs: object, ours: object, same: bool) -> None:
    result = compare(parts(tools={"t": theirs}), parts(tools={"t": ours}), ["tools"])
    assert (result.differences == ()) == same


def test_the_usage_of_a_model_is_a_number() -> None:
    theirs = parts(answers={"p": {"model_usage": [{"tokens": 5, "model": "a"}]}})
    ours = parts(answers={"p": {"model_usage": [{"tokens": 9, "model": "b"}]}})
    (found,) = compare(theirs, ours, ["answers"]).differences
    assert found.place == "/answers/p/model_usage/0/model"


def test_who_the_agent_is_is_not_compared() -> None:
    theirs, ours = {"p": {"info": {"name": "a"}, "x": 1}}, {"p": {"info": {"name": "b"}, "x": 1, "updatedAt": "now"}}
    assert compare(parts(answers=theirs), parts(answers=ours), ["answers"]).differences == ()
