"""What the cores make of recorded sessions, byte by byte.

`scripts/record_scenario.py` records them; `./check --update-golden` writes what is expected anew.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from support.schemas import document

from .replay import INPUTS, recordings, replay

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

Json = dict[str, Any]

SCENARIOS = {
    "v1": (
        "hello two_turns max_tokens refusal err_400 bash_allow bash_reject bash_always_rule bash_fail bash_safe "
        "read_edit edit_reject write_new accept_edits read_ranges cancel_stream cancel_tool cancel_permission "
        "queue_two queue_fold crash todo todo_write agent_fg agent_bg compact"
    ),
    "v1_sessions": "agent_fg agent_bg agent_resume agent_cancel",
}
"""What is recorded with v1; `test_differences.py` names what is with v2."""
ROOT = Path(__file__).parents[2]
LARGEST = 2_500_000
"""Bytes of all recordings together: some 20,000 for each scenario, and v2 has them all."""

UPDATE = {
    "v1": (1, "SessionNotification"),
    "v1_sessions": (1, "SessionNotification"),
    "v2_bridge": (2, "UpdateSessionNotification"),
    "v2_native": (2, "UpdateSessionNotification"),
}
ASK = "RequestPermissionRequest"
ELICIT = "CreateElicitationRequest"

recorded = pytest.mark.parametrize(("core", "scenario"), recordings())
promised = [recording for recording in recordings() if recording[0] != "v2_native"]
"""What native tells is what the bridge tells, but for the differences that `test_differences.py` knows."""


class JsonLines(SingleFileSnapshotExtension):
    """One file a recording, one effect a line."""

    file_extension = "jsonl"
    _write_mode = WriteMode.TEXT

    def serialize(self, data: Any, **_: Any) -> str:
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in data)


@recorded
def test_a_replay_is_the_same_each_time(core: str, scenario: str) -> None:
    assert json.dumps(list(replay(core, scenario))) == json.dumps(list(replay(core, scenario)))


@pytest.mark.parametrize(("core", "scenario"), promised)
def test_replay(core: str, scenario: str, snapshot: SnapshotAssertion) -> None:
    assert list(replay(core, scenario)) == snapshot(extension_class=JsonLines)


@recorded
def test_every_message_is_valid(core: str, scenario: str) -> None:
    version, update = UPDATE[core]
    names = {"update": update, "ask": ASK, "elicit": ELICIT}
    checked = 0
    for effect in replay(core, scenario):
        for key, name in names.items():
            if key in effect:
                value = {"sessionId": "s", "update": effect["update"]} if key == "update" else effect["params"]
                error = document(version).error(name, value)
                assert error is None, f"{error.message} at {error.json_path} of {effect}"
                checked += 1
    assert checked


def test_every_scenario_is_recorded() -> None:
    wanted = {(core, scenario) for core, scenarios in SCENARIOS.items() for scenario in scenarios.split()}
    assert {(core, scenario) for core, scenario in recordings() if core in SCENARIOS} == wanted


def test_the_recordings_are_small_and_name_no_machine() -> None:
    texts = [path.read_text(encoding="utf-8") for path in sorted(INPUTS.glob("*/*.jsonl"))]
    assert sum(len(text.encode()) for text in texts) < LARGEST
    assert [text for text in texts if "/tmp/tmp" in text or str(ROOT) in text] == []
