"""Text chunks on their way out: those of one message that wait together become one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pytest

from adapter.shared.chunk_message import LARGEST_MERGED, ChunkMessage
from adapter.shared.updates import Speaker, TextChunk
from shared.driving import FakeEncoder

if TYPE_CHECKING:
    from adapter.shared.core import Encoder


def chunk(text: str, message: str = "m", speaker: Speaker = Speaker.AGENT, session: str = "s") -> ChunkMessage:
    return ChunkMessage(session, cast("Encoder", FakeEncoder()), TextChunk(speaker, message, text))


class Other:
    """A message of another kind."""

    size = 1

    def merge(self, _later: Any) -> bool:
        return False

    def encode(self) -> bytes:
        return b""


def test_chunks_of_one_message_become_one() -> None:
    first = chunk("a")
    assert first.merge(chunk("b"))
    assert first.merge(chunk("cd"))
    assert first.size == 4
    assert first.encode().endswith(b'"update":{"text":"abcd"}}}\n')


@pytest.mark.parametrize(
    "later", [chunk("b", message="n"), chunk("b", speaker=Speaker.THOUGHT), chunk("b", session="t"), Other()]
)
def test_other_chunks_stay_apart(later: Any) -> None:
    first = chunk("a")
    assert not first.merge(later)
    assert first.size == 1
    assert first.encode().endswith(b'"update":{"text":"a"}}}\n')


def test_what_is_merged_stays_far_below_a_line() -> None:
    first = chunk("x" * (LARGEST_MERGED - 1))
    assert first.merge(chunk("y"))
    assert not first.merge(chunk("z"))
