"""The list of MCP servers as a person reads it."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.mcp.servers import McpServer, code, listed_servers, plain, server_list, turn_servers

HOW = (
    "Run `/mcp reconnect <server>` to reconnect one server, or `/mcp reconnect` to reconnect every server that is not "
    "connected and not disabled."
)


def test_the_list_has_a_section_for_each_status() -> None:
    servers = [
        McpServer("off", "disabled"),
        McpServer("lab", "connected", tools=3),
        McpServer("one", "connected", tools=1),
        McpServer("login", "needs-auth"),
        McpServer("slow", "pending"),
        McpServer("broken", "failed", "posix_spawn 'x'"),
        McpServer("away", "disabled"),
    ]
    assert server_list(servers).split("\n\n") == [
        "**MCP servers:** 7 (1 failed, 1 needs authentication, 1 connecting, 2 connected, 2 disabled)",
        "**Failed**\n- `broken`: posix\\_spawn 'x'",
        "**Needs authentication**\n- `login`",
        "**Connecting**\n- `slow`",
        "**Connected**\n- `lab`: 3 tools\n- `one`: 1 tool",
        "**Disabled:** `off`, `away`",
        HOW,
    ]


def test_a_list_where_all_is_well_says_no_more() -> None:
    assert server_list([McpServer("lab", "connected", tools=2)]) == (
        "**MCP servers:** 1 (1 connected)\n\n**Connected**\n- `lab`: 2 tools"
    )


def test_no_servers() -> None:
    assert server_list([]) == "No MCP servers are configured."


def test_a_status_that_is_not_known_counts() -> None:
    assert server_list([McpServer("x", "resting")]).startswith("**MCP servers:** 1\n\n")


@pytest.mark.parametrize("status", [{}, {"mcpServers": None}, {"mcpServers": ["x", {}, {"name": 7}]}])
def test_an_answer_of_another_form_lists_none(status: Any) -> None:
    assert listed_servers(status) == []


def test_servers_are_read_from_both_places() -> None:
    entry = {"name": "lab", "status": "failed", "error": "gone", "tools": [{}, {}]}
    assert listed_servers({"mcpServers": [entry]}) == [McpServer("lab", "failed", "gone", 2)]
    init = {"type": "system", "mcp_servers": [{"name": "lab", "status": "pending", "source": "dynamic"}]}
    assert turn_servers(init) == [McpServer("lab", "pending")]


def test_names_and_errors_do_not_break_the_list() -> None:
    assert code("a`b") == "`` a`b ``"
    assert plain("[x](y) *z*") == "\\[x\\](y) \\*z\\*"
