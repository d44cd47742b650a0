"""An ACP agent of a few lines that does in the workspace what the demo expects, without any Claude Code.

usage: ``fake_agent.py BEHAVIOUR [FILE]``. The behaviour is ``good``, or the mistake that the agent makes; the file gets
its process id.
"""

from __future__ import annotations

import json
import os
import sys
from itertools import count
from pathlib import Path
from typing import Any

BEHAVIOUR = sys.argv[1]
OPTIONS = [
    {"optionId": "always", "name": "Yes, always", "kind": "allow_always"},
    {"optionId": "once", "name": "Yes", "kind": "allow_once"},
    {"optionId": "no", "name": "No", "kind": "reject_once"},
]
EDIT = {"toolCallId": "t1", "title": "Edit greeting.py", "kind": "edit", "status": "pending"}
IDS = count(100)


def send(message: dict[str, Any]) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def receive() -> dict[str, Any]:
    line = sys.stdin.readline()
    if not line:
        raise SystemExit(0)
    message: dict[str, Any] = json.loads(line)
    return message


def update(**fields: Any) -> None:
    send({"method": "session/update", "params": {"sessionId": "s1", "update": fields}})


def ask(method: str, params: dict[str, Any]) -> dict[str, Any]:
    """Asks the client and waits for its answer."""
    own_id = next(IDS)
    send({"id": own_id, "method": method, "params": {"sessionId": "s1", **params}})
    answer = receive()
    assert answer["id"] == own_id
    return answer


def work(version: int) -> None:
    """Asks for permission, then fixes the program and runs it."""
    update(sessionUpdate="agent_message_chunk", messageId="m1", content={"type": "text", "text": "I fix it."})
    assert ask("fs/read_text_file", {"path": "x"})["error"]["code"] == -32601
    subject = {"toolCall": EDIT} if version == 1 else {"subject": {"type": "tool_call", "toolCall": EDIT}}
    outcome = ask("session/request_permission", {"title": "Edit greeting.py", "options": OPTIONS, **subject})
    option = outcome["result"]["outcome"]
    assert option["outcome"] == "selected"
    allowed = option["optionId"] in ("once", "always")
    if allowed and BEHAVIOUR != "lies":
        program = Path("greeting.py")
        program.write_text(program.read_text().replace('"Hello', 'f"Hello'))
        Path("output.txt").write_text("Hello, Ada!\n")
    update(sessionUpdate="tool_call_update", toolCallId="t1", status="completed" if allowed else "failed")
    update(sessionUpdate="agent_message_chunk", messageId="m2", content={"type": "text", "text": option["optionId"]})


def prompt(request: dict[str, Any], version: int) -> None:
    usage = {"inputTokens": 11, "outputTokens": 22}
    if version == 1:
        work(version)
        send({"id": request["id"], "result": {"stopReason": "end_turn", "usage": usage}})
    else:
        send({"id": request["id"], "result": {"messageId": "u1"}})
        update(sessionUpdate="state_update", state="running")
        work(version)
        update(sessionUpdate="state_update", state="idle", stopReason="end_turn", usage=usage)


def misbehave(method: str, request: dict[str, Any]) -> None:
    """Makes the mistake of the behaviour, if it belongs to this request."""
    match BEHAVIOUR, method:
        case "dies", "session/new":
            print("the fuse has blown", file=sys.stderr)
            raise SystemExit(7)
        case "silent", "session/prompt":
            receive()
        case "noisy", "session/new":
            print("Starting up...", flush=True)
        case "lists", "session/new":
            print("[1, 2]", flush=True)
        case "shapeless", "session/prompt":
            send({"method": "session/update", "params": {"sessionId": "s1"}})
        case "refuses", "session/new":
            send({"id": request["id"], "error": {"code": -32000, "message": "Please log in"}})
        case "nameless", "session/new":
            send({"id": request["id"], "result": {}})


def main() -> None:
    if len(sys.argv) > 2:
        Path(sys.argv[2]).write_text(str(os.getpid()))
    version = 0
    while True:
        request = receive()
        method = request["method"]
        misbehave(method, request)
        if method == "initialize":
            version = 1 if BEHAVIOUR == "old" else request["params"]["protocolVersion"]
            info = {"name": "fake", "title": "Fake Agent", "version": "9.9"}
            key = "agentInfo" if version == 1 else "info"
            send({"id": request["id"], "result": {"protocolVersion": version, key: info}})
        elif method == "session/new":
            send({"id": request["id"], "result": {"sessionId": "s1"}})
            if version == 2:
                update(sessionUpdate="state_update", state="idle")
        elif method == "session/prompt":
            prompt(request, version)


main()
