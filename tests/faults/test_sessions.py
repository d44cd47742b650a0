"""The methods beside a session's turns, on transcripts and an agent in memory."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from adapter.shared.history.index import SessionIndex
from adapter.shared.launch import UnknownConversationError
from support import machine
from support.transcripts import OTHER, SESSION, Transcript, hello, text

from .connection import Memory, cancel, close, new, prompt, request, run, settle

VERSIONS = pytest.mark.parametrize("version", [1, 2])


class Sessions:
    """A config folder with transcripts.

    Args:
        folder: Empty.
    """

    def __init__(self, folder: Path) -> None:
        self.cwd = str((folder / "w").resolve())
        Path(self.cwd).mkdir()
        self.environment = {"CLAUDE_CONFIG_DIR": str(folder / "config")}
        self.projects = folder / "config" / "projects"

    def write(self, session_id: str = SESSION, words: str = "Hello there") -> Path:
        return hello(self.cwd, session_id, words).write(self.projects)

    def load(self, number: int, session_id: str = SESSION, version: int = 1, **params: Any) -> dict[str, Any]:
        """A request that shows the history."""
        method, replay = ("session/load", {}) if version == 1 else ("session/resume", {"replayFrom": {"type": "start"}})
        fields = {"cwd": self.cwd, "mcpServers": [], **replay, **params}
        return request(number, method, sessionId=session_id, **fields)

    def summary(self, session_id: str = SESSION) -> Any:
        found = SessionIndex(str(self.projects)).page(archived=None)[0]
        return next((listed.summary for listed in found if listed.session_id == session_id), None)


@pytest.fixture
def sessions(tmp_path: Path) -> Sessions:
    return Sessions(tmp_path)


async def answer(memory: Memory, number: int) -> dict[str, Any]:
    """The response to a request, once it is there."""
    await memory.until(lambda: number in memory.responses())
    await settle()
    return memory.responses()[number]


def kinds(memory: Memory, session_id: str = SESSION) -> list[str]:
    return [update["sessionUpdate"] for update in memory.updates(session_id)]


@VERSIONS
def test_the_history_comes_before_the_answer_and_claude_code_resumes(sessions: Sessions, version: int) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.write(sessions.load(1, version=version))
        response = await answer(memory, 1)
        before = memory.messages[: memory.messages.index(response)]
        texts = [
            message["params"]["update"]["content"]["text"]
            for message in before
            if message.get("method") == "session/update" and "_chunk" in message["params"]["update"]["sessionUpdate"]
        ]
        assert texts == ["Hello there", "Hi."]
        [claude] = memory.launcher.started
        assert claude.resumed
        assert (claude.spec.session_id, claude.spec.cwd) == (SESSION, sessions.cwd)
        assert "sessionId" not in response["result"]

    run(steps, version, sessions.environment)


@VERSIONS
def test_a_resume_shows_no_history(sessions: Sessions, version: int) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.write(request(1, "session/resume", sessionId=SESSION, cwd=sessions.cwd))
        assert "result" in await answer(memory, 1)
        assert memory.launcher.started[0].resumed
        assert not [kind for kind in kinds(memory) if kind.endswith("_chunk")]

    run(steps, version, sessions.environment)


def test_v2_tells_whether_the_session_works_before_the_answer(sessions: Sessions) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.write(sessions.load(1, version=2))
        response = await answer(memory, 1)
        before = [update for update in memory.updates(SESSION) if update["sessionUpdate"] == "state_update"]
        assert before == [{"sessionUpdate": "state_update", "state": "idle", "background": []}]
        assert response in memory.messages[-4:]
        memory.write(prompt(2, SESSION))
        claude = memory.launcher.started[0]
        claude.begins(claude.uuids()[0])
        memory.write(sessions.load(3, version=2))
        response = await answer(memory, 3)
        assert memory.messages[memory.messages.index(response) - 1]["params"]["update"]["state"] == "running"

    run(steps, 2, sessions.environment)


def test_v2_replays_from_the_start_only(sessions: Sessions) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.write(sessions.load(1, version=2, replayFrom={"type": "_message"}))
        assert memory.errors() == {1: -32602}

    run(steps, 2, sessions.environment)


@VERSIONS
@pytest.mark.parametrize("session_id", [OTHER, "nobody", "../../x"])
def test_an_unknown_session_cannot_be_opened(sessions: Sessions, version: int, session_id: str) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.write(sessions.load(1, session_id, version))
        memory.write(request(2, "session/fork", sessionId=session_id, cwd=sessions.cwd, mcpServers=[]))
        for number in (1, 2):
            error = (await answer(memory, number))["error"]
            assert error == {"code": -32002, "message": "Resource not found", "data": {"sessionId": session_id}}
        assert memory.launcher.started == []

    run(steps, version, sessions.environment)


def test_a_session_that_claude_code_does_not_know_is_unknown(sessions: Sessions) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.launcher.failure = UnknownConversationError("start_failed", "No conversation found")
        memory.write(sessions.load(1))
        assert (await answer(memory, 1))["error"]["code"] == -32002

    run(steps, 1, sessions.environment)


def test_a_session_without_a_prompt_can_be_opened_again_on_its_connection(sessions: Sessions) -> None:
    async def steps(memory: Memory) -> None:
        session = await memory.new(1, sessions.cwd)
        memory.write(close(2, session))
        await answer(memory, 2)
        memory.write(sessions.load(3, session))
        assert "result" in await answer(memory, 3)
        assert [claude.resumed for claude in memory.launcher.started] == [False, False]
        assert memory.launcher.started[1].spec.session_id == session

    run(steps, 1, sessions.environment)


def test_the_mode_is_that_of_the_last_prompt(sessions: Sessions) -> None:
    async def steps(memory: Memory) -> None:
        transcript = hello(sessions.cwd)
        transcript.user("More", permissionMode="acceptEdits")
        transcript.write(sessions.projects)
        memory.write(sessions.load(1))
        assert (await answer(memory, 1))["result"]["modes"]["currentModeId"] == "acceptEdits"

    run(steps, 1, sessions.environment)


def test_a_mode_that_the_host_forbids_is_not_restored(sessions: Sessions) -> None:
    async def steps(memory: Memory) -> None:
        transcript = hello(sessions.cwd)
        transcript.user("More", permissionMode="bypassPermissions")
        transcript.write(sessions.projects)
        options = {"allowDangerouslySkipPermissions": False}
        memory.write(sessions.load(1, _meta={"claudeCode": {"options": options}}))
        assert (await answer(memory, 1))["result"]["modes"]["currentModeId"] == "default"

    run(steps, 1, sessions.environment)


def test_the_title_is_told_behind_the_answer_and_not_asked_for_again(sessions: Sessions) -> None:
    async def steps(memory: Memory) -> None:
        transcript = hello(sessions.cwd)
        transcript.record("custom-title", customTitle="Chosen")
        transcript.write(sessions.projects)
        memory.write(sessions.load(1))
        response = await answer(memory, 1)
        after = memory.messages[memory.messages.index(response) :]
        titles = [message["params"]["update"].get("title") for message in after if "params" in message]
        assert titles.count("Chosen") == 1
        memory.write(prompt(2, SESSION, "A prompt that is long enough"))
        assert "generate_session_title" not in memory.launcher.started[0].controls()

    run(steps, 1, sessions.environment)


def test_tasks_from_before_are_still_in_the_plan(sessions: Sessions) -> None:
    async def steps(memory: Memory) -> None:
        transcript = Transcript(sessions.cwd)
        transcript.user("Plan")
        transcript.call("t", "TaskCreate", subject="First")
        transcript.result("t", "made", {"task": {"id": "1", "subject": "First"}})
        transcript.write(sessions.projects)
        memory.write(sessions.load(1))
        await answer(memory, 1)
        memory.launcher.started[0].says(
            machine.calls("u", "TaskUpdate", {"taskId": "1", "status": "completed"}),
            {**machine.returns("u"), "tool_use_result": {"success": True, "taskId": "1"}},
        )
        assert memory.updates(SESSION)[-1]["entries"] == [
            {"content": "First", "status": "completed", "priority": "medium"}
        ]

    run(steps, 1, sessions.environment)


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

    run(steps, 1, sessions.environment)


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

    run(steps, 1, sessions.environment)


@pytest.mark.parametrize("other", [{"cwd": "/"}, {"additionalDirectories": ["/"]}])
def test_v2_keeps_an_open_session_where_it_is(sessions: Sessions, other: dict[str, Any]) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.write(sessions.load(1, version=2))
        await answer(memory, 1)
        memory.write(sessions.load(2, version=2, **other))
        error = (await answer(memory, 2))["error"]
        assert (error["code"], error["data"]["path"]) == (-32602, next(iter(other)))

    run(steps, 2, sessions.environment)


@VERSIONS
def test_what_comes_while_a_session_loads_is_served_behind_it(sessions: Sessions, version: int) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.launcher.may_start.clear()
        memory.write(sessions.load(1, version=version), prompt(2, SESSION, "One"), prompt(3, SESSION, "Two"))
        memory.write(sessions.load(4, version=version))
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

    run(steps, version, sessions.environment)


def test_prompts_to_a_session_that_cannot_be_loaded_are_told_so(sessions: Sessions) -> None:
    async def steps(memory: Memory) -> None:
        memory.write(sessions.load(1), prompt(2, SESSION))
        await answer(memory, 2)
        assert memory.errors() == {1: -32002, 2: -32002}

    run(steps, 1, sessions.environment)


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

    run(steps, 1, sessions.environment)


def test_the_end_of_the_adapter_answers_a_load_and_what_waits_for_it(sessions: Sessions) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.launcher.may_start.clear()
        memory.write(sessions.load(1), prompt(2, SESSION))
        await memory.agent.shut_down()
        await settle()
        assert memory.errors() == {1: -32800, 2: -32800}

    run(steps, 1, sessions.environment)


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

    run(steps, 1, sessions.environment)


@VERSIONS
def test_additional_directories_go_to_claude_code_and_must_be_absolute(sessions: Sessions, version: int) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.write(new(1, sessions.cwd, additionalDirectories=["/x", "y"]))
        error = memory.responses()[1]["error"]
        assert (error["code"], error["data"]["path"]) == (-32602, "additionalDirectories.1")
        memory.write(new(2, sessions.cwd, additionalDirectories=["/x"]))
        memory.write(sessions.load(3, version=version, additionalDirectories=["/y", "/z"]))
        await answer(memory, 3)
        directories = [claude.spec.additional_directories for claude in memory.launcher.started]
        assert directories == [("/x",), ("/y", "/z")]

    run(steps, version, sessions.environment)


@VERSIONS
def test_a_fork_is_a_session_of_its_own(sessions: Sessions, version: int, monkeypatch: pytest.MonkeyPatch) -> None:
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

    run(steps, version, sessions.environment)


@VERSIONS
def test_the_list_is_of_one_folder_or_of_all(sessions: Sessions, version: int) -> None:
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
        for number, path in ((3, "cursor"), (4, "archived")):
            error = (await answer(memory, number))["error"]
            assert (error["code"], error["data"]["path"]) == (-32602, path)

    run(steps, version, sessions.environment)


@VERSIONS
def test_deleting_a_session_ends_it_first(sessions: Sessions, version: int) -> None:
    async def steps(memory: Memory) -> None:
        path = sessions.write()
        memory.write(sessions.load(1, version=version))
        await answer(memory, 1)
        memory.write(request(2, "session/delete", sessionId=SESSION))
        assert (await answer(memory, 2))["result"] == {}
        assert memory.launcher.started[0].process.ended
        assert not path.exists()
        memory.write(request(3, "session/delete", sessionId=SESSION), sessions.load(4, version=version))
        assert (await answer(memory, 3))["result"] == {}
        assert (await answer(memory, 4))["error"]["code"] == -32002

    run(steps, version, sessions.environment)


@VERSIONS
def test_an_archived_session_is_ended_and_left_out_of_the_list(sessions: Sessions, version: int) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.write(sessions.load(1, version=version))
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

    run(steps, version, sessions.environment)


def test_another_tag_than_ours_stays_where_nothing_is_archived(sessions: Sessions) -> None:
    async def steps(memory: Memory) -> None:
        transcript = hello(sessions.cwd)
        transcript.record("tag", tag="mine")
        path = transcript.write(sessions.projects)
        before = path.read_bytes()
        memory.write(request(1, "session/unarchive", sessionId=SESSION))
        assert (await answer(memory, 1))["result"] == {}
        assert path.read_bytes() == before

    run(steps, 1, sessions.environment)


@VERSIONS
@pytest.mark.parametrize("method", ["session/archive", "session/unarchive", "session/status", "session/set_title"])
def test_a_session_that_does_not_exist_is_named(sessions: Sessions, version: int, method: str) -> None:
    async def steps(memory: Memory) -> None:
        params = {"title": "x"} if method == "session/set_title" else {}
        memory.write(request(1, method, sessionId=SESSION, **params))
        error = (await answer(memory, 1))["error"]
        assert (error["code"], error["data"]) == (-32002, {"sessionId": SESSION})

    run(steps, version, sessions.environment)


@VERSIONS
def test_the_status_says_whether_a_session_is_open(sessions: Sessions, version: int) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.write(request(1, "session/status", sessionId=SESSION))
        assert (await answer(memory, 1))["result"] == {"status": "saved"}
        memory.write(sessions.load(2, version=version))
        await answer(memory, 2)
        memory.write(request(3, "session/status", sessionId=SESSION))
        assert (await answer(memory, 3))["result"] == {"status": "open"}

    run(steps, version, sessions.environment)


@VERSIONS
def test_a_saved_session_gets_a_title(sessions: Sessions, version: int) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.write(request(1, "session/set_title", sessionId=SESSION, title="  A\nname "))
        assert (await answer(memory, 1))["result"] == {"title": "A name"}
        assert (sessions.summary().title, sessions.summary().chosen) == ("A name", True)
        memory.write(request(2, "session/set_title", sessionId=SESSION, title=" \n"))
        assert (await answer(memory, 2))["error"]["code"] == -32602

    run(steps, version, sessions.environment)


@VERSIONS
def test_an_open_session_is_named_by_claude_code(sessions: Sessions, version: int) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.write(sessions.load(1, version=version))
        await answer(memory, 1)
        memory.write(request(2, "session/set_title", sessionId=SESSION, title="Name"))
        claude = memory.launcher.started[0]
        asked = claude.process.frames[-1]
        assert asked["request"] == {"subtype": "rename_session", "title": "Name", "source": "host"}
        done = {"subtype": "success", "request_id": asked["request_id"], "response": {}}
        claude.says({"type": "control_response", "response": done})
        assert memory.responses()[2]["result"] == {"title": "Name"}
        assert "Name" in [update.get("title") for update in memory.updates(SESSION)]

    run(steps, version, sessions.environment)


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

    run(steps, 1, sessions.environment)


def test_a_fork_at_a_message_is_for_air(sessions: Sessions, monkeypatch: pytest.MonkeyPatch) -> None:
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
        for number, (air, message_id) in enumerate([(True, "msg_1"), (False, "msg_1"), (True, "none"), (True, " ")]):
            monkeypatch.setattr(type(memory.agent), "is_air", air)
            meta = {"jetbrains": {"air": {"fork": {"version": 1, "messageId": message_id}}}}
            memory.write(request(number, "session/fork", sessionId=SESSION, cwd=sessions.cwd, _meta=meta))
            response = await answer(memory, number)
            if "error" in response:
                lengths.append(response["error"]["code"])
                continue
            [path] = sessions.projects.glob(f"*/{response['result']['sessionId']}.jsonl")
            lengths.append(path.read_text().count('"parentUuid"'))
        assert lengths == [2, 4, -32602, 4]

    run(steps, 1, sessions.environment)
