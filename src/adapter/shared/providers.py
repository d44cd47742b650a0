"""Where requests to the model go: as the environment says, through a gateway, or to a provider that the client set.

A route is made of variables that Claude Code reads, and of settings that say the same, so that no settings file of the
user's wins over it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from adapter.shared.jsonrpc.errors import ClientMistake, invalid_field, invalid_params
from adapter.shared.tools.facts import Json

PROVIDER_ID = "main"
API_TYPES = ("anthropic", "bedrock", "vertex")
PLACEHOLDER = "acp-proxy"
"""Claude Code wants a key before it sends anything; what counts is in the headers."""
HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
BEDROCK_HOST = "https://bedrock-runtime{region}.amazonaws.com"


@dataclass(frozen=True, slots=True)
class Route:
    """A place that serves the model.

    Attributes:
        api_type: The protocol that it speaks, of `API_TYPES`.
        base_url: Its URL, http or https.
        headers: Sent with each request: name to value.
        project_id: Google Cloud's project, for Vertex.
        region: Its region, for Vertex.
        served: The models that it lists, by id; `None` if it lists none at all.
    """

    api_type: str
    base_url: str
    headers: Mapping[str, str]
    project_id: str = ""
    region: str = ""
    served: tuple[str, ...] | None = None

    def environment(self) -> dict[str, str]:
        """The variables that lead Claude Code there. An empty one takes back what the adapter's environment says."""
        kind = self.api_type
        variables = {
            "ANTHROPIC_BASE_URL": self.base_url if kind == "anthropic" else "",
            "ANTHROPIC_BEDROCK_BASE_URL": self.base_url if kind == "bedrock" else "",
            "ANTHROPIC_VERTEX_BASE_URL": self.base_url if kind == "vertex" else "",
            "CLAUDE_CODE_USE_BEDROCK": "1" if kind == "bedrock" else "0",
            "CLAUDE_CODE_USE_VERTEX": "1" if kind == "vertex" else "0",
            "ANTHROPIC_VERTEX_PROJECT_ID": self.project_id,
            "CLOUD_ML_REGION": self.region,
            "AWS_REGION": "",
            "ANTHROPIC_API_KEY": "",
            "ANTHROPIC_AUTH_TOKEN": PLACEHOLDER if kind == "anthropic" else "",
            "CLAUDE_CODE_OAUTH_TOKEN": "",
            "ANTHROPIC_CUSTOM_HEADERS": "\n".join(f"{name}: {value}" for name, value in self.headers.items()),
        }
        return {**variables, "AWS_BEARER_TOKEN_BEDROCK": PLACEHOLDER} if kind == "bedrock" else variables

    def over(self, settings: Json) -> Json:
        """The same as settings of the highest rank but the administrator's, with what else is to hold there."""
        known = settings.get("env")
        variables = {**(known if isinstance(known, dict) else {}), **self.environment()}
        return {**settings, "apiKeyHelper": "", "env": variables}

    @property
    def host(self) -> str:
        """For people: host and port."""
        return urlsplit(self.base_url).netloc


def make_route(api_type: str, base_url: str, headers: Mapping[str, str], url_path: str = "baseUrl") -> Route:
    """A route as a client names it.

    Args:
        api_type: The protocol.
        base_url: The URL.
        headers: The headers.
        url_path: The field of the URL in the client's request, for the error.

    Raises:
        ClientMistake: -32602, if the URL or a header cannot be sent.
    """
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.netloc or any(sign.isspace() for sign in base_url):
        message = f"{url_path} must be a non-empty absolute http(s) URL."
        raise invalid_params(message, {"baseUrl": base_url})
    for name, value in headers.items():
        if HEADER_NAME.fullmatch(name) is None or "\n" in value or "\r" in value:
            raise invalid_field("headers", f"the header {name!r} cannot be sent")
    return Route(api_type, base_url, dict(headers))


def provider_route(params: Json, vertex: Json) -> Route:
    """What `providers/set` asks for; `vertex` has the project and the region, which ACP has no field for.

    Raises:
        ClientMistake: -32602 for what cannot be routed to.
    """
    api_type = params["apiType"]
    if params["providerId"] != PROVIDER_ID:
        raise unknown_provider(params["providerId"])
    if api_type not in API_TYPES:
        message = f'Unsupported apiType "{api_type}" for provider "{PROVIDER_ID}".'
        raise invalid_params(message, {"apiType": api_type, "supported": list(API_TYPES)})
    route = make_route(api_type, params["baseUrl"], params["headers"])
    return replace(route, **vertex) if api_type == "vertex" else route


def unknown_provider(provider_id: str) -> ClientMistake:
    """There is only one provider."""
    message = f'Unknown provider ID "{provider_id}"; expected "{PROVIDER_ID}".'
    return invalid_params(message, {"providerId": provider_id})


class Routes:
    """The routes of one connection: a provider that was set goes before a gateway, and that before the environment.

    Args:
        environment: The adapter's own environment.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self.gateway: Route | None = None
        self.provider: Route | None = None

    @property
    def active(self) -> Route | None:
        """The route that counts; `None` leaves it to the environment and the settings."""
        return self.provider or self.gateway

    def listed(self) -> Json:
        """`ListProvidersResponse`: headers stay out of it."""
        route = self.active
        current = {"apiType": route.api_type, "baseUrl": route.base_url} if route else self._of_environment()
        provider = {"providerId": PROVIDER_ID, "supported": list(API_TYPES), "required": False, "current": current}
        return {"providers": [provider]}

    def _of_environment(self) -> Json:
        environment = self._environment
        if is_on(environment.get("CLAUDE_CODE_USE_BEDROCK")):
            region = environment.get("AWS_REGION", "")
            host = BEDROCK_HOST.format(region=f".{region}" if region else "")
            return {"apiType": "bedrock", "baseUrl": environment.get("ANTHROPIC_BEDROCK_BASE_URL", host)}
        if is_on(environment.get("CLAUDE_CODE_USE_VERTEX")):
            base_url = environment.get("ANTHROPIC_VERTEX_BASE_URL", "https://aiplatform.googleapis.com")
            return {"apiType": "vertex", "baseUrl": base_url}
        return {"apiType": "anthropic", "baseUrl": environment.get("ANTHROPIC_BASE_URL", "https://api.anthropic.com")}


def is_on(value: Any) -> bool:
    """How Claude Code reads a switch in the environment."""
    return isinstance(value, str) and value.lower() in ("1", "true", "yes", "on")
