"""Frames wait while something that belongs before them is found out."""

from __future__ import annotations

from typing import Any

from adapter.shared.frame_hold import FrameHold
from adapter.shared.inputs import CancelReceived, FileChanged
from adapter.shared.tools.facts import FileSnapshot

FRAME: dict[str, Any] = {"type": "assistant"}
CHANGE = FileChanged({"type": "user"}, FileSnapshot("missing"))


def test_nothing_waits_without_a_reason() -> None:
    hold = FrameHold()
    assert not hold.keeps(FRAME)
    assert hold.released(lambda frame: [frame]) == []


def test_frames_wait_in_their_order_and_requests_do_not() -> None:
    hold = FrameHold()
    hold.begin()
    assert hold.keeps(FRAME)
    assert hold.keeps(CHANGE)
    assert not hold.keeps(CancelReceived())
    assert hold.released(lambda frame: [frame]) == []
    hold.end()
    assert hold.released(lambda frame: [frame]) == [FRAME, CHANGE]
    assert not hold.keeps(FRAME)


def test_a_frame_that_begins_another_hold_holds_back_those_behind_it() -> None:
    hold = FrameHold()
    hold.begin()
    second: dict[str, Any] = {"type": "result"}
    assert hold.keeps(FRAME)
    assert hold.keeps(second)
    hold.end()

    def take(frame: Any) -> list[Any]:
        hold.begin()
        return [frame]

    assert hold.released(take) == [FRAME]
    hold.end()
    assert hold.released(lambda frame: [frame]) == [second]


def test_a_hold_that_is_given_up_keeps_nothing() -> None:
    hold = FrameHold()
    hold.begin()
    assert hold.keeps(FRAME)
    hold.give_up()
    assert hold.released(lambda frame: [frame]) == []
    assert not hold.keeps(FRAME)
