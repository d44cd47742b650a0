"""Who Claude Code is signed in as, for `_auth/status_update`."""

from __future__ import annotations

from typing import Any

from adapter.shared.tools.text import string

Json = dict[str, Any]

PROVIDERS = {"bedrock": "Amazon Bedrock", "vertex": "Google Vertex AI", "foundry": "Microsoft Foundry"}


def has_limits(account: Json) -> bool:
    """Whether an account is one with a plan, which has limits that can be asked for."""
    kind: str = auth_status(account)["kind"]
    return kind == "subscription"


def auth_status(account: Json) -> Json:
    """The status that Claude Code's `account` (from its `initialize` answer) stands for: `{kind, label, detail?}`."""
    provider = string(account.get("apiProvider"))
    if provider in PROVIDERS:
        return {"kind": "provider", "label": PROVIDERS[provider]}
    key_source = string(account.get("apiKeySource"))
    if key_source and key_source != "none":
        return {"kind": "api_key", "label": "Anthropic API key", "detail": key_source}
    plan = string(account.get("subscriptionType"))
    if plan or string(account.get("tokenSource")) not in ("", "none"):
        who = string(account.get("email")) or string(account.get("organization"))
        return {"kind": "subscription", "label": plan or "Claude subscription", **({"detail": who} if who else {})}
    return {"kind": "none", "label": "Not signed in"}


def account_status(status: Json) -> Json:
    """ACP's `AuthStatusResponse` (unstable) for a status of ours."""
    if status["kind"] == "none":
        return {"state": "unauthenticated"}
    who = status.get("detail", "") if status["kind"] == "subscription" else ""
    named = {"email" if "@" in who else "organization": who} if who else {}
    return {"state": "authenticated", "accounts": [{"label": status["label"], "active": True, **named}]}


def gateway_status(host: str) -> Json:
    """The status of a client that named a gateway."""
    return {"kind": "gateway", "label": "Custom model gateway", "detail": host}


def probed_status(probe: Json) -> Json:
    """The status that Claude Code's `auth status --json` stands for."""
    if probe.get("loggedIn") is not True:
        return auth_status({})
    signed_in = {"tokenSource": string(probe.get("authMethod"))} if probe.get("authMethod") != "api_key" else {}
    return auth_status({**probe, **signed_in})
