"""Which recordings an agent is compared with, and what is said if there is none."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from adapter.conformance.library import (
    GOLDEN,
    SelectionError,
    cases_to_compare,
    cases_to_record,
    read_recordings,
)
from adapter.conformance.profiles import CORES
from adapter.conformance.recording import RecordingError
from adapter.conformance.scenario import all_scenarios, is_for

from .samples import recording

if TYPE_CHECKING:
    from pathlib import Path

SCENARIOS: dict[str, dict[str, Any]] = {
    "hello": {"name": "hello"},
    "forms": {"name": "forms", "profiles": ["rich", "v2"]},
}
HELLO = recording()
LARGEST = 3_000_000
"""Bytes of all golden recordings together."""


def compared(*recordings: Any, names: Any = (), profile: str = "plain") -> list[str]:
    return [case.name for case in cases_to_compare(SCENARIOS, recordings, names, [profile])]


def test_recordings_are_read_from_a_folder(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="has no recordings"):
        read_recordings(tmp_path)
    (tmp_path / "any name.jsonl").write_text(HELLO.text())
    assert read_recordings(tmp_path) == [HELLO]
    (tmp_path / "broken.jsonl").write_text("{")
    with pytest.raises(RecordingError, match=r"broken\.jsonl is no recording"):
        read_recordings(tmp_path)


def test_scenarios_are_recorded_with_the_clients_that_they_are_for() -> None:
    def names(*arguments: str, profiles: Any = ("plain", "rich")) -> list[str]:
        return [case.name for case in cases_to_record(SCENARIOS, arguments, profiles)]

    assert names() == ["hello.plain", "forms.rich", "hello.rich"]
    assert names("hello") == ["hello.plain", "hello.rich"]
    with pytest.raises(SelectionError, match="no scenario nothing"):
        names("nothing")
    with pytest.raises(SelectionError, match="for this client"):
        names("forms", profiles=["plain"])


def test_recordings_are_found_by_scenario_and_client() -> None:
    assert compared(HELLO, replace(HELLO, profile="v2")) == ["hello.plain"]
    assert compared(replace(HELLO, profile="v2"), profile="v2_native") == ["hello.v2_native"]
    native = replace(HELLO, profile="v2_native", files={"native": ""})
    (case,) = cases_to_compare(SCENARIOS, [replace(HELLO, profile="v2"), native], (), ["v2_native"])
    assert case.measure == native


def test_a_recording_that_failed_is_no_measure() -> None:
    assert compared(HELLO, replace(HELLO, scenario="forms", failed="it ended")) == ["hello.plain"]


def test_what_is_missing_is_named_with_what_to_do() -> None:
    with pytest.raises(SelectionError, match="no recording of forms by the client plain: make one with"):
        compared(HELLO, names=["forms"])
    with pytest.raises(SelectionError, match="no recording of any scenario by the client rich"):
        compared(HELLO, profile="rich")
    with pytest.raises(SelectionError, match="no scenario nothing"):
        compared(HELLO, names=["nothing"])
    with pytest.raises(SelectionError, match="no scenario for the recordings of mine: name the folder"):
        compared(HELLO, replace(HELLO, scenario="mine"))
    assert compared(HELLO, replace(HELLO, scenario="mine"), names=["hello"]) == ["hello.plain"]


def test_each_core_has_a_recording_of_each_scenario() -> None:
    scenarios = all_scenarios()
    wanted = {
        f"{name}.{profile}" for profile in CORES.values() for name in scenarios if is_for(scenarios[name], profile)
    }
    found = read_recordings(GOLDEN)
    assert {one.name for one in found} == wanted
    assert [one.name for one in found if one.failed or one.exit_status != 0] == []
    paths = list(GOLDEN.glob("*.jsonl"))
    assert {path.stem for path in paths} == wanted
    assert sum(path.stat().st_size for path in paths) < LARGEST
    assert [path.name for path in paths if "conformance-" in path.read_text(encoding="utf-8")] == []
