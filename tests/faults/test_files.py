"""An input that waits for a file holds back those behind it, of its session only, and none of them is lost.

Only v2 shows a change before it is made, so only there a file is read.
"""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

import pytest

from adapter.shared import driver
from adapter.shared.tools.facts import FileSnapshot
from support import machine
from support.cores import Core, v2_cores

from .connection import Json, Memory, close, prompt, run, settle

if TYPE_CHECKING:
    from pathlib import Path

CHANGE: Json = {"file_path": "/a.txt", "old_string": "a", "new_string": "b"}


class SlowFile:
    """A file whose reading a test holds back."""

    def __init__(self) -> None:
        self.reads = threading.Event()
        self.may_end = threading.Event()

    def read(self, _path: str) -> FileSnapshot:
        """Stands for the reading."""
        self.reads.set()
        assert self.may_end.wait(10)
        return FileSnapshot("text", "a\n")


@pytest.fixture
def slow_file(monkeypatch: pytest.MonkeyPatch) -> SlowFile:
    file = SlowFile()
    monkeypatch.setattr(driver, "read_snapshot", file.read)
    return file


async def prompted(memory: Memory) -> str:
    """A session with a running turn."""
    session = await memory.new(1)
    memory.write(prompt(2, session))
    claude = memory.launcher.started[0]
    claude.begins(claude.uuids()[0])
    return session


async def asking(memory: Memory, slow_file: SlowFile) -> str:
    """A session whose Claude Code has just asked to change the file."""
    session = await prompted(memory)
    memory.launcher.started[0].says(machine.asks("q1", "t1", "Edit", CHANGE))
    assert await asyncio.to_thread(slow_file.reads.wait, 10)
    return session


@v2_cores
def test_what_comes_while_a_file_is_read_waits_for_it(slow_file: SlowFile, core: Core) -> None:
    async def steps(memory: Memory) -> None:
        await asking(memory, slow_file)
        memory.launcher.started[0].says(machine.message_start(), machine.delta("later"))
        await settle()
        assert memory.questions() == []
        assert "later" not in str(memory.messages)
        slow_file.may_end.set()
        await memory.until(lambda: "later" in str(memory.messages))
        assert str(memory.messages).index("request_permission") < str(memory.messages).index("later")

    run(steps, core)


@v2_cores
def test_another_session_does_not_wait(slow_file: SlowFile, core: Core) -> None:
    async def steps(memory: Memory) -> None:
        await asking(memory, slow_file)
        other = await memory.new(3)
        memory.write(prompt(4, other))
        assert memory.launcher.started[1].prompts() == ["Go"]
        slow_file.may_end.set()
        await memory.until(lambda: memory.questions() != [])

    run(steps, core)


@v2_cores
def test_a_prompt_that_comes_while_a_file_is_read_goes_to_the_next_claude_code(slow_file: SlowFile, core: Core) -> None:
    async def steps(memory: Memory) -> None:
        session = await asking(memory, slow_file)
        memory.write(prompt(3, session))
        memory.launcher.started[0].dies()
        slow_file.may_end.set()
        await memory.until(lambda: any(update.get("state") == "idle" for update in memory.updates()))
        await settle()
        assert memory.launcher.started[1].prompts() == ["Go"]
        assert memory.errors() == {}

    run(steps, core)


@v2_cores
def test_an_answer_that_comes_while_a_file_is_read_does_no_harm_after_the_death(
    slow_file: SlowFile, core: Core
) -> None:
    async def steps(memory: Memory) -> None:
        session = await prompted(memory)
        claude = memory.launcher.started[0]
        claude.says(machine.asks("q0", "t0"), machine.asks("q1", "t1", "Edit", CHANGE))
        assert await asyncio.to_thread(slow_file.reads.wait, 10)
        chosen = {"outcome": {"outcome": "selected", "optionId": "allow-once"}}
        memory.write({"jsonrpc": "2.0", "id": 0, "result": chosen})
        claude.dies()
        slow_file.may_end.set()
        await memory.until(lambda: any(update.get("state") == "idle" for update in memory.updates()))
        memory.write(prompt(3, session))
        await settle()
        assert memory.launcher.started[1].prompts() == ["Go"]

    run(steps, core)


@v2_cores
def test_a_prompt_behind_a_close_behind_a_file_is_answered(slow_file: SlowFile, core: Core) -> None:
    async def steps(memory: Memory) -> None:
        session = await asking(memory, slow_file)
        memory.write(close(3, session), prompt(4, session))
        slow_file.may_end.set()
        await memory.until(lambda: {3, 4} <= memory.responses().keys())
        assert memory.errors().keys() == {4}

    run(steps, core)


@v2_cores
def test_a_path_that_is_not_absolute_is_not_read(slow_file: SlowFile, core: Core) -> None:
    async def steps(memory: Memory) -> None:
        await prompted(memory)
        ask = machine.asks("q1", "t1", "Edit", {**CHANGE, "file_path": "a.txt"})
        memory.launcher.started[0].says(ask)
        assert len(memory.questions()) == 1
        assert not slow_file.reads.is_set()

    run(steps, core)


@v2_cores
def test_the_file_is_shown_as_it_is_when_the_question_is_asked(tmp_path: Path, core: Core) -> None:
    async def steps(memory: Memory) -> None:
        path = tmp_path / "a.txt"
        path.write_text("a\n")
        await prompted(memory)
        ask = machine.asks("q1", "t1", "Edit", {**CHANGE, "file_path": str(path)})
        memory.launcher.started[0].says(ask)
        await memory.until(lambda: memory.questions() != [])
        assert "-a\n+b" in memory.questions()[0]["subject"]["toolCall"]["content"][0]["patch"]["text"]

    run(steps, core)
