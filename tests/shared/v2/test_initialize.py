"""v2's answer to `initialize`: the logins that a client can follow."""

from __future__ import annotations

from typing import Any

from adapter.shared.client_capabilities import read_v2_capabilities
from adapter.shared.v2.initialize import initialize_result, login_methods
from support.schemas import document

Json = dict[str, Any]


def methods(declared: Json, *, hide_claude: bool = False) -> list[Json]:
    offered = login_methods(read_v2_capabilities(declared), hide_claude=hide_claude)
    error = document(2).error("InitializeResponse", initialize_result(offered))
    assert error is None, f"{error.json_path}: {error.message}"
    return offered


def test_a_client_with_a_terminal_runs_the_logins_there() -> None:
    claude, console = methods({"auth": {"terminal": {}}})
    assert claude == {
        "methodId": "claude-ai-login",
        "name": "Claude Subscription",
        "description": "Use Claude subscription ",
        "type": "terminal",
        "args": ["--cli", "auth", "login", "--claudeai"],
    }
    assert console["methodId"] == "console-login"
    assert [method["methodId"] for method in methods({"auth": {"terminal": {}}}, hide_claude=True)] == ["console-login"]


def test_a_client_that_can_name_a_gateway_is_told_their_protocols() -> None:
    offered = methods({"auth": {"_meta": {"gateway": True}}})
    assert [(method["methodId"], method["type"]) for method in offered] == [
        ("gateway", "agent"),
        ("gateway-bedrock", "agent"),
    ]


def test_others_are_offered_none() -> None:
    assert methods({}) == []
