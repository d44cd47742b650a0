"""The double of Claude Code plays its script, answers like the original, and logs what it reads."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from typing import TYPE_CHECKING, Any, Self

import pytest

from support.stub_cli import Frame, StubCli, StubScript

if TYPE_CHECKING:
    from pathlib import Path

SESSION = "11111111-2222-4333-8444-555555555555"
STREAM_JSON = ["--output-format", "stream-json", "--verbose", "--input-format", "stream-json"]


class Host:
    """Talks to a double as an adapter does."""

    def __init__(self, stub: StubCli) -> None:
        self.process = subprocess.Popen(
            [stub.executable, *STREAM_JSON, f"--session-id={SESSION}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **stub.environment},
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.stdin, self.stdout = self.process.stdin, self.process.stdout

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.__exit__(None, None, None)

    def send(self, frame: Frame) -> None:
        self.stdin.write(json.dumps(frame).encode() + b"\n")
        self.stdin.flush()

    def prompt(self, uuid: str, text: str = "go") -> None:
        message = {"role": "user", "content": [{"type": "text", "text": text}]}
        self.send({"type": "user", "message": message, "uuid": uuid})

    def control(self, request_id: str, subtype: str, **fields: Any) -> None:
        self.send({"type": "control_request", "request_id": request_id, "request": {"subtype": subtype, **fields}})

    def line(self) -> bytes:
        return self.stdout.readline()

    def frame(self) -> Frame:
        frame: Frame = json.loads(self.line())
        return frame

    def until(self, name: str) -> list[str]:
        """Reads frames up to the first of a name and returns the names of all."""
        names = [label(self.frame())]
        while names[-1] != name:
            names.append(label(self.frame()))
        return names

    def end(self) -> tuple[bytes, bytes, int]:
        stdout, stderr = self.process.communicate(timeout=15)
        return stdout, stderr, self.process.returncode


def label(frame: Frame) -> str:
    """A short name of a frame, in the manner of the protocol's own words."""
    kind = frame["type"]
    if kind == "stream_event":
        return str(frame["event"]["type"])
    if kind == "command_lifecycle":
        return f"{frame['command_uuid']} {frame['state']}"
    if kind == "system":
        return str(frame.get("state") or frame["subtype"])
    if kind == "user":
        return f"echo {frame['uuid']}" if frame.get("isReplay") else str(frame["message"]["content"][0]["type"])
    return str(kind)


BEGIN = ["running", "p1 queued", "p1 started", "init", "status", "echo p1"]
TEXT = ["message_start", "content_block_start", "content_block_delta", "assistant", "content_block_stop"]
END = ["message_delta", "message_stop"]


def test_a_plain_turn_has_the_frames_of_claude_code(tmp_path: Path) -> None:
    script = StubScript()
    script.on_prompt().begins().streams("Hello.").finishes()
    with Host(StubCli(tmp_path, script)) as host:
        host.prompt("p1")
        assert host.until("idle") == [*BEGIN, *TEXT, *END, "result", "p1 completed", "idle"]


def test_frames_carry_the_session_and_the_prompt(tmp_path: Path) -> None:
    script = StubScript()
    script.on_prompt().begins().streams("Hel", "lo.").finishes()
    with Host(StubCli(tmp_path, script)) as host:
        host.prompt("p1", "say hello")
        frames = [host.frame() for _ in range(16)]
    assert {frame["session_id"] for frame in frames} == {SESSION}
    assert frames[5]["message"]["content"] == [{"type": "text", "text": "say hello"}]
    (assistant,) = [frame for frame in frames if frame["type"] == "assistant"]
    assert assistant["message"]["content"] == [{"type": "text", "text": "Hello."}]
    assert assistant["message"]["id"] == "msg_1_1"
    (result,) = [frame for frame in frames if frame["type"] == "result"]
    assert (result["result"], result["user_message_uuids"]) == ("Hello.", ["p1"])


def test_prompts_without_a_part_get_a_short_answer_each(tmp_path: Path) -> None:
    with Host(StubCli(tmp_path, StubScript())) as host:
        for uuid in ("p1", "p2"):
            host.prompt(uuid)
            assert f"{uuid} completed" in host.until("idle")


def test_prompts_without_a_part_can_get_another_answer(tmp_path: Path) -> None:
    script = StubScript()
    script.otherwise().begins().thinks("Hm.").finishes()
    with Host(StubCli(tmp_path, script)) as host:
        host.prompt("p1")
        names = host.until("idle")
    assert names == [*BEGIN, *TEXT, *END, "result", "p1 completed", "idle"]


def test_an_interrupt_is_answered_before_its_frames(tmp_path: Path) -> None:
    script = StubScript()
    script.on_prompt().begins().starts_text("Hel").waits_for_interrupt().is_interrupted()
    with Host(StubCli(tmp_path, script)) as host:
        host.prompt("p1")
        host.until("content_block_delta")
        host.control("c1", "interrupt")
        names = host.until("idle")
    assert names == [
        "control_response",
        "assistant",
        "text",
        "content_block_stop",
        *END,
        "result",
        "p1 cancelled",
        "idle",
    ]


def test_an_interrupt_before_any_text_gives_no_message(tmp_path: Path) -> None:
    script = StubScript()
    script.on_prompt().begins().waits_for_interrupt().is_interrupted()
    with Host(StubCli(tmp_path, script)) as host:
        host.prompt("p1")
        host.until("echo p1")
        host.control("c1", "interrupt")
        assert host.until("idle") == ["control_response", "text", "result", "p1 cancelled", "idle"]


def test_an_event_from_before_a_part_does_not_count(tmp_path: Path) -> None:
    script = StubScript()
    script.on_prompt().begins().waits_for_interrupt().is_interrupted()
    with Host(StubCli(tmp_path, script)) as host:
        host.control("c1", "interrupt")
        host.until("control_response")
        host.prompt("p1")
        host.until("echo p1")
        host.control("c2", "interrupt")
        assert host.until("idle")[0] == "control_response"


def test_a_command_is_asked_for_and_runs(tmp_path: Path) -> None:
    script = StubScript()
    script.on_prompt().begins().runs_command("ls", "a.txt").streams("Listed.").finishes()
    stub = StubCli(tmp_path, script)
    with Host(stub) as host:
        host.prompt("p1")
        assert host.until("control_request")[-2:] == ["requires_action", "control_request"]
        answer = {"subtype": "success", "request_id": "ask_toolu_1", "response": {"behavior": "allow"}}
        host.send({"type": "control_response", "response": answer})
        assert host.until("status") == ["control_response", "running", "tool_result", "status"]
        host.until("idle")
    assert stub.answers("ask_toolu_1") == [answer]


def test_an_interrupted_tool_ends_with_a_rejected_result(tmp_path: Path) -> None:
    script = StubScript()
    part = script.on_prompt().begins().calls("Bash", {"command": "sleep 9"}).asks("Bash", {"command": "sleep 9"})
    part.waits_for_interrupt().withdraws().is_interrupted_in_tool()
    with Host(StubCli(tmp_path, script)) as host:
        host.prompt("p1")
        host.until("control_request")
        host.control("c1", "interrupt")
        assert host.until("tool_result") == ["control_response", "control_cancel_request", "tool_result"]
        assert host.until("idle") == ["text", "result", "p1 cancelled", "idle"]


def test_queued_prompts_are_folded_into_the_turn(tmp_path: Path) -> None:
    script = StubScript()
    part = script.on_prompt().begins().calls("Bash", {"command": "ls"}).waits_for_queued(2)
    part.returns("a.txt").takes_in(2).streams("Both.").finishes()
    script.on_prompt().is_queued()
    with Host(StubCli(tmp_path, script)) as host:
        host.prompt("p1")
        host.until("message_stop")
        host.prompt("p2")
        names = host.until("idle")
    assert names[:5] == ["p2 queued", "tool_result", "echo p2", "p2 started", "status"]
    assert names[-4:] == ["p2 completed", "result", "p1 completed", "idle"]


def test_queued_prompts_run_together_after_the_turn(tmp_path: Path) -> None:
    script = StubScript()
    part = script.on_prompt().begins().waits_for_queued(2).waits_for_queued(3).streams("One.").ends(queued=2)
    part.goes_on_with(2, 3).streams("Two and three.").finishes()
    script.on_prompt().is_queued()
    script.on_prompt().is_queued()
    with Host(StubCli(tmp_path, script)) as host:
        host.prompt("p1")
        host.until("echo p1")
        host.prompt("p2", "two")
        host.prompt("p3", "three")
        host.until("p1 completed")
        assert host.until("status") == ["echo p2", "p2 started", "p3 started", "init", "status"]
        merged = host.frame()
        assert label(merged) == "echo p3"
        assert [block["text"] for block in merged["message"]["content"]] == ["two", "three"]
        assert host.until("idle")[-4:] == ["result", "p2 completed", "p3 completed", "idle"]


def test_a_steered_turn_ends_without_an_error(tmp_path: Path) -> None:
    script = StubScript()
    part = script.on_prompt().begins().starts_text("Hel").waits_for_queued(2).is_steered_away()
    part.goes_on_with(2).streams("Steered.").finishes()
    script.on_prompt().is_queued()
    with Host(StubCli(tmp_path, script)) as host:
        host.prompt("p1")
        host.until("content_block_delta")
        host.prompt("p2")
        assert host.until("p2 started")[-3:] == ["result", "p1 cancelled", "p2 started"]
        assert host.until("idle")[-2:] == ["p2 completed", "idle"]


def test_control_requests_have_sensible_answers(tmp_path: Path) -> None:
    with Host(StubCli(tmp_path, StubScript("2.1.300"))) as host:
        host.control("c1", "initialize")
        answer = host.frame()["response"]
        assert (answer["subtype"], answer["request_id"]) == ("success", "c1")
        assert answer["response"]["claude_code_version"] == "2.1.300"
        assert {model["value"] for model in answer["response"]["models"]} == {"default", "sonnet", "haiku"}
        host.control("c2", "set_permission_mode", mode="plan")
        assert host.frame()["response"]["response"] == {"mode": "plan"}
        host.control("c3", "no_such_request")
        refused = host.frame()["response"]
        assert (refused["subtype"], refused["error_code"]) == ("error", "unsupported_request")


def test_control_requests_are_answered_as_scripted_in_turn(tmp_path: Path) -> None:
    script = StubScript()
    script.on_control("set_model").fails("no such model", "invalid_model")
    script.on_control("set_model").answers({"model": "other"})
    with Host(StubCli(tmp_path, script)) as host:
        host.control("c1", "set_model", model="x")
        assert host.frame()["response"]["error"] == "no such model"
        for request_id in ("c2", "c3"):
            host.control(request_id, "set_model", model="x")
            assert host.frame()["response"]["response"] == {"model": "other"}


def test_a_control_request_can_stay_unanswered(tmp_path: Path) -> None:
    script = StubScript()
    script.on_control("interrupt")
    script.on_prompt().begins().waits_for_interrupt().streams("On and on.").finishes()
    with Host(StubCli(tmp_path, script)) as host:
        host.prompt("p1")
        host.until("echo p1")
        host.control("c1", "interrupt")
        assert "control_response" not in host.until("idle")


def test_a_part_waits_for_a_file(tmp_path: Path) -> None:
    script = StubScript()
    script.on_prompt().begins().waits_for_file(tmp_path / "go").streams("Gone.").finishes()
    stub = StubCli(tmp_path, script)
    with Host(stub) as host:
        host.prompt("p1")
        host.until("echo p1")
        stub.signal_file("go").touch()
        host.until("idle")


def test_a_start_can_fail(tmp_path: Path) -> None:
    script = StubScript()
    script.on_start().complains("Error: no such session").exits(1)
    with Host(StubCli(tmp_path, script)) as host:
        assert host.end() == (b"", b"Error: no such session\n", 1)


def test_it_can_die_in_a_turn(tmp_path: Path) -> None:
    script = StubScript()
    script.on_prompt().begins().starts_text("Hel").dies()
    with Host(StubCli(tmp_path, script)) as host:
        host.prompt("p1")
        host.until("content_block_delta")
        assert host.process.wait(15) == -signal.SIGKILL


def test_it_can_write_garbage_and_close_its_stdout(tmp_path: Path) -> None:
    script = StubScript()
    script.on_prompt().writes(b"{broken\n").closes_stdout()
    with Host(StubCli(tmp_path, script)) as host:
        host.prompt("p1")
        assert host.line() == b"{broken\n"
        assert host.line() == b""
        assert host.process.poll() is None


def test_it_can_go_silent(tmp_path: Path) -> None:
    script = StubScript()
    script.on_prompt().begins().goes_silent().streams("Unheard.").finishes()
    stub = StubCli(tmp_path, script)
    with Host(stub) as host:
        host.prompt("p1")
        assert host.until("echo p1") == BEGIN
        host.control("c1", "interrupt")
        stub.wait_for(lambda seen: seen.controls("interrupt"), "the interrupt")
        assert host.end()[0] == b""


def test_it_ends_with_its_stdin_unless_it_is_told_to_stay(tmp_path: Path) -> None:
    with Host(StubCli(tmp_path, StubScript())) as host:
        assert host.end() == (b"", b"", 0)
    script = StubScript()
    script.on_end().waits_for("nothing")
    script.ignores_signals("SIGTERM")
    stub = StubCli(tmp_path, script)
    with Host(stub) as host:
        host.stdin.close()
        stub.wait_for(lambda seen: seen.entries("eof"), "the end of stdin")
        host.process.terminate()
        stub.wait_for(lambda seen: seen.entries("signal") == ["SIGTERM"], "the signal")
        assert host.process.poll() is None


def test_end_session_is_answered_and_ends_it(tmp_path: Path) -> None:
    with Host(StubCli(tmp_path, StubScript())) as host:
        host.control("c1", "end_session")
        assert host.until("control_response") == ["control_response"]
        assert host.process.wait(15) == 0


def test_a_line_that_is_not_json_ends_it(tmp_path: Path) -> None:
    stub = StubCli(tmp_path, StubScript())
    with Host(stub) as host:
        host.stdin.write(b"{not json\n")
        host.stdin.flush()
        assert host.end() == (b"", b"Error parsing streaming input line\n", 1)
    assert stub.entries("garbage") == ["{not json\n"]


def test_the_log_shows_the_start_and_every_line(tmp_path: Path) -> None:
    stub = StubCli(tmp_path, StubScript())
    os.environ["CLAUDE_CODE_STUB_TEST"] = "1"
    with Host(stub) as host:
        del os.environ["CLAUDE_CODE_STUB_TEST"]
        host.control("c1", "set_model", model="sonnet")
        host.prompt("p1")
        host.until("idle")
        assert host.end()[2] == 0
    (start,) = stub.starts()
    assert start["argv"] == [*STREAM_JSON, f"--session-id={SESSION}"]
    assert start["env"]["CLAUDE_CODE_STUB_TEST"] == "1"
    assert stub.controls("set_model") == [{"subtype": "set_model", "model": "sonnet"}]
    assert [prompt["uuid"] for prompt in stub.prompts()] == ["p1"]
    assert stub.entries("eof") == [None]


@pytest.mark.parametrize(
    ("arguments", "output"),
    [
        (["--version"], "2.1.332 (Claude Code)\n"),
        (["auth", "status", "--json"], '{"loggedIn": true, "authMethod": "api_key", "apiProvider": "firstParty"}\n'),
    ],
)
def test_it_answers_on_the_command_line(tmp_path: Path, arguments: list[str], output: str) -> None:
    stub = StubCli(tmp_path, StubScript())
    command = [str(stub.executable), *arguments]
    done = subprocess.run(command, env=stub.environment, capture_output=True, text=True, check=True)
    assert done.stdout == output
    assert stub.starts() == []


def test_a_line_that_does_not_come_is_an_error(tmp_path: Path) -> None:
    stub = StubCli(tmp_path, StubScript())
    with pytest.raises(AssertionError, match="did not see the interrupt"):
        stub.wait_for(lambda seen: seen.controls("interrupt"), "the interrupt", timeout=0.1)
