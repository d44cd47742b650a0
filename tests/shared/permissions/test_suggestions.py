"""Permission suggestions are taken as a whole, or not at all."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.permissions.suggestions import Grant, Rule, grant_of, only_rules, valid_suggestions
from shared.permissions.requests import add_folders, rules, set_mode

RULE = rules("ls")


def without(update: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in update.items() if name != key}


@pytest.mark.parametrize(
    "update",
    [
        rules("ls", "git push *"),
        rules("", tool="mcp__lab__add"),
        {**RULE, "rules": [{"toolName": "Bash", "ruleContent": None}]},
        {**RULE, "type": "replaceRules", "behavior": "deny", "destination": "userSettings"},
        {**RULE, "type": "removeRules", "behavior": "ask", "destination": "projectSettings"},
        set_mode("plan", "cliArg"),
        set_mode("bypassPermissions"),
        set_mode("dontAsk"),
        set_mode("auto"),
        add_folders("/a", "/b"),
        {**add_folders("/a"), "type": "removeDirectories"},
        rules("x" * 4096),
        rules(*["ls"] * 32),
    ],
)
def test_a_suggestion_of_a_known_form_is_taken(update: dict[str, Any]) -> None:
    assert valid_suggestions([update]) == (update,)


@pytest.mark.parametrize(
    "update",
    [
        None,
        "text",
        {},
        without(RULE, "destination"),
        {**RULE, "destination": "elsewhere"},
        {**RULE, "destination": ["session"]},
        {**RULE, "type": "addThings"},
        {**RULE, "type": ["addRules"]},
        without(RULE, "type"),
        {**RULE, "behavior": "maybe"},
        {**RULE, "behavior": ["allow"]},
        without(RULE, "behavior"),
        {**RULE, "rules": []},
        {**RULE, "rules": None},
        {**RULE, "rules": {"toolName": "Bash"}},
        {**RULE, "rules": ["Bash"]},
        {**RULE, "rules": [{"toolName": ""}]},
        {**RULE, "rules": [{"ruleContent": "ls"}]},
        {**RULE, "rules": [{"toolName": "Bash", "ruleContent": ""}]},
        {**RULE, "rules": [{"toolName": "Bash", "ruleContent": 1}]},
        rules("x" * 4097),
        rules(*["ls"] * 33),
        set_mode("yolo"),
        {**set_mode(), "mode": ["plan"]},
        without(set_mode(), "mode"),
        add_folders(),
        add_folders(""),
        {**add_folders("/a"), "directories": "/a"},
        {**add_folders("/a"), "directories": [1]},
    ],
)
def test_one_suggestion_of_an_unknown_form_spoils_all(update: Any) -> None:
    assert valid_suggestions([RULE, update]) == ()


@pytest.mark.parametrize("suggestions", [None, [], {}, "text", [RULE] * 33])
def test_what_is_no_list_of_suggestions_is_nothing(suggestions: Any) -> None:
    assert valid_suggestions(suggestions) == ()


def test_suggestions_are_frozen_when_they_are_taken() -> None:
    given = [rules("ls")]
    (taken,) = valid_suggestions(given)
    given[0]["rules"][0]["ruleContent"] = "rm -rf *"
    assert taken == rules("ls")


def test_allow_rules_are_listed_if_nothing_else_is_suggested() -> None:
    updates = (rules("ls", ""), rules("cat *", destination="session"))
    assert only_rules(updates) == (
        Rule("Bash", "ls", "localSettings"),
        Rule("Bash", "", "localSettings"),
        Rule("Bash", "cat *", "session"),
    )


@pytest.mark.parametrize(
    "other", [set_mode(), add_folders("/a"), rules("ls", behavior="deny"), {**RULE, "type": "removeRules"}]
)
def test_rules_among_other_updates_are_not_listed(other: dict[str, Any]) -> None:
    assert only_rules((RULE, other)) == ()


@pytest.mark.parametrize(
    ("content", "shown"),
    [("git push *", "git push *"), ("git push:*", "git push"), ("ls", "ls"), ("a * b", "a * b"), ("*", "*")],
)
def test_a_rule_is_shown_as_it_is_but_for_an_old_prefix(content: str, shown: str) -> None:
    assert Rule("Bash", content, "session").shown == shown


def test_a_grant_is_all_that_the_suggestions_allow() -> None:
    local, session = frozenset({"localSettings"}), frozenset({"session"})
    rule = Rule("Bash", "ls", "localSettings")
    assert grant_of((RULE,)) == Grant((rule,), (), accepts_edits=False, destinations=local)
    assert grant_of((set_mode(), add_folders("/a", "/b"), add_folders("/c"))) == Grant(
        (), ("/a", "/b", "/c"), accepts_edits=True, destinations=session
    )
    assert grant_of((RULE, add_folders("/a"))) == Grant(
        (rule,), ("/a",), accepts_edits=False, destinations=local | session
    )


@pytest.mark.parametrize(
    ("updates", "in_session"),
    [((set_mode(),), True), ((add_folders("/a"),), True), ((RULE,), False), ((RULE, add_folders("/a")), False)],
)
def test_a_grant_may_end_with_the_session(updates: Any, in_session: bool) -> None:
    grant = grant_of(updates)
    assert grant is not None
    assert grant.in_session is in_session


@pytest.mark.parametrize(
    "updates",
    [
        (),
        (set_mode("plan"),),
        (set_mode(destination="userSettings"),),
        (RULE, rules("ls", behavior="deny")),
        (set_mode(), {**add_folders("/a"), "type": "removeDirectories"}),
        (RULE, {**RULE, "type": "replaceRules"}),
    ],
)
def test_what_does_more_than_allow_is_no_grant(updates: Any) -> None:
    assert grant_of(updates) is None
