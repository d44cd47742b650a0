"""v2's answer to `initialize`. Imports next to nothing: it is sent before anything else is loaded."""

from __future__ import annotations

from typing import Any

from adapter import __version__
from adapter.shared.client_capabilities import ClientCapabilities
from adapter.shared.logins import GATEWAY_ABOUT, GATEWAY_NAME, GATEWAYS, terminal_logins

AGENT_INFO = {"name": "claude-acp-adapter", "title": "Claude Code", "version": __version__}


def login_methods(capabilities: ClientCapabilities, *, hide_claude: bool) -> list[dict[str, Any]]:
    """ACP's `AuthMethod`s: those that the client can follow."""
    methods: list[dict[str, Any]] = []
    for login in terminal_logins(hide_claude=hide_claude) if capabilities.terminal_login else ():
        about = {"methodId": login.id, "name": login.name, "description": login.description}
        methods.append({**about, "type": "terminal", "args": list(login.args)})
    for gateway in GATEWAYS if capabilities.gateway else ():
        about = {"methodId": gateway.id, "name": GATEWAY_NAME, "description": GATEWAY_ABOUT}
        methods.append({**about, "type": "agent", "_meta": {"gateway": {"protocol": gateway.protocol}}})
    return methods


def initialize_result(methods: list[dict[str, Any]]) -> dict[str, Any]:
    """`InitializeResponse`, with the capabilities that this core serves; `methods` are those of `login_methods`."""
    return {
        "protocolVersion": 2,
        "info": AGENT_INFO,
        "capabilities": {
            "session": {
                "prompt": {"image": {}, "embeddedContext": {}},
                "mcp": {"stdio": {}, "http": {}, "acp": {}},
                "additionalDirectories": {},
                "archive": {},
                "delete": {},
                "fork": {},
                "status": {},
                "systemPrompt": {"mode": {"override": {}}},
                "title": {},
            },
            "auth": {"status": {}},
            "providers": {},
            "_meta": {"claudeCode": {"promptQueueing": True}, "authStatus": {}},
        },
        "authMethods": methods,
    }
