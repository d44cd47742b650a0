"""Scenarios as tests play them: with a client that checks every message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adapter.conformance.player import Outcome, Playing, play
from adapter.conformance.scenario import load_scenario
from support.client import AcpClient
from support.place import ADAPTER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

__all__ = ["Outcome", "load_scenario", "run_scenario"]


def run_scenario(
    scenario: Mapping[str, Any], profile_name: str, folder: Path, command: Sequence[str] = ADAPTER
) -> Outcome:
    """Plays a scenario in an empty folder; raises what ``play`` raises."""
    return play(scenario, profile_name, folder, Playing(command, AcpClient))
