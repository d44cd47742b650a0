"""The parts of messages that both protocol versions have in the same shape."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.elicitation.requests import Asker, ChoiceField, Elicitation, FormOption
from adapter.shared.outcome import Outcome, StopReason, TokenCount
from adapter.shared.permissions.choices import ALLOW_ONCE, REJECT
from adapter.shared.permissions.options import PermissionQuestion
from adapter.shared.session_updates import (
    elicitation_params,
    no_meta,
    option_choices,
    permission_options,
    plan_entries,
    quota_meta,
    server_notice,
    token_usage,
    usage_update,
)
from adapter.shared.updates import Choice, ConfigOption, PlanChanged, PlanEntry, ServerNotice, UsageChanged

COUNT = TokenCount(input=1, output=2, cache_read=4, cache_write=8)


@pytest.mark.parametrize(
    ("usage", "rest"),
    [
        (UsageChanged(5, 9, -1.0, "", None), {}),
        (UsageChanged(5, 9, 0.0, "", None), {"cost": {"amount": 0.0, "currency": "USD"}}),
        (UsageChanged(5, 9, -1.0, "opus", None), {"_meta": {"_claude/model": "opus"}}),
        (
            UsageChanged(5, 9, 0.5, "opus", {"kind": "human"}),
            {
                "cost": {"amount": 0.5, "currency": "USD"},
                "_meta": {"_claude/origin": {"kind": "human"}, "_claude/model": "opus"},
            },
        ),
    ],
)
def test_the_usage_has_its_cost_and_its_origin_where_they_are_known(usage: UsageChanged, rest: dict[str, Any]) -> None:
    assert usage_update(usage) == {"sessionUpdate": "usage_update", "used": 5, "size": 9, **rest}


def test_the_steps_of_a_plan_have_one_priority() -> None:
    plan = PlanChanged((PlanEntry("one", "completed"), PlanEntry("two", "pending")))
    assert plan_entries(plan) == [
        {"content": "one", "status": "completed", "priority": "medium"},
        {"content": "two", "status": "pending", "priority": "medium"},
    ]


def test_the_answers_to_a_question_keep_their_order() -> None:
    question = PermissionQuestion("key", "call", "Bash", {}, {}, (), (ALLOW_ONCE, REJECT))
    assert permission_options(question) == [
        {"optionId": "allow-once", "name": ALLOW_ONCE.name, "kind": "allow_once"},
        {"optionId": "reject", "name": REJECT.name, "kind": "reject_once"},
    ]


def test_a_choice_has_its_description_if_there_is_one() -> None:
    option = ConfigOption("model", "Model", "", "model", "a", (Choice("a", "A", "the first"), Choice("b", "B")))
    assert option_choices(option) == [
        {"value": "a", "name": "A", "description": "the first"},
        {"value": "b", "name": "B"},
    ]


def test_the_tokens_of_a_turn() -> None:
    assert token_usage(COUNT) == {
        "inputTokens": 1,
        "outputTokens": 2,
        "cachedReadTokens": 4,
        "cachedWriteTokens": 8,
        "totalTokens": 15,
    }


def test_the_quota_of_a_turn_and_of_its_models() -> None:
    outcome = Outcome(StopReason.END_TURN, None, COUNT, (("opus", TokenCount(output=3)),))
    zero = {"inputTokens": 0, "cachedInputTokens": 0, "cachedWriteTokens": 0, "reasoningOutputTokens": 0}
    assert quota_meta(outcome) == {
        "quota": {
            "token_count": {
                "totalTokens": 15,
                "inputTokens": 1,
                "cachedInputTokens": 4,
                "cachedWriteTokens": 8,
                "outputTokens": 2,
                "reasoningOutputTokens": 0,
            },
            "model_usage": [{"model": "opus", "token_count": {**zero, "totalTokens": 3, "outputTokens": 3}}],
        }
    }


def test_a_form_has_a_choice_and_a_field_for_ones_own_words() -> None:
    options = (FormOption("Red", "Red", "Warm", "~~~"), FormOption("Blue", "Blue"))
    choices = (
        ChoiceField("q0", "Colour", options, own_words="q0_custom"),
        ChoiceField("q1", "Sizes", options, "Which sizes?", multiple=True),
    )
    asked = Elicitation("k", Asker.QUESTIONS, "Which?", choices, call_id="c")
    preview = {"_claude/askUserQuestionOption": {"preview": "~~~"}}
    shown = [
        {"const": "Red", "title": "Red", "description": "Warm", "_meta": preview},
        {"const": "Blue", "title": "Blue"},
    ]
    own = "Type your own answer, or add a note to the option you chose above (optional)."
    assert elicitation_params("s", asked, no_meta) == {
        "sessionId": "s",
        "toolCallId": "c",
        "message": "Which?",
        "mode": "form",
        "requestedSchema": {
            "type": "object",
            "properties": {
                "q0": {"title": "Colour", "type": "string", "oneOf": shown},
                "q0_custom": {"type": "string", "title": "Other", "description": own},
                "q1": {"title": "Sizes", "description": "Which sizes?", "type": "array", "items": {"anyOf": shown}},
            },
        },
    }


def test_the_form_of_a_server_goes_as_it_is() -> None:
    schema = {"type": "object", "properties": {"name": {"type": "string"}}}
    asked = Elicitation("k", Asker.MCP_SERVER, "Who?", schema=schema)
    assert elicitation_params("s", asked, no_meta) == {
        "sessionId": "s",
        "message": "Who?",
        "mode": "form",
        "requestedSchema": schema,
    }


def test_a_page_has_its_address_and_its_id() -> None:
    asked = Elicitation("k", Asker.SIGN_IN, "Sign in", url="https://a.test", elicitation_id="e1")
    assert elicitation_params("s", asked, no_meta) == {
        "sessionId": "s",
        "message": "Sign in",
        "mode": "url",
        "url": "https://a.test",
        "elicitationId": "e1",
    }


def test_a_server_that_is_not_up_is_a_warning() -> None:
    assert server_notice(ServerNotice("lab", "failed")) == {
        "sessionUpdate": "notice",
        "severity": "warning",
        "title": 'MCP server "lab" failed to start',
        "description": "Its tools are unavailable in this session. Run /mcp for the error.",
    }
