"""Each step of a scenario sends what its client would send, in either version of the protocol."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from adapter.conformance.profiles import PROFILES
from adapter.conformance.scenario import SCENARIOS, load_scenario, substitute
from adapter.conformance.steps import STEPS
from support.scenario import Outcome, run_scenario

if TYPE_CHECKING:
    from pathlib import Path

# An agent of either version: it answers every request, and a prompt with a chunk that names the ids of the steps below.
AGENT = """
import json, sys
def send(**fields): print(json.dumps({"jsonrpc": "2.0", **fields}), flush=True)
def update(**fields): send(method="session/update", params={"sessionId": "s1", "update": fields})
results = {
    "session/new": {"sessionId": "s1"},
    "session/fork": {"sessionId": "s2"},
    "session/list": {"sessions": []},
    "session/set_config_option": {"configOptions": []},
}
version, sessions, held = 1, 0, None
def finish(request_id):
    send(id=request_id, result={"stopReason": "end_turn"} if version == 1 else {"messageId": "m0"})
    if version == 2: update(sessionUpdate="state_update", state="idle", stopReason="end_turn")
for line in sys.stdin:
    try: message = json.loads(line)
    except ValueError: send(id=None, error={"code": -32700, "message": "Parse error"}); continue
    method, params = message["method"], message["params"]
    if method == "session/cancel": finish(held)
    if "id" not in message: continue
    if method == "initialize":
        version = params["protocolVersion"]
        info = {"name": "double", "version": "1"}
        send(id=message["id"], result={"protocolVersion": version, **({"info": info} if version == 2 else {})})
    elif method == "session/prompt":
        text = {"type": "text", "text": "heard"}
        update(sessionUpdate="agent_message_chunk", messageId="m1", content=text)
        update(sessionUpdate="tool_call_update", toolCallId="t1", title="Run")
        if "hold" in json.dumps(params): held = message["id"]
        else: finish(message["id"])
    elif method.startswith("session/"): send(id=message["id"], result=results.get(method, {}))
    else: send(id=message["id"], error={"code": -32601, "message": "Method not found"})
"""


def play(folder: Path, profile: str, *steps: dict[str, Any], **fields: Any) -> Outcome:
    program = folder / "agent.py"
    program.write_text(AGENT)
    run = folder / "run"
    run.mkdir()
    return run_scenario({"steps": [{"do": "new"}, *steps], **fields}, profile, run, [sys.executable, str(program)])


def last(outcome: Outcome) -> tuple[str, dict[str, Any]]:
    message = outcome.traffic.sent()[-1]
    return message["method"], {name: value for name, value in message["params"].items() if name != "cwd"}


STEP_CASES: list[tuple[dict[str, Any], tuple[str, dict[str, Any]], tuple[str, dict[str, Any]] | None]] = [
    (
        {"do": "prompt", "text": "hi"},
        ("session/prompt", {"sessionId": "s1", "prompt": [{"type": "text", "text": "hi"}]}),
        None,
    ),
    (
        {"do": "mode", "mode": "plan"},
        ("session/set_mode", {"sessionId": "s1", "modeId": "plan"}),
        ("session/set_config_option", {"sessionId": "s1", "configId": "mode", "type": "id", "value": "plan"}),
    ),
    (
        {"do": "config", "id": "model", "value": "haiku"},
        ("session/set_config_option", {"sessionId": "s1", "configId": "model", "value": "haiku"}),
        ("session/set_config_option", {"sessionId": "s1", "configId": "model", "type": "id", "value": "haiku"}),
    ),
    (
        {"do": "load"},
        ("session/load", {"sessionId": "s1", "mcpServers": []}),
        ("session/resume", {"sessionId": "s1", "replayFrom": {"type": "start"}}),
    ),
    (
        {"do": "resume"},
        ("session/resume", {"sessionId": "s1", "mcpServers": []}),
        ("session/resume", {"sessionId": "s1"}),
    ),
    ({"do": "fork"}, ("session/fork", {"sessionId": "s1", "mcpServers": []}), None),
    ({"do": "list"}, ("session/list", {}), None),
    ({"do": "close"}, ("session/close", {"sessionId": "s1"}), None),
    ({"do": "delete"}, ("session/delete", {"sessionId": "s1"}), None),
    ({"do": "call", "method": "_x/y", "params": {"of": "@SID@"}}, ("_x/y", {"of": "s1"}), None),
    ({"do": "notify", "method": "_x/z", "params": {"of": "@SID@"}}, ("_x/z", {"of": "s1"}), None),
    ({"do": "cancel_session", "id": "other"}, ("session/cancel", {"sessionId": "other"}), None),
]


@pytest.mark.parametrize(("step", "sent", "sent_v2"), STEP_CASES, ids=[case[0]["do"] for case in STEP_CASES])
@pytest.mark.parametrize("profile", ["plain", "v2"])
def test_a_step_sends_its_message(
    tmp_path: Path, profile: str, step: dict[str, Any], sent: tuple[str, Any], sent_v2: tuple[str, Any] | None
) -> None:
    held = {"do": "prompt", "text": "hold", "wait": False}
    before = [held] if step["do"] == "cancel_session" else []
    outcome = play(tmp_path, profile, *before, step)
    assert last(outcome) == (sent_v2 if profile == "v2" and sent_v2 else sent)
    assert outcome.status == 0


@pytest.mark.parametrize("profile", ["plain", "v2"])
def test_a_prompt_can_be_awaited_cancelled_and_finished(tmp_path: Path, profile: str) -> None:
    steps: list[dict[str, Any]] = [
        {"do": "prompt", "text": "hold", "wait": False, "as": "first"},
        {"do": "await", "text": "heard"},
        {"do": "cancel_request", "as": "first"},
        {"do": "cancel"},
        {"do": "finish", "as": "first"},
    ]
    outcome = play(tmp_path, profile, *steps)
    assert outcome.traffic.stop_reasons() == ["end_turn"]
    (cancelled,) = [m["params"] for m in outcome.traffic.sent() if m["method"] == "$/cancel_request"]
    (prompted,) = [m["id"] for m in outcome.traffic.sent() if m["method"] == "session/prompt"]
    assert cancelled == {"requestId": prompted}


def test_steps_name_the_latest_ids(tmp_path: Path) -> None:
    params = {"message": "@MSG@", "tool": "@TOOL@", "child": "@CHILD@", "terminal": "@TERM@"}
    call = {"do": "call", "method": "_x/y", "params": params}
    outcome = play(tmp_path, "plain", {"do": "prompt", "text": "hi"}, call)
    assert last(outcome)[1] == {"message": "m1", "tool": "t1", "child": "none", "terminal": "none"}


def test_a_step_can_name_an_earlier_session(tmp_path: Path) -> None:
    outcome = play(tmp_path, "plain", {"do": "fork"}, {"do": "close"}, {"do": "close", "session": 0})
    closed = [m["params"]["sessionId"] for m in outcome.traffic.sent() if m["method"] == "session/close"]
    assert (outcome.sessions, closed) == (["s1", "s2"], ["s2", "s1"])


def test_files_are_made_before_and_read_after(tmp_path: Path) -> None:
    steps: list[dict[str, Any]] = [
        {"do": "write", "file": "late.txt", "text": "late"},
        {"do": "await_file", "file": "late.txt"},
        {"do": "sleep", "s": 0},
        {"do": "raw", "line": "{not json"},
    ]
    settings = {"permissions": {"allow": ["Bash"]}}
    outcome = play(tmp_path, "plain", *steps, workspace={"sub/a.txt": "@CWD@\r\n"}, settings=settings)
    workspace = tmp_path.resolve() / "run" / "workspace"
    assert outcome.files == {"late.txt": "late", "sub/a.txt": f"{workspace}\r\n"}
    assert json.loads((tmp_path / "run/home/.claude/settings.json").read_text()) == settings


def test_a_client_introduces_itself_by_its_profile(tmp_path: Path) -> None:
    outcome = play(tmp_path, "zed", client_name="Zed", capabilities={"fs": {}})
    params = outcome.traffic.sent()[0]["params"]
    assert params["clientInfo"]["name"] == "Zed"
    assert params["clientCapabilities"] == {**PROFILES["zed"].capabilities, "fs": {}}


def test_every_scenario_is_made_of_known_steps() -> None:
    names = [path.stem for path in SCENARIOS.glob("*.json")]
    assert len(names) >= 26
    for name in names:
        scenario = load_scenario(name)
        assert scenario["name"] == name
        assert {step["do"] for step in scenario["steps"]} <= STEPS.keys(), name


def test_texts_are_replaced_everywhere() -> None:
    value = {"@A@/x": ["@A@", {"y": "is @A@"}], "n": 1}
    assert substitute(value, {"@A@": "a"}) == {"a/x": ["a", {"y": "is a"}], "n": 1}
