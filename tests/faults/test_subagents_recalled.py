"""Subagents of a history on a connection: shown by a replay, and at work again after it."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import NamedTuple

from support import machine
from support.cores import Core, all_cores, v2_cores
from support.transcripts import SESSION, Transcript, text

from .connection import Json, Memory, prompt, request, run, settle
from .sessions import Sessions, answer, kinds

CHILD = "a1"


class Call(NamedTuple):
    """What a subagent did with a tool; only live output has the structured result."""

    tool: str
    tool_input: Json
    said: str
    structured: Json
    leaves: str = ""


def calls_on(path: str) -> dict[str, Call]:
    hunk = {"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1, "lines": ["-two", "+three"]}
    return {
        "quiet": Call("Bash", {"command": "true"}, "(Bash completed with no output)", {"stdout": "", "stderr": ""}),
        "made": Call(
            "Write",
            {"file_path": path, "content": "two\n"},
            f"File created successfully at: {path}",
            {"type": "create", "filePath": path, "content": "two\n", "originalFile": None, "structuredPatch": []},
            "two\n",
        ),
        "changed": Call(
            "Edit",
            {"file_path": path, "old_string": "two", "new_string": "three"},
            f"The file {path} has been updated successfully.",
            {"filePath": path, "originalFile": "two\n", "structuredPatch": [hunk]},
            "three\n",
        ),
    }


def write_history(sessions: Sessions, *, meta: bool = True, calls: dict[str, Call] | None = None) -> None:
    """A session with a subagent that has ended."""
    root, side = Transcript(sessions.cwd), Transcript(sessions.cwd)
    root.user([text("Delegate")])
    root.call("agent", "Agent", description="Look", prompt="Look", subagent_type="Explore")
    root.result("agent", [text("Found it.")], {"status": "completed", "content": [text("Found it.")]})
    root.answer("m", text("Done."))
    side.user("Look")
    for call_id, call in (calls or {}).items():
        side.call(call_id, call.tool, **call.tool_input)
        side.result(call_id, call.said)
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


@v2_cores
def test_its_calls_are_shown_as_they_were_live(sessions: Sessions, core: Core) -> None:
    async def live(memory: Memory) -> None:
        memory.write(prompt(2, await memory.new(1, sessions.cwd)))
        await settle()
        claude = memory.launcher.started[0]
        claude.begins(claude.uuids()[0])
        claude.says(machine.calls("agent", "Agent", {}), machine.task_started(CHILD))
        for call_id, call in calls.items():
            claude.says(machine.calls(call_id, call.tool, call.tool_input, parent="agent"))
            leave(call)
            claude.says({**machine.returns_data(call_id, call.structured, call.said), "parent_tool_use_id": "agent"})
            await memory.until(partial(is_done, memory, call_id))
        shown.append(calls_shown(memory))

    async def replayed(memory: Memory) -> None:
        write_history(sessions, calls=calls)
        memory.write(sessions.load(1, version=2))
        await answer(memory, 1)
        shown.append(calls_shown(memory))

    def leave(call: Call) -> None:
        file.write_text(call.leaves)

    file = Path(sessions.cwd, "n.txt")
    calls = calls_on(str(file))
    shown: list[Json] = []
    run(live, core)
    run(replayed, core, sessions.environment)
    assert shown[0] == shown[1]
    assert set(calls) < set(shown[0])


def is_done(memory: Memory, call_id: str) -> bool:
    return bool(calls_shown(memory)[call_id]["status"] == "completed")


def calls_shown(memory: Memory) -> Json:
    """All that the client knows of the subagent's calls and their terminals, by their ids."""
    known: Json = {}
    for update in memory.updates(CHILD):
        if update["sessionUpdate"] in ("tool_call_update", "terminal_update"):
            kind = "terminal " if "terminalId" in update else ""
            place = known.setdefault(kind + (update.get("terminalId") or update["toolCallId"]), {})
            place |= {name: value for name, value in update.items() if name not in ("locations", "_meta")}
    return known


@all_cores
def test_a_history_that_is_missing_is_said_to_who_takes_notices(sessions: Sessions, core: Core) -> None:
    async def steps(memory: Memory) -> None:
        write_history(sessions, meta=False)
        memory.write(sessions.load(1, version=core.version))
        await answer(memory, 1)
        assert kinds(memory, CHILD) == []
        assert ("notice" in kinds(memory)) is (core.version == 2)

    run(steps, core, sessions.environment)
