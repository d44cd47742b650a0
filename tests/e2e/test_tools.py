"""Every tool that the real Claude Code offers is known here, so that a new one is noticed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from adapter.shared.plan import is_plan_tool
from adapter.shared.tools.families import FAMILIES
from adapter.shared.tools.families.fallback import PLAIN_TOOLS
from support.scenario import load_scenario, run_scenario

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.cli


def test_every_tool_has_a_family_or_is_listed_as_plain(tmp_path: Path) -> None:
    recordings = tmp_path / "recordings"
    recordings.mkdir()
    scenario = {**load_scenario("hello"), "env": {"CLAUDE_ACP_RECORD": str(recordings)}}
    place = tmp_path / "place"
    place.mkdir()
    run_scenario(scenario, "plain", place)
    (recording,) = recordings.iterdir()
    frames = [json.loads(line).get("frame", {}) for line in recording.read_text().splitlines()]
    (tools,) = [frame["tools"] for frame in frames if frame.get("subtype") == "init"]
    assert "Bash" in tools
    assert [tool for tool in tools if tool not in FAMILIES and tool not in PLAIN_TOOLS and not is_plan_tool(tool)] == []
