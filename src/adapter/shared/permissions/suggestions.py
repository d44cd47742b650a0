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
ACCEPT_EDITS = {"type": "setMode", "mode": "acceptEdits", "destination": "session"}


@dataclass(frozen=True, slots=True)
class Rule:
    """One allow rule. `content` is empty for a rule about the whole tool."""

    tool: str
    content: str
    destination: str

    @property
    def shown(self) -> str:
        """The rule's content for a person: an old prefix without its wildcard."""
        return self.content.removesuffix(":*")


@dataclass(frozen=True, slots=True)
class Grant:
    """All that suggestions allow.

    Attributes:
        rules: The allow rules that they add.
        folders: The directories that they add.
        accepts_edits: They accept edits for the rest of the session.
        destinations: Where they are kept, each once.
    """

    rules: tuple[Rule, ...]
    folders: tuple[str, ...]
    accepts_edits: bool
    destinations: frozenset[str]

    @property
    def in_session(self) -> bool:
        """It ends with the session."""
        return self.destinations == {"session"}


def valid_suggestions(suggestions: Any) -> tuple[Json, ...]:
    """A copy of the suggestions, or nothing if any of them is of a form that we do not know."""
    if not isinstance(suggestions, list) or not 0 < len(suggestions) <= LARGEST_BUNDLE:
        return ()
    if not all(isinstance(update, dict) and _is_valid(update) for update in suggestions):
        return ()
    return tuple(copy.deepcopy(suggestions))


def grant_of(suggestions: tuple[Json, ...]) -> Grant | None:
    """What the suggestions allow; `None` if there are none, or if they do anything else."""
    if not suggestions or not all(_allows(update) for update in suggestions):
        return None
    return Grant(
        rules=tuple(
            Rule(rule["toolName"], rule.get("ruleContent") or "", update["destination"])
            for update in suggestions
            for rule in update.get("rules", ())
        ),
        folders=tuple(folder for update in suggestions for folder in update.get("directories", ())),
        accepts_edits=ACCEPT_EDITS in suggestions,
        destinations=frozenset(update["destination"] for update in suggestions),
    )


def only_rules(suggestions: tuple[Json, ...]) -> tuple[Rule, ...]:
    """All rules, if the suggestions do nothing but add allow rules; else nothing."""
    grant = grant_of(suggestions)
    return () if grant is None or grant.folders or grant.accepts_edits else grant.rules


def _allows(update: Json) -> bool:
    if update["type"] == "addRules":
        return bool(update["behavior"] == "allow")
    return update["type"] == "addDirectories" or update == ACCEPT_EDITS


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
