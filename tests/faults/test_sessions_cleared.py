"""Sessions that were cleared: Claude Code knows the conversation after that by an id of its own."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from support import machine
from support.cores import Core, all_cores
from support.transcripts import OTHER, SESSION

from .connection import Memory, close, request, run
from .sessions import Sessions, answer


async def cleared(memory: Memory, sessions: Sessions, core: Core = Core.V1) -> None:
    """Loads a session, as request 1, and clears it."""
    sessions.write()
    memory.write(sessions.load(1, version=core.version))
    await answer(memory, 1)
    sessions.write(OTHER, "After the clear")
    memory.launcher.started[0].says(machine.system("init", session_id=OTHER))


@all_cores
def test_the_conversation_of_an_open_session_has_no_second_process(sessions: Sessions, core: Core) -> None:
    async def steps(memory: Memory) -> None:
        await cleared(memory, sessions, core)
        memory.write(sessions.load(2, OTHER, core.version))
        memory.write(request(3, "session/resume", sessionId=OTHER, cwd=sessions.cwd))
        for number in (2, 3):
            error = (await answer(memory, number))["error"]
            assert (error["code"], error["data"]["path"]) == (-32602, "sessionId")
            assert f"open as the session {SESSION}" in error["message"]
        assert len(memory.launcher.started) == 1
        memory.write(close(4, SESSION), sessions.load(5, OTHER, core.version))
        assert "result" in await answer(memory, 5)
        assert [claude.process.ended for claude in memory.launcher.started] == [True, False]

    run(steps, core, sessions.environment)


@all_cores
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
    sessions: Sessions, core: Core, method: str, params: dict[str, Any]
) -> None:
    async def steps(memory: Memory) -> None:
        await cleared(memory, sessions, core)
        [path] = sessions.projects.glob(f"*/{OTHER}.jsonl")
        before = path.read_bytes()
        memory.write(request(2, method, sessionId=OTHER, **params))
        assert (await answer(memory, 2))["error"]["code"] == -32602
        assert path.read_bytes() == before
        assert not memory.launcher.started[0].process.ended

    run(steps, core, sessions.environment)


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

    run(steps, Core.V1, sessions.environment)


def test_two_names_of_one_conversation_are_not_opened_side_by_side(sessions: Sessions) -> None:
    async def steps(memory: Memory) -> None:
        await cleared(memory, sessions)
        memory.write(close(2, SESSION))
        await answer(memory, 2)
        memory.launcher.may_start.clear()
        memory.write(sessions.load(3), sessions.load(4, OTHER))
        await memory.until(lambda: bool(memory.errors()))
        memory.launcher.may_start.set()
        assert ["error" in await answer(memory, number) for number in (3, 4)].count(True) == 1
        assert list(memory.errors().values()) == [-32602]
        assert len(memory.launcher.started) == 2

    run(steps, Core.V1, sessions.environment)


@all_cores
def test_the_id_that_the_client_knows_leads_behind_the_clear_after_the_adapter_has_ended(
    sessions: Sessions, core: Core, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", sessions.environment["CLAUDE_CONFIG_DIR"])

    async def first(memory: Memory) -> None:
        await cleared(memory, sessions, core)
        memory.write(request(2, "session/list", cwd=sessions.cwd))
        [listed] = (await answer(memory, 2))["result"]["sessions"]
        assert (listed["sessionId"], listed["title"]) == (SESSION, "After the clear")

    async def second(memory: Memory) -> None:
        memory.write(request(1, "session/status", sessionId=SESSION))
        assert (await answer(memory, 1))["result"] == {"status": "saved"}
        memory.write(request(2, "session/fork", sessionId=SESSION, cwd=sessions.cwd, mcpServers=[]))
        fork = (await answer(memory, 2))["result"]["sessionId"]
        assert "After the clear (fork)" in [update.get("title") for update in memory.updates(fork)]
        memory.write(request(3, "session/set_title", sessionId=SESSION, title="A name"))
        await answer(memory, 3)
        memory.write(request(4, "session/list", cwd=sessions.cwd))
        listed = (await answer(memory, 4))["result"]["sessions"]
        assert {one["sessionId"]: one["title"] for one in listed} == {
            SESSION: "A name",
            fork: "After the clear (fork)",
        }
        memory.write(sessions.load(5, version=core.version))
        await answer(memory, 5)
        assert "After the clear" in str(memory.updates(SESSION))
        assert "Hello there" not in str(memory.updates(SESSION))
        assert memory.launcher.started[-1].spec.session_id == OTHER
        memory.write(request(6, "session/archive", sessionId=SESSION))
        await answer(memory, 6)
        memory.write(request(7, "session/list", archived="only"))
        [archived] = (await answer(memory, 7))["result"]["sessions"]
        assert archived["sessionId"] == SESSION
        memory.write(request(8, "session/delete", sessionId=SESSION))
        await answer(memory, 8)
        [left] = sessions.projects.glob("*/*.jsonl")
        assert left.stem == fork

    run(first, core, sessions.environment)
    run(second, core, sessions.environment)
