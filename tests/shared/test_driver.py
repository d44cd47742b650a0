"""A driver hands inputs to its core one at a time, and performs what the core wants done, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pytest

from adapter.shared.claude.process import ProcessExit
from adapter.shared.effects import (
    AnswerControl,
    AskElicitation,
    AskPermission,
    CompleteElicitation,
    Fail,
    RefuseControl,
    Respond,
    RespondConfig,
    RespondOutcome,
    SendControl,
    SendPrompt,
    WithdrawQuestion,
)
from adapter.shared.elicitation.requests import Asker, Elicitation
from adapter.shared.inputs import (
    ClientAnswered,
    CommandFilesChanged,
    ControlAnswered,
    FileChanged,
    PermissionAsked,
    ProcessEnded,
    TimerFired,
)
from adapter.shared.jsonrpc.errors import invalid_params
from adapter.shared.tools.facts import FileSnapshot
from adapter.shared.turn_outcome import UNMEASURED
from adapter.shared.updates import ModeChanged, Speaker, TextChunk
from shared.doubles import failure, request, result
from shared.driving import CANCEL, QUESTION, FakeLink, Session

if TYPE_CHECKING:
    from pathlib import Path

    from adapter.shared.driver import Link

pytestmark = pytest.mark.anyio


@pytest.fixture
async def session() -> Session:
    return Session()


def update(**fields: Any) -> Any:
    return {"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": fields}}


async def test_inputs_are_recorded_and_handled_in_order(session: Session) -> None:
    frame = {"type": "system"}
    for event in (frame, CANCEL, TimerFired("x")):
        session.driver.post(event)
    assert session.inputs == session.recorded == [frame, CANCEL, TimerFired("x")]


async def test_an_input_that_an_effect_leads_to_comes_after_those_that_wait(session: Session) -> None:
    first, second = TimerFired("first"), TimerFired("second")

    def does(event: Any) -> list[Any]:
        if event is first:
            session.driver.post(second)
            assert session.inputs == [first]
        return []

    session.does = does
    session.driver.post(first)
    assert session.inputs == [first, second]


async def test_updates_leave_in_order_each_as_a_notification(session: Session) -> None:
    chunk = TextChunk(Speaker.AGENT, "m", "a")
    told = session.performs(chunk, ModeChanged("plan"), chunk)
    assert told == [update(text="a"), update(mode="plan"), update(again="plan"), update(text="a")]


async def test_requests_are_answered(session: Session) -> None:
    session.client.says(*(request(number) for number in range(1, 5)))
    mistake = invalid_params("no")
    effects = (Respond(1, {"a": 1}), Fail(2, mistake), RespondOutcome(3, UNMEASURED), RespondConfig(4, ()))
    assert session.performs(*effects) == [
        result(1, {"a": 1}),
        failure(2, -32602, "Invalid params: no"),
        result(3, {"stop": "end_turn"}),
        result(4, {"options": []}),
    ]


async def test_a_question_is_asked_and_its_answer_comes_back(session: Session) -> None:
    (asked,) = session.performs(AskPermission(QUESTION))
    assert (asked["method"], asked["params"]) == ("session/request_permission", {"sessionId": "s", "key": "q"})
    answer = {"outcome": {"outcome": "selected", "_meta": {"claudeAcp": {"feedback": "use tabs"}}}}
    session.client.says(result(asked["id"], answer))
    assert session.inputs[-1] == ClientAnswered("q", answer, None, "use tabs")


async def test_a_form_is_asked_for_and_its_answer_comes_back(session: Session) -> None:
    (asked,) = session.performs(AskElicitation(Elicitation("e", Asker.MCP_SERVER, "Who?")))
    assert (asked["method"], asked["params"]) == ("elicitation/create", {"sessionId": "s", "elicits": "e"})
    session.client.says(result(asked["id"], {"action": "decline"}))
    assert session.inputs[-1] == ClientAnswered("e", {"action": "decline"})


async def test_a_page_that_is_done_with_is_told(session: Session) -> None:
    (told,) = session.performs(CompleteElicitation("e1"))
    assert told == {"jsonrpc": "2.0", "method": "elicitation/complete", "params": {"elicitationId": "e1"}}


async def test_a_steering_prompt_goes_first(session: Session) -> None:
    session.performs(SendPrompt("u", (), steers=True), SendPrompt("v", ()))
    assert [frame.get("priority") for frame in session.link.process.sent] == ["now", None]


async def test_files_of_commands_are_looked_at_when_a_turn_begins(session: Session) -> None:
    session.commands_changed = True
    running = {"type": "system", "subtype": "session_state_changed", "state": "running"}
    session.driver.frame(cast("Link", session.link), running)
    assert (await session.has(2))[-1] == CommandFilesChanged()


async def test_an_answer_may_be_an_error(session: Session) -> None:
    (asked,) = session.performs(AskPermission(QUESTION))
    session.client.says(failure(asked["id"], -1, "no"))
    assert session.inputs[-1] == ClientAnswered("q", None, {"code": -1, "message": "no"})


async def test_a_question_is_withdrawn_once_and_its_late_answer_is_no_input(session: Session) -> None:
    (asked,) = session.performs(AskPermission(QUESTION))
    (cancel,) = session.performs(WithdrawQuestion("q"), WithdrawQuestion("q"))
    assert (cancel["method"], cancel["params"]) == ("$/cancel_request", {"requestId": asked["id"]})
    before = len(session.inputs)
    session.client.says(result(asked["id"], {}))
    assert len(session.inputs) == before


async def test_claude_code_is_written_to(session: Session) -> None:
    session.performs(
        SendPrompt("u", ({"type": "text", "text": "hi"},)),
        SendControl("k", {"subtype": "interrupt"}),
        AnswerControl("r1", {"behavior": "allow"}),
        RefuseControl("r2", "no"),
    )
    prompt, control, answer, refusal = session.link.process.sent
    assert prompt == {
        "type": "user",
        "message": {"role": "user", "content": [{"type": "text", "text": "hi"}]},
        "parent_tool_use_id": None,
        "uuid": "u",
        "origin": {"kind": "human"},
    }
    assert control["request"] == {"subtype": "interrupt"}
    assert answer["response"] == {"subtype": "success", "request_id": "r1", "response": {"behavior": "allow"}}
    assert refusal["response"] == {"subtype": "error", "request_id": "r2", "error": "no"}
    response = {"request_id": control["request_id"], "subtype": "success", "response": {"a": 1}}
    session.link.control.take({"response": response})
    assert session.inputs[-1] == ControlAnswered("k", {"a": 1})


async def test_without_claude_code_control_requests_fail_and_the_rest_is_dropped(session: Session) -> None:
    session.driver.exited(cast("Link", session.link), ProcessExit(1, "it died", ()))
    effects = (SendPrompt("u", ()), AnswerControl("r", {}), RefuseControl("r", "no"), SendControl("k", {}))
    assert session.performs(*effects) == []
    assert session.inputs[-1] == ControlAnswered("k", {}, "Claude Code is not running")
    assert session.link.process.sent == []


async def test_the_end_of_claude_code_comes_before_the_failure_of_what_it_owes(session: Session) -> None:
    session.performs(SendControl("k", {}))
    session.driver.exited(cast("Link", session.link), ProcessExit(-9, "it died", ("oops",)))
    ended = ProcessEnded(ProcessExit(-9, "it died", ("oops",)).failure())
    assert session.inputs[1:] == [ended, ControlAnswered("k", {}, "it died")]


async def test_frames_and_ends_of_another_process_are_passed_over(session: Session) -> None:
    other = cast("Link", FakeLink())
    session.driver.frame(other, {"type": "system"})
    session.driver.exited(other, ProcessExit(0, "gone", ()))
    assert session.inputs == []
    session.driver.frame(cast("Link", session.link), {"type": "system"})
    assert session.inputs == [{"type": "system"}]


def asks(path: Any, tool: str = "Edit") -> dict[str, Any]:
    return {"type": "control_request", "request": {"tool_name": tool, "input": {"file_path": path}}}


async def test_a_file_is_read_before_a_question_about_it_and_holds_back_what_follows(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_text("old\n")
    session = Session(previews=True)
    change = {"type": "user", "tool_use_result": {"filePath": str(file), "structuredPatch": []}}
    frames = [asks(str(file)), {"type": "system"}, change, asks(str(tmp_path / "b"), "Write")]
    for frame in frames:
        session.driver.post(frame)
    assert session.inputs == []
    assert await session.has(4) == [
        PermissionAsked(frames[0], FileSnapshot("text", "old\n")),
        frames[1],
        FileChanged(change, FileSnapshot("text", "old\n")),
        PermissionAsked(frames[3], FileSnapshot("missing")),
    ]


@pytest.mark.parametrize(
    "frame",
    [
        asks("relative/a"),
        asks(None),
        asks("/a", "Bash"),
        {"type": "control_request"},
        {"type": "control_request", "request": {"tool_name": "Edit", "input": "text"}},
        {"type": "user", "tool_use_result": {"filePath": "/a"}},
        {"type": "user", "tool_use_result": {"filePath": 7, "structuredPatch": []}},
        {"type": "user", "tool_use_result": "text"},
        {"type": "user"},
        {"type": "assistant", "tool_use_result": {"filePath": "/a", "structuredPatch": []}},
    ],
)
async def test_other_frames_are_handled_at_once(frame: dict[str, Any]) -> None:
    session = Session(previews=True)
    session.driver.post(frame)
    assert session.inputs == [frame]


async def test_no_file_is_read_for_a_client_without_previews(session: Session, tmp_path: Path) -> None:
    session.driver.post(asks(str(tmp_path)))
    assert session.inputs == [asks(str(tmp_path))]
