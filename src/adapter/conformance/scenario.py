"""Scenarios as files: where they are, and how they are read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adapter.conformance.profiles import PROFILES

if TYPE_CHECKING:
    from collections.abc import Mapping

Scenario = dict[str, Any]

FOLDER = Path(__file__).parent
"""The folder ``@LIB@`` of scenarios, which has the MCP server ``mcp_echo.py``."""
SCENARIOS = FOLDER / "scenarios"


class ScenarioError(ValueError):
    """A scenario is not there, or is none."""


def load_scenario(name: str, folder: Path = SCENARIOS) -> Scenario:
    """The scenario of a name, as JSON."""
    return read_scenario(folder / f"{name}.json")


def read_scenario(path: Path) -> Scenario:
    """Reads a scenario.

    Raises:
        ScenarioError: The file cannot be read, or is no scenario.
    """
    try:
        scenario = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ScenarioError(f"{path}: {error}") from error
    if not isinstance(scenario, dict) or not isinstance(scenario.get("steps"), list):
        raise ScenarioError(f"{path}: a scenario is an object with steps")
    if scenario.get("name") != path.stem:
        raise ScenarioError(f"{path}: its name is not the file's")
    return scenario


def all_scenarios(*folders: Path) -> dict[str, Scenario]:
    """The scenarios of this package and of further folders by name; a later folder wins over an earlier one."""
    found: dict[str, Scenario] = {}
    for folder in (SCENARIOS, *folders):
        found |= {path.stem: read_scenario(path) for path in sorted(folder.glob("*.json"))}
    return found


def is_for(scenario: Mapping[str, Any], profile: str) -> bool:
    """Whether a scenario makes sense with a client."""
    return profile in scenario.get("profiles", PROFILES)


def substitute(value: Any, texts: Mapping[str, str]) -> Any:
    """Replaces texts in all strings of a JSON value, keys included."""
    if isinstance(value, str):
        for old, new in texts.items():
            value = value.replace(old, new)
        return value
    if isinstance(value, list):
        return [substitute(item, texts) for item in value]
    if isinstance(value, dict):
        return {substitute(key, texts): substitute(item, texts) for key, item in value.items()}
    return value
