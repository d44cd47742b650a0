"""Scenarios are read from this package and from other folders."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from adapter.conformance.profiles import PROFILES
from adapter.conformance.scenario import ScenarioError, all_scenarios, is_for, load_scenario, read_scenario
from adapter.conformance.steps import STEPS
from adapter.scripted.script import parse_scripts

if TYPE_CHECKING:
    from pathlib import Path


def test_a_folder_adds_scenarios_and_replaces_those_of_the_package(tmp_path: Path) -> None:
    for name in ("mine", "hello"):
        (tmp_path / f"{name}.json").write_text(json.dumps({"name": name, "steps": []}))
    found = all_scenarios(tmp_path)
    assert found["mine"] == {"name": "mine", "steps": []}
    assert found["hello"]["steps"] == []
    assert found["bash_allow"] == load_scenario("bash_allow")


@pytest.mark.parametrize("text", ["{", "[]", '{"name": "a"}', '{"name": "b", "steps": []}'])
def test_what_is_no_scenario_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(ScenarioError, match=r"a\.json"):
        read_scenario(tmp_path / "a.json")


def test_a_scenario_is_for_all_clients_unless_it_says_for_which() -> None:
    assert all(is_for({}, profile) for profile in PROFILES)
    assert [profile for profile in PROFILES if is_for({"profiles": ["v2"]}, profile)] == ["v2"]


def test_every_scenario_of_the_package_follows_the_format() -> None:
    keys = {"name", "about", "model", "steps", "workspace", "home", "settings", "env", "capabilities", "client_name"}
    keys |= {"profiles", "check_files", "shows_setup", "pick", "answers"}
    found = all_scenarios()
    assert len(found) >= 70
    for name, scenario in found.items():
        assert scenario.keys() <= keys, name
        assert scenario["about"], name
        assert {step["do"] for step in scenario["steps"]} <= STEPS.keys(), name
        assert set(scenario.get("profiles", ())) <= PROFILES.keys(), name
        assert parse_scripts(scenario.get("model", {})) is not None
