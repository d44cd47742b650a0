"""Starts, ends and faults: what a driver does when a process, a session or the core is over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import anyio
import pytest
from anyio.lowlevel import checkpoint

from adapter.shared.claude.process import ProcessExit
from adapter.shared.effects import (
    AskPermission,
    DropProcess,
    EndSession,
    Respond,
    SendControl,
    SendPrompt,
    StartProcess,
    StartTimer,
    StopTimer,
)
from adapter.shared.inputs import (
    CloseRequested,
    ControlAnswered,
    ProcessEnded,
    ProcessStarted,
    ShutDown,
    TimerFired,
)
from adapter.shared.jsonrpc.errors import ClaudeFailure
from shared.doubles import request, result
from shared.driving import CANCEL, END, QUESTION, FakeEncoder, FakeLink, Session, until

if TYPE_CHECKING:
    from adapter.shared.driver import Link

pytestmark = pytest.mark.anyio


@pytest.fixture
async def session() -> Session:
    return Session()


async def test_a_process_that_is_dropped_is_killed_and_not_heard_any_more(session: Session) -> None:
    session.performs(SendControl("k", {}), DropProcess(), DropProcess())
    session.driver.frame(cast("Link", session.link), {"type": "late"})
    session.driver.exited(cast("Link", session.link), ProcessExit(-9, "killed", ()))
    await until(lambda: session.link.process.ended)
    assert session.link.process.ended == ["killed"]
    assert session.inputs == [CANCEL, ControlAnswered("k", {}, "Claude Code was stopped")]


async def test_a_process_that_is_let_go_may_end_by_itself_before_the_next_one_starts(session: Session) -> None:
    started: list[str] = []

    async def start() -> Any:
        started.append("next")
        return FakeLink()

    session.starts = start
    session.link.process.may_end = anyio.Event()
    session.performs(DropProcess(gently=True), StartProcess())
    for _ in range(5):
        await checkpoint()
    assert started == []
    session.link.process.may_end.set()
    await until(lambda: started)
    assert session.link.process.ended == [END]


async def test_a_process_is_started_again(session: Session) -> None:
    fresh = FakeLink("acceptEdits")

    async def start() -> Any:
        session.driver.attach(cast("Link", fresh))
        return fresh

    session.starts = start
    session.performs(StartProcess())
    assert (await session.has(2))[1] == ProcessStarted("acceptEdits")
    session.performs(SendPrompt("u", ()))
    assert len(fresh.process.sent) == 1


async def test_a_process_is_ended_before_the_one_that_replaces_it_is_started(session: Session) -> None:
    fresh, ended = FakeLink(), []

    async def start() -> Any:
        ended.extend(session.link.process.ended)
        session.driver.attach(cast("Link", fresh))
        return fresh

    session.starts = start
    session.performs(StartProcess(replaces=True))
    assert isinstance((await session.has(2))[1], ProcessStarted)
    assert ended == [END]


async def test_a_process_that_cannot_be_started_has_ended(session: Session) -> None:
    session.performs(StartProcess())
    assert (await session.has(2))[1] == ProcessEnded(ClaudeFailure("start_failed", "no"))


@pytest.mark.parametrize("begun", [False, True])
async def test_a_start_ends_with_its_session_and_is_waited_for(session: Session, begun: bool) -> None:
    ended: list[str] = []

    async def start() -> Any:
        try:
            await anyio.sleep_forever()
        finally:
            ended.append("the start")

    session.starts = start
    session.client.says(request(1))
    session.performs(StartProcess())
    if begun:
        await checkpoint()
        await checkpoint()
    session.performs(EndSession(1))
    await session.driver.ended()
    assert ended == ["the start"] * begun
    assert session.link.process.ended == [END]
    assert session.inputs == [CANCEL, CANCEL]


async def test_timers_fire_start_again_and_stop(session: Session) -> None:
    session.performs(StartTimer("a", 0.01), StartTimer("b", 0), StopTimer("b"), StartTimer("c", 3600), StopTimer("d"))
    assert (await session.has(2))[1] == TimerFired("a")
    session.performs(StartTimer("c", 0))
    assert (await session.has(4))[3] == TimerFired("c")


async def test_a_session_ends_before_its_request_is_answered(session: Session) -> None:
    session.client.says(request(1))
    session.link.process.may_end = anyio.Event()
    assert session.performs(StartTimer("a", 0), EndSession(1)) == []
    assert (session.ended, session.recorded) == (1, [CANCEL, "closed"])
    session.link.process.may_end.set()
    await until(lambda: session.client.link.lines)
    assert session.client.link.take() == [result(1, {})]
    assert session.link.process.ended == [END]
    assert session.inputs == [CANCEL]


async def test_a_shut_down_lets_the_core_answer_and_stops_claude_code(session: Session) -> None:
    session.client.says(request(1))
    session.performs(StartTimer("a", 0))
    session.does = lambda event: [Respond(1, {})] if event == ShutDown() else []
    await session.driver.shut_down()
    assert session.client.link.take() == [result(1, {})]
    assert session.inputs == [CANCEL, ShutDown()]
    assert session.link.process.ended == [END]
    assert session.recorded[-1] == "closed"


@pytest.mark.parametrize("effect", [EndSession(1), DropProcess()])
async def test_a_shut_down_waits_for_a_process_that_is_being_ended(session: Session, effect: Any) -> None:
    session.client.says(request(1))
    session.link.process.may_end = anyio.Event()
    session.performs(effect)
    await checkpoint()
    async with anyio.create_task_group() as group:
        group.start_soon(session.driver.shut_down)
        await checkpoint()
        session.link.process.may_end.set()
    assert len(session.link.process.ended) == 1


async def test_a_core_that_fails_costs_one_input_and_its_request_is_answered(session: Session) -> None:
    def fail(_event: Any) -> list[Any]:
        raise RuntimeError("oops")

    session.client.says(request(1))
    session.does = fail
    session.driver.post(CloseRequested(1))
    (answer,) = session.client.link.take()
    assert (answer["id"], answer["error"]["code"]) == (1, -32603)
    session.driver.post(CloseRequested(1))
    session.driver.post({"type": "control_request", "request_id": "r"})
    assert session.client.link.take() == []
    (refusal,) = session.link.process.sent
    assert (refusal["response"]["subtype"], refusal["response"]["request_id"]) == ("error", "r")
    session.does = lambda _event: []
    session.driver.post(CANCEL)
    assert session.inputs[-1] is CANCEL


async def test_a_question_that_cannot_be_sent_is_answered_for_the_client(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FakeEncoder, "permission", lambda *_: {"deep": object()})
    assert session.performs(AskPermission(QUESTION)) == []
    answer = session.inputs[-1]
    assert (answer.key, answer.result, answer.error["code"]) == ("q", None, -32603)


async def test_an_effect_that_fails_costs_no_later_input(session: Session) -> None:
    deep: list[Any] = []
    for _ in range(300):
        deep = [deep]
    session.client.says(request(1))
    session.performs(Respond(1, {"deep": deep}))
    session.driver.post(TimerFired("next"))
    assert session.inputs[-1] == TimerFired("next")
