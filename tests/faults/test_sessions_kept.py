"""What is done with sessions that are kept: list, fork, delete, archive, name."""

from __future__ import annotations

import pytest

from support.cores import Core, all_cores
from support.transcripts import OTHER, SESSION, hello, text

from .connection import Memory, close, request, run
from .sessions import Sessions, answer


@all_cores
def test_a_fork_is_a_session_of_its_own(sessions: Sessions, core: Core, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", sessions.environment["CLAUDE_CONFIG_DIR"])

    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.write(request(1, "session/fork", sessionId=SESSION, cwd=sessions.cwd, mcpServers=[]))
        fork = (await answer(memory, 1))["result"]["sessionId"]
        assert fork != SESSION
        [claude] = memory.launcher.started
        assert (claude.resumed, claude.spec.session_id) == (True, fork)
        titles = [update.get("title") for update in memory.updates(fork)]
        assert "Hello there (fork)" in titles
        memory.write(request(2, "session/list", cwd=sessions.cwd))
        listed = (await answer(memory, 2))["result"]["sessions"]
        assert {one["sessionId"] for one in listed} == {SESSION, fork}

    run(steps, core, sessions.environment)


@all_cores
def test_a_session_without_a_prompt_is_forked_to_another_one(sessions: Sessions, core: Core) -> None:
    async def steps(memory: Memory) -> None:
        session = await memory.new(1, sessions.cwd)
        for number in (2, 4):
            memory.write(request(number, "session/fork", sessionId=session, cwd=sessions.cwd, mcpServers=[]))
            fork = (await answer(memory, number))["result"]["sessionId"]
            assert fork != session
            claude = memory.launcher.started[-1]
            assert (claude.resumed, claude.spec.session_id) == (False, fork)
            memory.write(close(number + 1, fork), sessions.load(number + 10, fork, core.version))
            assert "result" in await answer(memory, number + 10)
            memory.write(close(number + 20, session))
            await answer(memory, number + 20)

    run(steps, core, sessions.environment)


@all_cores
def test_archiving_a_session_without_a_prompt_ends_it(sessions: Sessions, core: Core) -> None:
    async def steps(memory: Memory) -> None:
        session = await memory.new(1, sessions.cwd)
        memory.write(request(2, "session/archive", sessionId=session))
        assert (await answer(memory, 2))["result"] == {}
        assert memory.launcher.started[0].process.ended
        memory.write(request(3, "session/unarchive", sessionId=session), sessions.load(4, session, core.version))
        assert (await answer(memory, 3))["result"] == {}
        assert "result" in await answer(memory, 4)

    run(steps, core, sessions.environment)


@all_cores
def test_the_list_is_of_one_folder_or_of_all(sessions: Sessions, core: Core) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        hello("/elsewhere", OTHER).write(sessions.projects)
        memory.write(request(1, "session/list", cwd=sessions.cwd))
        [listed] = (await answer(memory, 1))["result"]["sessions"]
        assert listed.pop("updatedAt").endswith("Z")
        assert listed == {"sessionId": SESSION, "cwd": sessions.cwd, "title": "Hello there", "archived": False}
        memory.write(request(2, "session/list"))
        assert len((await answer(memory, 2))["result"]["sessions"]) == 2
        memory.write(request(3, "session/list", cursor="bogus"), request(4, "session/list", archived="_odd"))
        memory.write(request(5, "session/list", cwd="w"))
        errors = [(await answer(memory, number))["error"] for number in (3, 4, 5)]
        assert [error["code"] for error in errors] == [-32602] * 3
        assert [error["data"].get("path") for error in errors[:2]] == ["cursor", "archived"]
        assert errors[2]["data"] == {"cwd": "w"}

    run(steps, core, sessions.environment)


@all_cores
def test_a_list_where_nothing_matches_is_empty(sessions: Sessions, core: Core) -> None:
    async def steps(memory: Memory) -> None:
        memory.write(request(1, "session/list"))
        assert (await answer(memory, 1))["result"]["sessions"] == []
        sessions.write()
        memory.write(request(2, "session/list", cwd="/elsewhere"), request(3, "session/list", archived="only"))
        for number in (2, 3):
            assert (await answer(memory, number))["result"] == {"sessions": []}

    run(steps, core, sessions.environment)


@all_cores
def test_deleting_a_session_ends_it_first(sessions: Sessions, core: Core) -> None:
    async def steps(memory: Memory) -> None:
        path = sessions.write()
        memory.write(sessions.load(1, version=core.version))
        await answer(memory, 1)
        memory.write(request(2, "session/delete", sessionId=SESSION))
        assert (await answer(memory, 2))["result"] == {}
        assert memory.launcher.started[0].process.ended
        assert not path.exists()
        memory.write(request(3, "session/delete", sessionId=SESSION), sessions.load(4, version=core.version))
        assert (await answer(memory, 3))["result"] == {}
        assert (await answer(memory, 4))["error"]["code"] == -32002

    run(steps, core, sessions.environment)


@all_cores
def test_deleting_a_session_that_does_not_exist_succeeds(sessions: Sessions, core: Core) -> None:
    async def steps(memory: Memory) -> None:
        memory.write(request(1, "session/delete", sessionId=SESSION))
        assert (await answer(memory, 1))["result"] == {}

    run(steps, core, sessions.environment)


@all_cores
def test_an_archived_session_is_ended_and_left_out_of_the_list(sessions: Sessions, core: Core) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.write(sessions.load(1, version=core.version))
        await answer(memory, 1)
        memory.write(request(2, "session/archive", sessionId=SESSION))
        assert (await answer(memory, 2))["result"] == {}
        assert memory.launcher.started[0].process.ended
        memory.write(request(3, "session/list"), request(4, "session/list", archived="only"))
        assert (await answer(memory, 3))["result"]["sessions"] == []
        [listed] = (await answer(memory, 4))["result"]["sessions"]
        assert listed["archived"] is True
        memory.write(request(5, "session/unarchive", sessionId=SESSION))
        await answer(memory, 5)
        assert not sessions.summary().archived

    run(steps, core, sessions.environment)


def test_another_tag_than_ours_stays_where_nothing_is_archived(sessions: Sessions) -> None:
    async def steps(memory: Memory) -> None:
        transcript = hello(sessions.cwd)
        transcript.record("tag", tag="mine")
        path = transcript.write(sessions.projects)
        before = path.read_bytes()
        memory.write(request(1, "session/unarchive", sessionId=SESSION))
        assert (await answer(memory, 1))["result"] == {}
        assert path.read_bytes() == before

    run(steps, Core.V1, sessions.environment)


@all_cores
@pytest.mark.parametrize("method", ["session/archive", "session/unarchive", "session/status", "session/set_title"])
def test_a_session_that_does_not_exist_is_named(sessions: Sessions, core: Core, method: str) -> None:
    async def steps(memory: Memory) -> None:
        params = {"title": "x"} if method == "session/set_title" else {}
        memory.write(request(1, method, sessionId=SESSION, **params))
        error = (await answer(memory, 1))["error"]
        assert (error["code"], error["data"]) == (-32002, {"sessionId": SESSION})

    run(steps, core, sessions.environment)


@all_cores
def test_the_status_says_whether_a_session_is_open(sessions: Sessions, core: Core) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.write(request(1, "session/status", sessionId=SESSION))
        assert (await answer(memory, 1))["result"] == {"status": "saved"}
        memory.write(sessions.load(2, version=core.version))
        await answer(memory, 2)
        memory.write(request(3, "session/status", sessionId=SESSION))
        assert (await answer(memory, 3))["result"] == {"status": "open"}

    run(steps, core, sessions.environment)


@all_cores
def test_a_saved_session_gets_a_title(sessions: Sessions, core: Core) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.write(request(1, "session/set_title", sessionId=SESSION, title="  A\nname "))
        assert (await answer(memory, 1))["result"] == {"title": "A name"}
        assert (sessions.summary().title, sessions.summary().chosen) == ("A name", True)
        memory.write(request(2, "session/set_title", sessionId=SESSION, title=" \n"))
        assert (await answer(memory, 2))["error"]["code"] == -32602

    run(steps, core, sessions.environment)


@all_cores
def test_an_open_session_is_named_by_claude_code(sessions: Sessions, core: Core) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.write(sessions.load(1, version=core.version))
        await answer(memory, 1)
        memory.write(request(2, "session/set_title", sessionId=SESSION, title="Name"))
        claude = memory.launcher.started[0]
        asked = claude.process.frames[-1]
        assert asked["request"] == {"subtype": "rename_session", "title": "Name", "source": "host"}
        done = {"subtype": "success", "request_id": asked["request_id"], "response": {}}
        claude.says({"type": "control_response", "response": done})
        assert memory.responses()[2]["result"] == {"title": "Name"}
        assert "Name" in [update.get("title") for update in memory.updates(SESSION)]

    run(steps, core, sessions.environment)


def test_a_fork_may_end_at_a_message(sessions: Sessions, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", sessions.environment["CLAUDE_CONFIG_DIR"])
    transcript = hello(sessions.cwd)
    transcript.user([text("More")], "00000000-0000-4000-8000-000000000002")
    transcript.answer("msg_2", text("More."), uuid="00000000-0000-4000-8000-000000000003")
    for number, entry in enumerate(transcript.entries[:2]):
        entry["uuid"] = f"00000000-0000-4000-8000-00000000000{number}"
    transcript.entries[1]["parentUuid"] = transcript.entries[0]["uuid"]
    transcript.entries[2]["parentUuid"] = transcript.entries[1]["uuid"]

    async def steps(memory: Memory) -> None:
        transcript.write(sessions.projects)
        lengths = []
        empty = await memory.new(9, sessions.cwd)
        meta = {"jetbrains": {"air": {"fork": {"version": 1, "messageId": "msg_1"}}}}
        memory.write(request(10, "session/fork", sessionId=empty, cwd=sessions.cwd, _meta=meta))
        assert (await answer(memory, 10))["error"]["code"] == -32602
        for number, (version, message_id) in enumerate([(1, "msg_1"), (2, "msg_1"), (1, "none"), (1, " ")]):
            meta = {"jetbrains": {"air": {"fork": {"version": version, "messageId": message_id}}}}
            memory.write(request(number, "session/fork", sessionId=SESSION, cwd=sessions.cwd, _meta=meta))
            response = await answer(memory, number)
            if "error" in response:
                assert response["error"]["data"]["messageId"] == "none"
                lengths.append(response["error"]["code"])
                continue
            [path] = sessions.projects.glob(f"*/{response['result']['sessionId']}.jsonl")
            lengths.append(path.read_text().count('"parentUuid"'))
        assert lengths == [2, 4, -32602, 4]

    run(steps, Core.V1, sessions.environment)
