"""Leaving plan mode: which modes the plan can be carried out in, and the choice to start it with a fresh context."""

from __future__ import annotations

from typing import NamedTuple

from adapter.shared.permissions.options import PermissionOption
from adapter.shared.tools.facts import Json


class Elevated(NamedTuple):
    """A mode that asks less than the default one: its id, the end of an option id, and its name in an option."""

    mode: str
    suffix: str
    words: str


ELEVATED = (
    Elevated("auto", "auto", "use auto mode"),
    Elevated("bypassPermissions", "bypass", "bypass permissions"),
    Elevated("acceptEdits", "accept-edits", "accept edits"),
)
MANUAL = "default"


def plan_exit_options(modes: frozenset[str], context_used: int, *, has_plan: bool) -> tuple[PermissionOption, ...]:
    """The answers to an ExitPlanMode.

    Args:
        modes: The modes that the session can be set to.
        context_used: Percent of the context window.
        has_plan: There is a plan to go on with in a fresh context.
    """
    elevated = [choice for choice in ELEVATED if choice.mode in modes]
    offered = [choice for choice in elevated if choice.mode != "acceptEdits"] or elevated
    keeping = [
        PermissionOption(
            f"exit-plan-{choice.suffix}", f"Yes, and {choice.words}", "allow_always", _set_mode(choice.mode)
        )
        for choice in offered
    ]
    clearing = [
        PermissionOption(
            f"exit-plan-clear-{choice.suffix}",
            f"Yes, clear context ({context_used}% used) and {choice.words}",
            "allow_always",
            clears=choice.mode,
        )
        for choice in elevated[:1]
        if has_plan
    ]
    return (
        PermissionOption("exit-plan-default", "Yes, manually approve edits", "allow_once", _set_mode(MANUAL)),
        *clearing,
        *keeping,
        PermissionOption("reject", "No, keep planning", "reject_once", stops=True),
    )


def _set_mode(mode: str) -> tuple[Json, ...]:
    return ({"type": "setMode", "mode": mode, "destination": "session"},)
