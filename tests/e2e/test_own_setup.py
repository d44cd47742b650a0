"""What the user has set up for Claude Code is there in an editor, also in one that passes on next to nothing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from adapter.scripted.model import ScriptedModel
from support.client import AcpClient
from support.place import ADAPTER, Place
from support.scenario import run_scenario

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.cli

MODEL = {"hi": [{"blocks": [{"text": "Hello."}]}]}


def test_servers_memory_skills_commands_and_plugins_are_found(tmp_path: Path) -> None:
    server = {"command": "@PY@", "args": ["@LIB@/mcp_echo.py"]}
    plugin = {"name": "tools", "version": "1.0.0", "description": "Tools"}
    shop = {"name": "shop", "owner": {"name": "Me"}, "plugins": [{**plugin, "source": "./tools"}]}
    folder = {"source": "directory", "path": "@HOME@/shop"}
    known = {"source": folder, "installLocation": "@HOME@/shop", "lastUpdated": "2026-01-01T00:00:00.000Z"}
    plugins = {"tools@shop": [{"scope": "user", "installPath": "@HOME@/shop/tools", "version": "1.0.0"}]}
    scenario = {
        "model": MODEL,
        "settings": {"enabledPlugins": {"tools@shop": True}},
        "home": {
            ".claude/CLAUDE.md": "The user's marker is quokka.\n",
            ".claude/plugins/known_marketplaces.json": json.dumps({"shop": known}),
            ".claude/plugins/installed_plugins.json": json.dumps({"version": 2, "plugins": plugins}),
            "shop/.claude-plugin/marketplace.json": json.dumps(shop),
            "shop/tools/.claude-plugin/plugin.json": json.dumps(plugin),
            "shop/tools/commands/plugged.md": "Say hello.",
            ".claude/skills/tidy/SKILL.md": "---\nname: tidy\ndescription: Tidies up\n---\nTidy up.",
        },
        "workspace": {
            ".mcp.json": json.dumps({"mcpServers": {"lab": server}}),
            "CLAUDE.md": "The project's marker is zanzibar.\n",
            ".claude/commands/hey.md": "Say hey.",
        },
        "steps": [
            {"do": "new"},
            {"do": "prompt", "text": "[[hi]] hello"},
            {"do": "prompt", "text": "/mcp"},
        ],
    }
    outcome = run_scenario(scenario, "plain", tmp_path)
    assert outcome.traffic.stop_reasons() == ["end_turn"] * 2
    asked = json.dumps([request.body for request in outcome.model_requests])
    assert "marker is quokka" in asked
    assert "marker is zanzibar" in asked
    assert "**Connected**\n- `lab`: 3 tools" in outcome.traffic.text()
    commands = outcome.traffic.updates("available_commands_update")[0]["availableCommands"]
    assert {command["name"] for command in commands} >= {"tidy", "hey", "tools:plugged"}


def test_an_editor_without_home_and_path_gets_an_answer(tmp_path: Path) -> None:
    with ScriptedModel(MODEL) as model:
        place = Place.make(tmp_path)
        given = place.environment(model.port)
        environment = {name: value for name, value in given.items() if name not in ("HOME", "PATH", "USERPROFILE")}
        environment["CLAUDE_CONFIG_DIR"] = str(place.home / ".claude")
        with AcpClient(ADAPTER, env=environment, cwd=place.workspace) as client:
            client.call("initialize", {"protocolVersion": 1, "clientCapabilities": {}})
            session = client.call("session/new", {"cwd": str(place.workspace), "mcpServers": []})["sessionId"]
            blocks = [{"type": "text", "text": "[[hi]] hello"}]
            answer = client.call("session/prompt", {"sessionId": session, "prompt": blocks})
            assert answer["stopReason"] == "end_turn"
            listed = client.call("session/list", {"cwd": str(place.workspace)})["sessions"]
            assert [one["sessionId"] for one in listed] == [session]
            assert client.close() == 0
