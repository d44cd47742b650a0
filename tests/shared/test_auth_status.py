"""Who Claude Code is signed in as."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.auth_status import account_status, auth_status, gateway_status, has_limits, probed_status


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


def test_only_an_account_with_a_plan_has_limits() -> None:
    assert has_limits({"subscriptionType": "Claude Max"})
    assert not has_limits({"apiKeySource": "ANTHROPIC_API_KEY"})


def test_a_gateway_is_named_by_its_host() -> None:
    assert gateway_status("g:1") == {"kind": "gateway", "label": "Custom model gateway", "detail": "g:1"}


@pytest.mark.parametrize(
    ("probe", "kind"),
    [
        ({}, "none"),
        ({"loggedIn": False, "authMethod": "claude.ai"}, "none"),
        ({"loggedIn": True, "authMethod": "api_key", "apiKeySource": "ANTHROPIC_API_KEY"}, "api_key"),
        ({"loggedIn": True, "authMethod": "claude.ai", "subscriptionType": "max"}, "subscription"),
        ({"loggedIn": True, "authMethod": "claude.ai"}, "subscription"),
        ({"loggedIn": True, "authMethod": "third_party", "apiProvider": "bedrock"}, "provider"),
    ],
)
def test_what_the_command_line_says_of_a_login(probe: dict[str, Any], kind: str) -> None:
    assert probed_status(probe)["kind"] == kind


def test_an_organization_is_named_where_there_is_no_address() -> None:
    team = auth_status({"subscriptionType": "Claude Team", "organization": "Example"})
    assert account_status(team)["accounts"] == [{"label": "Claude Team", "active": True, "organization": "Example"}]
    assert account_status(gateway_status("host"))["accounts"] == [{"label": "Custom model gateway", "active": True}]
