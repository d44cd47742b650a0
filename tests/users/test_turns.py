"""What users hit with turns: limits, background turns, late questions, huge lines, foreign code pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from faults.session import Session, session
from support.cores import Core, all_cores
from support.stub_cli import StubScript

if TYPE_CHECKING:
    from pathlib import Path

    from adapter.conformance.answers import Answer


MEBIBYTE = 1024 * 1024
LIMIT = "You've hit your session limit · resets 3pm"
FAILURES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "usage limit": ("billing_error", LIMIT, {}),
    "too many requests": ("rate_limit", "API Error: 429 slow down", {"api_error_status": 429}),
    "overload": ("overloaded", "API Error: 529 Overloaded.", {"api_error_status": 529}),
    "prompt too long": ("invalid_request", "Prompt is too long", {"terminal_reason": "prompt_too_long"}),
}


def error_of(end: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = end["error"]
    return found


@all_cores
@pytest.mark.parametrize("what", FAILURES)
def test_a_limit_is_said_once_with_its_kind_and_the_next_prompt_works(tmp_path: Path, core: Core, what: str) -> None:
    kind, text, more = FAILURES[what]
    message = {"id": "m", "role": "assistant", "content": [{"type": "text", "text": text}]}
    script = StubScript()
    part = script.on_prompt().begins().emits({"type": "assistant", "message": message, "error": kind})
    part.result(is_error=True, result=text, stop_reason="stop_sequence", **{"terminal_reason": "api_error", **more})
    part.lifecycle("completed").state("idle")
    with session(tmp_path, script, core) as played:
        error = error_of(played.turn_end(played.prompt()))
        assert error["data"]["errorKind"] == kind
        assert text in error["message"]
        assert played.client.traffic.text() == text
        assert played.turn_end(played.prompt("And now?"))["stopReason"] == "end_turn"


def own_turn(script: StubScript, go_on: Path) -> None:
    """A turn whose process begins another one by itself, when a file is there."""
    part = script.on_prompt().begins().streams("Started.").finishes().waits_for_file(go_on)
    part.state("running").init().status().streams("The job is done.")
    part.result(origin={"kind": "task-notification"}, user_message_uuids=[], user_message_uuid=None).state("idle")


@all_cores
def test_a_turn_of_claudes_own_is_shown_at_once_and_answers_no_prompt(tmp_path: Path, core: Core) -> None:
    go_on = tmp_path / "go-on"
    script = StubScript()
    own_turn(script, go_on)
    with session(tmp_path, script, core) as played:
        assert played.turn_end(played.prompt())["stopReason"] == "end_turn"
        mark = len(played.client.traffic.entries)
        go_on.touch()
        played.client.expect_text("The job is done.", since=mark)
        end = "usage_update" if core.version == 1 else "state_update"
        told = played.client.expect_update(
            end, lambda update: update.get("state") == "idle" or "_claude/origin" in str(update), since=mark
        )
        assert told
        states = [update["state"] for update in played.client.traffic.updates("state_update")]
        assert states == (["running", "idle", "running", "idle"] if core.version == 2 else [])
        assert played.turn_end(played.prompt("And now?"))["stopReason"] == "end_turn"
        assert played.client.traffic.text() == "Started.The job is done.Done."


def question(played: Session, request: str) -> dict[str, Any]:
    """The answer that Claude Code got to its question."""
    played.stub.wait_for(lambda stub: stub.answers(request), f"the answer to {request}")
    (answer,) = played.stub.answers(request)
    response: dict[str, Any] = answer["response"]
    return response


def test_questions_of_subagents_and_after_the_turn_reach_the_client(tmp_path: Path) -> None:
    late = tmp_path / "late"
    agent = {"description": "look", "prompt": "look", "subagent_type": "general-purpose"}
    inner = {
        "id": "in",
        "role": "assistant",
        "content": [{"type": "tool_use", "id": "t2", "name": "Bash", "input": {}}],
    }
    script = StubScript()
    part = script.on_prompt().begins().calls("Agent", agent, use="t1")
    part.emits({"type": "assistant", "message": inner, "parent_tool_use_id": "t1", "agent_id": "a1"})
    part.asks("Bash", {"command": "ls"}, use="t2", request="inner", agent_id="a1").is_answered("inner")
    part.returns("launched", use="t1", structured={"isAsync": True, "status": "async_launched"}).ends()
    part.waits_for_file(late)
    part.asks("Bash", {"command": "pwd"}, use="t2", request="late", agent_id="a1").is_answered("late").state("idle")
    with session(tmp_path, script) as played:
        played.prompt()
        assert question(played, "inner")["toolUseID"] == "t2"
        late.touch()
        assert question(played, "late")["behavior"] == "allow"
        asked = played.client.traffic.agent_requests("session/request_permission")
        assert [request["toolCall"]["toolCallId"] for request in asked] == ["t2", "t2"]
        (parent,) = {
            str(update["_meta"]) for update in played.client.traffic.updates("tool_call") if "t2" in str(update)
        }
        assert "'parentToolUseId': 't1'" in parent


def test_two_questions_answered_in_reverse_go_to_the_right_calls(tmp_path: Path) -> None:
    script = StubScript()
    part = script.on_prompt().begins().calls("Bash", {"command": "one"}, use="t1")
    part.calls("Bash", {"command": "two"}, use="t2")
    part.asks("Bash", {"command": "one"}, use="t1", request="q1").asks(
        "Bash", {"command": "two"}, use="t2", request="q2"
    )
    part.is_answered("q1").is_answered("q2").returns("x", use="t1").returns("y", use="t2").finishes()
    answers: list[Answer] = [{"delay": 0.3, "pick": "reject_once"}, "allow_once"]
    with session(tmp_path, script, answers=answers) as played:
        assert played.turn_end(played.prompt())["stopReason"] == "end_turn"
        assert question(played, "q1")["behavior"] == "deny"
        assert question(played, "q2")["behavior"] == "allow"


@all_cores
def test_a_line_over_the_limit_fails_its_turn_and_the_next_prompt_works(tmp_path: Path, core: Core) -> None:
    script = StubScript()
    script.on_prompt().begins().streams("Hi.").finishes()
    script.on_prompt().begins().writes(b'{"type":"assistant","x":"' + b"x" * (64 * MEBIBYTE) + b'"}\n').finishes()
    with session(tmp_path, script, core) as played:
        assert played.turn_end(played.prompt())["stopReason"] == "end_turn"
        error = error_of(played.turn_end(played.prompt(), timeout=60))
        assert error["data"]["errorKind"] == "process_exited"
        assert "sent a line longer than" in error["message"]
        assert played.turn_end(played.prompt("And now?"))["stopReason"] == "end_turn"


def test_the_code_page_of_the_system_does_not_matter(tmp_path: Path) -> None:
    words = "grün 😀 中文"
    script = StubScript()
    script.on_prompt().begins().streams(words).finishes()
    env = {"LC_ALL": "C", "LANG": "C", "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    with session(tmp_path, script, env=env) as played:
        assert played.turn_end(played.prompt(words))["stopReason"] == "end_turn"
        assert played.client.traffic.text() == words
        (prompt,) = played.stub.prompts()
        assert prompt["message"]["content"][0]["text"] == words


def test_a_hundred_servers_are_neither_on_the_command_line_nor_seen_in_it(tmp_path: Path) -> None:
    env = [{"name": "TOKEN", "value": "s3cret" * 500}]
    servers = [{"name": f"server {number}.", "command": "x", "args": [], "env": env} for number in range(100)]
    with session(tmp_path, StubScript()) as played:
        played.open(mcpServers=servers)
        assert all("s3cret" not in process.command for process in played.doubles())
        assert max(len(word) for word in played.stub.starts()[-1]["argv"]) < 4096
