"""The text helpers of tool rendering take anything that a model may send."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.tools.text import fenced, integer, plain_text, short_path, string


@pytest.mark.parametrize(
    ("text", "block"),
    [
        ("a", "```\na\n```"),
        ("a\n\n  ", "```\na\n```"),
        ("  a", "```\n  a\n```"),
        ("", "```\n\n```"),
        ("```\nx\n```", "````\n```\nx\n```\n````"),
        ("x\n`````py", "``````\nx\n`````py\n``````"),
        ("in ``` line", "```\nin ``` line\n```"),
        ("``", "```\n``\n```"),
    ],
)
def test_a_fence_is_longer_than_any_fence_in_it(text: str, block: str) -> None:
    assert fenced(text) == block


def test_a_fence_names_its_language() -> None:
    assert fenced("a", "console") == "```console\na\n```"


@pytest.mark.parametrize(
    ("path", "short"),
    [("/w/a/b.py", "a/b.py"), ("/w", "."), ("/wide/a", "/wide/a"), ("/etc/hosts", "/etc/hosts"), ("a/b", "a/b")],
)
def test_a_path_in_the_folder_is_short(path: str, short: str) -> None:
    assert short_path(path, "/w") == short


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("a", "a"),
        ([{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}], "a\nb"),
        ([{"type": "text"}, "x", None, 1], ""),
        ([{"type": "text", "text": 1}], "1"),
        (None, ""),
        ({"type": "text", "text": "a"}, ""),
        (5, ""),
    ],
)
def test_the_text_of_a_result(content: Any, text: str) -> None:
    assert plain_text(content) == text


@pytest.mark.parametrize(("value", "text"), [("a", "a"), ("", ""), (None, ""), (1, ""), (["a"], ""), ({}, "")])
def test_a_string_or_nothing(value: Any, text: str) -> None:
    assert string(value) == text


@pytest.mark.parametrize(
    ("value", "number"), [(3, 3), (0, 0), (-1, -1), (None, 7), (True, 7), (False, 7), (1.5, 7), ("3", 7)]
)
def test_a_whole_number_or_the_default(value: Any, number: int) -> None:
    assert integer(value, 7) == number
