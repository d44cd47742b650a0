"""A frame that is not what it should be is passed over, and the session goes on."""

from __future__ import annotations

import pytest

from support import machine
from support.cores import Core, all_cores

from .connection import Json, Memory, prompt, run


def block_delta(delta: Json) -> Json:
    return machine.stream({"type": "content_block_delta", "index": 0, "delta": delta})


def can_use(**fields: object) -> Json:
    return {"type": "control_request", "request_id": "q", "request": {"subtype": "can_use_tool", **fields}}


BROKEN: dict[str, Json] = {
    "text that is a number": block_delta({"type": "text_delta", "text": 5}),
    "text that is absent": block_delta({"type": "text_delta"}),
    "thought that is a list": block_delta({"type": "thinking_delta", "thinking": ["x"]}),
    "delta that is a text": machine.stream({"type": "content_block_delta", "index": 0, "delta": "x"}),
    "event that is null": {"type": "stream_event", "event": None},
    "message whose id is a number": machine.message_start()
    | {"event": {"type": "message_start", "message": {"id": 5}}},
    "block that is a number": machine.assistant({"type": "text", "text": 5}),
    "thought that is a number": machine.assistant({"type": "thinking", "thinking": 5}),
    "call whose id is a number": machine.assistant({"type": "tool_use", "id": 5, "name": "Bash", "input": {}}),
    "call whose name is a list": machine.assistant({"type": "tool_use", "id": "t", "name": ["Bash"], "input": {}}),
    "call without an input": machine.assistant({"type": "tool_use", "id": "t", "name": "Bash"}),
    "result of no call": machine.user([{"type": "tool_result"}]),
    "content that is a number": {"type": "user", "message": {"content": 5}},
    "blocks that are texts": {"type": "user", "message": {"content": ["x"]}},
    "question about no tool": can_use(),
    "question about a list of tools": can_use(tool_name=["Edit"], tool_use_id="t"),
    "question about a call that is a number": can_use(tool_name="Bash", tool_use_id=5),
    "question with a list as destination": can_use(
        tool_name="Bash", tool_use_id="t", permission_suggestions=[{"type": "setMode", "mode": [], "destination": []}]
    ),
    "request of a list": {"type": "control_request", "request_id": "q", "request": {"subtype": ["x"]}},
    "request that is a list": {"type": "control_request", "request_id": "q", "request": []},
    "request without an id": {"type": "control_request", "request": {"subtype": "can_use_tool"}},
    "response that is a list": {"type": "control_response", "response": ["x"]},
    "response to a list": {"type": "control_response", "response": {"request_id": ["x"]}},
    "withdrawal of a list": {"type": "control_cancel_request", "request_id": ["x"]},
    "system frame of a list": {"type": "system", "subtype": ["x"]},
    "title that is a number": machine.system("session_title_changed", title=5),
    "notice that is a list": machine.system("informational", level="warning", content=["x"]),
    "notice of an unknown level": machine.system("informational", level=["x"], content="x"),
    "commands that are numbers": machine.system("commands_changed", commands=[5]),
    "commands that are absent": machine.system("commands_changed"),
    "mode that is a list": machine.system("status", permissionMode=["plan"]),
    "lifecycle of a list": {"type": "command_lifecycle", "command_uuid": ["x"], "state": ["started"]},
    "unknown type": {"type": "never_seen", "x": [1, {"y": None}]},
}


@all_cores
@pytest.mark.parametrize("what", BROKEN)
def test_a_session_goes_on_after_a_broken_frame(core: Core, what: str) -> None:
    async def steps(memory: Memory) -> None:
        session = await memory.new(1)
        claude = memory.launcher.started[0]
        claude.says(BROKEN[what])
        memory.write(prompt(2, session))
        claude.begins(claude.uuids()[0])
        claude.says(machine.message_start("after"), machine.delta("goes on"), BROKEN[what])
        claude.finishes(claude.uuids()[0])
        assert "result" in memory.responses()[2]
        assert "goes on" in str(memory.updates())

    run(steps, core)


BROKEN_RESULTS: dict[str, Json] = {
    "reason that is a list": {"terminal_reason": ["x"], "is_error": True},
    "usage that is a list": {"usage": ["x"], "modelUsage": ["x"]},
    "cost that is a text": {"total_cost_usd": "free"},
    "origin that is a text": {"origin": "human"},
    "subtype that is a list": {"subtype": ["x"], "is_error": True},
    "answer that is a number": {"result": 5, "is_error": True},
    "errors that are numbers": {"errors": [5], "result": None, "is_error": True},
    "prompts that are numbers": {"user_message_uuids": [5]},
    "prompts that are a text": {"user_message_uuids": "x"},
    "model whose usage is a text": {"modelUsage": {machine.MODEL: "x"}},
}


@all_cores
@pytest.mark.parametrize("what", BROKEN_RESULTS)
def test_a_broken_result_does_not_end_the_session(core: Core, what: str) -> None:
    async def steps(memory: Memory) -> None:
        session = await memory.new(1)
        claude = memory.launcher.started[0]
        memory.write(prompt(2, session))
        claude.begins(claude.uuids()[0])
        claude.says(machine.message_start(), machine.result() | BROKEN_RESULTS[what], machine.idle())
        memory.write(prompt(3, session))
        claude.begins(claude.uuids()[1])
        claude.finishes(claude.uuids()[1])
        assert "result" in memory.responses()[3]
        assert 2 in memory.responses()

    run(steps, core)
