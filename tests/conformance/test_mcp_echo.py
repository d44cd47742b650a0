"""The MCP server of the scenarios, as a program of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from adapter.conformance import mcp_echo


def serve(*messages: dict[str, Any]) -> list[dict[str, Any]]:
    """What the server answers, in order."""
    lines = "".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in messages)
    done = subprocess.run(
        [sys.executable, mcp_echo.__file__], input=lines, capture_output=True, text=True, check=True, timeout=30
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def call(number: int, tool: str, **arguments: Any) -> dict[str, Any]:
    return {"id": number, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}


def test_it_introduces_itself_and_lists_its_tools() -> None:
    hello = {"id": 1, "method": "initialize", "params": {"protocolVersion": "x"}}
    first, second = serve(hello, {"method": "notifications/initialized"}, {"id": 2, "method": "tools/list"})
    assert first["result"]["protocolVersion"] == "x"
    assert [tool["name"] for tool in second["result"]["tools"]] == ["echo", "ask", "picture"]


def test_its_tools_answer() -> None:
    echo, picture, ping = serve(call(1, "echo", text="a"), call(2, "picture"), {"id": 3, "method": "ping"})
    assert echo["result"]["content"] == [{"type": "text", "text": "echo: a"}]
    assert [block["type"] for block in picture["result"]["content"]] == ["text", "image"]
    assert ping["result"] == {}


def test_a_question_is_asked_and_its_answer_told() -> None:
    question, answer = serve(call(7, "ask"), {"id": "ask-1", "result": {"action": "decline"}})
    assert (question["id"], question["method"]) == ("ask-1", "elicitation/create")
    assert answer["id"] == 7
    assert answer["result"]["content"][0]["text"] == 'answer: {"action": "decline"}'
