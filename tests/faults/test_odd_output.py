"""Claude Code says too much, too little, or what nobody understands."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from support.cores import Core, all_cores
from support.stub_cli import StubScript

from .session import session

if TYPE_CHECKING:
    from pathlib import Path


MEBIBYTE = 1024 * 1024
GARBAGE = b'garbage\n\0\xff\xfe\n[]\n"text"\n{}\n{"type":5}\n{"type":null}\n\n{"type":"x"\n{"type":"never_seen"}\n'


@all_cores
def test_a_result_without_idle(tmp_path: Path, core: Core) -> None:
    script = StubScript()
    for _ in range(2):
        script.on_prompt().begins().streams("Hi.").ends()
    with session(tmp_path, script, core) as played:
        for _ in range(2):
            assert played.turn_end(played.prompt())["stopReason"] == "end_turn"


@all_cores
def test_idle_without_a_result(tmp_path: Path, core: Core) -> None:
    script = StubScript()
    script.on_prompt().begins().streams("Hi.").state("idle")
    with session(tmp_path, script, core) as played:
        assert played.turn_end(played.prompt())["stopReason"] == "end_turn"
        assert played.turn_end(played.prompt("And now?"))["stopReason"] == "end_turn"
        assert played.client.traffic.text() == "Hi.Done."


@all_cores
def test_garbage_between_frames(tmp_path: Path, core: Core) -> None:
    script = StubScript()
    part = script.on_prompt().writes(GARBAGE).begins().starts_text("Hel").writes(GARBAGE).adds_text("lo.")
    part.ends_text().writes(GARBAGE).finishes()
    with session(tmp_path, script, core) as played:
        assert played.turn_end(played.prompt())["stopReason"] == "end_turn"
        assert played.client.traffic.text() == "Hello."


def test_a_line_of_32_mebibytes(tmp_path: Path) -> None:
    text = "x" * (32 * MEBIBYTE)
    message = {"id": "m", "role": "assistant", "content": [{"type": "text", "text": text}]}
    script = StubScript()
    script.on_prompt().begins().emits({"type": "assistant", "message": message}).finishes()
    with session(tmp_path, script) as played:
        assert played.turn_end(played.prompt(), timeout=60)["stopReason"] == "end_turn"
        assert played.client.traffic.text() == text


@all_cores
def test_a_lone_surrogate_becomes_a_replacement_character(tmp_path: Path, core: Core) -> None:
    script = StubScript()
    part = script.on_prompt().begins().starts_text("a")
    delta = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "\ud83d"}}
    part.writes(json.dumps({"type": "stream_event", "event": delta}).encode() + b"\n")
    part.adds_text("z").ends_text().finishes()
    with session(tmp_path, script, core) as played:
        assert played.turn_end(played.prompt())["stopReason"] == "end_turn"
        assert played.client.traffic.text() == "a\ufffdz"


@all_cores
def test_many_small_pieces_arrive_whole_before_the_end_of_the_turn(tmp_path: Path, core: Core) -> None:
    text = "".join(chr(ord("a") + number % 26) for number in range(2000))
    script = StubScript()
    script.on_prompt().begins().streams(*text).finishes()
    with session(tmp_path, script, core) as played:
        end = played.turn_end(played.prompt(), timeout=30)
        assert end["stopReason"] == "end_turn"
        assert played.client.traffic.text() == text
        last = played.client.traffic.received()[-1]
        assert "agent_message_chunk" not in json.dumps(last)


def test_five_megabytes_on_stderr_are_read_and_not_kept(tmp_path: Path) -> None:
    script = StubScript()
    part = script.on_prompt().begins()
    for number in range(50):
        part.complains(f"{number} " + "x" * (100 * 1024))
    part.streams("Hi.").finishes()
    script.on_prompt().begins().complains("the end").exits(3)
    with session(tmp_path, script) as played:
        assert played.turn_end(played.prompt(), timeout=30)["stopReason"] == "end_turn"
        error = played.turn_end(played.prompt())["error"]
        assert error["data"]["stderr"][-1] == "the end"
        assert len(json.dumps(error)) < 100_000


def test_no_secret_gets_into_an_error_or_the_log(tmp_path: Path) -> None:
    log = tmp_path / "log"
    secrets = {"MY_API_KEY": "hunter2hunter2"}
    script = StubScript()
    script.on_prompt().complains("refused sk-ant-api03-abcdefgh").complains("key hunter2hunter2").exits(3)
    env = {**secrets, "CLAUDE_ACP_LOG_FILE": str(log), "CLAUDE_ACP_LOG_LEVEL": "debug"}
    with session(tmp_path, script, env=env) as played:
        error = played.turn_end(played.prompt())["error"]
        assert error["data"]["stderr"] == ["refused ***", "key ***"]
        assert "hunter2" not in json.dumps(error) + log.read_text()
        assert "key ***" in log.read_text()


@all_cores
def test_a_placeholder_result_ends_nothing(tmp_path: Path, core: Core) -> None:
    script = StubScript()
    part = script.on_prompt().begins().calls("Bash", {"command": "ls"})
    part.result(num_turns=0, origin={"kind": "task-notification"}).returns("a.txt").finishes()
    with session(tmp_path, script, core) as played:
        assert played.turn_end(played.prompt())["stopReason"] == "end_turn"
        assert played.client.traffic.tool_statuses() == ["completed"]


@all_cores
def test_prompts_at_once_are_answered_in_their_order(tmp_path: Path, core: Core) -> None:
    script = StubScript()
    part = script.on_prompt().begins().streams("One.").waits_for_queued(3)
    part.ends(queued=2).goes_on_with(2, 3).streams("Two and three.").finishes()
    script.on_prompt().is_queued()
    script.on_prompt().is_queued()
    with session(tmp_path, script, core) as played:
        exchanges = [played.prompt(text) for text in ("one", "two", "three")]
        for exchange in exchanges:
            assert "result" in played.client.response(exchange)
        answered = [message["id"] for message in played.client.traffic.received() if "method" not in message]
        assert answered[-3:] == [exchange.id for exchange in exchanges]
        assert [prompt["message"]["content"][0]["text"] for prompt in played.stub.prompts()] == ["one", "two", "three"]


@all_cores
def test_two_sessions_side_by_side(tmp_path: Path, core: Core) -> None:
    script = StubScript()
    script.on_prompt().begins().starts_text("Hel").waits_for_interrupt().is_interrupted()
    with session(tmp_path, script, core) as played:
        first, second = played.id, played.open()
        exchanges = {name: played.prompt(session=name) for name in (first, second)}
        for name in (first, second):
            played.client.expect_update("agent_message_chunk", session=name)
        played.cancel(first)
        assert played.turn_end(exchanges[first])["stopReason"] == "cancelled"
        assert len(played.stub.controls("interrupt")) == 1
        played.cancel(second)
        end = played.client.expect_text('"cancelled"', since=exchanges[second].mark)
        assert end
        played.stub.wait_for(lambda stub: len(stub.controls("interrupt")) == 2, "the second interrupt")
