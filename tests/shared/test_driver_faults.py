"""What goes wrong below the core costs one request or one start, never the session."""

from __future__ import annotations

import threading
from typing import Any

import anyio
import pytest

from adapter.shared import driver
from adapter.shared.effects import AskPermission, StartProcess
from adapter.shared.inputs import ClientAnswered, ProcessEnded, ShutDown
from adapter.shared.permissions.options import PermissionQuestion
from shared.driving import CANCEL, FakeEncoder, Session, until

pytestmark = pytest.mark.anyio


@pytest.fixture
async def session() -> Session:
    return Session()


async def test_a_start_that_fails_in_an_unforeseen_way_is_a_failed_start(session: Session) -> None:
    async def start() -> Any:
        raise FileNotFoundError("no temporary folder")

    session.starts = start
    session.performs(StartProcess())
    ended = (await session.has(2))[1]
    assert isinstance(ended, ProcessEnded)
    assert (ended.failure.kind, "no temporary folder" in str(ended.failure)) == ("start_failed", True)


async def test_a_question_that_cannot_be_sent_is_answered_for_the_client(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep: list[Any] = []
    for _ in range(5000):
        deep = [deep]
    monkeypatch.setattr(FakeEncoder, "permission", lambda _encoder, _session, _question: {"deep": deep})
    question = PermissionQuestion("q1", "t1", "Bash", {}, {}, (), ())
    assert session.performs(AskPermission(question)) == []
    assert session.inputs[0] is CANCEL
    answered = session.inputs[1]
    assert isinstance(answered, ClientAnswered)
    assert (answered.key, (answered.error or {})["code"]) == ("q1", -32603)


async def test_a_shut_down_does_not_wait_for_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(previews=True)
    go_on = threading.Event()
    monkeypatch.setattr(driver, "read_snapshot", lambda _path: go_on.wait())
    asks = {"subtype": "can_use_tool", "tool_name": "Edit", "input": {"file_path": "/a"}}
    session.driver.post({"type": "control_request", "request": asks})
    session.driver.post(CANCEL)
    assert session.inputs == []
    async with anyio.create_task_group() as group:
        group.start_soon(session.driver.shut_down)
        await until(lambda: ShutDown() in session.inputs)
        go_on.set()
    assert session.inputs == [CANCEL, ShutDown()]


async def test_a_core_that_fails_on_a_result_ends_the_turn_as_a_death_does(session: Session) -> None:
    def fail(event: Any) -> list[Any]:
        if isinstance(event, dict):
            raise ZeroDivisionError
        return []

    session.does = fail
    session.driver.post({"type": "result"})
    ended = session.inputs[-1]
    assert isinstance(ended, ProcessEnded)
    assert ended.failure.kind == "adapter_fault"
    await until(lambda: session.link.process.ended)
