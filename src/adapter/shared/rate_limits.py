"""The limits of a plan as data: at the session's start and when they change, at most once a minute.

Sources: `rate_limit_event` frames (logins with a claude.ai account only) and Claude Code's answer to `get_usage`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from adapter.shared.claude.frames import Frame, note_unknown
from adapter.shared.effects import Effects, SendControl, StartTimer
from adapter.shared.inputs import ControlAnswered
from adapter.shared.session_part import SessionPart
from adapter.shared.tools.facts import Json
from adapter.shared.tools.text import string
from adapter.shared.usage import UsageMeter

SECONDS = 60.0
TIMER = "rate-limits"
KEY = "limits"
GET_USAGE: Json = {"subtype": "get_usage", "skip_behaviors": True}


class RateLimits(SessionPart):
    """What is known of the limits of one session's account.

    Args:
        usage: The usage that they are told with.
    """

    def __init__(self, usage: UsageMeter) -> None:
        self._usage = usage
        self._windows: dict[str, Json] = {}
        self._event: Json | None = None
        self._waits = False
        self._changed = False
        self.frames = {"rate_limit_event": self._seen}
        self.answers = {KEY: self._answered}

    @staticmethod
    def ask() -> Effects:
        """Ask how much of each window is used, at the start of a session whose account has a plan."""
        return [SendControl(KEY, GET_USAGE)]

    def timer_fired(self, name: str) -> Effects:
        """A minute is over: what has changed in it is told."""
        if name != TIMER:
            return []
        self._waits = False
        return self._tell() if self._changed else []

    def _seen(self, frame: Frame) -> Effects:
        info = frame.get("rate_limit_info")
        if not isinstance(info, dict) or not string(info.get("status")):
            note_unknown("form of rate_limit_event", frame)
            return []
        same = info == self._event
        self._event = info
        if kind := string(info.get("rateLimitType")):
            known = self._windows.get(kind, {"window": kind})
            used, resets_at = _number(info.get("utilization")), _number(info.get("resetsAt"))
            self._windows[kind] = {**known, **_present(used=used, resetsAt=resets_at)}
        return [] if same else self._tell()

    def _answered(self, event: ControlAnswered) -> Effects:
        limits = event.response.get("rate_limits")
        if not isinstance(limits, dict):
            return []
        for kind, window in limits.items():
            used = _number(window.get("utilization")) if isinstance(window, dict) else None
            if used is not None:
                resets_at = _epoch(window.get("resets_at"))
                self._windows.setdefault(kind, {"window": kind, **_present(used=used / 100, resetsAt=resets_at)})
        return self._tell() if self._windows else []

    def _tell(self) -> Effects:
        self._changed = self._waits
        if self._waits:
            return []
        self._waits = True
        return [self._usage.limited(self._event, tuple(self._windows.values())), StartTimer(TIMER, SECONDS)]


def _present(**values: float | None) -> Json:
    return {name: value for name, value in values.items() if value is not None}


def _number(value: Any) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _epoch(value: Any) -> float | None:
    """An ISO 8601 time as seconds since 1970."""
    try:
        return int(datetime.fromisoformat(string(value)).timestamp())
    except ValueError:
        return None
