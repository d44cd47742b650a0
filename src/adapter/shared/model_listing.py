"""Which models a provider lists: one request, made when the provider is set."""

from __future__ import annotations

import urllib.error
import urllib.request
from typing import Any
from urllib.parse import urlsplit

import anyio
import orjson

from adapter.shared.jsonrpc.errors import ClaudeFailure
from adapter.shared.providers import PLACEHOLDER, PROVIDER_ID, Route
from adapter.shared.tools.text import string

SECONDS = 10.0
MOST_BYTES = 4 * 1024 * 1024
PATHS = {"anthropic": "/v1/models?limit=1000", "bedrock": "/foundation-models"}
KEYS = {"anthropic": ("data", "id"), "bedrock": ("modelSummaries", "modelId")}


async def served_models(route: Route) -> tuple[str, ...] | None:
    """The ids of the models that a route lists; `None` if it has no such list.

    Raises:
        ClaudeFailure: `provider_unreachable`: it cannot be reached, or what is there is no provider.
    """
    path = PATHS.get(route.api_type)
    if path is None:
        return None
    try:
        body = await anyio.to_thread.run_sync(_get, route, path, abandon_on_cancel=True)
    except (OSError, ValueError) as error:
        raise _failure(route, f"failed: {getattr(error, 'reason', error)}") from None
    return None if body is None else _ids(route, body)


def _get(route: Route, path: str) -> bytes | None:
    """The list's bytes, or `None` where the provider says that it has none."""
    headers = {
        "accept": "application/json",
        "anthropic-version": "2023-06-01",
        "authorization": f"Bearer {PLACEHOLDER}",
        **{name.lower(): value for name, value in route.headers.items()},
    }
    request = urllib.request.Request(route.base_url.rstrip("/") + path, headers=headers)  # noqa: S310 - http(s) only.
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as response:  # noqa: S310 - http(s) only.
            body: bytes = response.read(MOST_BYTES)
            return body
    except urllib.error.HTTPError as error:
        error.close()
        return None


def _ids(route: Route, body: bytes) -> tuple[str, ...]:
    outer, inner = KEYS[route.api_type]
    try:
        parsed: Any = orjson.loads(body)
    except orjson.JSONDecodeError:
        parsed = None
    listed = parsed.get(outer) if isinstance(parsed, dict) else None
    if not isinstance(listed, list):
        raise _failure(route, "returned an unexpected body")
    return tuple(string(model.get(inner)) for model in listed if isinstance(model, dict))


def _failure(route: Route, what: str) -> ClaudeFailure:
    where = urlsplit(route.base_url.rstrip("/") + PATHS[route.api_type]).path
    text = f'Model discovery for provider "{PROVIDER_ID}" failed: Model listing GET {where} {what}'
    data = {"providerId": PROVIDER_ID, "apiType": route.api_type, "baseUrl": route.base_url}
    return ClaudeFailure("provider_unreachable", text, data)
