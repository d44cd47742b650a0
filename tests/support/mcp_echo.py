"""A stdio MCP server with one tool, ``echo``, for sessions that a client gives servers to."""

from __future__ import annotations

import json
import sys
from typing import Any

TOOL = {
    "name": "echo",
    "description": "Returns the text that it is given",
    "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
}


def result_of(method: str, params: dict[str, Any]) -> dict[str, Any]:
    """The result of a request; an empty one for requests that this server has nothing to say to."""
    if method == "initialize":
        info = {"name": "echo", "version": "1"}
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": info}
    if method == "tools/list":
        return {"tools": [TOOL]}
    if method == "tools/call":
        return {"content": [{"type": "text", "text": f"echo: {params['arguments']['text']}"}]}
    return {}


def main() -> None:
    """Serves until stdin ends."""
    for line in sys.stdin:
        message = json.loads(line)
        if "method" in message and "id" in message:
            result = result_of(message["method"], message.get("params", {}))
            print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)


if __name__ == "__main__":
    main()
