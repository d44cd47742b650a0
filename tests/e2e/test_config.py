"""What a client sets is what the real Claude Code runs with, as the model sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from support.scenario import run_scenario

if TYPE_CHECKING:
    from pathlib import Path

    from adapter.scripted.model import ModelRequest

pytestmark = pytest.mark.cli

AGENT = "---\nname: reviewer\ndescription: Reviews code\ntools: Read\n---\nYou are the REVIEWER."


def set_option(option: str, value: str) -> dict[str, Any]:
    return {"do": "config", "id": option, "value": value}


def turns(requests: list[ModelRequest]) -> list[dict[str, Any]]:
    """The bodies of the requests for the main conversation."""
    return [request.body for request in requests if request.body.get("tools")]


def system_prompt(body: dict[str, Any]) -> str:
    return "\n".join(part["text"] for part in body["system"])


def test_agent_effort_thinking_and_system_prompt_reach_the_model(tmp_path: Path) -> None:
    answer = {"h": [{"blocks": [{"text": "Hi."}]}]}
    ask = {"do": "prompt", "text": "[[h]] hi"}
    new = {"do": "new", "params": {"_meta": {"systemPrompt": {"append": "BE BRIEF" + " " * 100_000 + "."}}}}
    steps = [new, set_option("effort", "high"), ask, set_option("agent", "reviewer"), ask]
    steps += [set_option("agent", "default"), ask]
    scenario = {
        "model": answer,
        "steps": steps,
        "workspace": {".claude/agents/reviewer.md": AGENT, ".claude/settings.local.json": "{bad"},
        "env": {"CLAUDE_CODE_THINKING_DISPLAY": "summarized", "MAX_THINKING_TOKENS": "abc"},
    }
    outcome = run_scenario(scenario, "plain", tmp_path)
    first, led, last = turns(outcome.model_requests)
    assert "BE BRIEF" in system_prompt(first)
    assert first["output_config"]["effort"] == "high"
    assert first["thinking"]["display"] == "summarized"
    assert "REVIEWER" in system_prompt(led)
    assert len(led["tools"]) < len(first["tools"])
    assert led["output_config"]["effort"] == "high"
    assert len(led["messages"]) > len(first["messages"])
    assert "REVIEWER" not in system_prompt(last)
    assert len(last["tools"]) == len(first["tools"])
    told = str(outcome.traffic.text())
    assert "MAX_THINKING_TOKENS" in told
    assert "settings.local.json" in told
