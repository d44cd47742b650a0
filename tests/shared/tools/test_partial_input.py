"""A tool's input is known value by value while it streams, in linear time."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic_core import from_json

from adapter.shared.tools import partial_input
from adapter.shared.tools.partial_input import PartialInput
from shared.doubles import PROPERTY

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


def grow(text: str, size: int = 1) -> list[dict[str, Any]]:
    """What becomes known as a text streams in pieces."""
    partial = PartialInput()
    known = [partial.push(text[start : start + size]) for start in range(0, len(text), size)]
    return [values for values in known if values is not None]


def test_an_input_grows_value_by_value() -> None:
    text = '{"file_path": "/w/a", "limit": 12, "flags": {"deep": [1]}, "last": true}'
    assert grow(text) == [
        {"file_path": "/w/a"},
        {"file_path": "/w/a", "limit": 12},
        {"file_path": "/w/a", "limit": 12, "flags": {"deep": [1]}},
        {"file_path": "/w/a", "limit": 12, "flags": {"deep": [1]}, "last": True},
    ]


def test_an_unfinished_string_is_not_shown() -> None:
    assert grow('{"command": "rm -rf /tmp/x') == []
    assert grow('{"a": "1", "command": "rm') == [{"a": "1"}]


@pytest.mark.parametrize("value", ["1", "-12", "1.5", "1e3", "true", "null", "[1]", "[]", "[[1], [2]]"])
def test_a_value_at_the_end_may_grow_and_is_not_shown(value: str) -> None:
    known = json.loads(value)
    assert grow(f'{{"a": {value}') == []
    assert grow(f'{{"a": {value}}}') == [{"a": known}]
    assert grow(f'{{"a": {value}, "b": "x"')[-1] == {"a": known, "b": "x"}


@pytest.mark.parametrize("value", ['{"deep": {"x": 1}', '[{"x": 1}', '{"x": 1}'])
def test_an_object_at_the_end_may_grow_and_is_not_shown(value: str) -> None:
    assert grow(f'{{"a": {value}') == []


def test_escapes_are_decoded_when_they_are_whole() -> None:
    assert grow('{"a": "\\ud83d\\ude00 \\"x\\" \\n", "b": "') == [{"a": '😀 "x" \n'}]


@pytest.mark.parametrize("text", ["[1, 2]", "true", '"text"', "nonsense", '{"a": oops', "", "}"])
def test_what_is_no_object_gives_nothing(text: str) -> None:
    assert grow(text) == []


@PROPERTY
@example({"a": [{}, None]}, 1)
@given(st.dictionaries(st.text(max_size=3), JSON, max_size=4), st.integers(1, 7))
def test_what_is_known_is_true_and_grows(value: dict[str, Any], size: int) -> None:
    seen = grow(json.dumps(value), size)
    for known in seen:
        assert known == {key: value[key] for key in known}
        assert list(known) == list(value)[: len(known)]
    sizes = [len(known) for known in seen]
    assert sizes == sorted(set(sizes))
    assert (seen[-1] if seen else {}) == value


def test_the_work_is_linear(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[int] = []

    def count(text: str, **options: Any) -> Any:
        parsed.append(len(text))
        return from_json(text, **options)

    monkeypatch.setattr(partial_input, "from_json", count)
    text = json.dumps({"file_path": "/w/a", "content": "x" * 2_000_000})
    seen = grow(text, 100)
    assert seen[0] == {"file_path": "/w/a"}
    assert len(parsed) < 80
    assert sum(parsed) < 6 * len(text)


@pytest.mark.parametrize("piece", [24, 100])
def test_the_work_is_linear_for_many_values_too(monkeypatch: pytest.MonkeyPatch, piece: int) -> None:
    parsed: list[int] = []

    def count(text: str, **options: Any) -> Any:
        parsed.append(len(text))
        return from_json(text, **options)

    monkeypatch.setattr(partial_input, "from_json", count)
    text = json.dumps({"todos": [{"content": "x" * 20, "status": "pending"}] * 2000})
    grow(text, piece)
    assert sum(parsed) < 2 * partial_input.WORK * len(text)


@pytest.mark.parametrize("content", ["x" * 5000, 'a "quoted" \\\\ word\n' * 300, "\\" * 5001])
@pytest.mark.parametrize("piece", [1, 7, 24])
def test_a_value_behind_a_long_one_is_known_when_it_is_complete(content: str, piece: int) -> None:
    partial = PartialInput()
    text = json.dumps({"content": content, "file_path": "/w/a", "mode": "x"})
    complete = text.index('/w/a"') + len('/w/a"')
    start = complete % piece
    pieces = [text[:start], *(text[at : at + piece] for at in range(start, complete, piece))]
    known = [partial.push(part) for part in pieces]
    assert known[-1] == {"content": content, "file_path": "/w/a"}


def test_a_short_input_is_looked_at_with_each_piece() -> None:
    partial = PartialInput()
    partial.push('{"a": "' + "x" * 3000)
    assert partial.push('", "b": 1') == {"a": "x" * 3000}
    assert partial.push("}") == {"a": "x" * 3000, "b": 1}
