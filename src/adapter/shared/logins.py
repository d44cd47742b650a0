"""The ways to sign in that a client is offered. Imports next to nothing: it is part of the answer to `initialize`."""

from __future__ import annotations

from typing import NamedTuple

CLAUDE_LOGIN = "claude-ai-login"
TO_CLAUDE_CODE = "--cli"
"""The argument behind which everything goes to Claude Code's own command line."""


class TerminalLogin(NamedTuple):
    """A login of Claude Code's, which the client runs in a terminal: the adapter with `args`."""

    id: str
    name: str
    description: str
    args: tuple[str, ...]
    label: str


class Gateway(NamedTuple):
    """A login by naming a gateway; `protocol` is what the gateway speaks."""

    id: str
    protocol: str


TERMINAL_LOGINS = (
    TerminalLogin(
        CLAUDE_LOGIN,
        "Claude Subscription",
        "Use Claude subscription ",
        (TO_CLAUDE_CODE, "auth", "login", "--claudeai"),
        "Claude Login",
    ),
    TerminalLogin(
        "console-login",
        "Anthropic Console",
        "Use Anthropic Console (API usage billing)",
        (TO_CLAUDE_CODE, "auth", "login", "--console"),
        "Anthropic Console Login",
    ),
)
GATEWAYS = (Gateway("gateway", "anthropic"), Gateway("gateway-bedrock", "bedrock"))
GATEWAY_NAME = "Custom model gateway"
GATEWAY_ABOUT = "Use a custom gateway to authenticate and access models"


def terminal_logins(*, hide_claude: bool) -> tuple[TerminalLogin, ...]:
    """The logins that run in a terminal; `hide_claude` drops the one with a claude.ai account."""
    return tuple(login for login in TERMINAL_LOGINS if not (hide_claude and login.id == CLAUDE_LOGIN))
