"""A client is offered the slash commands that work from it."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.commands import MCP, as_typed, offered_commands
from adapter.shared.updates import Command


def names(*given: Any) -> list[str]:
    return [command.name for command in offered_commands({"name": name} for name in given) if command != MCP]


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
        MCP,
    )


def test_mcp_is_ours_and_listed_once() -> None:
    assert offered_commands([{"name": "mcp", "description": "for the terminal"}]) == (MCP,)


def test_a_command_that_is_listed_twice_is_offered_once() -> None:
    assert names("compact", "compact") == ["compact"]


def test_the_prompt_of_an_mcp_server_gets_a_name_without_a_space() -> None:
    assert names("lab:greet (MCP)") == ["mcp:lab:greet"]


@pytest.mark.parametrize(
    ("typed", "sent"),
    [
        ("/mcp:lab:greet Ada and Bob", "/lab:greet (MCP) Ada and Bob"),
        ("/mcp:lab:greet", "/lab:greet (MCP)"),
        ("/mcp reconnect lab", "/mcp reconnect lab"),
        ("/mcp:lab", "/mcp:lab"),
        ("see /mcp:lab:greet", "see /mcp:lab:greet"),
    ],
)
def test_the_name_is_claude_codes_when_it_is_typed(typed: str, sent: str) -> None:
    assert as_typed(typed) == sent


@pytest.mark.parametrize(
    "name",
    [
        "clear",
        "cost",
        "keybindings-help",
        "login",
        "logout",
        "output-style:new",
        "release-notes",
        "todos",
    ],
)
def test_a_command_that_does_not_work_from_a_client_is_not_offered(name: str) -> None:
    assert names("compact", name, "context") == ["compact", "context"]


@pytest.mark.parametrize("name", ["", None, 1, ["compact"]])
def test_a_command_without_a_name_is_not_offered(name: Any) -> None:
    assert names(name, "context") == ["context"]
