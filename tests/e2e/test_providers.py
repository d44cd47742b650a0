"""The real Claude Code goes where the client sends it, whatever the user's own settings say."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from adapter.scripted.model import ScriptedModel
from support.client import AcpClient
from support.cores import Core, all_cores
from support.place import ADAPTER, DEFAULT_SETTINGS, Place

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.cli

SCRIPTS = {"hi": [{"blocks": [{"text": "Hello."}]}]}
INFO = {"name": "test", "version": "1"}
CAPABILITIES = {"auth": {"_meta": {"gateway": True}}}


def paths(model: ScriptedModel, word: str) -> list[str]:
    """The paths of the requests that the model got with a word in them."""
    return [request.path.split("?")[0] for request in model.requests if word in json.dumps(request.body)]


def open_session(client: AcpClient, core: Core, cwd: str) -> str:
    """Connects, and makes a session."""
    about = {"capabilities": CAPABILITIES, "info": INFO} if core.version == 2 else {"clientCapabilities": CAPABILITIES}
    client.call("initialize", {"protocolVersion": core.version, **about})
    return str(client.call("session/new", {"cwd": cwd, "mcpServers": []})["sessionId"])


def prompt(client: AcpClient, core: Core, session: str, word: str) -> None:
    """A prompt with a word in it, whose turn ends well."""
    params = {"sessionId": session, "prompt": [{"type": "text", "text": f"[[hi]] {word}"}]}
    mark = client.mark()
    end = client.call("session/prompt", params)
    if core.version == 2:
        end = client.expect_update("state_update", lambda update: update["state"] == "idle", since=mark)
    assert end["stopReason"] == "end_turn"


@all_cores
def test_a_gateway_wins_over_the_settings_file_and_open_sessions_follow(tmp_path: Path, core: Core) -> None:
    with ScriptedModel(SCRIPTS) as own, ScriptedModel(SCRIPTS) as gateway:
        url = f"http://127.0.0.1:{own.port}"
        place = Place.make(tmp_path, {**DEFAULT_SETTINGS, "env": {"ANTHROPIC_BASE_URL": f"{url}/own"}})
        variables = {**place.environment(own.port), **core.variables}
        with AcpClient(ADAPTER, env=variables, cwd=place.workspace, version=core.version) as client:
            session = open_session(client, core, str(place.workspace))
            prompt(client, core, session, "quokka")
            assert set(paths(own, "quokka")) == {"/own/v1/messages"}
            meta = {"gateway": {"baseUrl": f"http://127.0.0.1:{gateway.port}/gw", "headers": {"x-team": "blue"}}}
            login = "authenticate" if core is Core.V1 else "auth/login"
            client.call(login, {"methodId": "gateway", "_meta": meta})
            prompt(client, core, session, "zanzibar")
            assert set(paths(gateway, "zanzibar")) == {"/gw/v1/messages"}
            assert paths(own, "zanzibar") == []
            assert client.close() == 0
