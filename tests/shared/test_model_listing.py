"""Which models a provider lists."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from adapter.shared.jsonrpc.errors import ClaudeFailure
from adapter.shared.model_listing import served_models
from adapter.shared.providers import Route

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.anyio

Heard = list[tuple[str, dict[str, str]]]


@contextmanager
def provider(status: int, body: bytes) -> Iterator[tuple[str, Heard]]:
    """A provider that answers everything alike: its URL, and what it heard."""
    heard: Heard = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            heard.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/gw/", heard
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


async def test_models_are_listed_with_the_providers_headers() -> None:
    body = orjson.dumps({"data": [{"id": "claude-opus-5-5"}, {"id": "mine"}, "odd"]})
    with provider(200, body) as (url, heard):
        served = await served_models(Route("anthropic", url, {"Authorization": "Bearer t"}))
    assert served == ("claude-opus-5-5", "mine")
    (path, headers) = heard[0]
    assert path == "/gw/v1/models?limit=1000"
    assert (headers["authorization"], headers["anthropic-version"]) == ("Bearer t", "2023-06-01")


async def test_bedrock_has_a_list_of_its_own() -> None:
    body = orjson.dumps({"modelSummaries": [{"modelId": "anthropic.claude-opus-5-5"}]})
    with provider(200, body) as (url, heard):
        assert await served_models(Route("bedrock", url, {})) == ("anthropic.claude-opus-5-5",)
    assert heard[0][0] == "/gw/foundation-models"


async def test_vertex_has_none() -> None:
    assert await served_models(Route("vertex", "http://127.0.0.1:9", {})) is None


@pytest.mark.parametrize("status", [404, 405, 500])
async def test_a_provider_may_have_no_list(status: int) -> None:
    with provider(status, b"no") as (url, _):
        assert await served_models(Route("anthropic", url, {})) is None


@pytest.mark.parametrize("body", [b"<html>", b"[]", b'{"data": 3}'])
async def test_what_is_no_list_is_no_provider(body: bytes) -> None:
    with provider(200, body) as (url, _), pytest.raises(ClaudeFailure) as raised:
        await served_models(Route("anthropic", url, {}))
    assert raised.value.kind == "provider_unreachable"
    assert raised.value.message.endswith("Model listing GET /gw/v1/models returned an unexpected body")


async def test_a_provider_that_is_not_there() -> None:
    with pytest.raises(ClaudeFailure) as raised:
        await served_models(Route("anthropic", "http://127.0.0.1:9", {}))
    assert "Model listing GET /v1/models failed: " in raised.value.message
    assert raised.value.data == {"providerId": "main", "apiType": "anthropic", "baseUrl": "http://127.0.0.1:9"}
