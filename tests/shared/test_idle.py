"""When a session lets go of its Claude Code, and when it must not."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.effects import DropProcess, Effects, StartTimer
from adapter.shared.idle import IDLE_TIMER, IdleLimits, IdlePool, IdleSession
from shared.frames import assistant, system, text, tool_use

WAITS = [StartTimer(IDLE_TIMER, 60.0)]
PARKED = [DropProcess(gently=True)]


class FakeSession:
    """A session that runs, and may be parked."""

    def __init__(self) -> None:
        self.runs = True
        self.quiet = True

    def may_park(self) -> bool:
        return self.quiet

    def park(self) -> Effects:
        self.runs = False
        return [DropProcess(gently=True)]


def idle_session(pool: IdlePool | None = None) -> tuple[IdleSession, FakeSession]:
    session = FakeSession()
    return IdleSession(session, pool or IdlePool(IdleLimits(60))), session


def state(part: IdleSession, to: str) -> Effects:
    return part.frames["system/session_state_changed"](system("session_state_changed", state=to))


def tasks(part: IdleSession, *running: Any) -> Effects:
    return part.frames["system/background_tasks_changed"](system("background_tasks_changed", tasks=list(running)))


def test_a_session_that_was_never_used_is_parked() -> None:
    part, _ = idle_session()
    assert part.process_started() == WAITS
    assert part.timer_fired(IDLE_TIMER) == PARKED


def test_a_session_is_parked_after_its_turn_and_waits_again_when_it_is_back() -> None:
    part, session = idle_session()
    assert part.prompt_received() == []
    assert part.timer_fired(IDLE_TIMER) == []
    assert state(part, "running") == []
    assert part.timer_fired(IDLE_TIMER) == []
    assert state(part, "idle") == WAITS
    assert part.timer_fired(IDLE_TIMER) == PARKED
    assert part.process_gone() == []
    session.runs = True
    assert part.process_started() == WAITS


@pytest.mark.parametrize("busy", ["running", "requires_action"])
def test_a_session_with_a_turn_is_not_parked(busy: str) -> None:
    part, _ = idle_session()
    state(part, busy)
    assert part.timer_fired(IDLE_TIMER) == []


def test_a_session_with_background_work_is_not_parked_before_its_end() -> None:
    part, _ = idle_session()
    assert tasks(part, {"task_id": "b"}) == []
    assert state(part, "idle") == []
    assert part.timer_fired(IDLE_TIMER) == []
    assert tasks(part) == WAITS
    assert part.timer_fired(IDLE_TIMER) == PARKED


@pytest.mark.parametrize("tool", ["CronCreate", "Monitor", "ScheduleWakeup"])
def test_a_session_that_wakes_by_itself_is_never_parked_while_its_process_lives(tool: str) -> None:
    part, _ = idle_session()
    part.frames["assistant"](assistant(text("x"), tool_use("c", tool)))
    assert state(part, "idle") == []
    assert part.timer_fired(IDLE_TIMER) == []
    part.process_gone()
    assert part.process_started() == WAITS


@pytest.mark.parametrize("frame", [{"type": "assistant"}, assistant(5, tool_use("c", "Bash")), assistant()])
def test_other_words_of_claude_change_nothing(frame: Any) -> None:
    part, _ = idle_session()
    part.frames["assistant"](frame)
    assert part.timer_fired(IDLE_TIMER) == PARKED


def test_a_session_that_waits_for_an_answer_is_looked_at_again() -> None:
    part, session = idle_session()
    session.quiet = False
    assert part.timer_fired(IDLE_TIMER) == WAITS


def test_the_timer_of_another_part_is_not_ours() -> None:
    part, _ = idle_session()
    assert part.timer_fired("cancel") == []


def test_some_sessions_keep_their_process() -> None:
    pool = IdlePool(IdleLimits(60, keep=1))
    (first, _), (second, other) = idle_session(pool), idle_session(pool)
    assert first.timer_fired(IDLE_TIMER) == PARKED
    assert second.timer_fired(IDLE_TIMER) == WAITS
    third, _ = idle_session(pool)
    assert second.timer_fired(IDLE_TIMER) == PARKED
    assert not other.runs
    third.session_over()
    assert not pool.is_full()
