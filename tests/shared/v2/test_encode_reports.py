"""What the draft has no update for, and how it is said all the same."""

from __future__ import annotations

from typing import Any

from adapter.shared.updates import PlanApproved, PromptSuggested, Update
from support.machine import v2_encoder
from support.performed import wire


def sent(update: Update) -> list[Any]:
    return [part["update"] for part in wire(update, v2_encoder())]


def test_a_suggestion_is_information_about_the_session() -> None:
    (update,) = sent(PromptSuggested("run the tests"))
    meta = {"promptSuggestions": {"suggestions": [{"text": "run the tests"}]}}
    assert update == {"sessionUpdate": "session_info_update", "_meta": meta}


def test_an_approved_plan_is_a_plan_of_its_own() -> None:
    (update,) = sent(PlanApproved("# Plan"))
    assert update["plan"] == {"type": "markdown", "planId": "plan-mode", "content": "# Plan"}
