"""A process ends with everything that it started: by its own will, by SIGTERM, by SIGKILL."""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import pytest

from adapter import serve
from adapter.conformance import processes
from adapter.shared.claude import process as process_module
from adapter.shared.claude.process_tree import LINUX
from shared.claude.fake_cli import SECONDS, Run, install

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

pytestmark = pytest.mark.anyio

MARK = "CLAUDE_ACP_TEST_MARK"
FAREWELL = {"type": "control_request", "request": {"subtype": "end_session"}}
STUBBORN = "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
FOREVER = "print('up', flush=True)\nwhile True: time.sleep(60)\n"


class Family(Run):
    """A program of which it can be told whether anything is left."""

    def __init__(self, script: str, folder: Path) -> None:
        self._mark = str(uuid.uuid4())
        super().__init__(install(folder, script), folder=folder, environment={MARK: self._mark})

    def members(self) -> list[processes.Process]:
        return processes.marked(MARK, self._mark)

    async def is_gone(self) -> bool:
        left = await anyio.to_thread.run_sync(processes.wait_until_gone, self.members, 5.0)
        return left == []


@pytest.fixture
async def families() -> AsyncIterator[list[Family]]:
    """All that was started; what a failing test leaves is ended."""
    started: list[Family] = []
    yield started
    for family in started:
        processes.kill(family.members())
        await family.clear_away()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds that make a test quick."""
    monkeypatch.setattr(process_module, "STOP_EOF_SECONDS", 0.2)
    monkeypatch.setattr(process_module, "STOP_TERM_SECONDS", 0.2)


async def start(families: list[Family], script: str, folder: Path) -> Family:
    """A program that has said `up`."""
    family = Family(script, folder)
    families.append(family)
    await family.process.start()
    await family.frame()
    return family


async def stop(family: Family) -> None:
    with anyio.fail_after(SECONDS):
        await family.process.stop(FAREWELL)


async def test_a_program_may_end_by_its_own_will(tmp_path: Path, families: list[Family]) -> None:
    script = (
        "def told(*_): say(type='signal')\n"
        "signal.signal(signal.SIGTERM, told)\n"
        "say(type='up')\n"
        "while (frame := hear()): say(type='heard', frame=frame)\n"
        "say(type='end')\n"
    )
    family = await start(families, script, tmp_path)
    await stop(family)
    assert family.frames[1:] == [{"type": "heard", "frame": FAREWELL}, {"type": "end"}]
    assert (await family.end()).status == 0


async def test_the_farewell_is_optional(tmp_path: Path, families: list[Family]) -> None:
    family = await start(families, "say(type='up')\nsys.exit(7 if hear() is None else 8)", tmp_path)
    with anyio.fail_after(SECONDS):
        await family.process.stop()
    assert (await family.end()).status == 7


@pytest.mark.usefixtures("quick")
async def test_a_program_that_does_not_see_the_end_of_its_input_gets_sigterm(
    tmp_path: Path, families: list[Family]
) -> None:
    family = await start(families, "say(type='up')\n" + FOREVER, tmp_path)
    await stop(family)
    assert (await family.end()).status == -15


@pytest.mark.usefixtures("quick")
async def test_a_program_that_ignores_sigterm_is_killed(tmp_path: Path, families: list[Family]) -> None:
    family = await start(families, STUBBORN + "say(type='up')\n" + FOREVER, tmp_path)
    await stop(family)
    assert (await family.end()).status == -9


@pytest.mark.parametrize("own_session", [False, True])
async def test_children_end_with_a_program_that_ends_by_its_own_will(
    tmp_path: Path, families: list[Family], own_session: bool
) -> None:
    child = STUBBORN + FOREVER
    script = f"start_child({child!r}, start_new_session={own_session})\nsay(type='up')\nhear()\n"
    family = await start(families, script, tmp_path)
    assert len(family.members()) == 2
    await stop(family)
    assert (await family.end()).status == 0
    assert await family.is_gone()


@pytest.mark.usefixtures("quick")
async def test_a_stubborn_program_and_its_stubborn_children_end(tmp_path: Path, families: list[Family]) -> None:
    child = STUBBORN + FOREVER
    one = f"start_child({child!r})\n"
    family = await start(families, STUBBORN + one * 2 + "say(type='up')\n" + FOREVER, tmp_path)
    assert len(family.members()) == 3
    await stop(family)
    assert await family.is_gone()


async def test_a_child_that_is_started_during_the_end_ends_too(tmp_path: Path, families: list[Family]) -> None:
    child = STUBBORN + FOREVER
    script = f"say(type='up')\nwhile hear(): pass\nstart_child({child!r})\nsay(type='late')\n" + FOREVER
    family = await start(families, script, tmp_path)
    await stop(family)
    assert family.frames[-1] == {"type": "late"}
    assert await family.is_gone()


@pytest.mark.parametrize("end", ["stop", "kill"])
async def test_a_child_that_holds_a_pipe_of_the_program_ends_too(
    tmp_path: Path, families: list[Family], end: str
) -> None:
    script = f"start_child({STUBBORN + FOREVER!r}, stderr=None)\nsay(type='up')\nhear()\n"
    family = await start(families, script, tmp_path)
    with anyio.fail_after(SECONDS):
        await (family.process.stop() if end == "stop" else family.process.kill())
    assert await family.is_gone()


async def test_a_kill_ends_a_program_and_its_children_at_once(tmp_path: Path, families: list[Family]) -> None:
    child = STUBBORN + FOREVER
    one = f"start_child({child!r})\n"
    family = await start(families, STUBBORN + one + "say(type='up')\n" + FOREVER, tmp_path)
    with anyio.fail_after(SECONDS):
        await family.process.kill()
    assert (await family.end()).status == -9
    assert await family.is_gone()


async def test_the_end_of_a_program_that_has_ended_is_no_error(tmp_path: Path, families: list[Family]) -> None:
    family = await start(families, "say(type='up')", tmp_path)
    await family.end()
    with anyio.fail_after(SECONDS):
        await family.process.stop(FAREWELL)
        await family.process.kill()
    assert len(family.exits) == 1


async def test_an_end_and_a_kill_may_come_together(tmp_path: Path, families: list[Family]) -> None:
    family = await start(families, STUBBORN + "say(type='up')\n" + FOREVER, tmp_path)
    with anyio.fail_after(SECONDS):
        async with anyio.create_task_group() as group:
            group.start_soon(family.process.stop, FAREWELL)
            group.start_soon(family.process.kill)
    assert (await family.end()).status == -9


HOST = """
import asyncio, sys
from adapter.shared.claude.process import ClaudeProcess

async def never_behind():
    pass

async def main():
    up = asyncio.Event()
    process = ClaudeProcess(
        sys.argv[1:2], ".", dict([sys.argv[2:4]]), on_frame=lambda _: up.set(), on_exit=print, relieved=never_behind
    )
    await process.start()
    await up.wait()
    print("up", flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""
"""An adapter with one process: its path, the name and the value of its one variable are the arguments."""


@pytest.fixture
def mark() -> Iterator[str]:
    """The value of a variable that a test's programs have; what a failing test leaves is ended."""
    value = str(uuid.uuid4())
    yield value
    processes.kill(processes.marked(MARK, value))


@pytest.mark.skipif(not LINUX, reason="the parent-death signal is Linux's")
def test_a_program_ends_with_an_adapter_that_is_killed(tmp_path: Path, mark: str) -> None:
    program = install(tmp_path, "say(type='up')\n" + FOREVER)
    environment = {**os.environ, "PYTHONPATH": str(Path(serve.__file__).parents[1])}
    command = [sys.executable, "-c", HOST, program, MARK, mark]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as host:
        assert host.stdout is not None
        assert host.stdout.readline() == "up\n"
        assert len(processes.marked(MARK, mark)) == 1
        host.kill()
    assert processes.wait_until_gone(lambda: processes.marked(MARK, mark), SECONDS) == []


def test_the_bounds_fit_into_the_time_of_the_shutdown() -> None:
    bounds = process_module.STOP_EOF_SECONDS + process_module.STOP_TERM_SECONDS + 2 * process_module.EXIT_GRACE_SECONDS
    assert bounds < serve.SHUTDOWN_SECONDS < 5
