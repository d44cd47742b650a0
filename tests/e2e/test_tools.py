"""Every tool of the real Claude Code is known here, and what it reads and what the model's servers do is shown."""

from __future__ import annotations

import base64
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


PDF = b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n%%EOF\n"
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
CELL = {
    "cell_type": "code",
    "id": "c1",
    "metadata": {},
    "execution_count": 1,
    "source": ["draw()"],
    "outputs": [{"output_type": "display_data", "data": {"image/png": PIXEL}, "metadata": {}}],
}
NOTEBOOK = {"cells": [CELL], "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}


def test_documents_notebooks_and_tools_of_the_models_servers_are_shown(tmp_path: Path) -> None:
    hits = [{"type": "web_search_result", "title": "ACP", "url": "https://acp.test", "encrypted_content": "x"}]
    searched = {"type": "web_search_tool_result", "tool_use_id": "srv_1", "content": hits}
    search = {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {"query": "acp"}}
    scenario = {
        "workspace": {"a.txt": base64.b64encode(PDF).decode(), "n.ipynb": json.dumps(NOTEBOOK)},
        "model": {
            "read": [
                {"blocks": [{"tool": "Bash", "input": {"command": "base64 -d a.txt > a.pdf"}}]},
                {"blocks": [{"tool": "Read", "input": {"file_path": "@CWD@/a.pdf"}}]},
                {"blocks": [{"tool": "Read", "input": {"file_path": "@CWD@/n.ipynb"}}]},
                {"blocks": [{"given": search}, {"given": searched}, {"text": "Done."}]},
            ]
        },
        "steps": [{"do": "new"}, {"do": "prompt", "text": "[[read]] all"}],
    }
    traffic = run_scenario(scenario, "plain", tmp_path).traffic
    _, document, notebook, search_call = traffic.tool_calls().values()
    assert [traffic.tool_statuses(), traffic.text()] == [["completed"] * 4, "Done."]
    assert document["content"][1]["content"]["text"] == f"[document: application/pdf, {len(PDF)} B]"
    assert 'id="c1">draw()' in notebook["content"][0]["content"]["text"]
    assert notebook["content"][1]["content"] == {"type": "image", "data": PIXEL, "mimeType": "image/png"}
    assert search_call["title"] == 'Search "acp"'
    assert search_call["content"][0]["content"]["text"] == "ACP (https://acp.test)"
