"""v1's answer to `initialize`. Imports next to nothing: it is sent before anything else is loaded."""

from __future__ import annotations

from typing import Any

from adapter import __version__
from adapter.shared.client_capabilities import ClientCapabilities
from adapter.shared.logins import GATEWAY_ABOUT, GATEWAY_NAME, GATEWAYS, terminal_logins

AGENT_INFO = {"name": "claude-acp-adapter", "title": "Claude Code", "version": __version__}


def login_methods(capabilities: ClientCapabilities, command: list[str], *, hide_claude: bool) -> list[dict[str, Any]]:
    """ACP's `AuthMethod`s: those that the client can follow.

    Args:
        capabilities: What it declared.
        command: How this adapter is started.
        hide_claude: Leave out accounts of claude.ai.
    """
    methods: list[dict[str, Any]] = []
    program, *arguments = command
    for login in terminal_logins(hide_claude=hide_claude) if capabilities.terminal_login else ():
        args = list(login.args)
        whole = {"command": program, "args": [*arguments, *args], "label": login.label}
        meta = {"_meta": {"terminal-auth": whole}} if capabilities.terminal_auth else {}
        about = {"id": login.id, "name": login.name, "description": login.description}
        methods.append({**about, "type": "terminal", "args": args, **meta})
    for gateway in GATEWAYS if capabilities.gateway else ():
        meta = {"_meta": {"gateway": {"protocol": gateway.protocol}}}
        methods.append({"id": gateway.id, "name": GATEWAY_NAME, "description": GATEWAY_ABOUT, **meta})
    return methods


def initialize_result(methods: list[dict[str, Any]]) -> dict[str, Any]:
    """`InitializeResponse`, with the capabilities that this version serves; `methods` are those of `login_methods`."""
    return {
        "protocolVersion": 1,
        "agentCapabilities": {
            "_meta": {"claudeCode": {"promptQueueing": True}, "authStatus": {}},
            "promptCapabilities": {"image": True, "embeddedContext": True},
            "mcpCapabilities": {"http": True, "sse": True},
            "auth": {"logout": {}},
            "providers": {},
            "loadSession": True,
            "sessionCapabilities": {
                "additionalDirectories": {},
                "archive": {},
                "close": {},
                "delete": {},
                "fork": {},
                "list": {},
                "resume": {},
                "status": {},
                "systemPrompt": {"mode": {"override": {}}},
                "title": {},
            },
        },
        "agentInfo": AGENT_INFO,
        "authMethods": methods,
        "_meta": {"steering": {"supported": True}},
    }
