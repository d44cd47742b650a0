"""Sessions that were cleared: Claude Code knows the conversation after that by an id of its own."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from support import machine
from support.transcripts import OTHER, SESSION

from .connection import Memory, close, request, run
from .sessions import VERSIONS, Sessions, answer


async def cleared(memory: Memory, sessions: Sessions, version: int = 1) -> None:
    """Loads a session, as request 1, and clears it."""
    sessions.write()
    memory.write(sessions.load(1, version=version))
    await answer(memory, 1)
    sessions.write(OTHER, "After the clear")
    memory.launcher.started[0].says(machine.system("init", session_id=OTHER))


@VERSIONS
def test_the_conversation_of_an_open_session_has_no_second_process(sessions: Sessions, version: int) -> None:
    async def steps(memory: Memory) -> None:
        await cleared(memory, sessions, version)
        memory.write(sessions.load(2, OTHER, version))
        memory.write(request(3, "session/resume", sessionId=OTHER, cwd=sessions.cwd))
        for number in (2, 3):
            error = (await answer(memory, number))["error"]
            assert (error["code"], error["data"]["path"]) == (-32602, "sessionId")
            assert f"open as the session {SESSION}" in error["message"]
        assert len(memory.launcher.started) == 1
        memory.write(close(4, SESSION), sessions.load(5, OTHER, version))
        assert "result" in await answer(memory, 5)
        assert [claude.process.ended for claude in memory.launcher.started] == [True, False]

    run(steps, version, sessions.environment)


@VERSIONS
@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("session/delete", {}),
        ("session/archive", {}),
        ("session/unarchive", {}),
        ("session/set_title", {"title": "A name"}),
    ],
)
def test_its_transcript_is_not_changed_under_it(
    sessions: Sessions, version: int, method: str, params: dict[str, Any]
) -> None:
    async def steps(memory: Memory) -> None:
        await cleared(memory, sessions, version)
        [path] = sessions.projects.glob(f"*/{OTHER}.jsonl")
        before = path.read_bytes()
        memory.write(request(2, method, sessionId=OTHER, **params))
        assert (await answer(memory, 2))["error"]["code"] == -32602
        assert path.read_bytes() == before
        assert not memory.launcher.started[0].process.ended

    run(steps, version, sessions.environment)


def test_a_conversation_waits_for_the_process_of_the_session_that_was_in_it(
    sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def steps(memory: Memory) -> None:
        await cleared(memory, sessions)
        happened: list[str] = []
        resume = memory.launcher.resume

        async def stop(_farewell: Any = None) -> None:
            for _ in range(30):
                await asyncio.to_thread(int)
            happened.append("ended")

        async def noted(*given: Any, **named: Any) -> Any:
            happened.append("starts")
            return await resume(*given, **named)

        monkeypatch.setattr(memory.launcher.started[0].process, "stop", stop)
        monkeypatch.setattr(memory.launcher, "resume", noted)
        memory.write(close(2, SESSION), sessions.load(3, OTHER))
        assert "result" in await answer(memory, 3)
        assert happened == ["ended", "starts"]

    run(steps, 1, sessions.environment)


def test_two_names_of_one_conversation_are_not_opened_side_by_side(sessions: Sessions) -> None:
    async def steps(memory: Memory) -> None:
        await cleared(memory, sessions)
        memory.write(close(2, SESSION))
        await answer(memory, 2)
        memory.launcher.may_start.clear()
        memory.write(sessions.load(3), sessions.load(4, OTHER))
        assert (await answer(memory, 4))["error"]["code"] == -32602
        memory.launcher.may_start.set()
        assert "result" in await answer(memory, 3)
        assert len(memory.launcher.started) == 2

    run(steps, 1, sessions.environment)
