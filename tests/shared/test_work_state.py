"""What a v2 client is told of a session's work: each state with each event."""

from __future__ import annotations

import pytest

from adapter.shared.outcome import Outcome, StopReason
from adapter.shared.work_state import (
    Idle,
    RequiresAction,
    Running,
    Stopping,
    Work,
    WorkEvent,
    WorkTracker,
    advance,
)
from adapter.shared.work_updates import StateChanged, WorkState

CHANGES: dict[Work, dict[WorkEvent, Work]] = {
    Idle(): {WorkEvent.BEGAN: Running()},
    Running(): {WorkEvent.ASKED: RequiresAction(), WorkEvent.ENDED: Idle()},
    RequiresAction(): {
        WorkEvent.ANSWERED: Running(),
        WorkEvent.WITHDRAWN: Stopping(),
        WorkEvent.ENDED: Idle(),
    },
    Stopping(): {WorkEvent.ENDED: Idle()},
}
"""What each event makes of each state; an event that is absent leaves the state as it is."""

TOLD: dict[Work, StateChanged | None] = {
    Idle(): StateChanged(WorkState.IDLE, Outcome(StopReason.END_TURN)),
    Running(): StateChanged(WorkState.RUNNING),
    RequiresAction(): StateChanged(WorkState.REQUIRES_ACTION),
    Stopping(): None,
}

WAYS: dict[Work, list[WorkEvent]] = {
    Idle(): [],
    Running(): [WorkEvent.BEGAN],
    RequiresAction(): [WorkEvent.BEGAN, WorkEvent.ASKED],
    Stopping(): [WorkEvent.BEGAN, WorkEvent.ASKED, WorkEvent.WITHDRAWN],
}
"""The events that lead to each state."""


@pytest.mark.parametrize("event", WorkEvent)
@pytest.mark.parametrize("state", CHANGES, ids=str)
def test_advance(state: Work, event: WorkEvent) -> None:
    assert advance(state, event) == CHANGES[state].get(event, state)


@pytest.mark.parametrize("event", WorkEvent)
@pytest.mark.parametrize("state", WAYS, ids=str)
def test_the_client_is_told_of_each_change_once(state: Work, event: WorkEvent) -> None:
    tracker = WorkTracker()
    for step in WAYS[state]:
        tracker.tell(step)
    after = CHANGES[state].get(event)
    change = TOLD[after] if after is not None else None
    assert tracker.tell(event, Outcome(StopReason.END_TURN)) == ([change] if change else [])


@pytest.mark.parametrize("state", WAYS, ids=str)
def test_a_turn_is_open_in_every_state_but_idle(state: Work) -> None:
    tracker = WorkTracker()
    for step in WAYS[state]:
        tracker.tell(step)
    assert tracker.turn_open == (state != Idle())
