"""Who Claude Code is signed in as."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.auth_status import auth_status


@pytest.mark.parametrize(
    ("account", "status"),
    [
        ({}, {"kind": "none", "label": "Not signed in"}),
        ({"tokenSource": "none", "apiKeySource": "none"}, {"kind": "none", "label": "Not signed in"}),
        (
            {"tokenSource": "none", "apiKeySource": "ANTHROPIC_API_KEY", "apiProvider": "firstParty"},
            {"kind": "api_key", "label": "Anthropic API key", "detail": "ANTHROPIC_API_KEY"},
        ),
        (
            {"subscriptionType": "Claude Max", "email": "me@example.org", "organization": "Example"},
            {"kind": "subscription", "label": "Claude Max", "detail": "me@example.org"},
        ),
        (
            {"subscriptionType": "Claude Team", "organization": "Example"},
            {"kind": "subscription", "label": "Claude Team", "detail": "Example"},
        ),
        ({"tokenSource": "claude.ai"}, {"kind": "subscription", "label": "Claude subscription"}),
        (
            {"tokenSource": "claude.ai", "apiKeySource": "none", "subscriptionType": None, "email": 1},
            {"kind": "subscription", "label": "Claude subscription"},
        ),
        (
            {"apiKeySource": "ANTHROPIC_API_KEY", "subscriptionType": "Claude Pro"},
            {"kind": "api_key", "label": "Anthropic API key", "detail": "ANTHROPIC_API_KEY"},
        ),
        ({"apiProvider": "bedrock"}, {"kind": "provider", "label": "Amazon Bedrock"}),
        ({"apiProvider": "vertex"}, {"kind": "provider", "label": "Google Vertex AI"}),
        (
            {"apiProvider": "foundry", "apiKeySource": "ANTHROPIC_API_KEY"},
            {"kind": "provider", "label": "Microsoft Foundry"},
        ),
        ({"apiProvider": ["bedrock"], "apiKeySource": 1}, {"kind": "none", "label": "Not signed in"}),
    ],
)
def test_an_account_has_one_status(account: dict[str, Any], status: dict[str, Any]) -> None:
    assert auth_status(account) == status
