"""Opening a session while it is open, opening or ending; sessions side by side."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from support import machine
from support.cores import Core, all_cores, v2_cores
from support.transcripts import SESSION

from .connection import Memory, cancel, close, prompt, request, run, settle
from .sessions import Sessions, answer, kinds


def test_a_session_that_is_open_is_shown_again_without_a_second_process(sessions: Sessions) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.write(sessions.load(1))
        await answer(memory, 1)
        memory.write(prompt(2, SESSION))
        claude = memory.launcher.started[0]
        [uuid] = claude.uuids()
        claude.begins(uuid)
        memory.write(sessions.load(3))
        await answer(memory, 3)
        assert kinds(memory).count("user_message_chunk") == 2
        memory.write(cancel(SESSION))
        assert "interrupt" in claude.controls()
        claude.finishes(uuid)
        assert (await answer(memory, 2))["result"]["stopReason"] == "cancelled"
        assert len(memory.launcher.started) == 1

    run(steps, Core.V1, sessions.environment)


def test_a_session_that_is_open_in_another_folder_starts_anew(sessions: Sessions, tmp_path: Path) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.write(sessions.load(1))
        await answer(memory, 1)
        memory.write(prompt(2, SESSION), sessions.load(3, cwd=str(tmp_path)))
        assert "result" in await answer(memory, 3)
        assert memory.responses()[2]["result"]["stopReason"] == "cancelled"
        first, second = memory.launcher.started
        assert first.process.ended
        assert (second.resumed, second.spec.cwd) == (True, str(tmp_path))

    run(steps, Core.V1, sessions.environment)


@all_cores
def test_a_session_that_is_opened_again_by_another_path_to_its_folder_runs_on(
    sessions: Sessions, tmp_path: Path, core: Core
) -> None:
    (tmp_path / "link").symlink_to(sessions.cwd)
    (tmp_path / "more").mkdir()
    (tmp_path / "more-link").symlink_to(tmp_path / "more")

    async def steps(memory: Memory) -> None:
        sessions.write()
        more = str(tmp_path / "more")
        memory.write(sessions.load(1, version=core.version, additionalDirectories=[more]))
        await answer(memory, 1)
        memory.write(prompt(2, SESSION))
        claude = memory.launcher.started[0]
        claude.begins(claude.uuids()[0])
        paths = [(f"{sessions.cwd}/", f"{more}/"), (str(tmp_path / "link"), str(tmp_path / "more-link"))]
        for number, (cwd, directory) in enumerate(paths, 3):
            memory.write(sessions.load(number, version=core.version, cwd=cwd, additionalDirectories=[directory]))
            assert "result" in await answer(memory, number)
        assert memory.launcher.started == [claude]
        assert not claude.process.ended
        assert "stopReason" not in memory.responses().get(2, {}).get("result", {})

    run(steps, core, sessions.environment)


def test_an_open_session_keeps_its_servers_if_none_are_named(sessions: Sessions) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        servers = [{"name": "a", "command": "x", "args": [], "env": []}]
        memory.write(sessions.load(1, mcpServers=servers))
        await answer(memory, 1)
        memory.write(request(2, "session/resume", sessionId=SESSION, cwd=sessions.cwd))
        await answer(memory, 2)
        assert len(memory.launcher.started) == 1
        memory.write(request(3, "session/resume", sessionId=SESSION, cwd=sessions.cwd, mcpServers=[]))
        await answer(memory, 3)
        assert [list(claude.spec.mcp_servers) for claude in memory.launcher.started] == [["a"], []]

    run(steps, Core.V1, sessions.environment)


@v2_cores
@pytest.mark.parametrize("other", [{"cwd": "/"}, {"additionalDirectories": ["/"]}])
def test_v2_keeps_an_open_session_where_it_is(sessions: Sessions, other: dict[str, Any], core: Core) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.write(sessions.load(1, version=2))
        await answer(memory, 1)
        memory.write(sessions.load(2, version=2, **other))
        error = (await answer(memory, 2))["error"]
        assert (error["code"], error["data"]["path"]) == (-32602, next(iter(other)))

    run(steps, core, sessions.environment)


@all_cores
def test_what_comes_while_a_session_loads_is_served_behind_it(sessions: Sessions, core: Core) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.launcher.may_start.clear()
        memory.write(sessions.load(1, version=core.version), prompt(2, SESSION, "One"), prompt(3, SESSION, "Two"))
        memory.write(sessions.load(4, version=core.version))
        await settle()
        assert memory.responses() == {}
        memory.launcher.may_start.set()
        await answer(memory, 4)
        [claude] = memory.launcher.started
        assert claude.prompts() == ["One", "Two"]
        for uuid in claude.uuids():
            claude.begins(uuid)
            claude.finishes(uuid)
        assert {1, 2, 3, 4} <= set(memory.responses())
        assert memory.errors() == {}

    run(steps, core, sessions.environment)


def test_prompts_to_a_session_that_cannot_be_loaded_are_told_so(sessions: Sessions) -> None:
    async def steps(memory: Memory) -> None:
        memory.write(sessions.load(1), prompt(2, SESSION))
        await answer(memory, 2)
        assert memory.errors() == {1: -32002, 2: -32002}

    run(steps, Core.V1, sessions.environment)


def test_a_load_that_is_cancelled_leaves_no_process(sessions: Sessions) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.launcher.may_start.clear()
        memory.write(sessions.load(1))
        await memory.until(lambda: "user_message_chunk" in kinds(memory))
        memory.write({"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": 1}})
        assert (await answer(memory, 1))["error"]["code"] == -32800
        assert memory.launcher.cancelled == 1
        assert SESSION not in memory.agent.sessions

    run(steps, Core.V1, sessions.environment)


def test_the_end_of_the_adapter_answers_a_load_and_what_waits_for_it(sessions: Sessions) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.launcher.may_start.clear()
        memory.write(sessions.load(1), prompt(2, SESSION))
        await memory.agent.shut_down()
        await settle()
        assert memory.errors() == {1: -32800, 2: -32800}

    run(steps, Core.V1, sessions.environment)


def test_a_load_waits_for_the_process_that_still_ends(sessions: Sessions, monkeypatch: pytest.MonkeyPatch) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.write(sessions.load(1))
        await answer(memory, 1)
        may_stop = asyncio.Event()

        async def stop(_farewell: Any = None) -> None:
            await may_stop.wait()

        monkeypatch.setattr(memory.launcher.started[0].process, "stop", stop)
        memory.write(close(2, SESSION), sessions.load(3))
        await settle()
        assert len(memory.launcher.started) == 1
        may_stop.set()
        await answer(memory, 3)
        assert len(memory.launcher.started) == 2

    run(steps, Core.V1, sessions.environment)


def test_sessions_side_by_side_share_nothing(sessions: Sessions) -> None:
    async def steps(memory: Memory) -> None:
        ids = [f"00000000-0000-4000-8000-00000000000{number}" for number in range(10)]
        for number, session_id in enumerate(ids):
            sessions.write(session_id)
            memory.write(sessions.load(number, session_id))
        for number in range(10):
            await answer(memory, number)
        for number, session_id in enumerate(ids):
            memory.write(prompt(100 + number, session_id))
        by_id = {claude.spec.session_id: claude for claude in memory.launcher.started}
        for dying in ids:
            by_id[dying].begins(by_id[dying].uuids()[0])
            by_id[dying].dies()
            await settle()
            others = [100 + number for number, session_id in enumerate(ids) if session_id > dying]
            assert not set(others) & set(memory.responses())
            assert memory.errors()[100 + ids.index(dying)] == -32603
            memory.write(prompt(200 + ids.index(dying), dying, "Again"))
            await settle()
            again = memory.launcher.started[-1]
            assert (again.spec.session_id, again.resumed, again.prompts()) == (dying, True, ["Again"])

    run(steps, Core.V1, sessions.environment)


@v2_cores
def test_a_session_that_is_open_names_the_commands_that_it_has_now(sessions: Sessions, core: Core) -> None:
    def named(memory: Memory, number: int) -> list[str]:
        return [command["name"] for command in memory.responses()[number]["result"]["availableCommands"]]

    async def steps(memory: Memory) -> None:
        session = await memory.new(1, sessions.cwd)
        assert named(memory, 1) == ["mcp"]
        memory.launcher.started[0].says(machine.system("commands_changed", commands=[{"name": "hey"}]))
        await settle()
        memory.write(request(2, "session/resume", sessionId=session, cwd=sessions.cwd))
        await answer(memory, 2)
        assert named(memory, 2) == ["hey", "mcp"]

    run(steps, core, sessions.environment)
