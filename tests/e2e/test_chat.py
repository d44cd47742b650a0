"""What the chat does beside talking, with the real Claude Code: questions, servers, steering, a fresh conversation."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

from adapter.conformance import mcp_echo
from support.scenario import run_scenario

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.cli

QUESTION = {
    "question": "Which?",
    "header": "Pick",
    "multiSelect": False,
    "options": [{"label": "A", "description": "The first"}, {"label": "B", "description": "The second"}],
}
LONG = " ".join(["word"] * 20)
SERVERS = [
    {"name": "my lab", "command": sys.executable, "args": [mcp_echo.__file__], "env": [{"name": "A", "value": "b c"}]},
    {"name": "broken", "command": "/nonexistent/server", "args": [], "env": []},
]


def says(text: str) -> dict[str, Any]:
    return {"do": "prompt", "text": text}


def test_a_conversation(tmp_path: Path) -> None:
    """One session for all of it, since each start of Claude Code costs seconds."""
    steer = {"sessionId": "@SID@", "prompt": [{"type": "text", "text": "[[left]] turn left"}]}
    scenario = {
        "name": "chat",
        "model": {
            "ask": [
                {"blocks": [{"tool": "AskUserQuestion", "input": {"questions": [QUESTION]}}]},
                {"blocks": [{"text": "Thanks."}]},
            ],
            "long": [{"blocks": [{"text": LONG}], "chunk_delay": 0.1}],
            "left": [{"blocks": [{"text": "Turning left."}]}],
        },
        "answers": [{"action": "accept", "content": {"question_0": "A", "question_0_custom": "of course"}}],
        "steps": [
            {"do": "new", "mcp": SERVERS},
            says("[[ask]] ask"),
            says("/mcp disable my lab"),
            {"do": "prompt", "text": "[[long]] go", "wait": False, "as": "long"},
            {"do": "await", "text": "word"},
            {"do": "call", "method": "_session/steering", "params": steer},
            {"do": "finish", "as": "long"},
            says("/clear"),
            says("/login"),
        ],
    }
    outcome = run_scenario(scenario, "zed", tmp_path)
    traffic = outcome.traffic
    assert traffic.stop_reasons() == ["end_turn"] * 5
    assert [response["result"] for response in traffic.responses("_session/steering")] == [{"outcome": "injected"}]
    call = traffic.tool_calls()["toolu_ask_0_0"]
    assert call["status"] == "completed"
    assert '"Which?"="A" notes: of course' in call["rawOutput"]
    text = traffic.text()
    assert text.count('MCP server "broken" failed to start') == 1
    assert "- Disabled `my lab`" in text
    assert "Turning left." in text
    assert LONG not in text
    assert f"{sys.executable} -m adapter --cli auth login` in a terminal" in text
    assert traffic.updates("plan")[-1]["entries"] == []
