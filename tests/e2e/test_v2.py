"""What v2 alone serves, with the real Claude Code: MCP servers of the client, other ones while a session is open."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

from adapter.conformance import mcp_echo
from adapter.scripted.model import ScriptedModel
from support.client import AcpClient
from support.cores import Core, v2_cores
from support.place import ADAPTER, Place

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.cli

Json = dict[str, Any]

MODEL: Json = {
    "own": [
        {"blocks": [{"tool": "mcp__tools__echo", "input": {"text": "hello"}}]},
        {"blocks": [{"text": "Echoed."}]},
    ],
    "other": [
        {"blocks": [{"tool": "mcp__lab__echo", "input": {"text": "again"}}]},
        {"blocks": [{"text": "Done."}]},
    ],
}
SETTINGS = {"permissions": {"defaultMode": "default", "allow": ["mcp__tools", "mcp__lab"]}}
OWN: Json = {"type": "acp", "name": "tools", "serverId": "s-1"}
LAB: Json = {"type": "stdio", "name": "lab", "command": sys.executable, "args": [mcp_echo.__file__], "env": []}
INFO = {"name": "test", "version": "1"}


def ended(client: AcpClient, session: str, text: str) -> Json:
    """Prompts, and waits for the end of the turn."""
    mark = client.mark()
    client.start_request("session/prompt", {"sessionId": session, "prompt": [{"type": "text", "text": text}]})
    return client.expect_update("state_update", lambda update: update["state"] == "idle", since=mark)


@v2_cores
def test_servers_of_the_client_and_others_while_the_session_is_open(tmp_path: Path, core: Core) -> None:
    place = Place.make(tmp_path, SETTINGS)
    with ScriptedModel(MODEL) as model:
        variables = {**place.environment(model.port), **core.variables}
        with AcpClient(ADAPTER, env=variables, cwd=place.workspace, version=2) as client:
            client.call("initialize", {"protocolVersion": 2, "capabilities": {}, "info": INFO})
            where = {"cwd": str(place.workspace)}
            session = client.call("session/new", {**where, "mcpServers": [OWN]})["sessionId"]
            assert ended(client, session, "[[own]] go")["stopReason"] == "end_turn"
            asked = [
                entry.message["params"]["method"]
                for entry in client.log
                if entry.message.get("method") == "mcp/message"
            ]
            assert asked == ["initialize", "tools/list", "tools/call"]
            client.expect_text("echo: hello")
            client.call("session/resume", {"sessionId": session, **where, "mcpServers": [LAB]})
            assert ended(client, session, "[[other]] go")["stopReason"] == "end_turn"
            client.expect_text("echo: again")
            assert client.close() == 0
