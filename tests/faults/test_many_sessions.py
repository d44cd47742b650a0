"""Ten sessions at once: what happens to one does not touch the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.conformance import processes
from support.cores import Core, all_cores
from support.stub_cli import StubScript

from .session import SOON, Session, adapter

if TYPE_CHECKING:
    from pathlib import Path

    from support.client import Exchange

TEN = 10


def begin(played: Session, session_id: str) -> Exchange:
    """Prompts, and waits until the turn is in its middle."""
    exchange = played.prompt(session=session_id)
    played.client.expect_update(
        "agent_message_chunk",
        lambda update: bool(update["content"]["text"] == "Working."),
        session=session_id,
        since=exchange.mark,
        timeout=SOON,
    )
    return exchange


def kill(played: Session, session_id: str) -> None:
    """Ends the process of one session with SIGKILL."""
    (process,) = [process for process in played.doubles() if session_id in process.command]
    processes.kill([process])


@all_cores
def test_each_of_ten_sessions_is_killed_in_turn_and_goes_on_while_the_others_work(tmp_path: Path, core: Core) -> None:
    go_on = tmp_path / "go-on"
    script = StubScript()
    script.on_prompt().begins().starts_text("Working.").waits_for_file(go_on).adds_text("Ready.").ends_text().finishes()
    with adapter(tmp_path, script, core) as played:
        ids = [played.open() for _ in range(TEN)]
        turns = {session_id: begin(played, session_id) for session_id in ids}
        for session_id in ids:
            kill(played, session_id)
            end = played.turn_end(turns[session_id], session=session_id)
            assert end["error"]["data"]["errorKind"] == "process_exited"
            turns[session_id] = begin(played, session_id)
            assert len(played.doubles()) == TEN
        go_on.touch()
        for session_id, exchange in turns.items():
            assert played.turn_end(exchange, session=session_id)["stopReason"] == "end_turn"
            text = played.client.traffic.text(session=session_id)
            assert text == "Working." * 2 + "Ready."
        resumed = [start["argv"] for start in played.stub.starts()[TEN:]]
        assert [f"--resume={session_id}" in argv for session_id, argv in zip(ids, resumed, strict=True)] == [True] * TEN
