"""The goal of a session, as AIR shows it: what `/goal` sets and Claude Code's `active_goal` frames report.

Source: docs/air-extensions.md, *Goal*.
"""

from __future__ import annotations

from typing import Any

from adapter.shared.claude.frames import Frame
from adapter.shared.claude.lifecycle import lifecycle_event, named_prompts
from adapter.shared.effects import Effects, SendPrompt
from adapter.shared.session_part import SessionPart
from adapter.shared.tools.facts import Json
from adapter.shared.tools.text import string
from adapter.shared.turn_outcome import ABORTED
from adapter.v1.extensions.updates import AirUpdate, session_info

CONTROL_METHOD = "_session/goal"
SUPPORT = {"version": 1, "controlMethod": CONTROL_METHOD, "actions": ["set", "clear"]}
COMMAND = "/goal"
CLEAR = frozenset({"cancel", "clear", "none", "off", "reset", "stop"})
"""The words with which Claude Code takes a goal away, in any case."""


class Goal(SessionPart):
    """The goal of one session. While a command is on its way, what it asks for is shown."""

    def __init__(self) -> None:
        self._goal: Json | None = None
        self._before: Json | None = None
        self._command = ""
        self._begun = False
        self.frames = {
            "active_goal": self._reported,
            "command_lifecycle": self._lifecycle,
            "result": self._result,
        }

    def rewrite(self, effects: Effects) -> Effects:
        """A command that sets or clears the goal is being written."""
        rewritten: Effects = []
        for effect in effects:
            if isinstance(effect, SendPrompt) and (objective := _objective(effect)) is not None:
                rewritten.append(self._asked(effect.uuid, objective))
            rewritten.append(effect)
        return rewritten

    def process_gone(self) -> Effects:
        """The command has been lost with the process, and the goal's hook too."""
        self._command = ""
        return [] if self._goal is None else [self._show(None)]

    def _asked(self, uuid: str, objective: str) -> AirUpdate:
        if not self._command:
            self._before = self._goal
        self._command, self._begun = uuid, False
        return self._show(snapshot({"condition": objective}) if objective else None)

    def _reported(self, frame: Frame) -> Effects:
        value: Any = frame.get("value")
        goal = snapshot(value) if isinstance(value, dict) else None
        if self._command and _text(goal) != _text(self._goal):
            return []
        return [self._show(goal)] if goal != self._goal else []

    def _lifecycle(self, frame: Frame) -> Effects:
        uuid, state = lifecycle_event(frame)
        if uuid != self._command or not uuid:
            return []
        if state == "started":
            self._begun = True
        if state == "cancelled" and not self._begun:
            return self._restored()
        if state in ("cancelled", "completed"):
            self._command = ""
        return []

    def _result(self, frame: Frame) -> Effects:
        """A command that failed set nothing; one whose turn was stopped has set the goal before that."""
        stopped = string(frame.get("terminal_reason")) in ABORTED
        failed = frame.get("is_error") is True and not stopped and self._command in named_prompts(frame)
        return self._restored() if failed else []

    def _restored(self) -> Effects:
        """The command has failed: the goal is the one before it."""
        self._command = ""
        return [self._show(self._before)]

    def _show(self, goal: Json | None) -> AirUpdate:
        self._goal = goal
        return session_info(goal=goal)


def snapshot(value: Json) -> Json | None:
    """The goal for a client, from Claude Code's; `None` if it has no objective."""
    objective = string(value.get("condition"))
    if not objective:
        return None
    known: Json = {}
    if isinstance(value.get("iterations"), int):
        known["iterations"] = value["iterations"]
    if string(value.get("last_reason")):
        known["lastReason"] = string(value.get("last_reason"))
    if isinstance(value.get("set_at"), int | float):
        known["createdAt"] = int(value["set_at"])
    return {"objective": objective, "status": "active", **known, "controlMethod": CONTROL_METHOD}


def _objective(prompt: SendPrompt) -> str | None:
    """What a prompt makes the goal: empty to clear it, `None` if it does neither."""
    text = string(prompt.content[0].get("text")).strip() if prompt.content else ""
    command, *arguments = text.split(maxsplit=1) or [""]
    argument = "".join(arguments).strip()
    if command != COMMAND or not argument:
        return None
    return "" if argument.casefold() in CLEAR else argument


def _text(goal: Json | None) -> str:
    return "" if goal is None else string(goal.get("objective"))
