"""A client is offered the slash commands that work from it."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.commands import offered_commands
from adapter.shared.updates import Command


def names(*given: Any) -> list[str]:
    return [command.name for command in offered_commands({"name": name} for name in given)]


def test_a_command_has_a_description_and_a_hint() -> None:
    commands: list[dict[str, Any]] = [
        {"name": "compact", "description": "Shorten", "argumentHint": "<instructions>", "builtin": True},
        {"name": "hey", "argumentHint": ["<a>", "<b>"]},
        {"name": "plain", "description": None, "argumentHint": None},
    ]
    assert offered_commands(commands) == (
        Command("compact", "Shorten", "<instructions>"),
        Command("hey", "", "<a> <b>"),
        Command("plain", "", ""),
    )


@pytest.mark.parametrize(
    "name",
    ["clear", "cost", "keybindings-help", "login", "logout", "output-style:new", "release-notes", "todos", "mcp"],
)
def test_a_command_that_does_not_work_from_a_client_is_not_offered(name: str) -> None:
    assert names("compact", name, "context") == ["compact", "context"]


@pytest.mark.parametrize("name", ["", None, 1, ["compact"]])
def test_a_command_without_a_name_is_not_offered(name: Any) -> None:
    assert names(name, "context") == ["context"]
