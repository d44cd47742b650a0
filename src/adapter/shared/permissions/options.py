"""From Claude Code's `can_use_tool` to the question for the client, and from its answer back.

An option that lasts carries the exact permission updates that Claude Code suggested, frozen when the question was
built. It is offered only when its name can tell the whole effect.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from adapter.shared.permissions.suggestions import Rule, only_rules, sets_session_mode, valid_suggestions
from adapter.shared.tools.facts import Json, Location
from adapter.shared.tools.text import string

REFUSAL = "User refused permission to run tool"
ABORTED = "Tool use aborted"
SHELL_TOOLS = frozenset({"Bash", "PowerShell"})
EDIT_TOOLS = frozenset({"Edit", "Write", "NotebookEdit"})
READ_TOOLS = frozenset({"Read", "Glob", "Grep"})


@dataclass(frozen=True, slots=True)
class PermissionOption:
    """One answer. `kind` is ACP's: allow_once, allow_always, reject_once. `updates` are applied if it is chosen."""

    id: str
    name: str
    kind: str
    updates: tuple[Json, ...] = ()


@dataclass(frozen=True, slots=True)
class PermissionQuestion:
    """A question that is open.

    Attributes:
        key: The id of Claude Code's control request.
        call_id: The tool call that it is about.
        tool_name: Claude's name of the tool.
        tool_input: What the tool would run with.
        fields: The call's fields as the client has them (see `ToolReport.fields`).
        locations: Its locations and the path that needs the permission.
        options: The answers, in the order in which they are shown.
        mcp_server: The MCP server of the tool; `None` if it is none of an MCP server's.
    """

    key: str
    call_id: str
    tool_name: str
    tool_input: Json
    fields: dict[str, Any]
    locations: tuple[Location, ...]
    options: tuple[PermissionOption, ...]
    mcp_server: Json | None = None


ALLOW_ONCE = PermissionOption("allow-once", "Yes", "allow_once")
REJECT = PermissionOption("reject", "No", "reject_once")


def permission_options(request: Json) -> tuple[PermissionOption, ...]:
    """The answers to a `can_use_tool` request."""
    suggestions = valid_suggestions(request.get("permission_suggestions"))
    name = _lasting_name(request, suggestions) if suggestions and not request.get("matched_ask_rule") else ""
    if not name:
        return (ALLOW_ONCE, REJECT)
    return (ALLOW_ONCE, PermissionOption("allow-with-updates", name, "allow_always", suggestions), REJECT)


def decision(question: PermissionQuestion, result: Any, *, failed: bool) -> Json:
    """The `can_use_tool` response for what the client said.

    Args:
        question: The question as it was asked.
        result: The client's result: `{outcome: {outcome: "selected", optionId} | {outcome: "cancelled"}}`.
        failed: The client answered with an error instead.
    """
    outcome = result.get("outcome") if isinstance(result, dict) else None
    if failed or not isinstance(outcome, dict):
        return _deny(question, "The client could not ask for permission")
    if outcome.get("outcome") == "cancelled":
        return {**_deny(question, ABORTED), "interrupt": True}
    chosen = next((option for option in question.options if option.id == outcome.get("optionId")), None)
    if chosen is None:
        return _deny(question, "The client chose an answer that was not offered")
    if chosen.kind == "reject_once":
        return {**_deny(question, REFUSAL), "decisionClassification": "user_reject"}
    answer: Json = {
        "behavior": "allow",
        "updatedInput": question.tool_input,
        "toolUseID": question.call_id,
        "decisionClassification": "user_permanent" if chosen.updates else "user_temporary",
    }
    return {**answer, "updatedPermissions": list(chosen.updates)} if chosen.updates else answer


def _deny(question: PermissionQuestion, message: str) -> Json:
    return {"behavior": "deny", "message": message, "interrupt": False, "toolUseID": question.call_id}


def _lasting_name(request: Json, suggestions: tuple[Json, ...]) -> str:
    """What the lasting option is called; empty if no name tells its whole effect."""
    tool = string(request.get("tool_name"))
    rules = only_rules(suggestions)
    if tool in EDIT_TOOLS:
        return "Yes, allow all edits during this session" if sets_session_mode(suggestions, "acceptEdits") else ""
    if not rules:
        return ""
    if tool in SHELL_TOOLS:
        return (
            _commands_name([rule.shown for rule in rules])
            if all(rule.tool == tool and rule.content for rule in rules)
            else ""
        )
    if tool in READ_TOOLS:
        return _reading_name(rules)
    if tool.startswith("mcp__") and all(rule.tool == tool and not rule.content for rule in rules):
        return _commands_name([string(request.get("display_name")) or tool])
    return ""


def _commands_name(shown: list[str]) -> str:
    names = shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
    return f"Yes, and don't ask again for {names} commands"


def _reading_name(rules: tuple[Rule, ...]) -> str:
    if len(rules) != 1 or rules[0].tool != "Read" or rules[0].destination != "session" or not rules[0].content:
        return ""
    folder = PurePath(rules[0].content.removesuffix("/**")).name
    return f"Yes, allow reading from {folder}/ during this session" if folder else ""
