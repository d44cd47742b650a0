"""The session of a subagent on a connection: its updates and questions, its cancel, and what cannot be asked of it."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.client_capabilities import read_v1_capabilities
from adapter.shared.renaming import SET_TITLE
from support import machine
from support.cores import Core, all_cores, v2_cores

from .connection import Memory, notification, prompt, request, run, settle

CHILD = "a1"
REFUSED: dict[str, dict[str, Any]] = {
    "session/prompt": {"prompt": [{"type": "text", "text": "Go"}]},
    "session/set_config_option": {"configId": "mode", "type": "id", "value": "plan"},
    "session/resume": {"cwd": "/"},
    "session/fork": {"cwd": "/", "mcpServers": []},
    "session/close": {},
    "session/delete": {},
    "session/archive": {},
    "session/unarchive": {},
    "session/status": {},
    SET_TITLE: {"title": "Mine"},
}
SESSIONS_IN_V1 = read_v1_capabilities({"subagents": {}})


async def with_child(memory: Memory) -> str:
    """A session with a subagent in the background; returns the session's id."""
    session = await memory.new(1)
    claude = memory.launcher.started[0]
    memory.write(prompt(2, session))
    claude.begins(claude.uuids()[0])
    claude.says(machine.calls("agent", "Agent", {}), machine.task_started(CHILD))
    await settle()
    return session


@v2_cores
def test_a_subagent_has_updates_and_questions_of_its_own(core: Core) -> None:
    async def steps(memory: Memory) -> None:
        await with_child(memory)
        claude = memory.launcher.started[0]
        claude.says(machine.calls("t1", parent="agent"), machine.asks("k", "t1", agent_id=CHILD))
        await settle()
        assert memory.launcher.started[0].spec.tells_subagents
        assert "tool_call_update" in [update["sessionUpdate"] for update in memory.updates(CHILD)]
        [question] = memory.questions()
        assert question["sessionId"] == CHILD
        listed = [update["background"] for update in memory.updates() if update["sessionUpdate"] == "state_update"]
        assert [{"type": "subagent", "sessionId": CHILD}] in listed

    run(steps, core)


@v2_cores
def test_a_subagent_can_be_cancelled_and_nothing_else(core: Core) -> None:
    async def steps(memory: Memory) -> None:
        session = await with_child(memory)
        memory.write(notification("session/cancel", sessionId=CHILD))
        memory.write(prompt(3, CHILD), request(4, "session/prompt", sessionId="nobody", prompt=[]))
        await settle()
        assert memory.launcher.started[0].controls() == ["get_context_usage", "stop_task"]
        assert memory.errors() == {3: -32602, 4: -32002}
        assert memory.responses()[3]["error"]["data"]["path"] == "sessionId"
        memory.write(notification("session/cancel", sessionId=session))
        await settle()
        assert memory.launcher.started[0].controls()[-1] == "interrupt"

    run(steps, core)


@all_cores
@pytest.mark.parametrize("method", REFUSED)
def test_no_request_is_taken_for_a_subagent(core: Core, method: str) -> None:
    async def steps(memory: Memory) -> None:
        await with_child(memory)
        memory.write(request(3, method, sessionId=CHILD, **REFUSED[method]))
        await settle()
        assert memory.errors() == {3: -32602}
        assert memory.responses()[3]["error"]["data"]["path"] == "sessionId"
        assert "stop_task" not in memory.launcher.started[0].controls()

    run(steps, core, capabilities=SESSIONS_IN_V1 if core is Core.V1 else None)


def test_a_v1_session_of_a_subagent_is_not_loaded() -> None:
    async def steps(memory: Memory) -> None:
        await with_child(memory)
        memory.write(request(3, "session/load", sessionId=CHILD, cwd="/", mcpServers=[]))
        await settle()
        assert memory.errors() == {3: -32602}

    run(steps, Core.V1, capabilities=SESSIONS_IN_V1)


@v2_cores
@pytest.mark.parametrize(
    ("method", "field", "tool", "kind"),
    [
        ("terminal/cancel", "terminalId", "Bash", "local_bash"),
        ("tool_call/cancel", "toolCallId", "Workflow", "local_workflow"),
    ],
)
def test_an_item_of_the_background_is_stopped_by_request(
    core: Core, method: str, field: str, tool: str, kind: str
) -> None:
    async def steps(memory: Memory) -> None:
        session = await memory.new(1)
        claude = memory.launcher.started[0]
        memory.write(prompt(2, session))
        claude.begins(claude.uuids()[0])
        claude.says(machine.calls("w1", tool), machine.task_started("b1", "w1", kind=kind))
        claude.says(machine.returns_data("w1", {"backgroundTaskId": "b1"}, "Started."))
        await settle()
        memory.write(request(3, method, sessionId=session, **{field: "w1"}))
        await settle()
        asked = claude.process.frames[-1]
        assert asked["request"] == {"subtype": "stop_task", "task_id": "b1"}
        assert 3 not in memory.responses()
        done = {"subtype": "success", "request_id": asked["request_id"], "response": {}}
        claude.says({"type": "control_response", "response": done})
        assert memory.responses()[3]["result"] == {}

    run(steps, core)


@v2_cores
def test_an_item_that_is_not_in_the_background_is_not_cancelled(core: Core) -> None:
    async def steps(memory: Memory) -> None:
        session = await memory.new(1)
        claude = memory.launcher.started[0]
        memory.write(request(2, "terminal/cancel", sessionId=session, terminalId="t1"))
        memory.write(request(3, "tool_call/cancel", sessionId=session))
        await settle()
        assert memory.errors() == {2: -32602, 3: -32602}
        assert "stop_task" not in claude.controls()

    run(steps, core)
