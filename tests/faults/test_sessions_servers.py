"""MCP servers of sessions that are open: others in their place, and those that the client provides itself."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared import server_replacement
from support.cores import Core, v2_cores
from support.transcripts import SESSION

from .connection import FakeClaude, Memory, prompt, request, run, settle
from .sessions import Sessions, answer

Json = dict[str, Any]

STDIO = {"type": "stdio", "name": "a", "command": "/bin/x", "args": [], "env": []}


def own(server_id: str) -> Json:
    """A server that the client provides."""
    return {"type": "acp", "name": "tools", "serverId": server_id}


def replaced(claude: FakeClaude) -> list[Json]:
    """The sets of servers that Claude Code was given while it ran; each request is answered."""
    sent = [frame for frame in claude.process.frames if frame["type"] == "control_request"]
    return [frame["request"]["servers"] for frame in sent if frame["request"]["subtype"] == "mcp_set_servers"]


async def connect(claude: FakeClaude, count: int) -> None:
    """Claude Code answers that many requests for other servers."""
    for number in range(count):
        await settle()
        sent = [
            frame for frame in claude.process.frames if frame.get("request", {}).get("subtype") == "mcp_set_servers"
        ]
        payload = {"subtype": "success", "request_id": sent[number]["request_id"], "response": {}}
        claude.says({"type": "control_response", "response": payload})


@v2_cores
def test_v2_replaces_the_servers_of_an_open_session_without_a_break(sessions: Sessions, core: Core) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.write(sessions.load(1, version=2))
        await answer(memory, 1)
        memory.write(prompt(2, SESSION))
        [claude] = memory.launcher.started
        [uuid] = claude.uuids()
        claude.begins(uuid)
        memory.write(sessions.load(3, version=2, mcpServers=[STDIO]))
        await settle()
        assert 3 not in memory.responses()
        await connect(claude, 1)
        assert "result" in await answer(memory, 3)
        assert replaced(claude) == [{"a": {"type": "stdio", "command": "/bin/x", "args": [], "env": {}}}]
        claude.finishes(uuid)
        assert len(memory.launcher.started) == 1
        assert memory.updates(SESSION)[-1]["stopReason"] == "end_turn"

    run(steps, core, sessions.environment)


@v2_cores
def test_servers_that_v2_leaves_out_are_none_and_the_same_ones_stay(sessions: Sessions, core: Core) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.write(sessions.load(1, version=2, mcpServers=[STDIO]))
        await answer(memory, 1)
        [claude] = memory.launcher.started
        memory.write(sessions.load(2, version=2, mcpServers=[STDIO]))
        await answer(memory, 2)
        assert replaced(claude) == []
        memory.write(request(3, "session/resume", sessionId=SESSION, cwd=sessions.cwd))
        await connect(claude, 1)
        await answer(memory, 3)
        assert replaced(claude) == [{}]

    run(steps, core, sessions.environment)


@v2_cores
def test_servers_that_hang_hold_no_answer_up_for_ever(
    sessions: Sessions, monkeypatch: pytest.MonkeyPatch, core: Core
) -> None:
    monkeypatch.setattr(server_replacement, "SECONDS", 0.0)

    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.write(sessions.load(1, version=2))
        await answer(memory, 1)
        memory.write(sessions.load(2, version=2, mcpServers=[STDIO]))
        assert "result" in await answer(memory, 2)
        assert "mcp_set_servers" in memory.launcher.started[0].controls()

    run(steps, core, sessions.environment)


@v2_cores
def test_a_process_that_is_started_later_gets_the_servers_of_the_last_resume(sessions: Sessions, core: Core) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.write(sessions.load(1, version=2))
        await answer(memory, 1)
        memory.launcher.started[0].dies()
        memory.write(sessions.load(2, version=2, mcpServers=[STDIO]))
        assert "result" in await answer(memory, 2)
        memory.write(prompt(3, SESSION))
        await settle()
        assert list(memory.launcher.started[1].spec.mcp_servers) == ["a"]

    run(steps, core, sessions.environment)


@v2_cores
def test_a_server_of_the_client_is_served_over_the_connection(sessions: Sessions, core: Core) -> None:
    async def steps(memory: Memory) -> None:
        memory.write(request(1, "session/new", cwd="/", mcpServers=[own("s-1")]))
        await answer(memory, 1)
        [claude] = memory.launcher.started
        assert claude.spec.mcp_servers == {"tools": {"type": "sdk", "name": "tools"}}
        inner = {"jsonrpc": "2.0", "id": 0, "method": "tools/list"}
        asked = {"subtype": "mcp_message", "server_name": "tools", "message": inner}
        claude.says({"type": "control_request", "request_id": "r1", "request": asked})
        [sent] = [message for message in memory.messages if message.get("method") == "mcp/message"]
        assert sent["params"] == {"serverId": "s-1", "requestId": "r1", "method": "tools/list"}
        word = {"serverId": "s-1", "requestId": "r1", "method": "notifications/progress", "params": {"progress": 1}}
        memory.write({"jsonrpc": "2.0", "method": "mcp/message", "params": word})
        assert claude.controls()[-1] == "mcp_message"
        memory.write({"jsonrpc": "2.0", "id": sent["id"], "result": {"result": {"tools": []}}})
        reply = claude.process.frames[-1]["response"]["response"]["mcp_response"]
        assert reply == {"jsonrpc": "2.0", "id": 0, "result": {"tools": []}}

    run(steps, core, sessions.environment)


@v2_cores
def test_another_server_of_the_same_name_is_asked_anew(sessions: Sessions, core: Core) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.write(sessions.load(1, version=2, mcpServers=[own("s-1")]))
        await answer(memory, 1)
        [claude] = memory.launcher.started
        memory.write(sessions.load(2, version=2, mcpServers=[own("s-2")]))
        await connect(claude, 2)
        await answer(memory, 2)
        assert replaced(claude) == [{}, {"tools": {"type": "sdk", "name": "tools"}}]

    run(steps, core, sessions.environment)


def test_v1_offers_no_servers_of_the_client(sessions: Sessions) -> None:
    async def steps(memory: Memory) -> None:
        memory.write(request(1, "session/new", cwd="/", mcpServers=[own("s-1")]))
        assert (await answer(memory, 1))["error"]["code"] == -32602

    run(steps, Core.V1, sessions.environment)
