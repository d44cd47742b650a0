"""v1's answer to `initialize`: the logins that a client can follow."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.client_capabilities import read_v1_capabilities
from adapter.v1.initialize import initialize_result, login_methods
from support.schemas import document

Json = dict[str, Any]
COMMAND = ["/opt/python", "/opt/claude-acp"]
TERMINAL = {"auth": {"terminal": True}}
ZED = {"_meta": {"terminal-auth": True}}
GATEWAY = {"auth": {"_meta": {"gateway": True}}}


def methods(declared: Json, *, hide_claude: bool = False) -> list[Json]:
    offered = login_methods(read_v1_capabilities(declared), COMMAND, hide_claude=hide_claude)
    error = document(1).error("InitializeResponse", initialize_result(offered))
    assert error is None, f"{error.json_path}: {error.message}"
    return offered


@pytest.mark.parametrize("declared", [{}, {"auth": {"terminal": 1}}, {"auth": {"_meta": {"gateway": "yes"}}}])
def test_a_client_that_can_follow_none_is_offered_none(declared: Json) -> None:
    assert methods(declared) == []


def test_a_client_with_a_terminal_runs_the_logins_there() -> None:
    claude, console = methods(TERMINAL)
    assert claude == {
        "id": "claude-ai-login",
        "name": "Claude Subscription",
        "description": "Use Claude subscription ",
        "type": "terminal",
        "args": ["--cli", "auth", "login", "--claudeai"],
    }
    assert (console["id"], console["args"][-1]) == ("console-login", "--console")


def test_zed_gets_the_whole_command_line() -> None:
    claude, console = methods(ZED)
    assert claude["_meta"]["terminal-auth"] == {
        "command": "/opt/python",
        "args": ["/opt/claude-acp", "--cli", "auth", "login", "--claudeai"],
        "label": "Claude Login",
    }
    assert console["_meta"]["terminal-auth"]["label"] == "Anthropic Console Login"


def test_the_login_of_claude_ai_can_be_left_out() -> None:
    assert [method["id"] for method in methods(TERMINAL, hide_claude=True)] == ["console-login"]


def test_a_client_that_can_name_a_gateway_is_told_their_protocols() -> None:
    offered = methods(GATEWAY)
    assert [(method["id"], method["_meta"]["gateway"]["protocol"]) for method in offered] == [
        ("gateway", "anthropic"),
        ("gateway-bedrock", "bedrock"),
    ]
