"""What the draft has no update for, and how it is said all the same."""

from __future__ import annotations

from adapter.shared.updates import PlanApproved, PromptSuggested
from support.machine import v2_encoder


def test_a_suggestion_is_information_about_the_session() -> None:
    (update,) = v2_encoder().updates(PromptSuggested("run the tests"))
    meta = {"promptSuggestions": {"suggestions": [{"text": "run the tests"}]}}
    assert update == {"sessionUpdate": "session_info_update", "_meta": meta}


def test_an_approved_plan_is_a_plan_of_its_own() -> None:
    (update,) = v2_encoder().updates(PlanApproved("# Plan"))
    assert update["plan"] == {"type": "markdown", "planId": "plan-mode", "content": "# Plan"}
