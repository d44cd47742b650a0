"""One session, several conversations of Claude Code; and processes that are still ending when the adapter does."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from support import machine
from support.cores import Core

from .connection import FakeProcess, Memory, close, new, prompt, request, run, settle

PLAN = {"plan": "1. Do it"}
CLEAR = {"outcome": {"outcome": "selected", "optionId": "exit-plan-clear-auto"}}


def test_a_cleared_context_has_an_id_of_its_own_and_is_the_one_that_is_resumed() -> None:
    async def steps(memory: Memory) -> None:
        session = await memory.new(1)
        memory.write(request(2, "session/set_mode", sessionId=session, modeId="plan"), prompt(3, session))
        first = memory.launcher.started[0]
        [uuid] = first.uuids()
        first.begins(uuid)
        first.says(machine.asks("q1", "t1", "ExitPlanMode", PLAN))
        [question] = [message for message in memory.messages if message.get("method") == "session/request_permission"]
        memory.write({"jsonrpc": "2.0", "id": question["id"], "result": CLEAR})
        first.finishes(uuid)
        await settle()
        second = memory.launcher.started[1]
        assert first.process.ended
        assert not second.resumed
        assert second.spec.session_id != first.spec.session_id == session
        assert second.prompts() == ["Implement the following plan:\n\n1. Do it"]
        second.dies()
        memory.write(prompt(4, session))
        await settle()
        third = memory.launcher.started[2]
        assert third.resumed
        assert third.spec.session_id == second.spec.session_id

    run(steps, Core.V1)


def test_the_end_waits_for_a_process_of_a_session_that_is_being_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def steps(memory: Memory) -> None:
        may_stop = asyncio.Event()
        session = await memory.new(1)
        process = memory.launcher.started[0].process

        async def stop(frame: dict[str, Any] | None = None) -> None:
            await may_stop.wait()
            await FakeProcess.stop(process, frame)

        monkeypatch.setattr(process, "stop", stop)
        memory.write(close(2, session))
        await settle()
        end = asyncio.ensure_future(memory.agent.shut_down())
        await settle()
        assert not end.done()
        may_stop.set()
        await end
        assert process.ended

    run(steps, Core.V1)


def test_a_session_that_cannot_be_set_up_leaves_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    async def steps(memory: Memory) -> None:
        def broken(*_arguments: Any) -> None:
            raise OSError("the folder of the recordings is gone")

        monkeypatch.setattr(memory.agent.opener, "_assemble", broken)
        memory.write(new(1))
        await settle()
        assert memory.errors() == {1: -32603}
        assert memory.launcher.started[0].process.ended

    run(steps, Core.V1)


def test_two_mcp_servers_of_one_name_are_refused() -> None:
    async def steps(memory: Memory) -> None:
        server = {"name": "a", "command": "x", "args": [], "env": []}
        memory.write(request(1, "session/new", cwd="/", mcpServers=[server, server]))
        error = memory.responses()[1]["error"]
        assert (error["code"], error["data"]["path"]) == (-32602, "mcpServers.1.name")

    run(steps, Core.V1)


def test_a_host_may_forbid_to_bypass_permissions() -> None:
    async def steps(memory: Memory) -> None:
        memory.launcher.mode = "bypassPermissions"
        options = {"allowDangerouslySkipPermissions": False}
        memory.write(request(1, "session/new", cwd="/", mcpServers=[], _meta={"claudeCode": {"options": options}}))
        await settle()
        claude = memory.launcher.started[0]
        [asked] = claude.process.frames
        assert asked["request"] == {"subtype": "set_permission_mode", "mode": "default"}
        answer = {"subtype": "success", "request_id": asked["request_id"], "response": {}}
        claude.says({"type": "control_response", "response": answer})
        await settle()
        modes = memory.responses()[1]["result"]["modes"]
        assert modes["currentModeId"] == "default"
        assert "bypassPermissions" not in [mode["id"] for mode in modes["availableModes"]]
        assert not claude.spec.may_bypass

    run(steps, Core.V1)
