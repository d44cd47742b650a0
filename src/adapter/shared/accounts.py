"""The logins and providers of one connection: its requests about them, and what the client is told of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

from adapter.shared.auth_status import account_status, auth_status, gateway_status, probed_status
from adapter.shared.cli_auth import CliAuth
from adapter.shared.client_capabilities import GATEWAY_URL, VERTEX_FIELDS, read_gateway, read_vertex
from adapter.shared.jsonrpc.errors import ClaudeFailure, invalid_params
from adapter.shared.jsonrpc.messages import Json, Request
from adapter.shared.jsonrpc.peer import Peer
from adapter.shared.launch import Started
from adapter.shared.logins import GATEWAYS
from adapter.shared.model_listing import served_models
from adapter.shared.providers import Route, Routes, make_route, provider_route
from adapter.shared.request_tasks import RequestTasks
from adapter.shared.wire.auth import DisableProvider, Login, SetProvider
from adapter.shared.wire.common import parse

REFUSED = "this adapter was started with --hide-claude-auth, so a claude.ai account cannot be used; sign in otherwise"


class Accounts:
    """Who Claude Code works as, and where its requests go.

    Args:
        peer: The client.
        tasks: Runs what takes awaited steps.
        routes: Where requests go; sessions are started with what it says.
        cli: Claude Code's own commands.
        gateways: Whether the client can name a gateway.
        hide_claude: Accounts of claude.ai are refused.
        reroute: Restarts the sessions that run, as soon as nothing runs in them.
    """

    def __init__(
        self,
        peer: Peer,
        tasks: RequestTasks,
        routes: Routes,
        cli: CliAuth,
        *,
        gateways: bool,
        hide_claude: bool,
        reroute: Callable[[], Awaitable[None]],
    ) -> None:
        self._peer = peer
        self._tasks = tasks
        self._routes = routes
        self._cli = cli
        self._gateways = gateways
        self._hide_claude = hide_claude
        self._reroute = reroute
        self._told: Json | None = None
        self._answered: Json | None = None

    def started(self, started: Started) -> None:
        """A Claude Code was started: tell who it works as, unless it is sent somewhere by a route.

        Raises:
            ClaudeFailure: `authentication_failed`: it is an account that must not be used.
        """
        if self._routes.active is not None:
            return
        status = auth_status(started.hello.account)
        if self._hide_claude and status["kind"] == "subscription":
            raise ClaudeFailure("authentication_failed", REFUSED)
        self._tell(status)

    def login(self, request: Request) -> None:
        """`authenticate`: route everything through a gateway. Logins in a terminal are no business of this method.

        Raises:
            ClientMistake: -32602, for another method or a gateway that cannot be used.
        """
        params = parse(Login, request.params)
        gateway = next((gateway for gateway in GATEWAYS if gateway.id == params.methodId), None)
        if gateway is None or not self._gateways:
            message = f"Unsupported authentication method: {params.methodId}"
            raise invalid_params(message, {"methodId": params.methodId})
        base_url, headers = read_gateway(params.meta)
        route = make_route(gateway.protocol, base_url, headers, GATEWAY_URL)
        self._routes.gateway = route
        self._tell(gateway_status(route.host))
        self._run(request)

    def logout(self, request: Request) -> None:
        """`logout`: forget the gateway, the provider and Claude Code's own credentials."""
        self._tasks.run(request, partial(self._logout, request))

    def status(self, request: Request) -> None:
        """`auth/status`. Changes are told once the client has asked: it then has something that they change."""
        self._tasks.run(request, partial(self._status, request))

    def list_providers(self, request: Request) -> None:
        """`providers/list`."""
        self._peer.respond(request.id, self._routes.listed())

    def set_provider(self, request: Request) -> None:
        """`providers/set`.

        Raises:
            ClientMistake: -32602, for a provider that cannot be routed to.
        """
        params = parse(SetProvider, request.params)
        vertex = read_vertex(params.meta)
        if params.apiType == "vertex" and not all(vertex.values()):
            raise invalid_params(f"vertex apiType requires non-empty {VERTEX_FIELDS}.")
        route = provider_route(params.model_dump(), vertex)
        self._tasks.run(request, partial(self._set_provider, request, route))

    def disable_provider(self, request: Request) -> None:
        """`providers/disable`; one that is not set is disabled already."""
        parse(DisableProvider, request.params)
        self._routes.provider = None
        self._run(request)

    async def _status(self, request: Request) -> None:
        route = self._routes.active
        try:
            known = probed_status(await self._cli.status()) if route is None else gateway_status(route.host)
            self._answered = account_status(self._usable(known))
        except ClaudeFailure:
            self._answered = {"state": "unknown"}
        self._peer.respond(request.id, self._answered)

    def _usable(self, status: Json) -> Json:
        """No account at all, if this one must not be used."""
        return auth_status({}) if self._hide_claude and status["kind"] == "subscription" else status

    async def _set_provider(self, request: Request, route: Route) -> None:
        self._routes.provider = replace(route, served=await served_models(route))
        await self._reroute()
        self._peer.respond(request.id, {})

    async def _logout(self, request: Request) -> None:
        self._routes.gateway = self._routes.provider = None
        await self._cli.logout()
        self._tell(probed_status(await self._cli.status()))
        await self._reroute()
        self._peer.respond(request.id, {})

    def _run(self, request: Request) -> None:
        async def rerouted() -> None:
            await self._reroute()
            self._peer.respond(request.id, {})

        self._tasks.run(request, rerouted)

    def _tell(self, status: Json) -> None:
        if status != self._told:
            self._told = status
            self._peer.notify("_auth/status_update", {"authStatus": status})
        changed = account_status(self._usable(status))
        if self._answered not in (None, changed):
            self._answered = changed
            self._peer.notify("auth/status_update", changed)
