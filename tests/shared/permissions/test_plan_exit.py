"""Leaving plan mode: the modes that the session has, and a fresh context where there is a plan."""

from __future__ import annotations

import pytest

from adapter.shared.permissions.options import PermissionOption
from adapter.shared.permissions.plan_exit import plan_exit_options
from shared.permissions.requests import set_mode

MANUAL = PermissionOption("exit-plan-default", "Yes, manually approve edits", "allow_once", (set_mode("default"),))
STAY = PermissionOption("reject", "No, keep planning", "reject_once", stops=True)


def keeping(suffix: str, words: str, mode: str) -> PermissionOption:
    return PermissionOption(f"exit-plan-{suffix}", f"Yes, and {words}", "allow_always", (set_mode(mode),))


def clearing(suffix: str, words: str, mode: str, used: int = 42) -> PermissionOption:
    name = f"Yes, clear context ({used}% used) and {words}"
    return PermissionOption(f"exit-plan-clear-{suffix}", name, "allow_always", clears=mode)


AUTO = ("auto", "use auto mode", "auto")
BYPASS = ("bypass", "bypass permissions", "bypassPermissions")
EDITS = ("accept-edits", "accept edits", "acceptEdits")


@pytest.mark.parametrize(
    ("modes", "between"),
    [
        ({"default", "plan"}, []),
        ({"default", "acceptEdits", "plan"}, [clearing(*EDITS), keeping(*EDITS)]),
        ({"default", "acceptEdits", "auto"}, [clearing(*AUTO), keeping(*AUTO)]),
        ({"acceptEdits", "bypassPermissions"}, [clearing(*BYPASS), keeping(*BYPASS)]),
        ({"auto", "bypassPermissions"}, [clearing(*AUTO), keeping(*AUTO), keeping(*BYPASS)]),
    ],
)
def test_the_best_mode_comes_first(modes: set[str], between: list[PermissionOption]) -> None:
    assert plan_exit_options(frozenset(modes), 42, has_plan=True) == (MANUAL, *between, STAY)


def test_without_a_plan_there_is_nothing_to_go_on_with_in_a_fresh_context() -> None:
    assert plan_exit_options(frozenset({"acceptEdits"}), 42, has_plan=False) == (MANUAL, keeping(*EDITS), STAY)
