"""The real Claude Code goes where the client sends it, whatever the user's own settings say."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from adapter.scripted.model import ScriptedModel
from support.client import AcpClient
from support.place import ADAPTER, DEFAULT_SETTINGS, Place

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.cli

SCRIPTS = {"hi": [{"blocks": [{"text": "Hello."}]}]}
CAPABILITIES = {"auth": {"_meta": {"gateway": True}}}


def paths(model: ScriptedModel, word: str) -> list[str]:
    """The paths of the requests that the model got with a word in them."""
    return [request.path.split("?")[0] for request in model.requests if word in json.dumps(request.body)]


def prompt(client: AcpClient, session: str, word: str) -> None:
    """A prompt with a word in it, which is answered."""
    blocks = [{"type": "text", "text": f"[[hi]] {word}"}]
    answer = client.call("session/prompt", {"sessionId": session, "prompt": blocks})
    assert answer["stopReason"] == "end_turn"


def test_a_gateway_wins_over_the_settings_file_and_open_sessions_follow(tmp_path: Path) -> None:
    with ScriptedModel(SCRIPTS) as own, ScriptedModel(SCRIPTS) as gateway:
        url = f"http://127.0.0.1:{own.port}"
        place = Place.make(tmp_path, {**DEFAULT_SETTINGS, "env": {"ANTHROPIC_BASE_URL": f"{url}/own"}})
        with AcpClient(ADAPTER, env=place.environment(own.port), cwd=place.workspace) as client:
            client.call("initialize", {"protocolVersion": 1, "clientCapabilities": CAPABILITIES})
            opened = client.call("session/new", {"cwd": str(place.workspace), "mcpServers": []})
            prompt(client, opened["sessionId"], "quokka")
            assert set(paths(own, "quokka")) == {"/own/v1/messages"}
            meta = {"gateway": {"baseUrl": f"http://127.0.0.1:{gateway.port}/gw", "headers": {"x-team": "blue"}}}
            client.call("authenticate", {"methodId": "gateway", "_meta": meta})
            prompt(client, opened["sessionId"], "zanzibar")
            assert set(paths(gateway, "zanzibar")) == {"/gw/v1/messages"}
            assert paths(own, "zanzibar") == []
            assert client.close() == 0
