"""Opening sessions that have a transcript."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adapter.shared.client_capabilities import read_v2_capabilities
from adapter.shared.launch import UnknownConversationError
from support import machine
from support.cores import Core, all_cores, v2_cores
from support.transcripts import OTHER, SESSION, Transcript, hello

from .connection import Memory, close, new, prompt, request, run
from .sessions import Sessions, answer, kinds

END = {"jetbrains": {"air": {"version": 1, "loadReplayEnd": True}}}


@all_cores
def test_the_history_comes_before_the_answer_and_claude_code_resumes(sessions: Sessions, core: Core) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.write(sessions.load(1, version=core.version))
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

    run(steps, core, sessions.environment)


@all_cores
def test_a_session_that_was_cleared_goes_on_behind_that(sessions: Sessions, core: Core) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.write(sessions.load(1, version=core.version))
        await answer(memory, 1)
        sessions.write(OTHER, "After the clear")
        memory.launcher.started[0].says(machine.system("init", session_id=OTHER))
        memory.write(close(2, SESSION), sessions.load(3, version=core.version))
        await answer(memory, 3)
        assert memory.launcher.started[1].spec.session_id == OTHER
        assert "After the clear" in str(memory.updates(SESSION))
        memory.write(request(4, "session/delete", sessionId=SESSION))
        await answer(memory, 4)
        assert list(sessions.projects.glob("*/*")) == []

    run(steps, core, sessions.environment)


@all_cores
def test_a_resume_shows_no_history(sessions: Sessions, core: Core) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.write(request(1, "session/resume", sessionId=SESSION, cwd=sessions.cwd))
        assert "result" in await answer(memory, 1)
        assert memory.launcher.started[0].resumed
        assert not [kind for kind in kinds(memory) if kind.endswith("_chunk")]

    run(steps, core, sessions.environment)


@v2_cores
def test_v2_tells_whether_the_session_works_before_the_answer(sessions: Sessions, core: Core) -> None:
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

    run(steps, core, sessions.environment)


@v2_cores
def test_v2_replays_from_the_start_only(sessions: Sessions, core: Core) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.write(sessions.load(1, version=2, replayFrom={"type": "_message"}))
        assert memory.errors() == {1: -32602}

    run(steps, core, sessions.environment)


@all_cores
@pytest.mark.parametrize("session_id", [OTHER, "nobody", "../../x"])
def test_an_unknown_session_cannot_be_opened(sessions: Sessions, core: Core, session_id: str) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.write(sessions.load(1, session_id, core.version))
        memory.write(request(2, "session/fork", sessionId=session_id, cwd=sessions.cwd, mcpServers=[]))
        for number in (1, 2):
            error = (await answer(memory, number))["error"]
            assert error == {"code": -32002, "message": "Resource not found", "data": {"sessionId": session_id}}
        assert memory.launcher.started == []

    run(steps, core, sessions.environment)


def test_a_session_that_claude_code_does_not_know_is_unknown(sessions: Sessions) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.launcher.failure = UnknownConversationError("start_failed", "No conversation found")
        memory.write(sessions.load(1))
        assert (await answer(memory, 1))["error"]["code"] == -32002

    run(steps, Core.V1, sessions.environment)


def test_a_session_without_a_prompt_can_be_opened_again_on_its_connection(sessions: Sessions) -> None:
    async def steps(memory: Memory) -> None:
        session = await memory.new(1, sessions.cwd)
        memory.write(close(2, session))
        await answer(memory, 2)
        memory.write(sessions.load(3, session))
        assert "result" in await answer(memory, 3)
        assert [claude.resumed for claude in memory.launcher.started] == [False, False]
        assert memory.launcher.started[1].spec.session_id == session

    run(steps, Core.V1, sessions.environment)


def test_the_mode_is_that_of_the_last_prompt(sessions: Sessions) -> None:
    async def steps(memory: Memory) -> None:
        transcript = hello(sessions.cwd)
        transcript.user("More", permissionMode="acceptEdits")
        transcript.write(sessions.projects)
        memory.write(sessions.load(1))
        assert (await answer(memory, 1))["result"]["modes"]["currentModeId"] == "acceptEdits"

    run(steps, Core.V1, sessions.environment)


def test_a_mode_that_the_host_forbids_is_not_restored(sessions: Sessions) -> None:
    async def steps(memory: Memory) -> None:
        transcript = hello(sessions.cwd)
        transcript.user("More", permissionMode="bypassPermissions")
        transcript.write(sessions.projects)
        options = {"allowDangerouslySkipPermissions": False}
        memory.write(sessions.load(1, _meta={"claudeCode": {"options": options}}))
        assert (await answer(memory, 1))["result"]["modes"]["currentModeId"] == "default"

    run(steps, Core.V1, sessions.environment)


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

    run(steps, Core.V1, sessions.environment)


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

    run(steps, Core.V1, sessions.environment)


@all_cores
def test_additional_directories_go_to_claude_code_and_must_be_absolute(sessions: Sessions, core: Core) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        memory.write(new(1, sessions.cwd, additionalDirectories=["/x", "y"]))
        error = memory.responses()[1]["error"]
        assert (error["code"], error["data"]["path"]) == (-32602, "additionalDirectories.1")
        memory.write(new(2, sessions.cwd, additionalDirectories=["/x"]))
        memory.write(sessions.load(3, version=core.version, additionalDirectories=["/y", "/z"]))
        await answer(memory, 3)
        directories = [claude.spec.additional_directories for claude in memory.launcher.started]
        assert directories == [("/x",), ("/y", "/z")]

    run(steps, core, sessions.environment)


@v2_cores
def test_air_is_told_on_v2_where_the_history_ends(sessions: Sessions, core: Core) -> None:
    async def steps(memory: Memory) -> None:
        sessions.write()
        wants = {"_meta": {"jetbrains": {"air": {"version": 1, "capabilities": ["loadReplayEnd"]}}}}
        memory.agent._connection = replace(memory.agent._connection, capabilities=read_v2_capabilities(wants))
        memory.write(sessions.load(1, version=2))
        await answer(memory, 1)
        [end] = [update for update in memory.updates(SESSION) if update.get("_meta") == END]
        position = memory.updates(SESSION).index(end)
        assert "chunk" in memory.updates(SESSION)[position - 1]["sessionUpdate"]
        assert memory.updates(SESSION)[position + 1]["sessionUpdate"] == "state_update"
        memory.write(sessions.load(2, version=2))
        response = await answer(memory, 2)
        assert memory.messages[memory.messages.index(response) - 2]["params"]["update"] == end
        memory.write(request(3, "session/resume", sessionId=SESSION, cwd=sessions.cwd))
        await answer(memory, 3)
        assert memory.updates(SESSION).count(end) == 2

    run(steps, core, sessions.environment)
