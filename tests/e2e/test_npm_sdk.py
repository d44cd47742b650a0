"""A conversation with the v2 client of the protocol's npm SDK, its validation on, with the real Claude Code."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from adapter.scripted.model import ScriptedModel
from support.npm import NODE, npm_packages
from support.place import ADAPTER, Place

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

pytestmark = pytest.mark.npm

Json = dict[str, Any]

RUN_TIMEOUT = 60
BRIDGE = {"CLAUDE_AGENT_ACP_EXPERIMENTAL_V2": "1"}
NATIVE = {**BRIDGE, "CLAUDE_AGENT_ACP_V2_CORE": "native"}
DELEGATION = {
    "description": "Look around",
    "prompt": "[[sub]] look",
    "subagent_type": "general-purpose",
    "run_in_background": False,
}
FAULTY_AGENT = """
import json
id = json.loads(input())["id"]
result = {"protocolVersion": 2, "info": {"name": "faulty", "version": "1"}, "capabilities": {"session": 7}}
print(json.dumps({"jsonrpc": "2.0", "id": id, "result": result}), flush=True)
id = json.loads(input())["id"]
update = {"sessionUpdate": "agent_message_chunk", "content": 7}
params = {"sessionId": "s", "update": update}
print(json.dumps({"jsonrpc": "2.0", "method": "session/update", "params": params}))
print(json.dumps({"jsonrpc": "2.0", "id": id, "result": {"sessionId": 7}}), flush=True)
"""


def call(tool: str, **arguments: Any) -> Json:
    return {"blocks": [{"tool": tool, "input": arguments}]}


def say(text: str) -> Json:
    return {"blocks": [{"text": text}]}


def scripts(note: Path) -> Json:
    return {
        "work": [
            call("Bash", command="echo hello > made.txt; cat made.txt", description="Make a file"),
            call("Read", file_path=str(note)),
            call("Edit", file_path=str(note), old_string="beta", new_string="BETA"),
            say("It is done."),
        ],
        "delegate": [call("Agent", **DELEGATION), say("The subagent is back.")],
        "sub": [call("Bash", command="touch sub.txt", description="Touch"), say("Sub report.")],
        "wait": [call("Bash", command="touch waits && sleep 20", description="Wait"), say("Waited.")],
        "again": [say("Still here.")],
    }


def play(command: Sequence[str], conversation: Json, cwd: Path, environment: Mapping[str, str] | None) -> Json:
    """Plays a conversation with an agent; what v2_client.mjs prints."""
    done = subprocess.run(
        [str(NODE), str(npm_packages() / "v2_client.mjs"), *command],
        input=json.dumps({"cwd": str(cwd), **conversation}),
        env=environment,
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=RUN_TIMEOUT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    seen: Json = json.loads(done.stdout)
    return seen


def updates(part: Sequence[Json], kind: str, session: str | None = None) -> list[Json]:
    return [
        each["update"]
        for each in part
        if each["update"]["sessionUpdate"] == kind and session in {None, each["sessionId"]}
    ]


def said(part: Sequence[Json], session: str, kind: str = "agent_message_chunk") -> str:
    return "".join(update["content"]["text"] for update in updates(part, kind, session))


def statuses(part: Sequence[Json], session: str) -> dict[str, str]:
    """The last status of each tool call by its title."""
    calls: dict[str, Json] = {}
    for update in updates(part, "tool_call_update", session):
        calls.setdefault(update["toolCallId"], {}).update(update)
    return {call["title"]: call["status"] for call in calls.values()}


def states(part: Sequence[Json], session: str) -> list[str]:
    return [update["state"] for update in updates(part, "state_update", session)]


@pytest.mark.parametrize("core", [BRIDGE, NATIVE], ids=["bridge", "native"])
def test_a_conversation_of_the_sdks_v2_client(tmp_path: Path, core: Mapping[str, str]) -> None:
    place = Place.make(tmp_path, workspace={"note.txt": "alpha\nbeta\n"})
    prompts = [{"text": "[[work]] go"}, {"text": "[[delegate]] go"}, {"text": "[[wait]] go", "cancelAt": "waits"}]
    with ScriptedModel(scripts(place.workspace / "note.txt")) as model:
        environment = {**place.environment(model.port), **core}
        seen = play(ADAPTER, {"prompts": prompts, "again": "[[again]] go"}, place.workspace, environment)
    assert seen["problems"] == []
    [session] = [each["sessionId"] for each in seen["list"]["sessions"]]
    work, delegated, stopped = (prompt["updates"] for prompt in seen["prompts"])
    for prompt in (*seen["prompts"], seen["again"]):
        [message] = updates(prompt["updates"], "user_message")
        assert message["messageId"] == prompt["answer"]["messageId"]

    assert place.files() == {"made.txt": "hello\n", "note.txt": "alpha\nBETA\n", "sub.txt": "", "waits": ""}
    work_calls = ["echo hello > made.txt; cat made.txt", "Read note.txt", "Edit note.txt"]
    assert statuses(work, session) == dict.fromkeys(work_calls, "completed")
    [*_, result] = [update for update in updates(work, "tool_call_update") if update.get("status") == "completed"]
    assert result["locations"] == [{"path": str(place.workspace / "note.txt"), "line": 1}]
    assert said(work, session) == "It is done."
    question = ["requires_action", "running"]
    assert states(work, session) == ["running", *question, *question, "idle"]
    assert updates(work, "state_update")[-1]["stopReason"] == "end_turn"

    [child] = {update["sessionId"] for update in updates(delegated, "subagent_update")}
    asked = [(each["sessionId"], each["title"]) for each in seen["permissions"]]
    assert asked == [
        (session, work_calls[0]),
        (session, "Edit note.txt"),
        (child, "touch sub.txt"),
        (session, "touch waits && sleep 20"),
    ]
    assert statuses(delegated, child) == {"touch sub.txt": "completed"}
    assert said(delegated, child) == "Sub report."
    assert said(delegated, session) == "The subagent is back."
    assert states(delegated, child) == states(delegated, session) == ["running", *question, "idle"]

    assert statuses(stopped, session) == {"touch waits && sleep 20": "cancelled"}
    assert updates(stopped, "state_update")[-1]["stopReason"] == "cancelled"

    replay = seen["replay"]
    asked_before = [said([each], session, "user_message_chunk") for each in replay]
    assert [text for text in asked_before if text] == ["[[work]] go", "[[delegate]] go", "[[wait]] go"]
    assert said(replay, session) == "It is done.The subagent is back."
    assert statuses(replay, session).keys() == {*work_calls, "touch waits && sleep 20"}
    assert statuses(replay, child) == {"touch sub.txt": "completed"}
    assert said(replay, child) == "Sub report."
    assert states(replay, child)[-1] == states(replay, session)[-1] == "idle"

    assert said(seen["again"]["updates"], session) == "Still here."
    assert updates(seen["again"]["updates"], "state_update", session)[-1]["stopReason"] == "end_turn"


def test_the_client_reports_what_its_schema_does_not_take(tmp_path: Path) -> None:
    command = [sys.executable, "-c", FAULTY_AGENT]
    problems = play(command, {"prompts": [], "again": "go"}, tmp_path, None)["problems"]
    assert any("initialize/capabilities" in problem for problem in problems)
    assert any("Error handling notification" in problem for problem in problems)
    assert any("sessionId" in problem for problem in problems[1:])
