"""v2's answer to `initialize`. Imports next to nothing: it is sent before anything else is loaded."""

from __future__ import annotations

from typing import Any

from adapter import __version__

AGENT_INFO = {"name": "claude-acp-adapter", "title": "Claude Code", "version": __version__}


def initialize_result() -> dict[str, Any]:
    """`InitializeResponse`, with the capabilities that this core serves."""
    return {
        "protocolVersion": 2,
        "info": AGENT_INFO,
        "capabilities": {
            "session": {
                "prompt": {"image": {}, "embeddedContext": {}},
                "mcp": {"stdio": {}, "http": {}},
                "additionalDirectories": {},
                "archive": {},
                "delete": {},
                "fork": {},
                "status": {},
                "systemPrompt": {"mode": {"override": {}}},
                "title": {},
            },
            "_meta": {"claudeCode": {"promptQueueing": True}, "authStatus": {}},
        },
        "authMethods": [],
    }
