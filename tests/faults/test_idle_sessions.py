"""Idle sessions give back their memory, and go on with the next prompt as if nothing had been."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.conformance import processes
from support.cores import Core, all_cores
from support.stub_cli import StubScript

from .session import SOON, adapter, session

if TYPE_CHECKING:
    from pathlib import Path

IDLE = {"CLAUDE_ACP_IDLE_SECONDS": "1"}
GONE = 3 * (1 + SOON)


@all_cores
def test_an_idle_session_ends_its_process_and_resumes_with_its_settings(tmp_path: Path, core: Core) -> None:
    with session(tmp_path, StubScript(), core, IDLE) as played:
        params = {"sessionId": played.id, "configId": "model", "value": "haiku", "type": "id"}
        assert "result" in played.client.response(played.client.start_request("session/set_config_option", params))
        assert played.turn_end(played.prompt())["stopReason"] == "end_turn"
        assert processes.wait_until_gone(played.doubles, GONE) == []
        assert len(played.stub.controls("end_session")) == 1
        assert played.turn_end(played.prompt("And now?"))["stopReason"] == "end_turn"
        first, second = played.stub.starts()
        assert f"--session-id={played.id}" in first["argv"]
        assert f"--resume={played.id}" in second["argv"]
        assert [control["model"] for control in played.stub.controls("set_model")] == ["haiku", "haiku"]


def test_a_session_with_work_in_the_background_keeps_its_process_and_so_do_as_many_as_may(tmp_path: Path) -> None:
    task = {"task_id": "b1", "task_type": "local_bash", "description": "serve"}
    changed = {"type": "system", "subtype": "background_tasks_changed", "tasks": [task]}
    script = StubScript()
    script.on_prompt().begins().emits(changed).streams("Started.").finishes()
    with adapter(tmp_path, script, Core.V1, {**IDLE, "CLAUDE_ACP_IDLE_KEEP": "1"}) as played:
        busy = played.open()
        assert played.turn_end(played.prompt())["stopReason"] == "end_turn"
        idle = played.open()
        processes.wait_until(lambda: len(played.doubles()) == 1, GONE)
        (left,) = played.doubles()
        assert busy in left.command
        assert idle not in left.command
