"""Which of Claude Code's slash commands a client is offered."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from adapter.shared.tools.text import string
from adapter.shared.updates import Command

HIDDEN = frozenset(
    {
        # They change the session's identity or need a terminal, so an editor has its own way, or none.
        "clear",
        "cost",
        "keybindings-help",
        "login",
        "logout",
        "output-style:new",
        "release-notes",
        "todos",
        # Claude Code answers these with "not available in this environment".
        "mcp",
    }
)


def offered_commands(commands: Iterable[dict[str, Any]]) -> tuple[Command, ...]:
    """The commands of Claude Code's list that work from a client."""
    return tuple(
        Command(name, string(command.get("description")), _hint(command.get("argumentHint")))
        for command in commands
        if (name := string(command.get("name"))) and name not in HIDDEN
    )


def _hint(hint: object) -> str:
    return " ".join(string(part) for part in hint) if isinstance(hint, list) else string(hint)
