"""Whatever an agent does, it is recorded, and nothing of it is left."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from adapter.conformance import processes
from adapter.conformance.recorder import Recorded, Recorder, names

AGENT = [sys.executable, str(Path(__file__).parent / "fake_agent.py")]
STEPS: list[dict[str, Any]] = [{"do": "new"}, {"do": "prompt", "text": "hi", "timeout": 2}]
SCENARIO: dict[str, Any] = {"name": "hello", "steps": STEPS}


def record(root: Path, *how: str, **fields: Any) -> Recorded:
    return Recorder([*AGENT, *how], root).record({**SCENARIO, **fields}, "plain")


def test_a_scenario_is_recorded(tmp_path: Path) -> None:
    recorded = record(tmp_path, workspace={"a.txt": "x", "b.txt": "y"}, check_files=["a.txt", "none.txt"])
    recording = recorded.recording
    assert (recording.name, recording.failed, recording.exit_status) == ("hello.plain", None, 0)
    assert recording.agent == {"name": "fake", "version": "7"}
    assert recording.files == {"a.txt": "x"}
    made = [entry.message for entry in recording.entries if entry.direction == ">"]
    assert [message["method"] for message in made] == ["initialize", "session/new", "session/prompt"]
    assert made[1]["params"]["cwd"] == "<cwd>"
    assert made[2]["params"]["sessionId"] == "<uuid-1>"
    times = [entry.seconds for entry in recording.entries]
    assert times == sorted(times)
    assert 0 < recorded.seconds < 30
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("exit", "the agent closed its stdout before the response to request 3"),
        ("garbage", "a line on stdout is no JSON-RPC message: b'not a message\\n'"),
        ("stranger", "a response to a request that was not sent: 99"),
        ("late", "a second response to request 3"),
        ("hang", "the response to request 3 did not come within 2 s"),
        ("shapeless", "a request session/request_permission has not the shape that an answer needs"),
        ("sessionless", "what the agent said has not the shape that a step needs: KeyError('sessionId')"),
    ],
)
def test_what_an_agent_does_wrong_is_the_reason(tmp_path: Path, how: str, reason: str) -> None:
    recorded = record(tmp_path, how)
    assert (recorded.recording.failed or "").startswith(reason)
    assert recorded.recording.exit_status is None
    assert recorded.recording.entries[0].message["method"] == "initialize"
    assert recorded.stderr == (("something broke\n",) if how == "exit" else ())
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_played_is_told(tmp_path: Path) -> None:
    broken = record(tmp_path, model={"a": [{}]}).recording
    assert "the scenario is wrong: script 'a'" in (broken.failed or "")
    missing = Recorder(["/no/such/agent"], tmp_path).record(SCENARIO, "plain").recording
    assert "the agent cannot be started" in (missing.failed or "")
    assert missing.entries == ()


def test_what_an_agent_leaves_running_is_ended(tmp_path: Path) -> None:
    agent = tmp_path / "agent.sh"
    agent.write_text(f'#!/bin/sh\nsetsid sleep 600 >/dev/null 2>&1 &\nexec {AGENT[0]} {AGENT[1]} "$@"\n')
    agent.chmod(0o755)
    root = tmp_path / "root"
    root.mkdir()
    assert Recorder([str(agent)], root).record(SCENARIO, "plain").recording.failed is None
    assert processes.marked("HOME", str(root / "hello.plain" / "home")) == []


def test_a_recorder_that_is_stopped_ends_its_agents(tmp_path: Path) -> None:
    recorder = Recorder([*AGENT, "hang"], tmp_path)
    found: list[Recorded] = []
    steps = [{**STEPS[0]}, {**STEPS[1], "timeout": 60}]
    thread = threading.Thread(target=lambda: found.append(recorder.record({**SCENARIO, "steps": steps}, "plain")))
    thread.start()
    home = str(tmp_path.resolve() / "hello.plain" / "home")
    assert processes.wait_until(lambda: bool(processes.marked("HOME", home)), 10)
    recorder.stop()
    thread.join(20)
    assert "the agent closed its stdout" in (found[0].recording.failed or "")
    assert "the agent" in (recorder.record(SCENARIO, "plain").recording.failed or "")


def test_paths_have_names(tmp_path: Path) -> None:
    agent = "/opt/agent"
    found = names(tmp_path, [agent, "--flag"])
    assert found[str(tmp_path / "workspace")] == "<cwd>"
    assert found[str(tmp_path / "workspace").replace("/", "-").replace("_", "-")] == "<cwd-slug>"
    assert (found[agent], found[sys.executable]) == ("<adapter-runtime>", "<python>")
    assert "--flag" not in found
    order = list(found)
    assert order.index(str(tmp_path / "home")) < order.index(str(tmp_path))
