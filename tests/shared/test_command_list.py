"""The commands that a client is offered follow Claude Code's, without repeats."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.commands import MCP
from adapter.shared.effects import SendControl
from adapter.shared.inputs import CommandFilesChanged, SessionOpened
from adapter.shared.updates import Command, CommandsChanged
from support import machine
from support.machine import handle, of, system

HEY = Command("hey", "", "")


@pytest.fixture
def core() -> Any:
    session = machine.v1_core()
    assert of(handle(session, SessionOpened()), CommandsChanged) == [CommandsChanged(machine.COMMANDS)]
    return session


def changed(*names: str) -> Any:
    return system("commands_changed", commands=[{"name": name} for name in names])


def test_a_new_list_is_told_once(core: Any) -> None:
    assert of(handle(core, changed("hey"), changed("hey")), CommandsChanged) == [CommandsChanged((HEY, MCP))]


def test_what_needs_a_terminal_is_taken_out(core: Any) -> None:
    init = system("init", session_id="s", terminal_slash_commands=["hey", 7])
    assert of(handle(core, changed("hey", "ho"), init, init), CommandsChanged) == [
        CommandsChanged((HEY, Command("ho", "", ""), MCP)),
        CommandsChanged((Command("ho", "", ""), MCP)),
    ]


def test_what_needs_a_terminal_is_not_offered_before_the_first_turn_names_it(core: Any) -> None:
    given = changed("doctor", "color", "focus", "reload-plugins", "hey")
    assert of(handle(core, given), CommandsChanged) == [CommandsChanged((HEY, MCP))]
    named = system("init", session_id="s", terminal_slash_commands=["doctor", "color", "focus", "reload-plugins"])
    assert of(handle(core, named), CommandsChanged) == []


def test_what_claude_code_has_for_every_client_is_offered_once_it_says_so(core: Any) -> None:
    handle(core, changed("doctor"))
    init = system("init", session_id="s", terminal_slash_commands=[])
    assert of(handle(core, init), CommandsChanged) == [CommandsChanged((Command("doctor", "", ""), MCP))]


def test_a_turn_that_does_not_say_changes_nothing(core: Any) -> None:
    assert of(handle(core, system("init", session_id="s")), CommandsChanged) == []


def test_files_that_changed_are_read_again(core: Any) -> None:
    assert handle(core, CommandFilesChanged()) == [SendControl("commands", {"subtype": "reload_skills"})]


def test_a_claude_code_that_is_down_reads_them_at_its_start(core: Any) -> None:
    handle(core, machine.dies())
    assert handle(core, CommandFilesChanged()) == []


def test_an_answer_has_all_commands_at_first_and_then_what_the_client_was_told() -> None:
    core = machine.v1_core()
    handle(core, changed("doctor", "hey"))
    assert [command.name for command in core.commands()] == ["doctor", "hey", "mcp"]
    handle(core, SessionOpened())
    assert [command.name for command in core.commands()] == ["hey", "mcp"]
