"""Claude Code's permission suggestions: checked as a whole and frozen, so that what a name says is what is applied."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

from adapter.shared.tools.facts import Json
from adapter.shared.tools.text import string

RULE_TYPES = frozenset({"addRules", "replaceRules", "removeRules"})
DIRECTORY_TYPES = frozenset({"addDirectories", "removeDirectories"})
MODES = frozenset({"default", "acceptEdits", "plan", "auto", "bypassPermissions", "dontAsk"})
DESTINATIONS = frozenset({"userSettings", "projectSettings", "localSettings", "session", "cliArg"})
BEHAVIORS = frozenset({"allow", "deny", "ask"})
LARGEST_BUNDLE = 32
LONGEST_STRING = 4096


@dataclass(frozen=True, slots=True)
class Rule:
    """One allow rule. `content` is empty for a rule about the whole tool."""

    tool: str
    content: str
    destination: str

    @property
    def shown(self) -> str:
        """The rule's content for a person: a prefix without its wildcard."""
        return self.content.removesuffix(":*").removesuffix(" *")


def valid_suggestions(suggestions: Any) -> tuple[Json, ...]:
    """A copy of the suggestions, or nothing if any of them is of a form that we do not know."""
    if not isinstance(suggestions, list) or not 0 < len(suggestions) <= LARGEST_BUNDLE:
        return ()
    if not all(isinstance(update, dict) and _is_valid(update) for update in suggestions):
        return ()
    return tuple(copy.deepcopy(suggestions))


def only_rules(suggestions: tuple[Json, ...]) -> tuple[Rule, ...]:
    """All rules, if the suggestions do nothing but add allow rules; else nothing."""
    if not all(update["type"] == "addRules" and update["behavior"] == "allow" for update in suggestions):
        return ()
    return tuple(
        Rule(rule["toolName"], rule.get("ruleContent") or "", update["destination"])
        for update in suggestions
        for rule in update["rules"]
    )


def edit_grant(suggestions: tuple[Json, ...]) -> tuple[str, ...] | None:
    """The folders that the suggestions add, if all they do is to accept edits in this session; `None` if not."""
    accept = {"type": "setMode", "mode": "acceptEdits", "destination": "session"}
    others = [update for update in suggestions if update != accept]
    if len(others) == len(suggestions):
        return None
    if not all(update["type"] == "addDirectories" and update["destination"] == "session" for update in others):
        return None
    return tuple(folder for update in others for folder in update["directories"])


def _is_valid(update: Json) -> bool:
    if string(update.get("destination")) not in DESTINATIONS:
        return False
    kind = string(update.get("type"))
    if kind in RULE_TYPES:
        return string(update.get("behavior")) in BEHAVIORS and _all_valid(update.get("rules"), _is_rule)
    if kind in DIRECTORY_TYPES:
        return _all_valid(update.get("directories"), _is_text)
    return kind == "setMode" and string(update.get("mode")) in MODES


def _all_valid(items: Any, check: Any) -> bool:
    return isinstance(items, list) and 0 < len(items) <= LARGEST_BUNDLE and all(check(item) for item in items)


def _is_rule(rule: Any) -> bool:
    if not isinstance(rule, dict) or not _is_text(rule.get("toolName")):
        return False
    return rule.get("ruleContent") is None or _is_text(rule["ruleContent"])


def _is_text(value: Any) -> bool:
    return 0 < len(string(value)) <= LONGEST_STRING
