"""The limits of a plan: told at the start and when they change, at most once a minute."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.effects import SendControl, StartTimer
from adapter.shared.inputs import ControlAnswered, SessionOpened, TimerFired
from adapter.shared.updates import UsageChanged
from support.machine import handle, of, v1_core

MINUTE = StartTimer("rate-limits", 60.0)
OVER = TimerFired("rate-limits")


def event(used: float, **more: Any) -> dict[str, Any]:
    info = {"status": "allowed", "rateLimitType": "five_hour", "utilization": used, "resetsAt": 100, **more}
    return {"type": "rate_limit_event", "rate_limit_info": info}


def window(used: float, kind: str = "five_hour", resets_at: float = 100) -> dict[str, Any]:
    return {"window": kind, "used": used, "resetsAt": resets_at}


def test_an_event_is_told_as_it_is_and_as_a_window() -> None:
    effects = handle(v1_core(), event(0.5))
    (usage,) = of(effects, UsageChanged)
    assert usage.rate_limit == event(0.5)["rate_limit_info"]
    assert usage.windows == (window(0.5),)
    assert effects[-1] == MINUTE


def test_the_same_event_is_not_told_again() -> None:
    core = v1_core()
    handle(core, event(0.5), OVER)
    assert handle(core, event(0.5)) == []


def test_what_changes_within_a_minute_is_told_after_it_once() -> None:
    core = v1_core()
    handle(core, event(0.5))
    assert handle(core, event(0.6), event(0.7), event(0.2, rateLimitType="seven_day")) == []
    effects = handle(core, OVER)
    assert [usage.windows for usage in of(effects, UsageChanged)] == [(window(0.7), window(0.2, "seven_day"))]
    assert effects[-1] == MINUTE
    assert handle(core, OVER) == []


def test_an_account_with_a_plan_is_asked_for_its_limits_at_the_start() -> None:
    asked = SendControl("limits", {"subtype": "get_usage", "skip_behaviors": True})
    assert asked in handle(v1_core(), SessionOpened(has_limits=True))
    assert asked not in handle(v1_core(), SessionOpened())


def test_the_answer_is_told_as_windows() -> None:
    limits = {
        "five_hour": {"utilization": 31, "resets_at": "1970-01-01T00:01:40+00:00"},
        "seven_day": {"utilization": 5, "resets_at": None},
        "seven_day_opus": None,
        "extra": {"utilization": None},
    }
    (usage,) = of(handle(v1_core(), ControlAnswered("limits", {"rate_limits": limits})), UsageChanged)
    assert usage.windows == (window(0.31), {"window": "seven_day", "used": 0.05})
    assert usage.rate_limit is None


@pytest.mark.parametrize("answer", [{}, {"rate_limits": None}, {"rate_limits": {}}])
def test_an_account_without_limits_is_told_nothing(answer: dict[str, Any]) -> None:
    assert handle(v1_core(), ControlAnswered("limits", answer)) == []


@pytest.mark.parametrize("info", [None, "x", {}, {"status": 3}])
def test_an_event_without_a_status_is_passed_over(info: Any) -> None:
    assert handle(v1_core(), {"type": "rate_limit_event", "rate_limit_info": info}) == []
