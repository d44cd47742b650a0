"""What the recording script makes of a recording: nothing of one machine or one moment is left, and no bulk."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).parents[2] / "scripts" / "record_scenario.py"
FOLDER = Path("/somewhere/else")
UUID = "6f2c1f0e-3f1d-4c7a-9a53-0d6b5c1f2a3b"
OTHER = "7f2c1f0e-3f1d-4c7a-9a53-0d6b5c1f2a3b"


def load() -> Any:
    spec = importlib.util.spec_from_file_location("record_scenario", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


script = load()


def neutral(value: Any) -> Any:
    return script.Neutral(FOLDER).value(value)


def test_paths_are_those_of_no_machine() -> None:
    said = ["/somewhere/else/workspace/a.txt", "/somewhere/else/home", "-somewhere-else-workspace", "127.0.0.1:40123"]
    assert neutral(said) == ["/project/a.txt", "/home/user", "-project", "127.0.0.1:1"]
    assert neutral([f"{sys.executable} {script.ROOT}/tests/a.py"]) == ["/usr/bin/python3 /adapter/tests/a.py"]
    assert neutral(f"Claude Code at {script.bundled_cli()} died") == "Claude Code at /usr/bin/claude died"


def test_ids_are_numbered_in_the_order_in_which_they_come() -> None:
    first, second = "00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"
    assert neutral({"a": UUID, "b": [f"x {OTHER}", UUID]}) == {"a": first, "b": [f"x {second}", first]}


def test_times_stand_still_and_counts_stay() -> None:
    said = {"timestamp": "2026-01-01T00:00:00Z", "duration_ms": 512, "totalDurationMs": 5, "pid": 99, "num_turns": 3}
    assert neutral(said) == {
        "timestamp": script.MOMENT,
        "duration_ms": 1,
        "totalDurationMs": 1,
        "pid": 1,
        "num_turns": 3,
    }


def piece(text: str) -> Any:
    delta = {"type": "input_json_delta", "partial_json": text}
    return {"frame": {"type": "stream_event", "event": {"type": "content_block_delta", "delta": delta}}}


def test_a_path_that_is_streamed_in_pieces_is_found() -> None:
    lines = [piece('{"path":"/some'), piece("where/else/work"), piece('space/a.txt"}')]
    lines.append({"frame": {"type": "stream_event", "event": {"type": "content_block_stop"}}})
    script.Neutral(FOLDER).pieces(lines)
    texts = [line["frame"]["event"]["delta"]["partial_json"] for line in lines[:3]]
    assert "".join(texts) == '{"path":"/project/a.txt"}'
    assert all(texts)


def test_pieces_without_a_path_stay_as_they_are() -> None:
    lines = [piece("a"), piece("bcd"), {"frame": {"event": {"type": "content_block_stop"}}}]
    before = json.dumps(lines)
    script.Neutral(FOLDER).pieces(lines)
    assert json.dumps(lines) == before


def test_the_bulk_is_cut() -> None:
    first = {
        "core": "V1Session",
        "commands": [{"name": "compact"}, {"name": "another"}],
        "models": [{"value": "opus", "description": "Opus 5.5 · Best for hard work"}],
        "settings": {"effective": {}, "applied": {}, "sources": [{"source": "userSettings"}]},
    }
    short = script.shortened(first)
    assert short["commands"] == [{"name": "compact"}]
    assert short["models"] == [{"value": "opus", "description": "Opus 5.5"}]
    assert short["settings"] == {"effective": {}, "applied": {}}
    init = {"frame": {"type": "system", "subtype": "init", "model": "opus", "tools": ["Bash"]}}
    assert script.shortened(init) == {"frame": {"type": "system", "subtype": "init", "model": "opus"}}
    context = {"input": "ControlAnswered", "key": "context", "response": {"rawMaxTokens": 5, "gridRows": [1]}}
    assert script.shortened(context)["response"] == {"rawMaxTokens": 5}
    other = {"frame": {"type": "result", "tools": ["Bash"]}}
    assert script.shortened(other) == other
