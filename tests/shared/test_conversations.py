"""One session of the client's over several processes and conversations of Claude Code's."""

from __future__ import annotations

import pytest

from adapter.shared.claude.features import ClaudeHello
from adapter.shared.claude.options import SessionSpec
from adapter.shared.launch import ClaudeLink, Conversations, Launcher, Started

pytestmark = pytest.mark.anyio


class FakeLauncher(Launcher):
    """Writes down what it is to start."""

    def __init__(self) -> None:
        self.started: list[tuple[str, bool, str | None]] = []
        self.must_exist: list[bool] = []
        self.link = ClaudeLink()

    async def start(
        self,
        spec: SessionSpec,
        *,
        resume: bool = False,
        must_exist: bool = False,
        permission_mode: str | None = None,
    ) -> Started:
        self.started.append((spec.session_id, resume, permission_mode))
        self.must_exist.append(must_exist)
        self.link = ClaudeLink()
        return Started(self.link, ClaudeHello((), (), {}, "default", "2.1.332"), {})


async def test_a_session_goes_on_in_its_latest_conversation() -> None:
    launcher, ids = FakeLauncher(), iter(["second", "third"])
    conversations = Conversations(launcher, SessionSpec("first", "/w"), launcher.link, lambda: next(ids))
    for mode, afresh in (("plan", False), ("auto", True), ("auto", False), ("default", True)):
        await conversations.start(mode, afresh=afresh)
    assert launcher.started == [
        ("first", True, "plan"),
        ("second", False, "auto"),
        ("second", True, "auto"),
        ("third", False, "default"),
    ]


async def test_a_conversation_that_was_cleared_is_not_the_one_that_is_resumed() -> None:
    launcher, first = FakeLauncher(), ClaudeLink()
    conversations = Conversations(launcher, SessionSpec("first", "/w"), first, lambda: "new")
    assert conversations.current_id == "first"
    first.take({"type": "system", "subtype": "init", "session_id": "cleared"})
    assert conversations.current_id == "cleared"
    await conversations.start("plan", afresh=False)
    launcher.link.take({"type": "system", "subtype": "init", "session_id": "again"})
    await conversations.start("plan", afresh=False)
    assert [started[0] for started in launcher.started] == ["cleared", "again"]


async def test_a_conversation_with_a_turn_has_a_transcript_until_a_fresh_one_begins() -> None:
    launcher = FakeLauncher()
    conversations = Conversations(launcher, SessionSpec("first", "/w"), launcher.link, lambda: "second")
    for result, afresh in ((False, False), (True, False), (False, False), (False, True), (False, False)):
        if result:
            launcher.link.take({"type": "result"})
        await conversations.start("default", afresh=afresh)
    assert launcher.must_exist == [False, True, True, False, False]


async def test_the_conversation_of_each_turn_is_told_of_each_process() -> None:
    launcher, first = FakeLauncher(), ClaudeLink()
    told: list[str] = []
    conversations = Conversations(launcher, SessionSpec("first", "/w"), first, lambda: "fresh", told.append)
    first.take({"type": "result"})
    first.take({"type": "system", "subtype": "init", "session_id": "cleared"})
    first.take({"type": "system", "subtype": "status"})
    await conversations.start("plan", afresh=True)
    launcher.link.take({"type": "result"})
    assert told == ["first", "cleared", "fresh"]
