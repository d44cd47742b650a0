"""Files of commands that come, go or are written are noticed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from adapter.shared.command_files import CommandFiles, CommandWatch
from adapter.shared.inputs import CommandFilesChanged

if TYPE_CHECKING:
    from pathlib import Path

RUNNING = {"type": "system", "subtype": "session_state_changed", "state": "running"}


@pytest.fixture
def files(tmp_path: Path) -> CommandFiles:
    (tmp_path / "home/skills/talk").mkdir(parents=True)
    (tmp_path / "work/.claude/commands/deep").mkdir(parents=True)
    (tmp_path / "work/.claude/commands/hey.md").write_text("hey")
    return CommandFiles({"CLAUDE_CONFIG_DIR": str(tmp_path / "home")}, str(tmp_path / "work"))


@pytest.mark.parametrize("path", ["home/skills/talk/SKILL.md", "work/.claude/commands/deep/ho.md"])
def test_a_new_file_is_noticed_once(files: CommandFiles, tmp_path: Path, path: str) -> None:
    assert not files.changed()
    (tmp_path / path).write_text("new")
    assert files.changed()
    assert not files.changed()


def test_a_file_that_goes_or_is_written_is_noticed(files: CommandFiles, tmp_path: Path) -> None:
    file = tmp_path / "work/.claude/commands/hey.md"
    file.write_text("hey there")
    assert files.changed()
    file.unlink()
    assert files.changed()


def test_folders_that_are_not_there_have_no_files(tmp_path: Path) -> None:
    assert not CommandFiles({"HOME": str(tmp_path)}, str(tmp_path / "gone")).changed()


@pytest.mark.anyio
async def test_a_turn_that_begins_or_ends_leads_to_a_look() -> None:
    posted: asyncio.Queue[Any] = asyncio.Queue()
    watch = CommandWatch(lambda: True, posted.put_nowait)
    watch.told(RUNNING)
    assert await posted.get() == CommandFilesChanged()
    watch.told({**RUNNING, "state": "idle"})
    assert await posted.get() == CommandFilesChanged()


@pytest.mark.anyio
async def test_other_frames_and_a_watch_that_is_closed_lead_to_none() -> None:
    looks: list[int] = []
    posted: list[Any] = []
    done = asyncio.Event()
    loop = asyncio.get_running_loop()

    def look() -> bool:
        looks.append(1)
        loop.call_soon_threadsafe(done.set)
        return True

    watch = CommandWatch(look, posted.append)
    watch.told({"type": "system", "subtype": "init"})
    watch.told({**RUNNING, "state": "requires_action"})
    assert looks == []
    watch.told(RUNNING)
    watch.told(RUNNING)
    watch.close()
    await done.wait()
    await asyncio.get_running_loop().run_in_executor(None, lambda: None)
    assert (looks, posted) == ([1], [])
