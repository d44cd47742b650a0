"""What Claude Code says of its MCP servers, and how a person is told."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from adapter.shared.claude.frames import Frame
from adapter.shared.tools.facts import Json
from adapter.shared.tools.text import string

FAILED = "failed"
NEEDS_AUTH = "needs-auth"
CONNECTED = "connected"
DISABLED = "disabled"
SECTIONS = (
    (FAILED, "failed"),
    (NEEDS_AUTH, "needs authentication"),
    ("pending", "connecting"),
    (CONNECTED, "connected"),
)
"""The sections of the list, in their order: a server's status, and the word for it."""

NONE_CONFIGURED = "No MCP servers are configured."
HOW_TO_RECONNECT = (
    "Run `/mcp reconnect <server>` to reconnect one server, or `/mcp reconnect` to reconnect every server that is not "
    "connected and not disabled."
)
MARKDOWN = re.compile(r"([\\`*_\[\]<>])")


@dataclass(frozen=True, slots=True)
class McpServer:
    """One server: its name and status, what it failed with, and how many tools it has."""

    name: str
    status: str
    error: str = ""
    tools: int = 0


def listed_servers(status: Json) -> list[McpServer]:
    """The servers of an answer to `mcp_status`: `{mcpServers: [{name, status, error?, tools?}]}`."""
    return [_server(server) for server in _objects(status.get("mcpServers")) if string(server.get("name"))]


def turn_servers(init: Frame) -> list[McpServer]:
    """The servers of a `system/init` frame, which has only their status."""
    return [_server(server) for server in _objects(init.get("mcp_servers")) if string(server.get("name"))]


def server_list(servers: list[McpServer]) -> str:
    """The list as Markdown."""
    if not servers:
        return NONE_CONFIGURED
    words = [*SECTIONS, (DISABLED, "disabled")]
    counts = [(sum(server.status == status for server in servers), word) for status, word in words]
    counted = ", ".join(f"{count} {word}" for count, word in counts if count)
    parts = [f"**MCP servers:** {len(servers)}" + (f" ({counted})" if counted else "")]
    for status, word in SECTIONS:
        lines = [_line(server) for server in servers if server.status == status]
        if lines:
            parts.append("\n".join([f"**{word.capitalize()}**", *lines]))
    disabled = [code(server.name) for server in servers if server.status == DISABLED]
    if disabled:
        parts.append(f"**Disabled:** {', '.join(disabled)}")
    if any(server.status not in (CONNECTED, DISABLED) for server in servers):
        parts.append(HOW_TO_RECONNECT)
    return "\n\n".join(parts)


def code(name: str) -> str:
    """A name as inline code; a backtick in it cannot end that."""
    return f"`` {name} ``" if "`" in name else f"`{name}`"


def plain(text: str) -> str:
    """A text that Markdown leaves as it is."""
    return MARKDOWN.sub(r"\\\1", text)


def _line(server: McpServer) -> str:
    if server.status == CONNECTED:
        return f"- {code(server.name)}: {server.tools} tool{'' if server.tools == 1 else 's'}"
    return f"- {code(server.name)}" + (f": {plain(server.error)}" if server.error else "")


def _server(server: Json) -> McpServer:
    tools = server.get("tools")
    return McpServer(
        name=string(server.get("name")),
        status=string(server.get("status")),
        error=string(server.get("error")),
        tools=len(tools) if isinstance(tools, list) else 0,
    )


def _objects(values: Any) -> list[Json]:
    return [value for value in values if isinstance(value, dict)] if isinstance(values, list) else []
