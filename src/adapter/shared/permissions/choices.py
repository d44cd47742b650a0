"""Which answers a question offers, by tool family.

A lasting option is offered only when its name tells its whole effect: the updates are Claude Code's own suggestion, or
one rule of ours for the tools whose suggestions say nothing. An ask rule of the user's keeps asking, so nothing lasts
there.
Source: docs/air-extensions.md, *Permission presentation*.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath
from typing import Any
from urllib.parse import urlsplit

from adapter.shared.permissions.options import PermissionOption, compact
from adapter.shared.permissions.plan_exit import plan_exit_options
from adapter.shared.permissions.suggestions import Rule, edit_grant, only_rules, valid_suggestions
from adapter.shared.tools.facts import Json
from adapter.shared.tools.text import string

ALLOW_ONCE = PermissionOption("allow-once", "Yes", "allow_once")
REJECT = PermissionOption("reject", "No", "reject_once")
WHOLE_TOOL = {"Agent": "agents", "Task": "agents", "WebSearch": "web searches"}
CURRENT_PATHS = ("file_path", "notebook_path", "path")

Lasting = tuple[PermissionOption, ...]
Builder = Callable[[Json, tuple[Json, ...]], Lasting]


def permission_options(
    request: Json, modes: frozenset[str] = frozenset(), context_used: int = 0, *, may_clear: bool = True
) -> Lasting:
    """The answers to a `can_use_tool` request.

    Args:
        request: The request.
        modes: The permission modes that the session can be set to, for leaving plan mode.
        context_used: How much of the context window is used, in percent.
        may_clear: A plan can be continued in a fresh context.
    """
    tool = string(request.get("tool_name"))
    if tool == "ExitPlanMode":
        plan = string(_input(request).get("plan"))
        return plan_exit_options(modes, context_used, has_plan=may_clear and bool(plan.strip()))
    if tool == "EnterPlanMode":
        return (
            PermissionOption("allow-once", "Yes, enter plan mode", "allow_once"),
            PermissionOption("reject", "No, start implementing now", "reject_once"),
        )
    lasting = () if request.get("matched_ask_rule") or _keeps_asking(request) else _lasting(tool, request)
    options = (ALLOW_ONCE, *lasting, REJECT)
    return tuple(reversed(options)) if request.get("default_to_no") is True else options


def _keeps_asking(request: Json) -> bool:
    return request.get("suppress_always_allow_rule") is True or (
        request.get("decision_reason_type") == "rule" and "permission_suggestions" not in request
    )


def _lasting(tool: str, request: Json) -> Lasting:
    builder = _mcp if tool.startswith("mcp__") else BUILDERS.get(tool, _nothing)
    return builder(request, valid_suggestions(request.get("permission_suggestions")))


def _nothing(_request: Json, _suggestions: tuple[Json, ...]) -> Lasting:
    return ()


def _always(name: str, updates: tuple[Json, ...], option_id: str = "allow-with-updates") -> Lasting:
    # A name with control characters could hide what it allows, so there is no such option.
    return (PermissionOption(option_id, name, "allow_always", updates),) if name.isprintable() else ()


def _shell(request: Json, suggestions: tuple[Json, ...]) -> Lasting:
    tool = string(request.get("tool_name"))
    rules = only_rules(suggestions)
    if rules and all(rule.tool == tool and rule.content for rule in rules):
        return _always(
            _again([f"{rule.shown} commands" if rule is rules[-1] else rule.shown for rule in rules]), suggestions
        )
    if rules and all(rule.tool == "Read" and rule.content and rule.destination == "session" for rule in rules):
        return _always(_reading(rules), suggestions)
    return ()


def _read(_request: Json, suggestions: tuple[Json, ...]) -> Lasting:
    rules = only_rules(suggestions)
    fits = rules and all(rule.tool == "Read" and rule.content and rule.destination == "session" for rule in rules)
    return _always(_reading(rules), suggestions) if fits else ()


def _edit(request: Json, suggestions: tuple[Json, ...]) -> Lasting:
    grant = edit_grant(suggestions)
    if grant is None:
        return ()
    if not grant:
        if _in_claude_folder(request):
            return _always("Yes, allow edits of Claude's own settings during this session", suggestions)
        return _always("Yes, allow all edits during this session", suggestions)
    folders = " and ".join(f"{_folder(path)}/" for path in grant)
    return _always(f"Yes, allow all edits in {folders} during this session", suggestions)


def _fetch(request: Json, _suggestions: tuple[Json, ...]) -> Lasting:
    try:
        host = urlsplit(string(_input(request).get("url"))).hostname or ""
    except ValueError:
        return ()
    if not host:
        return ()
    return _always(f"Yes, and don't ask again for {host}", (_local_rule("WebFetch", f"domain:{host}"),))


def _skill(request: Json, _suggestions: tuple[Json, ...]) -> Lasting:
    tool_input = _input(request)
    skill = compact(tool_input.get("skill")) or compact(tool_input.get("command"))
    if not skill:
        return ()
    arguments = compact(tool_input.get("args"))
    exact = f"{skill} {arguments}".strip()
    lasting = _always(f"Yes, and don't ask again for {exact}", (_local_rule("Skill", exact),), "allow-skill-exact")
    if not arguments:
        return lasting
    prefix = (_local_rule("Skill", f"{skill}:*"),)
    return lasting + _always(f"Yes, and don't ask again for {skill} with any arguments", prefix, "allow-skill-prefix")


def _whole_tool(request: Json, _suggestions: tuple[Json, ...]) -> Lasting:
    tool = string(request.get("tool_name"))
    return _always(f"Yes, and don't ask again for {WHOLE_TOOL[tool]}", (_local_rule(tool, ""),))


def _network(request: Json, suggestions: tuple[Json, ...]) -> Lasting:
    rules = only_rules(suggestions)
    host = compact(_input(request).get("host"))
    if len(rules) != 1 or not host or rules[0].content not in (f"domain:{host}", host):
        return ()
    return _always(f"Yes, and don't ask again for {host}", suggestions)


def _mcp(request: Json, suggestions: tuple[Json, ...]) -> Lasting:
    tool = string(request.get("tool_name"))
    rules = only_rules(suggestions)
    if not rules or not all(rule.tool == tool and not rule.content for rule in rules):
        return ()
    return _always(_again([f"{compact(request.get('display_name')) or tool} commands"]), suggestions)


def _again(what: list[str]) -> str:
    names = what[0] if len(what) == 1 else f"{', '.join(what[:-1])} and {what[-1]}"
    return f"Yes, and don't ask again for {names}"


def _reading(rules: tuple[Rule, ...]) -> str:
    folders = " and ".join(f"{_folder(rule.content.removesuffix('/**'))}/" for rule in rules)
    return f"Yes, allow reading from {folders} during this session"


def _folder(path: str) -> str:
    return PurePath(path).name or path.rstrip("/")


def _in_claude_folder(request: Json) -> bool:
    tool_input = _input(request)
    path = next((string(tool_input.get(key)) for key in CURRENT_PATHS if tool_input.get(key)), "")
    return ".claude" in PurePath(path).parts


def _local_rule(tool: str, content: str) -> Json:
    rule = {"toolName": tool, "ruleContent": content} if content else {"toolName": tool}
    return {"type": "addRules", "rules": [rule], "behavior": "allow", "destination": "localSettings"}


def _input(request: Json) -> Json:
    given: Any = request.get("input")
    return given if isinstance(given, dict) else {}


BUILDERS: dict[str, Builder] = {
    "Agent": _whole_tool,
    "Bash": _shell,
    "Edit": _edit,
    "Glob": _read,
    "Grep": _read,
    "NotebookEdit": _edit,
    "PowerShell": _shell,
    "Read": _read,
    "SandboxNetworkAccess": _network,
    "Skill": _skill,
    "Task": _whole_tool,
    "WebFetch": _fetch,
    "WebSearch": _whole_tool,
    "Write": _edit,
}
