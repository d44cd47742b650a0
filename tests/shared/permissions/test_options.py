"""What a client's answer to a question does in Claude Code."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.permissions.options import PermissionOption, PermissionQuestion, chosen_option, compact, decision
from shared.permissions.requests import rules, set_mode

UPDATE = rules("ls")
OPTIONS = (
    PermissionOption("allow-once", "Yes", "allow_once"),
    PermissionOption("always", "Yes, always", "allow_always", (UPDATE, set_mode())),
    PermissionOption("fresh", "Yes, afresh", "allow_always", clears="auto"),
    PermissionOption("manual", "Yes, manually", "allow_once", (set_mode("default"),)),
    PermissionOption("reject", "No", "reject_once"),
    PermissionOption("stop", "No, stop", "reject_once", stops=True),
)
INPUT = {"command": "ls"}
QUESTION = PermissionQuestion("key", "call", "Bash", INPUT, {}, (), OPTIONS)
REFUSED = {"behavior": "deny", "toolUseID": "call", "message": "User refused permission to run tool"}
ALLOWED = {"behavior": "allow", "updatedInput": INPUT, "toolUseID": "call"}


def selected(option: Any) -> dict[str, Any]:
    return {"outcome": {"outcome": "selected", "optionId": option}}


def decide(result: Any, *, failed: bool = False, feedback: str = "") -> dict[str, Any]:
    return decision(QUESTION, result, failed=failed, feedback=feedback)


@pytest.mark.parametrize(
    ("option", "rest"),
    [
        ("allow-once", {"decisionClassification": "user_temporary"}),
        ("always", {"decisionClassification": "user_permanent", "updatedPermissions": [UPDATE, set_mode()]}),
        ("manual", {"decisionClassification": "user_temporary", "updatedPermissions": [set_mode("default")]}),
    ],
)
def test_yes_allows_the_call_with_what_the_answer_applies(option: str, rest: dict[str, Any]) -> None:
    assert decide(selected(option)) == {**ALLOWED, **rest}


def test_a_yes_that_clears_the_context_ends_the_turn_that_asked() -> None:
    answer = decide(selected("fresh"))
    assert (answer["behavior"], answer["interrupt"], answer["toolUseID"]) == ("deny", True, "call")
    assert "decisionClassification" not in answer


@pytest.mark.parametrize(("option", "stops"), [("reject", False), ("stop", True)])
def test_no_refuses_the_call_and_may_stop_the_turn(option: str, stops: bool) -> None:
    assert decide(selected(option)) == {**REFUSED, "interrupt": stops, "decisionClassification": "user_reject"}


@pytest.mark.parametrize("option", ["reject", "stop"])
def test_the_users_words_reach_the_model_and_the_turn_goes_on(option: str) -> None:
    answer = decide(selected(option), feedback="  use tabs ")
    assert answer["message"] == "User refused permission to run tool. The user said: use tabs"
    assert answer["interrupt"] is False


@pytest.mark.parametrize(("feedback", "stops"), [("", True), ("  \n", True)])
def test_empty_words_are_a_plain_no(feedback: str, stops: bool) -> None:
    answer = decide(selected("stop"), feedback=feedback)
    assert (answer["message"], answer["interrupt"]) == (REFUSED["message"], stops)


def test_words_are_cut_where_they_are_too_long() -> None:
    assert decide(selected("reject"), feedback="x" * 30_000)["message"].endswith("said: " + "x" * 20_000)


def test_words_with_a_yes_are_not_heard() -> None:
    assert decide(selected("allow-once"), feedback="x") == {**ALLOWED, "decisionClassification": "user_temporary"}


def test_a_cancel_aborts_the_turn() -> None:
    answer = decide({"outcome": {"outcome": "cancelled"}})
    assert answer == {"behavior": "deny", "message": "Tool use aborted", "interrupt": True, "toolUseID": "call"}


@pytest.mark.parametrize("result", [None, {}, [], "text", {"outcome": None}, {"outcome": "selected"}])
def test_an_answer_of_another_form_refuses_the_call(result: Any) -> None:
    answer = decide(result)
    assert answer == {**REFUSED, "message": "The client could not ask for permission", "interrupt": False}


@pytest.mark.parametrize("result", [None, selected("allow-once"), {"outcome": {"outcome": "cancelled"}}])
def test_a_client_that_fails_refuses_the_call(result: Any) -> None:
    answer = decide(result, failed=True)
    assert answer == {**REFUSED, "message": "The client could not ask for permission", "interrupt": False}


@pytest.mark.parametrize(
    "result", [selected("nope"), selected(None), selected(["always"]), {"outcome": {"optionId": "always"}}]
)
def test_an_answer_that_was_not_offered_refuses_the_call(result: Any) -> None:
    answer = decide(result)
    assert answer == {**REFUSED, "message": "The client chose an answer that was not offered", "interrupt": False}
    assert chosen_option(QUESTION, result) is None


def test_the_option_that_was_chosen() -> None:
    assert chosen_option(QUESTION, selected("fresh")) is OPTIONS[2]
    assert chosen_option(QUESTION, {"outcome": {"outcome": "cancelled", "optionId": "fresh"}}) is None


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a b", "a b"),
        ("  a\n\tb  c ", "a b c"),
        ("grün", "grün"),
        ("a\0b", ""),
        ("a\u202eb", ""),
        ("x" * 1000, "x" * 1000),
        ("x" * 1001, ""),
        ("", ""),
        (None, ""),
        (1, ""),
    ],
)
def test_a_remark_is_one_printable_line_or_nothing(text: Any, shown: str) -> None:
    assert compact(text) == shown
