"""The requests about logins and providers."""

from __future__ import annotations

from typing import Any, cast

import anyio
import pytest

from adapter.shared.accounts import Accounts
from adapter.shared.claude.features import ClaudeHello
from adapter.shared.cli_auth import CliAuth
from adapter.shared.jsonrpc.errors import ClaudeFailure, ClientMistake
from adapter.shared.jsonrpc.messages import Request
from adapter.shared.launch import Started
from adapter.shared.providers import Route, Routes
from adapter.shared.request_tasks import RequestTasks
from shared.doubles import Caller, request

pytestmark = pytest.mark.anyio

Json = dict[str, Any]
KEY = {"apiKeySource": "ANTHROPIC_API_KEY", "apiProvider": "firstParty"}
KEY_STATUS = {"kind": "api_key", "label": "Anthropic API key", "detail": "ANTHROPIC_API_KEY"}
PLAN = {"subscriptionType": "Claude Max", "email": "me@example.org"}
GATEWAY = {"gateway": {"baseUrl": "http://127.0.0.1:9/gw", "headers": {"x-a": "1", "x-b": 2}}}
VERTEX = {"providerId": "main", "apiType": "vertex", "baseUrl": "http://v"}


class FakeCli:
    """Claude Code's own commands."""

    def __init__(self, failure: ClaudeFailure | None = None) -> None:
        self.calls: list[str] = []
        self._failure = failure

    async def status(self) -> Json:
        self.calls.append("status")
        return {"loggedIn": True, "authMethod": "api_key", **KEY}

    async def logout(self) -> None:
        self.calls.append("logout")
        if self._failure is not None:
            raise self._failure


class World:
    """Accounts with doubles on all sides."""

    def __init__(
        self, *, gateways: bool = True, hide_claude: bool = False, failure: ClaudeFailure | None = None
    ) -> None:
        self.caller = Caller()
        self.tasks = RequestTasks(self.caller.peer)
        self.routes = Routes({})
        self.cli = FakeCli(failure)
        self.rerouted = 0
        self.accounts = Accounts(
            self.caller.peer,
            self.tasks,
            self.routes,
            cast(CliAuth, self.cli),
            gateways=gateways,
            hide_claude=hide_claude,
            reroute=self._reroute,
        )

    async def _reroute(self) -> None:
        self.rerouted += 1

    async def asks(self, method: str, **params: Any) -> list[Json]:
        """What the client gets for a request."""
        handlers = {
            "authenticate": self.accounts.login,
            "logout": self.accounts.logout,
            "auth/status": self.accounts.status,
            "providers/list": self.accounts.list_providers,
            "providers/set": self.accounts.set_provider,
            "providers/disable": self.accounts.disable_provider,
        }
        self.caller.says(request(1, method, **params))
        heard: Request = self.caller.requests[-1]
        try:
            handlers[method](heard)
        except ClientMistake as mistake:
            self.caller.peer.fail(heard.id, mistake)
        with anyio.fail_after(10):
            await self.tasks.ended()
        return self.caller.link.take()


def start(world: World, account: Json) -> list[Json]:
    hello = ClaudeHello((), (), account, "default", "2.1.332")
    world.accounts.started(Started(cast(Any, None), hello, {}))
    told: list[Json] = world.caller.link.take()
    return told


def status_update(status: Json) -> Json:
    return {"jsonrpc": "2.0", "method": "_auth/status_update", "params": {"authStatus": status}}


async def test_who_is_signed_in_is_told_once() -> None:
    world = World()
    assert start(world, KEY) == [status_update(KEY_STATUS)]
    assert start(world, KEY) == []
    assert start(world, PLAN)[0]["params"]["authStatus"]["kind"] == "subscription"


async def test_an_account_of_claude_ai_can_be_refused() -> None:
    world = World(hide_claude=True)
    assert start(world, KEY) == [status_update(KEY_STATUS)]
    with pytest.raises(ClaudeFailure) as raised:
        start(world, PLAN)
    assert raised.value.kind == "authentication_failed"
    assert "--hide-claude-auth" in raised.value.message
    world.routes.gateway = Route("anthropic", "http://g", {})
    assert start(world, PLAN) == []


async def test_a_gateway_is_told_and_everything_is_sent_there() -> None:
    world = World()
    told, answer = await world.asks("authenticate", methodId="gateway", _meta=GATEWAY)
    assert told == status_update({"kind": "gateway", "label": "Custom model gateway", "detail": "127.0.0.1:9"})
    assert answer["result"] == {}
    assert world.routes.active == Route("anthropic", "http://127.0.0.1:9/gw", {"x-a": "1"})
    assert world.rerouted == 1
    await world.asks("authenticate", methodId="gateway-bedrock", _meta=GATEWAY)
    assert world.routes.active is not None
    assert world.routes.active.api_type == "bedrock"


@pytest.mark.parametrize(
    ("params", "gateways", "data"),
    [
        ({"methodId": "gateway"}, True, {"baseUrl": ""}),
        ({"methodId": "gateway", "_meta": {"gateway": {"baseUrl": "nope"}}}, True, {"baseUrl": "nope"}),
        ({"methodId": "gateway", "_meta": GATEWAY}, False, {"methodId": "gateway"}),
        ({"methodId": "claude-ai-login"}, True, {"methodId": "claude-ai-login"}),
    ],
)
async def test_a_login_that_cannot_be_is_refused(params: Json, gateways: bool, data: Json) -> None:
    world = World(gateways=gateways)
    (answer,) = await world.asks("authenticate", **params)
    assert (answer["error"]["code"], answer["error"]["data"]) == (-32602, data)
    assert (world.routes.active, world.rerouted) == (None, 0)


async def test_a_login_names_its_method() -> None:
    (answer,) = await World().asks("authenticate")
    assert answer["error"]["code"] == -32602
    assert answer["error"]["message"].startswith("Invalid params: methodId: ")


async def test_a_provider_is_set_listed_and_disabled() -> None:
    world = World()
    meta = {"claudeCode": {"vertex": {"projectId": "p", "region": "r"}}}
    (answer,) = await world.asks("providers/set", **VERTEX, _meta=meta)
    assert answer["result"] == {}
    assert world.routes.provider == Route("vertex", "http://v", {}, "p", "r")
    (listed,) = await world.asks("providers/list")
    assert listed["result"]["providers"][0]["current"] == {"apiType": "vertex", "baseUrl": "http://v"}
    (disabled,) = await world.asks("providers/disable", providerId="main")
    assert (disabled["result"], world.routes.active, world.rerouted) == ({}, None, 2)


async def test_vertex_needs_a_project_and_a_region() -> None:
    world = World()
    (answer,) = await world.asks("providers/set", **VERTEX, _meta={"claudeCode": {"vertex": {"projectId": "p"}}})
    assert answer["error"]["code"] == -32602
    assert world.routes.provider is None


async def test_a_provider_that_cannot_be_reached_is_not_set() -> None:
    world = World()
    unreachable = {"providerId": "main", "apiType": "anthropic", "baseUrl": "http://127.0.0.1:9"}
    (answer,) = await world.asks("providers/set", **unreachable)
    assert answer["error"]["data"]["errorKind"] == "provider_unreachable"
    assert (world.routes.provider, world.rerouted) == (None, 0)


async def test_a_logout_forgets_the_routes_and_the_credentials() -> None:
    world = World()
    await world.asks("authenticate", methodId="gateway", _meta=GATEWAY)
    told, answer = await world.asks("logout")
    assert told == status_update(KEY_STATUS)
    assert answer["result"] == {}
    assert world.cli.calls == ["logout", "status"]
    assert (world.routes.active, world.rerouted) == (None, 2)


async def test_a_logout_that_fails_says_why() -> None:
    world = World(failure=ClaudeFailure("logout_failed", "no keychain"))
    (answer,) = await world.asks("logout")
    assert answer["error"]["data"]["errorKind"] == "logout_failed"
    assert "no keychain" in answer["error"]["message"]


KEY_ACCOUNT = {"state": "authenticated", "accounts": [{"label": "Anthropic API key", "active": True}]}
NOBODY = {"state": "unauthenticated"}


def changed(status: Json) -> Json:
    return {"jsonrpc": "2.0", "method": "auth/status_update", "params": status}


async def test_the_status_is_that_of_claude_code_itself_or_of_the_route() -> None:
    world = World()
    (answer,) = await world.asks("auth/status")
    assert answer["result"] == KEY_ACCOUNT
    world.routes.gateway = Route("anthropic", "http://g", {})
    (answer,) = await world.asks("auth/status")
    assert answer["result"]["accounts"] == [{"label": "Custom model gateway", "active": True}]


async def test_changes_are_told_to_a_client_that_has_asked() -> None:
    world = World()
    start(world, KEY)
    assert changed(NOBODY) not in start(world, {})
    await world.asks("auth/status")
    assert changed(NOBODY) in start(world, {"tokenSource": "none"})
    account = {"label": "Claude Max", "active": True, "email": "me@example.org"}
    assert changed({"state": "authenticated", "accounts": [account]}) in start(world, PLAN)
    assert start(world, PLAN) == []


async def test_a_status_that_cannot_be_learned_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World()

    async def fails() -> Json:
        raise ClaudeFailure("start_failed", "no such file")

    monkeypatch.setattr(world.cli, "status", fails)
    (answer,) = await world.asks("auth/status")
    assert answer["result"] == {"state": "unknown"}


async def test_an_account_that_must_not_be_used_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(hide_claude=True)

    async def plan() -> Json:
        return {"loggedIn": True, "authMethod": "claude.ai", **PLAN}

    monkeypatch.setattr(world.cli, "status", plan)
    (answer,) = await world.asks("auth/status")
    assert answer["result"] == NOBODY
