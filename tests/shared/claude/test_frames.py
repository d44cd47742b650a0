"""A line of Claude Code becomes a frame, or is logged, counted and passed over; nothing raises."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.shared.claude import frames
from adapter.shared.claude.frames import note_unknown, read_frame, unknown_frames
from shared.doubles import PROPERTY

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def counted() -> Iterator[None]:
    """Count from zero."""
    unknown_frames.clear()
    yield
    unknown_frames.clear()


def test_a_line_is_a_frame_wherever_its_type_stands() -> None:
    assert read_frame(b'{"a": {"b": [1]}, "type": "result"}') == {"a": {"b": [1]}, "type": "result"}
    assert not unknown_frames


@pytest.mark.parametrize(
    "line",
    [
        b"plain text",
        b"{broken",
        b"[]",
        b'[{"type": "x"}]',
        b"1",
        b"null",
        b'"type"',
        b"\x00\x00",
        b"\xff\xfe",
        b"{}",
        b'{"type": null}',
        b'{"type": ["x"]}',
        b'{"type": 1}',
    ],
)
def test_a_line_that_is_no_frame_is_counted_and_passed_over(line: bytes) -> None:
    assert read_frame(line) is None
    assert unknown_frames == {"line": 1}


@pytest.mark.parametrize("line", [b"", b"  ", b"\t\r"])
def test_an_empty_line_is_passed_over_in_silence(line: bytes) -> None:
    assert read_frame(line) is None
    assert not unknown_frames


def test_lone_surrogates_become_the_replacement_character() -> None:
    line = rb'{"type": "x", "\udc00": ["\ud800 a", {"b": "\ud83d\ude00"}], "n": 1.5, "t": true}'
    assert read_frame(line) == {"type": "x", "\ufffd": ["\ufffd a", {"b": "😀"}], "n": 1.5, "t": True}
    assert not unknown_frames


def test_bytes_that_are_no_utf_8_become_the_replacement_character() -> None:
    assert read_frame(b'{"type": "x", "a": "\xff\xc3"}') == {"type": "x", "a": "\ufffd\ufffd"}


@PROPERTY
@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_no_line_raises(line: bytes) -> None:
    frame = read_frame(line)
    assert frame is None or isinstance(frame["type"], str)


@PROPERTY
@given(st.dictionaries(st.text(max_size=3), st.integers(-9, 9) | st.text(max_size=3) | st.none(), max_size=4))
def test_every_object_with_a_type_is_a_frame(rest: dict[str, Any]) -> None:
    frame = {**rest, "type": "x"}
    assert read_frame(json.dumps(frame).encode()) == frame


def test_a_line_that_nests_too_deep_is_passed_over() -> None:
    assert read_frame(b'{"type": "x", "a": ' + b"[" * 5000 + b"]" * 5000 + b"}") is None


def test_the_first_of_a_kind_is_a_warning_and_the_next_ones_are_not(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, logger=frames.__name__)
    note_unknown("frame x", {"type": "x"})
    note_unknown("frame x", {"type": "x"})
    note_unknown("frame y", "z" * 300)
    assert [record.levelname for record in caplog.records] == ["WARNING", "DEBUG", "WARNING"]
    assert caplog.messages[0] == "passed over an unknown frame x from Claude Code: {'type': 'x'}"
    assert caplog.messages[2].endswith(": " + "z" * 200)
    assert unknown_frames == {"frame x": 2, "frame y": 1}
