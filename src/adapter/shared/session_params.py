"""The parameters of the methods that open a session, as Claude Code needs them."""

from __future__ import annotations

import logging

from adapter.shared.claude.client_options import ClientOptions, client_options
from adapter.shared.client_capabilities import (
    CLAUDE_OPTIONS_PATH,
    SYSTEM_PROMPT_PATH,
    sent_claude_options,
    sent_system_prompt,
)
from adapter.shared.jsonrpc.errors import invalid_field
from adapter.shared.jsonrpc.messages import Json
from adapter.shared.wire.claude_options import SystemPrompt, read_claude_options, read_system_prompt
from adapter.shared.wire.common import parse_mcp_server

log = logging.getLogger(__name__)


def session_options(params: Json) -> ClientOptions:
    """What the client wants of Claude Code: its options, and its system prompt in any of the forms that it may have.

    Raises:
        ClientMistake: -32602, with the place in `data.path`.
    """
    sent, unknown = read_claude_options(sent_claude_options(params), CLAUDE_OPTIONS_PATH)
    if unknown:
        log.warning("options without effect in %s: %s", CLAUDE_OPTIONS_PATH, ", ".join(unknown))
    prompt: str | SystemPrompt | None = _standard_prompt(params.get("systemPrompt"))
    if prompt is None:
        prompt = read_system_prompt(sent_system_prompt(params), SYSTEM_PROMPT_PATH)
    return client_options(sent, unknown, prompt, CLAUDE_OPTIONS_PATH)


def _standard_prompt(sent: Json | None) -> SystemPrompt | None:
    """ACP's own `systemPrompt`, which goes before the other ways of giving one."""
    if sent is None:
        return None
    texts = [block["text"] for block in sent["content"]]
    if sent["mode"] == "override":
        return SystemPrompt(type="custom", prompt=texts)
    return SystemPrompt(append="\n\n".join(texts))


def configured_servers(servers: list[Json], types: tuple[str, ...]) -> dict[str, Json]:
    """The client's MCP servers as Claude Code's configuration, by name; `types` are the transports that can be served.

    Raises:
        ClientMistake: -32602, for a malformed one, another transport or a name that comes twice.
    """
    configured: dict[str, Json] = {}
    for index, server in enumerate(servers):
        name, configuration = parse_mcp_server(server, f"mcpServers.{index}", types)
        if name in configured:
            raise invalid_field(f"mcpServers.{index}.name", f"two servers are named {name}")
        configured[name] = configuration
    return configured
