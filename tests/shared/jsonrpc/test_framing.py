"""Lines come out whole however the stream was cut, and a line over the limit costs only itself."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.shared.jsonrpc.framing import MAX_LINE_BYTES, OVERLONG, LineFramer, OverlongLine
from shared.doubles import PROPERTY

LIMIT = 6
LINE = st.binary(max_size=10).map(lambda line: line.replace(b"\n", b"."))


@st.composite
def cut_streams(draw: st.DrawFn) -> tuple[list[bytes], list[bytes]]:
    """Lines, and their stream in chunks: the last line has no newline."""
    lines = draw(st.lists(LINE, min_size=1, max_size=8))
    stream = b"\n".join(lines)
    cuts = sorted(draw(st.lists(st.integers(0, len(stream)), max_size=12)))
    return lines, [stream[start:end] for start, end in pairwise([0, *cuts, len(stream)])]


@PROPERTY
@given(cut_streams())
def test_lines_come_out_whole_wherever_the_stream_is_cut(stream: tuple[list[bytes], list[bytes]]) -> None:
    lines, chunks = stream
    framer = LineFramer(LIMIT)
    got = [line for chunk in chunks for line in framer.push(chunk)]
    expected: list[bytes | OverlongLine] = [line if len(line) <= LIMIT else OVERLONG for line in lines]
    assert got == expected[:-1]
    assert framer.flush() == (expected[-1] if lines[-1] else None)
    assert framer.flush() is None


@pytest.mark.parametrize("size", [LIMIT - 1, LIMIT])
def test_a_line_of_the_limit_is_a_line(size: int) -> None:
    assert LineFramer(LIMIT).push(b"x" * size + b"\n") == [b"x" * size]


def test_an_overlong_line_is_reported_once_and_the_next_line_is_served() -> None:
    framer = LineFramer(LIMIT)
    assert framer.push(b"x" * (LIMIT + 1)) == []
    assert framer.push(b"y" * 100) == []
    assert framer.push(b"z\nnext\n") == [OVERLONG, b"next"]


def test_an_overlong_line_is_not_kept_while_it_comes() -> None:
    framer = LineFramer(LIMIT)
    for _ in range(1000):
        framer.push(b"x" * (LIMIT - 1))
    assert framer._parts == []


def test_an_overlong_line_without_an_end_is_reported_at_the_end_of_the_stream() -> None:
    framer = LineFramer(LIMIT)
    framer.push(b"x" * (LIMIT + 1))
    assert framer.flush() is OVERLONG
    assert framer.push(b"next\n") == [b"next"]


def test_lines_of_64_mebibytes_are_allowed() -> None:
    assert MAX_LINE_BYTES == 64 * 1024 * 1024
    assert LineFramer()._limit == MAX_LINE_BYTES
