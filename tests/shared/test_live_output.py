"""Following commands: each byte once, nothing polled while none runs."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from adapter.shared import live_output
from adapter.shared.effects import FollowOutput, ForgetOutput
from adapter.shared.inputs import OutputGrew
from adapter.shared.live_output import LiveOutput

pytestmark = pytest.mark.anyio


class Followed:
    """What is followed in a folder, with what was taken in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.taken: list[Any] = []
        self.came = asyncio.Event()
        self.live = LiveOutput(self._paths, self._take)

    def _paths(self, session_id: str, task_id: str) -> Iterator[str]:
        yield str(self.folder / session_id / task_id)

    def _take(self, event: Any) -> None:
        self.taken.append(event)
        self.came.set()

    def prints(self, task_id: str, text: str) -> None:
        path = self.folder / "s" / task_id
        path.parent.mkdir(exist_ok=True)
        with path.open("a") as file:
            file.write(text)

    def follows(self, task_id: str) -> None:
        self.live.follow(FollowOutput(f"call {task_id}", "s", task_id))


async def test_what_is_there_comes_at_once_and_the_rest_as_it_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_output, "INTERVAL", 0.001)
    session = Followed(tmp_path)
    session.prints("a", "one\n")
    session.follows("a")
    assert session.taken == [OutputGrew("call a", "one\n")]
    session.came.clear()
    session.prints("a", "two\n")
    async with asyncio.timeout(10):
        await session.came.wait()
    assert session.taken[1:] == [OutputGrew("call a", "two\n")]
    session.live.close()


async def test_catching_up_takes_all_of_every_command(tmp_path: Path) -> None:
    session = Followed(tmp_path)
    for task in ("a", "b"):
        session.prints(task, "")
        session.follows(task)
        session.prints(task, "x" * 100_000)
    session.live.catch_up()
    assert sum(len(event.text) for event in session.taken) == 200_000
    session.live.close()


async def test_a_command_that_ended_is_not_read_again(tmp_path: Path) -> None:
    session = Followed(tmp_path)
    session.prints("a", "one\n")
    session.follows("a")
    session.live.forget(ForgetOutput("call a"))
    session.prints("a", "two\n")
    session.live.catch_up()
    assert len(session.taken) == 1


async def test_a_command_is_followed_once(tmp_path: Path) -> None:
    session = Followed(tmp_path)
    session.prints("a", "one\n")
    session.follows("a")
    session.follows("a")
    assert len(session.taken) == 1
    session.live.close()


async def test_a_missing_file_gives_nothing_and_starts_no_polling(tmp_path: Path) -> None:
    session = Followed(tmp_path)
    session.follows("a")
    assert session.live._timer is None


async def test_polling_ends_with_the_last_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = Followed(tmp_path)
    session.prints("a", "one\n")
    session.follows("a")
    assert session.live._timer is not None
    session.live.forget(ForgetOutput("call a"))
    session.live._look()
    assert session.live._timer is None
