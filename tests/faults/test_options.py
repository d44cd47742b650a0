"""Options of a client, from its request to Claude Code's start, and what the person is told of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from support.cores import Core, all_cores

from .connection import Memory, new, run, settle


def options(**sent: Any) -> dict[str, Any]:
    return {"claudeCode": {"options": sent}}


def told(memory: Memory) -> str:
    """All that the person is told by updates."""
    return "\n".join(str(update.get("title") or update.get("content")) for update in memory.updates())


@all_cores
def test_options_reach_claude_code(core: Core) -> None:
    async def steps(memory: Memory) -> None:
        memory.write(new(1, _meta=options(model="sonnet", agent="reviewer", mcpServers={"m": {"command": "m"}})))
        await settle()
        spec = memory.launcher.started[0].spec
        assert spec.options.fields == {"model": "sonnet"}
        assert spec.options.agent == "reviewer"
        assert spec.options.mcp_servers == {"m": {"command": "m"}}

    run(steps, core)


@all_cores
def test_options_without_effect_are_told_once_and_start_the_session_all_the_same(core: Core) -> None:
    async def steps(memory: Memory) -> None:
        memory.write(new(1, _meta=options(bogus=1, hooks={}, other=2)))
        await settle()
        assert "result" in memory.responses()[1]
        assert told(memory).count("bogus, other") == 1
        assert told(memory).count("hooks") == 1

    run(steps, core)


@all_cores
def test_an_option_of_a_wrong_type_starts_nothing(core: Core) -> None:
    async def steps(memory: Memory) -> None:
        memory.write(new(1, _meta=options(maxTurns="three")))
        await settle()
        error = memory.responses()[1]["error"]
        assert (error["code"], error["data"]["path"]) == (-32602, "_meta.claudeCode.options.maxTurns")
        assert memory.launcher.started == []

    run(steps, core)


@all_cores
@pytest.mark.parametrize(
    ("sent", "greeting"),
    [
        ({"_meta": {"systemPrompt": "Only this."}}, {"systemPrompt": ["Only this."]}),
        ({"_meta": {"systemPrompt": {"append": "More."}}}, {"appendSystemPrompt": "More."}),
        (
            {"systemPrompt": {"mode": "override", "content": [{"type": "text", "text": "Only this."}]}},
            {"systemPrompt": ["Only this."]},
        ),
        (
            {
                "systemPrompt": {
                    "mode": "append",
                    "content": [{"type": "text", "text": "One."}, {"type": "text", "text": "Two."}],
                },
                "_meta": {"systemPrompt": "not this"},
            },
            {"appendSystemPrompt": "One.\n\nTwo."},
        ),
    ],
)
def test_a_system_prompt_reaches_claude_code(core: Core, sent: Any, greeting: Any) -> None:
    async def steps(memory: Memory) -> None:
        memory.write(new(1, **sent))
        await settle()
        assert memory.launcher.started[0].spec.options.initialize == greeting

    run(steps, core)


@all_cores
def test_a_system_prompt_that_cannot_be_applied_is_an_error(core: Core) -> None:
    async def steps(memory: Memory) -> None:
        memory.write(new(1, systemPrompt={"mode": "prepend", "content": []}))
        memory.write(new(2, _meta={"systemPrompt": 5}))
        await settle()
        first, second = (memory.responses()[number]["error"] for number in (1, 2))
        assert first["code"] == -32602
        assert first["message"].startswith("Invalid params: systemPrompt.mode: ")
        assert (second["code"], second["data"]["path"]) == (-32602, "_meta.systemPrompt")
        assert memory.launcher.started == []

    run(steps, core)


@all_cores
def test_a_malformed_variable_for_models_is_claude_codes_failure_to_start(core: Core) -> None:
    async def steps(memory: Memory) -> None:
        opener = memory.agent.opener
        opener._connection = replace(opener._connection, environment={"CLAUDE_MODEL_CONFIG": "{bad"})
        memory.write(new(1))
        await settle()
        error = memory.responses()[1]["error"]
        assert error["data"] == {"errorKind": "start_failed", "variable": "CLAUDE_MODEL_CONFIG"}
        assert "CLAUDE_MODEL_CONFIG" in error["message"]

    run(steps, core)
