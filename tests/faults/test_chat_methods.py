"""Steering and goals as a client calls them, and what a client gets that it did not ask for."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from support.cores import Core, v2_cores
from support.images import png

from .connection import Json, Memory, request, run

TEXT = [{"type": "text", "text": "Left"}]


def test_steering_starts_a_turn_where_none_runs() -> None:
    async def steps(memory: Memory) -> None:
        session = await memory.new(1)
        image = {"type": "image", "mimeType": "image/png", "data": base64.b64encode(png()).decode()}
        memory.write(request(2, "_session/steering", sessionId=session, prompt=[*TEXT, image]))
        assert memory.responses()[2]["result"] == {"outcome": "startedNewTurn"}

    run(steps, Core.V1)


@pytest.mark.parametrize(
    ("method", "params", "message"),
    [
        ("_session/steering", {"prompt": []}, "Invalid params: steer params require a non-empty prompt array"),
        ("_session/goal", {"action": "pause"}, 'Invalid params: goal action must be "set" or "clear"'),
        ("_session/goal", {}, 'Invalid params: goal action must be "set" or "clear"'),
        (
            "_session/goal",
            {"action": "set", "objective": "  "},
            'Invalid params: goal action "set" requires a non-empty objective',
        ),
    ],
)
def test_what_cannot_be_meant_is_refused(method: str, params: Json, message: str) -> None:
    async def steps(memory: Memory) -> None:
        session = await memory.new(1)
        memory.write(request(2, method, sessionId=session, **params))
        error = memory.responses()[2]["error"]
        assert (error["code"], error["message"]) == (-32602, message)

    run(steps, Core.V1)


@pytest.mark.parametrize(
    ("params", "command"),
    [
        ({"action": "set", "objective": " Ship it "}, "/goal Ship it"),
        ({"action": "clear"}, "/goal clear"),
    ],
)
def test_a_goal_is_a_command_of_claude_codes(params: Json, command: str) -> None:
    async def steps(memory: Memory) -> None:
        session = await memory.new(1)
        memory.write(request(2, "_session/goal", sessionId=session, **params))
        claude = memory.launcher.started[0]
        assert claude.prompts() == [command]
        (uuid,) = claude.uuids()
        claude.begins(uuid)
        claude.finishes(uuid)
        await memory.until(lambda: 2 in memory.responses())
        assert memory.responses()[2]["result"] == {}
        asked = [frame["request"] for frame in claude.process.frames if frame["type"] == "control_request"]
        titles = [one["description"] for one in asked if one["subtype"] == "generate_session_title"]
        assert titles == ["/goal\n\nOK."]

    run(steps, Core.V1)


@pytest.mark.parametrize(
    ("method", "params"), [("_session/steering", {"prompt": TEXT}), ("_session/goal", {"action": "clear"})]
)
def test_an_unknown_session_is_named(method: str, params: Json) -> None:
    async def steps(memory: Memory) -> None:
        memory.write(request(1, method, sessionId="nobody", **params))
        assert memory.responses()[1]["error"]["code"] == -32002

    run(steps, Core.V1)


@v2_cores
def test_a_prompt_of_v2_may_steer(core: Core) -> None:
    async def steps(memory: Memory) -> None:
        session = await memory.new(1)
        meta: Any = {"claudeAcp": {"steer": True}}
        memory.write(request(2, "session/prompt", sessionId=session, prompt=TEXT, _meta=meta))
        sent = [frame for frame in memory.launcher.started[0].process.frames if frame["type"] == "user"]
        assert [frame.get("priority") for frame in sent] == ["now"]

    run(steps, core)


@v2_cores
def test_content_of_a_type_that_nothing_takes_is_named(core: Core) -> None:
    async def steps(memory: Memory) -> None:
        session = await memory.new(1)
        memory.write(request(2, "session/prompt", sessionId=session, prompt=[{"type": "_video", "data": "x"}]))
        error = memory.responses()[2]["error"]
        message = "Invalid params: Content blocks of type _video are not supported"
        assert error == {"code": -32602, "message": message, "data": {"type": "_video"}}

    run(steps, core)
