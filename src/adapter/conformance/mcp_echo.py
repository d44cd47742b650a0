"""A stdio MCP server for sessions that a client gives servers to: ``echo``, ``ask`` (a form), ``picture`` (an image).

It runs as a program of its own, so it imports nothing of the package.
"""

from __future__ import annotations

import json
import sys
from typing import Any

DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="  # One pixel.
NOTHING: dict[str, Any] = {"type": "object", "properties": {}}
TOOLS = [
    {
        "name": "echo",
        "description": "Returns the text that it is given",
        "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
    },
    {"name": "ask", "description": "Asks the user", "inputSchema": NOTHING},
    {"name": "picture", "description": "Returns a picture", "inputSchema": NOTHING},
]
QUESTION = {
    "message": "Who are you?",
    "requestedSchema": {
        "type": "object",
        "properties": {
            "name": {"type": "string", "title": "Name"},
            "size": {"type": "string", "enum": ["S", "L"]},
        },
        "required": ["name"],
    },
}


def result_of(method: str, params: dict[str, Any]) -> dict[str, Any]:
    """The result of a request that nobody has to be asked for; empty where this server has nothing to say."""
    if method == "initialize":
        info = {"name": "echo", "version": "1"}
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": info}
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call" and params["name"] == "picture":
        return {"content": [_text("a dot"), {"type": "image", "data": DOT, "mimeType": "image/png"}]}
    if method == "tools/call":
        return {"content": [_text(f"echo: {params['arguments']['text']}")]}
    return {}


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def main() -> None:
    """Serves until stdin ends."""
    asked: list[Any] = []
    for line in sys.stdin:
        message = json.loads(line)
        method, params = message.get("method"), message.get("params", {})
        if method == "tools/call" and params["name"] == "ask":
            asked.append(message["id"])
            _send(id=f"ask-{len(asked)}", method="elicitation/create", params=QUESTION)
        elif method is not None and "id" in message:
            _send(id=message["id"], result=result_of(method, params))
        elif method is None and asked:
            answer = json.dumps(message.get("result") or message.get("error"))
            _send(id=asked.pop(), result={"content": [_text(f"answer: {answer}")]})


def _send(**fields: Any) -> None:
    print(json.dumps({"jsonrpc": "2.0", **fields}), flush=True)


if __name__ == "__main__":
    main()
