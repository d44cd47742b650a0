"""An agent that answers everything, or misbehaves at a prompt in the way that its argument names."""

from __future__ import annotations

import json
import sys
import uuid
from typing import Any

SESSION = str(uuid.uuid4())


def send(**fields: Any) -> None:
    print(json.dumps({"jsonrpc": "2.0", **fields}), flush=True)


def misbehave(how: str, number: int) -> None:
    """What it does instead of an answer."""
    match how:
        case "exit":
            sys.stderr.write("something broke\n")
            sys.exit(3)
        case "garbage":
            print("not a message", flush=True)
        case "stranger":
            send(id=99, result={})
        case "shapeless":
            send(id=0, method="session/request_permission", params={"options": 1})
        case "late":
            send(id=number, result={"stopReason": "end_turn"})
            send(id=number, result={"stopReason": "end_turn"})


def answer(message: dict[str, Any], how: str) -> None:
    number, method = message["id"], message["method"]
    match method:
        case "initialize":
            send(id=number, result={"protocolVersion": 1, "agentInfo": {"name": "fake", "version": "7"}})
        case "session/new" if how == "sessionless":
            send(id=number, result={})
        case "session/new":
            send(id=number, result={"sessionId": SESSION})
        case "session/prompt" if how in ("good", "wordy"):
            for word in ("Hello ", "there." if how == "good" else "you."):
                content = {"type": "text", "text": word}
                update = {"sessionUpdate": "agent_message_chunk", "content": content}
                send(method="session/update", params={"sessionId": SESSION, "update": update})
            send(id=number, result={"stopReason": "end_turn"})
        case "session/prompt":
            misbehave(how, number)
        case _:
            send(id=number, error={"code": -32601, "message": "Method not found"})


def main() -> None:
    how = sys.argv[1] if len(sys.argv) > 1 else "good"
    for line in sys.stdin:
        message = json.loads(line)
        if "method" in message and "id" in message:
            answer(message, how)


if __name__ == "__main__":
    main()
