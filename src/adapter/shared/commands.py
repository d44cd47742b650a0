"""Which of Claude Code's slash commands a client is offered."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from adapter.shared.tools.text import string
from adapter.shared.updates import Command

HIDDEN = frozenset(
    {
        # They change the session's identity, or an editor has its own way.
        "clear",
        "cost",
        "keybindings-help",
        "login",
        "logout",
        "output-style:new",
        "release-notes",
        "todos",
    }
)
FOR_A_TERMINAL = frozenset({"color", "doctor", "focus", "reload-plugins"})
"""Those that need a terminal, as long as Claude Code has not named them: it does when a turn begins."""
MCP_SUFFIX = " (MCP)"
SHOWN_PREFIX = "/mcp:"
MCP_NAME_COLONS = 2
MCP = Command(
    "mcp",
    "Show the MCP servers and their status, or reconnect, enable, or disable a server",
    "[reconnect|enable|disable [<server>|all]]",
)
"""Ours, in place of Claude Code's, which only a terminal has."""


def offered_commands(commands: Iterable[dict[str, Any]]) -> tuple[Command, ...]:
    """The commands of Claude Code's list that work from a client."""
    offered = {
        name: Command(name, string(command.get("description")), _hint(command.get("argumentHint")))
        for command in commands
        if (name := _shown_name(string(command.get("name")))) and name not in HIDDEN
    }
    offered.pop(MCP.name, None)
    return (*offered.values(), MCP)


def as_typed(text: str) -> str:
    """A prompt's text with the command of an MCP server by Claude Code's name: `/mcp:server:prompt` is ours."""
    command, space, rest = text.partition(" ")
    if not command.startswith(SHOWN_PREFIX) or command.count(":") < MCP_NAME_COLONS:
        return text
    return f"/{command.removeprefix(SHOWN_PREFIX)}{MCP_SUFFIX}{space}{rest}"


def _shown_name(name: str) -> str:
    """A client takes the word behind the slash for the name, so the name of an MCP server's prompt gets no space."""
    return f"mcp:{name.removesuffix(MCP_SUFFIX)}" if name.endswith(MCP_SUFFIX) else name


def _hint(hint: object) -> str:
    return " ".join(string(part) for part in hint) if isinstance(hint, list) else string(hint)
