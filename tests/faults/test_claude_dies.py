"""Claude Code dies, falls silent, or ignores an interrupt: the turn ends in time, and the next prompt is answered."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from support.cores import Core, all_cores
from support.stub_cli import StubScript

from .session import CANCELS, Session, session

if TYPE_CHECKING:
    from pathlib import Path


BASH = {"command": "sleep 9", "description": "Wait"}


def failure(end: dict[str, Any]) -> dict[str, Any]:
    data: dict[str, Any] = end["error"]["data"]
    return data


def check_resumed(played: Session) -> None:
    """The next prompt is answered by a Claude Code that was started again on the session's transcript."""
    assert played.turn_end(played.prompt("And now?"))["stopReason"] == "end_turn"
    first, second = played.stub.starts()
    assert f"--session-id={played.id}" in first["argv"]
    assert f"--resume={played.id}" in second["argv"]
    assert len(played.doubles()) == 1


@all_cores
def test_claude_code_is_killed_in_mid_turn(tmp_path: Path, core: Core) -> None:
    go_on = tmp_path / "go-on"
    script = StubScript()
    script.on_prompt().begins().calls("Bash", BASH).waits_for_file(go_on).returns("done").finishes()
    with session(tmp_path, script, core) as played:
        exchange = played.prompt()
        played.client.expect_text("sleep 9")
        played.kill()
        end = played.turn_end(exchange)
        assert failure(end)["errorKind"] == "process_exited"
        assert failure(end)["exitStatus"] == -9
        assert played.client.traffic.tool_statuses() == ["failed"]
        go_on.touch()
        check_resumed(played)


@all_cores
def test_claude_code_closes_its_output(tmp_path: Path, core: Core) -> None:
    script = StubScript()
    script.on_prompt().begins().starts_text("Hel").closes_stdout()
    with session(tmp_path, script, core) as played:
        end = played.turn_end(played.prompt())
        assert failure(end)["errorKind"] == "process_exited"
        assert "closed its output" in end["error"]["message"]
        played.check_none_runs()


@all_cores
def test_a_death_while_nothing_runs_is_mended_by_the_next_prompt(tmp_path: Path, core: Core) -> None:
    script = StubScript()
    script.on_control("set_model").dies()
    with session(tmp_path, script, core) as played:
        played.lose()
        check_resumed(played)


@all_cores
def test_an_exit_with_a_status_is_told_with_the_last_words(tmp_path: Path, core: Core) -> None:
    script = StubScript()
    script.on_prompt().begins().complains("out of luck").exits(7)
    with session(tmp_path, script, core) as played:
        end = played.turn_end(played.prompt())
        assert failure(end)["exitStatus"] == 7
        assert end["error"]["message"].endswith("exited with status 7: out of luck")
        assert failure(end)["stderr"] == ["out of luck"]


def test_a_cancel_settles_though_claude_code_ignores_it_or_is_silent(tmp_path: Path) -> None:
    ignores, silent = StubScript(), StubScript()
    ignores.on_control("interrupt")
    ignores.on_prompt().begins().calls("Bash", BASH).waits_for("never")
    silent.on_prompt().begins().calls("Bash", BASH).goes_silent()
    with ExitStack() as stack:
        sessions = []
        for core, script in ((Core.V1, ignores), (Core.BRIDGE, ignores), (Core.NATIVE, silent)):
            folder = tmp_path / core
            folder.mkdir()
            sessions.append(stack.enter_context(session(folder, script, core)))
        prompts = [played.prompt() for played in sessions]
        for played in sessions:
            played.client.expect_text("sleep 9")
            played.cancel()
        for played, exchange in zip(sessions, prompts, strict=True):
            assert played.turn_end(exchange, CANCELS)["stopReason"] == "cancelled"
            assert played.client.traffic.tool_statuses() == ["failed" if played.version == 1 else "cancelled"]
            played.check_none_runs()
            next_prompt = played.prompt("And now?")
            played.stub.wait_for(lambda stub: len(stub.starts()) == 2, "a second start")
            assert f"--resume={played.id}" in played.stub.starts()[1]["argv"]
            played.cancel()
            assert next_prompt


@all_cores
def test_an_interrupt_in_the_air_when_claude_code_dies_holds_nothing_up(tmp_path: Path, core: Core) -> None:
    script = StubScript()
    script.on_control("interrupt").dies()
    with session(tmp_path, script, core) as played:
        played.cancel()
        exchange = played.prompt()
        assert played.turn_end(exchange)["stopReason"] == "end_turn"
        assert len(played.stub.starts()) == 2


def test_a_session_that_is_closed_while_claude_code_starts_leaves_no_process(tmp_path: Path) -> None:
    may_start = tmp_path / "may-start"
    may_start.touch()
    script = StubScript()
    script.on_start().waits_for_file(may_start)
    script.on_control("set_model").dies()
    with session(tmp_path, script) as played:
        may_start.unlink()
        played.lose()
        exchange = played.prompt()
        played.stub.wait_for(lambda stub: len(stub.starts()) == 2, "a second start")
        played.client.call("session/close", {"sessionId": played.id})
        assert played.turn_end(exchange)["stopReason"] == "cancelled"
        may_start.touch()
        played.check_none_runs()
