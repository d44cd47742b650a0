"""Commands that Claude Code answers for a terminal are answered for a client."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.local_commands import kept_output, local_command, mcp_action, own_answer, sign_in_answer
from adapter.shared.updates import Speaker, TextChunk
from support import machine
from support.machine import answers, handle, of, prompt, result, started

ADAPTER = "claude-acp"


def frame(command: Any, args: Any = "") -> Any:
    return machine.says("isn't available", "m7", local_command_run={"command": command, "args": args})


@pytest.mark.parametrize("run", [None, "mcp", {}, {"command": 7, "args": None}])
def test_a_frame_of_another_form_is_of_no_command(run: Any) -> None:
    assert local_command(machine.says("x", local_command_run=run)) == ("", "")
    assert own_answer(machine.says("x", local_command_run=run), ADAPTER) is None


@pytest.mark.parametrize(
    ("args", "action"),
    [
        ("", ("", "")),
        ("reconnect", ("reconnect", "")),
        ("enable  my server ", ("enable", "my server")),
        ("list", None),
    ],
)
def test_what_mcp_is_to_do(args: str, action: Any) -> None:
    assert mcp_action(frame("mcp", args)) == action


def unavailable(text: Any) -> Any:
    return machine.says(text, "m7", local_command_outcome={"kind": "unavailable_headless"})


@pytest.mark.parametrize("said", ["/help isn't available in this environment.", "", None])
def test_other_commands_that_are_not_available_say_so(said: Any) -> None:
    assert own_answer(unavailable(said), ADAPTER) is None


def test_an_outcome_of_another_form_changes_nothing() -> None:
    assert own_answer(machine.says("/login", local_command_outcome="failed"), ADAPTER) is None
    assert own_answer(machine.says("/login", local_command_outcome={"kind": "failed"}), ADAPTER) is None


@pytest.mark.parametrize(
    ("command", "words"), [("login", "`claude-acp --cli auth login`"), ("logout", "`claude-acp --cli auth logout`")]
)
def test_signing_in_is_explained_once_and_the_turn_settles(command: str, words: str) -> None:
    core = machine.v1_core()
    handle(core, prompt(1, f"/{command}"), started(1))
    effects = handle(core, unavailable(f"/{command} isn't available in this environment."), result(1))
    (chunk,) = of(effects, TextChunk)
    assert (chunk.speaker, chunk.message_id) == (Speaker.AGENT, "m7")
    assert words in chunk.text
    assert answers(effects) == {1: "end_turn"}


def test_signing_in_names_the_adapter_as_it_was_started() -> None:
    said = unavailable("/login isn't available in this environment.")
    (chunk,) = own_answer(said, "/opt/python -m adapter") or []
    assert "`/opt/python -m adapter --cli auth login`" in chunk.text


def test_the_output_of_other_commands_is_shown_once() -> None:
    core = machine.v1_core()
    handle(core, prompt(1, "/context"), started(1))
    output = machine.says("## Context", "m7", local_command_run={"command": "context", "args": ""})
    effects = handle(core, output, result(1, num_turns=0, result="## Context"))
    assert [chunk.text for chunk in effects if hasattr(chunk, "text")] == ["## Context"]


@pytest.mark.parametrize(
    ("command", "content", "shown"),
    [
        ("", "/login", None),
        ("", "<command-name>/model</command-name>", None),
        ("/context", "<local-command-stdout>## Context\n</local-command-stdout>", "## Context"),
        ("/context", "<local-command-stderr>It failed.</local-command-stderr>", "It failed."),
        (
            "/login",
            "<local-command-stdout>/login isn't available here.</local-command-stdout>",
            sign_in_answer("login", ADAPTER),
        ),
        ("/login", "<local-command-stdout>Login successful</local-command-stdout>", "Login successful"),
        (
            "/color",
            "<local-command-stdout>/color isn't available here.</local-command-stdout>",
            "/color isn't available here.",
        ),
        (
            "",
            "<local-command-stdout>/login isn't available here.</local-command-stdout>",
            "/login isn't available here.",
        ),
        ("/mcp", "<local-command-stdout>1 MCP server: 1 connected</local-command-stdout>", ""),
        ("/mcp list", "<local-command-stdout>No such action</local-command-stdout>", "No such action"),
    ],
)
def test_what_is_shown_of_a_transcripts_entry(command: str, content: str, shown: str | None) -> None:
    assert kept_output(command, content, ADAPTER) == shown
