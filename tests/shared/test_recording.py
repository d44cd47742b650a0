"""Inputs survive the way to a recording and back; a recording is on disk as far as it was made."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, get_args

import orjson
import pytest

from adapter.shared.inputs import (
    CancelReceived,
    ChildCancelled,
    ClientAnswered,
    CloseRequested,
    CommandFilesChanged,
    ConfigRequested,
    ControlAnswered,
    FileChanged,
    Input,
    MethodCalled,
    OutputGrew,
    PermissionAsked,
    ProcessEnded,
    ProcessStarted,
    PromptReceived,
    RequestCancelled,
    RestartWanted,
    ServersProvided,
    ServerTold,
    SessionOpened,
    ShutDown,
    SteerReceived,
    TimerFired,
)
from adapter.shared.jsonrpc.errors import AdapterBug, ClaudeFailure
from adapter.shared.jsonrpc.messages import encode
from adapter.shared.recorder import Recorder
from adapter.shared.recording import INPUT_TYPES, input_from_json, input_to_json
from adapter.shared.tools.facts import FileSnapshot

if TYPE_CHECKING:
    from pathlib import Path

BLOCK = {"type": "text", "text": "grün"}
INPUTS: list[Any] = [
    {"type": "assistant", "message": {"content": [BLOCK]}, "input": "not a name"},
    SessionOpened(("a notice",)),
    SessionOpened(),
    SessionOpened(subagents=({"agent_id": "a1"},)),
    SessionOpened(has_limits=True, idle_seconds=600.0, idle_tokens=1000),
    PromptReceived(7, "uuid", (BLOCK, BLOCK), (BLOCK,), "grÃ¼n", ("a notice",)),
    PromptReceived("a", "uuid", (), (), ""),
    PromptReceived(8, "uuid", (BLOCK,), (BLOCK,), "", steers=True, bare=True),
    SteerReceived(9, "uuid", (BLOCK,), (BLOCK,), "left", goal=True),
    CommandFilesChanged(),
    CancelReceived(),
    ChildCancelled("child"),
    RequestCancelled("x"),
    ConfigRequested(1, "model", "opus"),
    ConfigRequested(None, "mode", "plan", as_mode=True),
    MethodCalled(2, "_session/steering", {"sessionId": "s"}),
    CloseRequested(3),
    ShutDown(),
    ClientAnswered("key", {"outcome": {"outcome": "cancelled"}}),
    ClientAnswered("key", None, {"code": 1, "message": "no"}, "because"),
    ControlAnswered("title", {"title": "A"}),
    ControlAnswered("interrupt", {}, "gone"),
    PermissionAsked({"type": "control_request"}, FileSnapshot("text", "a\n")),
    FileChanged({"type": "user"}, FileSnapshot("missing")),
    OutputGrew("call", "line\n"),
    ServersProvided({"tools": "s-1"}),
    ServerTold("s-1", "r1", "notifications/progress", {"progress": 1}),
    ServerTold("s-1", "r1", "x"),
    ProcessStarted("plan"),
    ProcessStarted("plan", ("opus",)),
    RestartWanted(),
    ProcessEnded(ClaudeFailure("process_exited", "it died", {"exitStatus": -9, "stderr": ["a"]})),
    TimerFired("cancel"),
]


@pytest.mark.parametrize("event", INPUTS, ids=lambda event: type(event).__name__)
def test_an_input_comes_back_as_it_was(event: Any) -> None:
    line = encode(input_to_json(event))
    assert input_from_json(orjson.loads(line)) == event


def test_every_input_is_covered() -> None:
    known = {kind for kind in get_args(Input) if dataclasses.is_dataclass(kind)}
    assert {type(event) for event in INPUTS} - {dict} == known == set(INPUT_TYPES.values())


def test_a_recording_names_the_type_of_each_input() -> None:
    assert input_to_json(TimerFired("cancel")) == {"input": "TimerFired", "name": "cancel"}
    assert input_to_json({"type": "x"}) == {"frame": {"type": "x"}}


def test_an_input_of_another_version_is_named() -> None:
    with pytest.raises(AdapterBug, match="Nonsense"):
        input_from_json({"input": "Nonsense"})


def test_a_recorder_appends_each_input_at_once(tmp_path: Path) -> None:
    recorder = Recorder(str(tmp_path), "session", {"core": "V1Session"})
    file = tmp_path / "session.jsonl"
    recorder.record(TimerFired("cancel"))
    lines = [orjson.loads(line) for line in file.read_bytes().splitlines()]
    assert lines == [{"core": "V1Session"}, {"input": "TimerFired", "name": "cancel"}]
    recorder.record({"type": "x"})
    recorder.close()
    Recorder(str(tmp_path), "session", {"core": "again"}).close()
    assert [orjson.loads(line) for line in file.read_bytes().splitlines()][2:] == [
        {"frame": {"type": "x"}},
        {"core": "again"},
    ]


def test_a_recorder_that_cannot_write_gives_up_and_costs_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    recorder = Recorder(str(tmp_path), "session", {})
    deep: list[Any] = []
    for _ in range(2000):
        deep = [deep]
    recorder.record({"type": "x", "deep": deep})
    recorder.record(TimerFired("cancel"))
    recorder.close()
    assert "ends here" in caplog.text
    assert len((tmp_path / "session.jsonl").read_bytes().splitlines()) == 1
