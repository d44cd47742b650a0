"""What goes wrong below the core costs one request or one start, never the session."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.effects import AskPermission, StartProcess
from adapter.shared.inputs import ClientAnswered, ProcessEnded
from adapter.shared.permissions.options import PermissionQuestion
from shared.driving import CANCEL, FakeEncoder, Session

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
