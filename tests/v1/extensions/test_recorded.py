"""Recorded sessions as AIR is shown them: valid messages, no key twice, and nothing of AIR's for anybody else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from adapter.shared.recording import input_from_json
from golden.replay import config_of
from support.air import ALL, AirSession, check
from support.performed import wire

if TYPE_CHECKING:
    from collections.abc import Iterator

Json = dict[str, Any]

GOLDEN = Path(__file__).parents[2] / "golden"
RECORDED = sorted((GOLDEN / "inputs" / "v1").glob("*.jsonl"))
OTHERS = sorted((GOLDEN / "__snapshots__" / "test_golden").glob("*.jsonl"))
AIRS_ALONE = (
    "jetbrains",
    "is_mcp_tool_call",
    "promptSuggestions",
    "_askUserQuestionCustomAnswer",
    "async_task_",
    "subagent_spawned",
    "subagent_state_update",
    "loadReplayEnd",
)
MOVED = {"goal", "kind", "contextCompaction"}
"""Keys that stood in `_meta` itself before they moved under `jetbrains.air`."""
REMOVED = {"title", "subagent", "skill", "skillPath"}
"""Keys that stood in `claudeCode`."""
WITHOUT_VERSION = ({"asyncTasks"}, {"contextCompaction"})
"""What is merged into a call that the client has already."""


def shown(recording: Path, *capabilities: str) -> Iterator[Json]:
    """What AIR is sent of a recorded session."""
    made_with, *lines = map(json.loads, recording.read_text(encoding="utf-8").splitlines())
    air = AirSession(*capabilities, config=config_of(made_with))
    for line in lines:
        for effect in air.take(input_from_json(line)):
            for message in wire(effect, air.encoder):
                if message.keys() & {"update", "ask", "elicit", "respond"}:
                    yield message


def metas(value: Any) -> Iterator[Json]:
    """Every `_meta` in a message."""
    if isinstance(value, list):
        for part in value:
            yield from metas(part)
    if isinstance(value, dict):
        if isinstance(value.get("_meta"), dict):
            yield value["_meta"]
        for part in value.values():
            yield from metas(part)


def is_prompts(message: Json) -> bool:
    """Whether this answers a prompt."""
    return isinstance(message.get("result"), dict) and "stopReason" in message["result"]


each_recording = pytest.mark.parametrize("recording", RECORDED, ids=lambda path: path.stem)


@each_recording
@pytest.mark.parametrize("capabilities", [ALL, ()], ids=["all", "none"])
def test_what_air_is_sent_is_valid(recording: Path, capabilities: tuple[str, ...]) -> None:
    messages = list(shown(recording, *capabilities))
    assert any("update" in message for message in messages)
    for message in messages:
        if "update" in message:
            check("SessionNotification", {"sessionId": "session", "update": message["update"]})
        elif "ask" in message:
            check("RequestPermissionRequest", message["params"])
        elif is_prompts(message):
            check("PromptResponse", message["result"])


@each_recording
def test_removed_keys_are_not_sent(recording: Path) -> None:
    for message in shown(recording, *ALL):
        for meta in metas(message):
            assert not meta.keys() & MOVED
            assert not meta.get("claudeCode", {}).keys() & REMOVED
            assert "diffStats" not in meta.get("jetbrains", {}).get("air", {})


@each_recording
def test_whatever_stands_under_air_has_a_version(recording: Path) -> None:
    for message in shown(recording, *ALL):
        for meta in metas(message):
            air = meta.get("jetbrains", {}).get("air", {"version": 1})
            assert air.get("version") == 1 or air.keys() in WITHOUT_VERSION


def test_no_recorded_session_of_another_client_has_anything_of_airs() -> None:
    assert len(OTHERS) > 50
    for path in OTHERS:
        text = path.read_text(encoding="utf-8")
        assert [word for word in AIRS_ALONE if word in text] == [], path.name
        for line in text.splitlines():
            assert all(not meta.keys() & MOVED for meta in metas(json.loads(line)))
