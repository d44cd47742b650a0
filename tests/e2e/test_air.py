"""What AIR gets of the real Claude Code: an effort that is set, files that are reported, a turn of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from support.air import payloads, tasks
from support.scenario import run_scenario

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.cli

WISH = {"agentFileChangeReportRequest": {"version": 1, "requestId": "r1"}}


def test_files_effort_and_a_turn_of_claudes_own(tmp_path: Path) -> None:
    write = {"tool": "Write", "input": {"file_path": "@CWD@/new.txt", "content": "x\n"}}
    command = {"command": "sleep 1; echo x", "description": "Wait", "run_in_background": True}
    scenario: dict[str, Any] = {
        "model": {
            "w": [{"blocks": [write]}, {"blocks": [{"text": "Written."}]}],
            "b": [{"blocks": [{"tool": "Bash", "input": command}]}, {"blocks": [{"text": "Started."}]}],
        },
        "settings": {"permissions": {"defaultMode": "default", "allow": ["Bash"]}},
        "steps": [
            {"do": "new"},
            {"do": "prompt", "text": "[[w]] write", "params": {"_meta": {"jetbrains": {"air": WISH}}}},
            {"do": "prompt", "text": "[[b]] run"},
            {"do": "await", "text": "Claude is working"},
            {"do": "sleep", "s": 1},
        ],
    }
    outcome = run_scenario(scenario, "air", tmp_path)
    updates = outcome.traffic.updates()
    (report,) = payloads(updates, "agentFileChangeReport")
    assert (report["status"], [path.rsplit("/", 1)[1] for path in report["paths"]]) == ("reported", ["new.txt"])
    turn = [update for update in tasks(updates) if update["asyncTaskId"].startswith("autonomous-turn-")]
    assert [update.get("state", "begun") for update in turn] == ["begun", "completed"]
    requests = [request.body for request in outcome.model_requests if request.body.get("tools")]
    assert requests[0]["output_config"]["effort"] == "medium"
