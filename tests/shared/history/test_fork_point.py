"""Where a fork ends."""

from __future__ import annotations

import hashlib

import pytest

from adapter.shared.history.fork_point import ForkPoint, cut_at
from support.transcripts import Transcript, text


def fingerprint(words: str) -> str:
    return f"sha256:{hashlib.sha256(words.encode()).hexdigest()}"


def conversation() -> Transcript:
    """Two turns with equal answers, and a branch that was taken back."""
    transcript = Transcript()
    transcript.user("One", "p1")
    transcript.answer("m1", text("Sa"), uuid="a1")
    transcript.answer("m1", text("me"), uuid="a2")
    transcript.user("Lost", "p2")
    transcript.answer("m2", text("Gone"), uuid="a3")
    transcript.last = "a2"
    transcript.user("Two", "p3")
    transcript.answer("m3", text("Same"), uuid="a4")
    return transcript


@pytest.mark.parametrize(
    ("message_id", "uuid"),
    [("m1", "a2"), ("m1:segment:2", "a2"), ("p3", "p3"), ("m2", "a3"), ("m3", "a4"), ("m9", ""), ("m1:part:1", "")],
)
def test_a_message_is_found_by_its_id(message_id: str, uuid: str) -> None:
    assert cut_at(conversation().entries, ForkPoint(message_id)) == uuid


@pytest.mark.parametrize(
    ("words", "occurrence", "uuid"),
    [("Same", 1, "a2"), ("Same", 2, "a4"), ("Same", 3, ""), ("Two", 9, "p3"), ("Gone", 1, "a3"), ("Other", 1, "")],
)
def test_or_by_its_text(words: str, occurrence: int, uuid: str) -> None:
    point = ForkPoint("unknown", fingerprint(words), occurrence)
    assert cut_at(conversation().entries, point) == uuid


def test_the_id_counts_more_than_the_text() -> None:
    assert cut_at(conversation().entries, ForkPoint("m3", fingerprint("Gone"))) == "a4"
