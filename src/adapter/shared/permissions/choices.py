"""Which answers a question offers, by tool family.

A lasting option is offered only when its name tells its whole effect: the updates are Claude Code's own suggestion, or
one rule of ours, which for most tools is about the whole tool. An ask rule of the user's keeps asking, so nothing lasts
there.
Source: docs/air-extensions.md, *Permission presentation*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import urlsplit

from adapter.shared.permissions.folders import edit_folders, folder_name, read_folders, resolved, rule_folder
from adapter.shared.permissions.options import PermissionOption, compact
from adapter.shared.permissions.plan_exit import plan_exit_options
from adapter.shared.permissions.suggestions import Grant, grant_of, only_rules, valid_suggestions
from adapter.shared.tools.facts import Json
from adapter.shared.tools.text import string

ALLOW_ONCE = PermissionOption("allow-once", "Yes", "allow_once")
REJECT = PermissionOption("reject", "No", "reject_once")
COMPUTER_USE = "mcp__computer-use__"
SANDBOX_NETWORK = "SandboxNetworkAccess"
CURRENT_PATHS = ("file_path", "notebook_path", "path")

Lasting = tuple[PermissionOption, ...]
Builder = Callable[[Json, tuple[Json, ...], str], Lasting]


def permission_options(
    request: Json,
    modes: frozenset[str] = frozenset(),
    context_used: int = 0,
    *,
    may_clear: bool = True,
    cwd: str = "/",
) -> Lasting:
    """The answers to a `can_use_tool` request. Those that refuse come first if a stray key must not approve.

    Args:
        request: The request.
        modes: The permission modes that the session can be set to, for leaving plan mode.
        context_used: How much of the context window is used, in percent.
        may_clear: A plan can be continued in a fresh context.
        cwd: The session's working directory.
    """
    options = _options(request, modes, context_used, may_clear, cwd)
    if request.get("default_to_no") is not True:
        return options
    return tuple(sorted(options, key=lambda option: option.kind != "reject_once"))


def heading(request: Json) -> str:
    """What a question is called if not like its call: a host that the sandbox may reach, or a use of the computer."""
    tool = string(request.get("tool_name"))
    if tool == SANDBOX_NETWORK:
        return compact(_input(request).get("host"))
    return compact(request.get("display_name")) if tool.startswith(COMPUTER_USE) else ""


def _options(request: Json, modes: frozenset[str], context_used: int, may_clear: bool, cwd: str) -> Lasting:
    tool = string(request.get("tool_name"))
    if tool == "ExitPlanMode":
        plan = string(_input(request).get("plan"))
        return plan_exit_options(modes, context_used, has_plan=may_clear and bool(plan.strip()))
    if tool == "EnterPlanMode":
        return (
            PermissionOption("allow-once", "Yes, enter plan mode", "allow_once"),
            PermissionOption("reject", "No, start implementing now", "reject_once"),
        )
    lasting = () if request.get("matched_ask_rule") or _keeps_asking(request) else _lasting(tool, request, cwd)
    return (ALLOW_ONCE, *lasting, REJECT)


def _keeps_asking(request: Json) -> bool:
    return request.get("suppress_always_allow_rule") is True or (
        request.get("decision_reason_type") == "rule" and "permission_suggestions" not in request
    )


def _lasting(tool: str, request: Json, cwd: str) -> Lasting:
    builder = _mcp if tool.startswith("mcp__") else BUILDERS.get(tool, _whole_tool)
    return builder(request, valid_suggestions(request.get("permission_suggestions")), cwd)


def _nothing(_request: Json, _suggestions: tuple[Json, ...], _cwd: str) -> Lasting:
    return ()


def _always(name: str, updates: tuple[Json, ...], option_id: str = "allow-with-updates") -> Lasting:
    # A name with control characters could hide what it allows, so there is no such option.
    return (PermissionOption(option_id, name, "allow_always", updates),) if name.isprintable() else ()


def _shell(request: Json, suggestions: tuple[Json, ...], cwd: str) -> Lasting:
    tool, grant = string(request.get("tool_name")), grant_of(suggestions)
    if grant is None or grant.accepts_edits:
        return ()
    commands = [rule.shown for rule in grant.rules if rule.tool == tool and rule.content]
    reading = [rule_folder(rule, cwd) for rule in grant.rules if rule.tool == "Read"]
    if len(commands) + len(reading) != len(grant.rules) or not all(reading):
        return ()
    folders = list(dict.fromkeys((*grant.folders, *reading)))
    name = _with_commands(commands, folders) if commands else _of_folders(grant, folders)
    return _always(name, suggestions) if name else ()


def _with_commands(commands: list[str], folders: list[str]) -> str:
    what = f"{_listed(commands)} commands"
    if not folders:
        return f"Yes, and don't ask again for {what}"
    where = _listed_folders(folders)
    return f"Yes, and allow {f'access to {where}' if len(folders) == 1 else f'{where} access'} and {what}"


def _of_folders(grant: Grant, folders: list[str]) -> str:
    """Empty if it is kept where no words of ours say."""
    where = _listed_folders(folders)
    if grant.in_session:
        does = "and allow access to" if grant.folders else "allow reading from"
        return f"Yes, {does} {where} during this session"
    if not grant.destinations <= {"localSettings", "projectSettings"}:
        return ""
    does = "and always allow access to" if grant.folders else "allow reading from"
    return f"Yes, {does} {where} from this project"


def _read(request: Json, suggestions: tuple[Json, ...], cwd: str) -> Lasting:
    grant = grant_of(suggestions)
    folders = read_folders(grant, _path(request), cwd) if grant is not None else ()
    return (
        _always(f"Yes, allow reading from {_listed_folders(folders)} during this session", suggestions)
        if folders
        else ()
    )


def _edit(request: Json, suggestions: tuple[Json, ...], cwd: str) -> Lasting:
    grant = grant_of(suggestions)
    folders = edit_folders(grant, _path(request), cwd) if grant is not None else None
    if folders is None:
        return ()
    if not folders:
        return _always("Yes, allow all edits during this session", suggestions)
    if folders == (resolved(".claude", cwd),):
        return _always("Yes, and allow Claude to edit its own settings for this session", suggestions)
    return _always(f"Yes, allow all edits in {_listed_folders(folders)} during this session", suggestions)


def _fetch(request: Json, _suggestions: tuple[Json, ...], _cwd: str) -> Lasting:
    try:
        host = urlsplit(string(_input(request).get("url"))).hostname or ""
    except ValueError:
        return ()
    if not host:
        return ()
    return _always(f"Yes, and don't ask again for {host}", (_local_rule("WebFetch", f"domain:{host}"),))


def _skill(request: Json, _suggestions: tuple[Json, ...], _cwd: str) -> Lasting:
    """Claude Code's rules look at the skill as it was named, which may have arguments in it, and not at `args`."""
    tool_input = _input(request)
    skill = compact(tool_input.get("skill")) or compact(tool_input.get("command"))
    if not skill:
        return ()
    exact = _always(f"Yes, and don't ask again for {skill}", (_local_rule("Skill", skill),), "allow-skill-exact")
    name, _, arguments = skill.partition(" ")
    if not arguments:
        return exact
    prefix = (_local_rule("Skill", f"{name}:*"),)
    return exact + _always(f"Yes, and don't ask again for {name}:* commands", prefix, "allow-skill-prefix")


def _whole_tool(request: Json, _suggestions: tuple[Json, ...], _cwd: str) -> Lasting:
    tool = string(request.get("tool_name"))
    name = f"Yes, and don't ask again for {_tool_name(request)} commands"
    return _always(name, (_local_rule(tool, ""),)) if tool else ()


def _network(request: Json, suggestions: tuple[Json, ...], _cwd: str) -> Lasting:
    rules = only_rules(suggestions)
    host = compact(_input(request).get("host"))
    fits = len(rules) == 1 and rules[0].tool == SANDBOX_NETWORK and rules[0].destination == "localSettings"
    if not fits or not host or rules[0].content != host:
        return ()
    return _always(f"Yes, and don't ask again for {host}", suggestions)


def _mcp(request: Json, suggestions: tuple[Json, ...], _cwd: str) -> Lasting:
    tool = string(request.get("tool_name"))
    rules = only_rules(suggestions)
    if not rules or not all(rule.tool == tool and not rule.content for rule in rules):
        return ()
    what = _tool_name(request) if tool.startswith(COMPUTER_USE) else f"{_tool_name(request)} commands"
    return _always(f"Yes, and don't ask again for {what}", suggestions)


def _tool_name(request: Json) -> str:
    return compact(request.get("display_name")) or string(request.get("tool_name"))


def _listed(names: list[str]) -> str:
    return " and ".join(names) if len(names) < 3 else f"{', '.join(names[:-1])}, and {names[-1]}"


def _listed_folders(folders: Iterable[str]) -> str:
    return _listed([folder_name(folder) for folder in folders])


def _path(request: Json) -> str:
    """The path that the call is about; empty for the working directory."""
    tool_input = _input(request)
    return next((string(tool_input.get(key)) for key in CURRENT_PATHS if tool_input.get(key)), "")


def _local_rule(tool: str, content: str) -> Json:
    rule = {"toolName": tool, "ruleContent": content} if content else {"toolName": tool}
    return {"type": "addRules", "rules": [rule], "behavior": "allow", "destination": "localSettings"}


def _input(request: Json) -> Json:
    given: Any = request.get("input")
    return given if isinstance(given, dict) else {}


BUILDERS: dict[str, Builder] = {
    "AskUserQuestion": _nothing,
    "Bash": _shell,
    "Edit": _edit,
    "Glob": _read,
    "Grep": _read,
    "NotebookEdit": _edit,
    "PowerShell": _shell,
    "Read": _read,
    SANDBOX_NETWORK: _network,
    "Skill": _skill,
    "WebFetch": _fetch,
    "Write": _edit,
}
