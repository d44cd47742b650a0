"""`/mcp` in the chat: the answer takes the place of Claude Code's, before the turn ends."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.effects import RespondOutcome, SendControl
from adapter.shared.inputs import ControlAnswered, ProcessStarted, RestartWanted
from adapter.shared.mcp.servers import McpServer, server_list
from adapter.shared.updates import Speaker, TextChunk
from support import machine
from support.machine import answers, handle, of, prompt, result, started

LAB = {"name": "lab", "status": "connected", "tools": [{}]}
BROKEN = {"name": "broken", "status": "failed", "error": "gone"}
OFF = {"name": "off", "status": "disabled"}
STATUS = SendControl("mcp", {"subtype": "mcp_status"})


def said(args: str = "", command: str = "mcp") -> Any:
    """Claude Code's own answer to the command."""
    return machine.says("for the terminal", "m9", local_command_run={"command": command, "args": args})


def listed(*servers: Any) -> ControlAnswered:
    return ControlAnswered("mcp", {"mcpServers": list(servers)})


def done(error: str = "") -> ControlAnswered:
    return ControlAnswered("mcp", {}, error)


def texts(effects: Any) -> list[str]:
    return [chunk.text for chunk in of(effects, TextChunk)]


def shown(*servers: Any) -> str:
    known = [McpServer(one["name"], one["status"], one.get("error", ""), len(one.get("tools", ()))) for one in servers]
    return server_list(known)


@pytest.fixture
def core() -> Any:
    session = machine.v1_core()
    handle(session, prompt(1, "/mcp"), started(1))
    return session


def test_the_list_comes_before_the_turn_ends(core: Any) -> None:
    assert handle(core, said(), result(1)) == [STATUS]
    effects = handle(core, listed(LAB, BROKEN))
    assert effects[0] == TextChunk(Speaker.AGENT, "m9", shown(LAB, BROKEN))
    assert answers(effects) == {1: "end_turn"}


def test_a_server_is_reconnected(core: Any) -> None:
    handle(core, said("reconnect broken"), result(1))
    assert handle(core, listed(LAB, BROKEN)) == [
        SendControl("mcp", {"subtype": "mcp_reconnect", "serverName": "broken"})
    ]
    assert handle(core, done("still gone")) == [STATUS]
    effects = handle(core, listed(LAB, BROKEN))
    assert texts(effects) == [f"- Couldn't reconnect `broken`: still gone\n\n{shown(LAB, BROKEN)}"]
    assert answers(effects) == {1: "end_turn"}


@pytest.mark.parametrize("args", ["reconnect", "reconnect all"])
def test_all_that_are_down_are_reconnected(core: Any, args: str) -> None:
    slow = {"name": "slow", "status": "pending"}
    handle(core, said(args))
    names = []
    effects = handle(core, listed(LAB, BROKEN, OFF, slow))
    while effects[0].request["subtype"] == "mcp_reconnect":
        names.append(effects[0].request["serverName"])
        effects = handle(core, done())
    assert names == ["broken", "slow"]
    assert texts(handle(core, listed(LAB)))[0].startswith("- Reconnected `broken`\n- Reconnected `slow`\n\n")


@pytest.mark.parametrize(
    ("args", "name", "enabled", "word"),
    [
        ("enable off", "off", True, "Enabled"),
        ("disable lab", "lab", False, "Disabled"),
        ("enable all", "off", True, "Enabled"),
    ],
)
def test_servers_are_switched(core: Any, args: str, name: str, enabled: bool, word: str) -> None:
    handle(core, said(args))
    toggle = {"subtype": "mcp_toggle", "serverName": name, "enabled": enabled}
    assert handle(core, listed(LAB, OFF)) == [SendControl("mcp", toggle)]
    handle(core, done())
    assert texts(handle(core, listed(LAB, OFF)))[0].startswith(f"- {word} `{name}`\n\n")


def test_disabling_all_leaves_out_what_is_disabled(core: Any) -> None:
    handle(core, said("disable all"))
    assert handle(core, listed(OFF, LAB))[0].request["serverName"] == "lab"
    assert handle(core, done()) == [STATUS]


@pytest.mark.parametrize(
    ("args", "servers", "remark"),
    [
        ("reconnect gone", (LAB,), 'There\'s no MCP server named "gone".'),
        ("reconnect two words", (LAB,), 'There\'s no MCP server named "two words".'),
        ("reconnect", (LAB, OFF), "Every MCP server is connected or disabled. There is nothing to reconnect."),
        ("disable", (LAB,), "Name a server or `all`, for example `/mcp disable <server>`."),
        ("enable all", (LAB,), "Nothing to enable."),
        ("enable all", (), "No MCP servers are configured. Add one with `claude mcp add`."),
    ],
)
def test_what_cannot_be_done_is_said(core: Any, args: str, servers: Any, remark: str) -> None:
    handle(core, said(args), result(1))
    effects = handle(core, listed(*servers))
    assert texts(effects) == [f"{remark}\n\n{shown(*servers)}"]
    assert answers(effects) == {1: "end_turn"}


@pytest.mark.parametrize("args", ["foo", "list", "status"])
def test_what_only_claude_code_knows_is_its_own(core: Any, args: str) -> None:
    effects = handle(core, said(args), result(1))
    assert texts(effects) == ["for the terminal"]
    assert answers(effects) == {1: "end_turn"}


def test_an_answer_that_failed_is_said(core: Any) -> None:
    handle(core, said(), result(1))
    effects = handle(core, done("no such request"))
    assert texts(effects) == ["Claude Code did not list its MCP servers: no such request"]
    assert answers(effects) == {1: "end_turn"}


def test_a_claude_code_that_dies_meanwhile_fails_the_prompt(core: Any) -> None:
    handle(core, said(), result(1))
    effects = handle(core, machine.dies())
    assert answers(effects) == {1: "process_exited"}
    assert handle(core, done("gone")) == []


def test_a_restart_meanwhile_keeps_nothing_back_that_comes_after_it() -> None:
    core = machine.v1_core()
    handle(core, said(), RestartWanted(), done("Claude Code was stopped"), ProcessStarted("default"))
    assert answers(handle(core, prompt(2), started(2), result(2))) == {2: "end_turn"}


def test_a_cancel_meanwhile_ends_the_turn_as_cancelled(core: Any) -> None:
    handle(core, said("reconnect broken"), result(1), listed(BROKEN), machine.CANCEL)
    effects = handle(core, done("Connection closed"), listed(BROKEN))
    assert answers(effects) == {1: "cancelled"}


def test_a_cancel_that_gets_no_answer_kills_what_waits(core: Any) -> None:
    handle(core, said("reconnect broken"), result(1), listed(BROKEN), machine.CANCEL)
    effects = handle(core, machine.FIRED)
    assert [outcome.request for outcome in of(effects, RespondOutcome)] == [1]


def test_the_list_works_in_v2(core: Any) -> None:
    session = machine.native_core()
    handle(session, prompt(1, "/mcp"), started(1))
    assert handle(session, said(), result(1)) == [STATUS]
    effects = handle(session, listed(LAB))
    assert texts(effects) == [shown(LAB)]
    assert machine.told(effects) == ["idle: end_turn"]
    assert core is not session
