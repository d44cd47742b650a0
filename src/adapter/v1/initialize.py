"""v1's answer to `initialize`. Imports next to nothing: it is sent before anything else is loaded."""

from __future__ import annotations

from typing import Any

from adapter import __version__

AGENT_INFO = {"name": "claude-acp-adapter", "title": "Claude Code", "version": __version__}


def initialize_result() -> dict[str, Any]:
    """`InitializeResponse`, with the capabilities that this version serves."""
    return {
        "protocolVersion": 1,
        "agentCapabilities": {
            "_meta": {"claudeCode": {"promptQueueing": True}, "authStatus": {}},
            "promptCapabilities": {"image": True, "embeddedContext": True},
            "mcpCapabilities": {"http": True, "sse": True},
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
        "authMethods": [],
        "_meta": {"steering": {"supported": True}},
    }
