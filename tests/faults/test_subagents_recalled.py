"""Subagents of a history on a connection: shown by a replay, and at work again after it."""

from __future__ import annotations

import json
from pathlib import Path

from support import machine
from support.cores import Core, all_cores, v2_cores
from support.transcripts import SESSION, Transcript, text

from .connection import Memory, prompt, request, run, settle
from .sessions import Sessions, answer, kinds

CHILD = "a1"


def write_history(sessions: Sessions, *, meta: bool = True) -> None:
    """A session with a subagent that has ended."""
    root, side = Transcript(sessions.cwd), Transcript(sessions.cwd)
    root.user([text("Delegate")])
    root.call("agent", "Agent", description="Look", prompt="Look", subagent_type="Explore")
    root.result("agent", [text("Found it.")], {"status": "completed", "content": [text("Found it.")]})
    root.answer("m", text("Done."))
    side.user("Look")
    side.answer("m-side", text("Found it."))
    folder = root.write(sessions.projects).with_suffix("") / "subagents"
    folder.mkdir(parents=True)
    Path(folder, f"agent-{CHILD}.jsonl").write_text(side.text())
    about = {"toolUseId": "agent", "description": "Look", "agentType": "Explore"}
    if meta:
        Path(folder, f"agent-{CHILD}.meta.json").write_text(json.dumps(about))


async def set_to_work(memory: Memory) -> None:
    memory.write(prompt(8, SESSION))
    await settle()
    claude = memory.launcher.started[-1]
    claude.begins(claude.uuids()[0])
    claude.says(machine.calls("s", "SendMessage", {"to": CHILD, "message": "again"}))
    claude.says(machine.task_started(CHILD, "s", prompt="again"))
    claude.says(machine.calls("t", parent="agent"))
    await settle()


@v2_cores
def test_a_replay_shows_them_before_the_answer(sessions: Sessions, core: Core) -> None:
    async def steps(memory: Memory) -> None:
        write_history(sessions)
        memory.write(sessions.load(1, version=2))
        await answer(memory, 1)
        assert kinds(memory, CHILD)[:5] == [
            "config_option_update",
            "session_message",
            "agent_message",
            "agent_message_chunk",
            "state_update",
        ]
        states = [
            update["state"]["state"] for update in memory.updates() if update["sessionUpdate"] == "subagent_update"
        ]
        assert states == ["running", "idle"]
        await set_to_work(memory)
        assert "tool_call_update" in kinds(memory, CHILD)

    run(steps, core, sessions.environment)


@v2_cores
def test_one_is_set_to_work_again_without_a_replay(sessions: Sessions, core: Core) -> None:
    async def steps(memory: Memory) -> None:
        write_history(sessions)
        memory.write(request(1, "session/resume", sessionId=SESSION, cwd=sessions.cwd))
        await answer(memory, 1)
        assert kinds(memory, CHILD) == []
        await set_to_work(memory)
        assert kinds(memory, CHILD)[0] == "state_update"
        assert "tool_call_update" in kinds(memory, CHILD)

    run(steps, core, sessions.environment)


@v2_cores
def test_a_session_that_is_open_shows_them_again(sessions: Sessions, core: Core) -> None:
    async def steps(memory: Memory) -> None:
        write_history(sessions)
        memory.write(sessions.load(1, version=2))
        await answer(memory, 1)
        await set_to_work(memory)
        before = len(memory.updates())
        memory.write(sessions.load(2, version=2))
        await answer(memory, 2)
        told = [update for update in memory.updates()[before:] if update["sessionUpdate"] == "subagent_update"]
        assert [update["state"]["state"] for update in told] == ["running"], "it works"
        assert len(memory.launcher.started) == 1

    run(steps, core, sessions.environment)


@all_cores
def test_a_history_that_is_missing_is_said_to_who_takes_notices(sessions: Sessions, core: Core) -> None:
    async def steps(memory: Memory) -> None:
        write_history(sessions, meta=False)
        memory.write(sessions.load(1, version=core.version))
        await answer(memory, 1)
        assert kinds(memory, CHILD) == []
        assert ("notice" in kinds(memory)) is (core.version == 2)

    run(steps, core, sessions.environment)
