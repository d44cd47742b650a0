"""The index of transcripts: pages, filters, and which files are opened."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from adapter.shared.history.index import Ends, SessionIndex, read_ends
from adapter.shared.history.summary import END_BYTES
from adapter.shared.jsonrpc.errors import ClientMistake
from support.transcripts import SESSION, Transcript, hello

if TYPE_CHECKING:
    from pathlib import Path


class Index:
    """An index that counts what it opens."""

    def __init__(self, projects: Path) -> None:
        self.opened: list[str] = []
        self.index = SessionIndex(str(projects), self._read)

    def _read(self, path: str, size: int) -> Ends:
        self.opened.append(path)
        return read_ends(path, size)

    def ids(self, cwd: str = "", cursor: str = "", archived: bool | None = False, size: int = 1000) -> list[str]:
        return [listed.session_id[-2:] for listed in self.index.page(cwd, cursor, archived, size)[0]]


def session(number: int) -> str:
    return f"00000000-0000-4000-8000-0000000000{number:02d}"


def write(projects: Path, number: int, cwd: str = "/w", *tags: str) -> Path:
    """A transcript that was last written to `number` seconds after 1970."""
    transcript = hello(cwd, session(number), f"Question {number}")
    for tag in tags:
        transcript.record("tag", tag=tag)
    path = transcript.write(projects)
    os.utime(path, (number, number))
    return path


def test_the_newest_come_first(tmp_path: Path) -> None:
    for number in (2, 1, 3):
        write(tmp_path, number)
    found, cursor = Index(tmp_path).index.page()
    assert [listed.session_id for listed in found] == [session(3), session(2), session(1)]
    assert [listed.summary.title for listed in found] == ["Question 3", "Question 2", "Question 1"]
    assert found[0].changed_ns == 3_000_000_000
    assert cursor == ""


def test_a_second_list_opens_nothing_that_has_not_changed(tmp_path: Path) -> None:
    for number in range(5):
        write(tmp_path, number)
    index = Index(tmp_path)
    assert len(index.ids()) == len(index.opened) == 5
    index.opened.clear()
    assert index.ids() == ["04", "03", "02", "01", "00"]
    assert index.opened == []
    changed = write(tmp_path, 2, "/w", "x")
    assert index.ids() == ["04", "03", "02", "01", "00"]
    assert index.opened == [str(changed)]


def test_a_page_opens_no_more_than_it_needs(tmp_path: Path) -> None:
    for number in range(9):
        write(tmp_path, number)
    index = Index(tmp_path)
    assert index.ids(size=2) == ["08", "07"]
    assert len(index.opened) == 3


def test_pages_go_on_where_the_last_one_ended_also_when_sessions_come_and_go(tmp_path: Path) -> None:
    paths = [write(tmp_path, number) for number in range(5)]
    index = Index(tmp_path)
    first, cursor = index.index.page(size=2)
    assert [listed.session_id for listed in first] == [session(4), session(3)]
    write(tmp_path, 7)
    paths[3].unlink()
    second, cursor = index.index.page(cursor=cursor, size=2)
    assert [listed.session_id for listed in second] == [session(2), session(1)]
    third, cursor = index.index.page(cursor=cursor, size=2)
    assert [listed.session_id for listed in third] == [session(0)]
    assert cursor == ""


@pytest.mark.parametrize("cursor", ["bogus", "====", "MQ==", "ä", "MSB4"])
def test_an_unknown_cursor_is_refused(tmp_path: Path, cursor: str) -> None:
    with pytest.raises(ClientMistake) as raised:
        SessionIndex(str(tmp_path)).page(cursor=cursor)
    assert raised.value.code == -32602
    assert raised.value.data is not None
    assert raised.value.data["path"] == "cursor"


def test_the_folder_is_told_from_one_whose_key_is_the_same(tmp_path: Path) -> None:
    write(tmp_path, 1, "/w/a-b")
    write(tmp_path, 2, "/w/a/b")
    write(tmp_path, 3, "/w")
    index = Index(tmp_path)
    assert index.ids("/w/a-b") == ["01"]
    assert index.ids("/w/a/b") == ["02"]
    assert index.ids("/nowhere") == []
    assert index.ids() == ["03", "02", "01"]


def test_a_folder_is_found_by_a_link_to_it(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    real = str((tmp_path / "real").resolve())
    write(tmp_path / "projects", 1, real)
    assert Index(tmp_path / "projects").ids(str(tmp_path / "link")) == ["01"]


def test_a_long_path_has_a_key_with_a_hash_that_is_not_looked_at(tmp_path: Path) -> None:
    cwd = "/" + "x" * 300
    hello(cwd, session(1)).write(tmp_path, "-" + "x" * 199 + "-abc123")
    assert Index(tmp_path).ids(cwd) == ["01"]


def test_the_sessions_of_a_project_that_moved_are_in_the_folder_where_they_went_on(tmp_path: Path) -> None:
    new = (tmp_path / "new").resolve()
    new.mkdir()
    transcript = hello(str(tmp_path / "gone"), session(1))
    transcript.cwd = str(new)
    transcript.user("More")
    transcript.write(tmp_path / "projects")
    index = Index(tmp_path / "projects")
    [listed] = index.index.page(str(new))[0]
    assert listed.cwd == str(new)
    assert index.ids(str(tmp_path / "gone")) == []


@pytest.mark.parametrize("worktree", [".claude/worktrees/w1", "elsewhere"])
def test_a_session_that_went_into_a_worktree_is_in_the_folder_where_it_began_too(tmp_path: Path, worktree: str) -> None:
    home = (tmp_path / "home").resolve()
    (home / worktree).mkdir(parents=True)
    (tmp_path / "link").symlink_to(home)
    moved = hello(str(home), session(1))
    moved.cwd = moved.kept_for = str(home / worktree)
    moved.user("More")
    path = moved.write(tmp_path / "projects")
    index = Index(tmp_path / "projects")
    for cwd, listed_in in ((home, home), (tmp_path / "link", home), (home / worktree, home / worktree)):
        [listed] = index.index.page(str(cwd))[0]
        assert (listed.session_id, listed.cwd) == (session(1), str(listed_in))
    os.utime(path, (1, 1))
    write(tmp_path / "projects", 2, str(home / worktree))
    if worktree.startswith("."):
        assert index.ids(str(home)) == ["01"]
    assert index.ids(str(home / worktree)) == ["02", "01"]
    write(tmp_path / "projects", 3, str(home))
    assert index.ids(str(home)) == (["03", "01"] if worktree.startswith(".") else ["03"])


def test_a_session_that_only_visited_a_folder_is_not_in_it(tmp_path: Path) -> None:
    home, visited = (tmp_path / "home").resolve(), (tmp_path / "visited").resolve()
    home.mkdir()
    visited.mkdir()
    transcript = hello(str(home), session(1))
    transcript.cwd = str(visited)
    transcript.user("More")
    transcript.write(tmp_path / "projects")
    index = Index(tmp_path / "projects")
    assert index.ids(str(visited)) == []
    assert index.ids(str(home)) == ["01"]


def test_archived_sessions_are_left_out_or_asked_for(tmp_path: Path) -> None:
    write(tmp_path, 1)
    write(tmp_path, 2, "/w", "archived")
    index = Index(tmp_path)
    assert index.ids() == ["01"]
    assert index.ids(archived=True) == ["02"]
    assert index.ids(archived=None) == ["02", "01"]


def test_what_is_no_transcript_or_holds_nothing_is_not_listed(tmp_path: Path) -> None:
    folder = write(tmp_path, 1).parent
    (folder / "notes.jsonl").write_text(hello().text())
    (folder / f"{session(2)}.jsonl").write_text("")
    (folder / f"{session(3)}.jsonl").write_bytes(b"\xff{broken\n")
    (folder / f"{session(4)}.json").write_text("{}")
    (tmp_path / "file").write_text("")
    index = Index(tmp_path)
    assert index.ids() == ["01"]
    assert Index(tmp_path / "none").ids() == []


def test_a_session_with_two_transcripts_is_listed_once_by_the_newer(tmp_path: Path) -> None:
    os.utime(hello("/a", SESSION, "Old").write(tmp_path), (1, 1))
    os.utime(hello("/b", SESSION, "New").write(tmp_path), (2, 2))
    [listed] = SessionIndex(str(tmp_path)).page()[0]
    assert (listed.summary.title, listed.cwd) == ("New", "/b")


def test_only_the_ends_of_a_long_transcript_are_read(tmp_path: Path) -> None:
    path = tmp_path / "long"
    path.write_bytes(b"a" * END_BYTES + b"b" * 100 + b"c" * END_BYTES)
    ends = read_ends(str(path), path.stat().st_size)
    assert (ends.head, ends.tail) == (b"a" * END_BYTES, b"c" * END_BYTES)
    path.write_bytes(b"short")
    assert read_ends(str(path), 5) == Ends(b"short", b"short")


def cleared(projects: Path, *numbers: int, first: str = "") -> None:
    """The conversations of one session, each cleared for the next, written to in the order of their numbers."""
    for number, after in zip(numbers, (*numbers[1:], None), strict=True):
        transcript = hello("/w", session(number), f"Question {number}")
        known_as = first or session(numbers[0])
        if known_as != session(number):
            transcript.record("claude-acp", continues=known_as)
        if after is not None:
            transcript.record("claude-acp", continuedIn=session(after))
        os.utime(transcript.write(projects), (number, number))


def test_a_session_that_was_cleared_is_listed_once_by_the_id_that_clients_know(tmp_path: Path) -> None:
    cleared(tmp_path, 1, 3, 5)
    write(tmp_path, 4)
    index = Index(tmp_path)
    found, _ = index.index.page("/w")
    assert [listed.session_id for listed in found] == [session(1), session(4)]
    assert (found[0].summary.title, found[0].conversation_id) == ("Question 5", session(5))
    for number in (1, 3, 5):
        assert index.index.conversations(session(number)) == [session(1), session(3), session(5)]
    assert index.index.conversations(session(4)) == [session(4)]
    index.opened.clear()
    assert index.ids() == ["01", "04"]
    assert index.opened == []


def test_pages_go_on_behind_a_session_that_was_cleared(tmp_path: Path) -> None:
    cleared(tmp_path, 1, 5)
    write(tmp_path, 4)
    os.utime(next(tmp_path.glob(f"*/{session(4)}.jsonl")), (5, 5))
    index = Index(tmp_path).index
    ids, cursor = [], ""
    while True:
        [listed], cursor = index.page(cursor=cursor, size=1)
        ids.append(listed.session_id)
        if not cursor:
            break
    assert ids == [session(4), session(1)]


def test_a_session_that_was_cleared_before_anything_was_said_is_found(tmp_path: Path) -> None:
    cleared(tmp_path, 3, 5, first=session(1))
    index = Index(tmp_path)
    assert index.ids() == ["01"]
    assert index.index.conversations(session(1)) == [session(1), session(3), session(5)]


def test_a_conversation_is_a_session_again_when_the_one_behind_it_is_gone(tmp_path: Path) -> None:
    cleared(tmp_path, 1, 3, 5)
    index = Index(tmp_path)
    assert index.ids() == ["01"]
    next(tmp_path.glob(f"*/{session(3)}.jsonl")).unlink()
    assert index.ids() == ["05", "01"]
    assert index.index.conversations(session(1)) == [session(1)]
    assert index.index.conversations(session(5)) == [session(5)]


def test_a_conversation_that_went_on_in_a_terminal_is_a_session_beside_the_other(tmp_path: Path) -> None:
    cleared(tmp_path, 1, 3)
    path = next(tmp_path.glob(f"*/{session(1)}.jsonl"))
    more = Transcript("/w", session(1))
    more.user("More")
    path.write_text(path.read_text() + more.text())
    os.utime(path, (7, 7))
    index = Index(tmp_path)
    assert index.ids() == ["01", "03"]
    assert index.index.conversations(session(1)) == [session(1)]


def test_conversations_that_name_each_other_end(tmp_path: Path) -> None:
    for number, other in ((1, 3), (3, 1)):
        transcript = hello("/w", session(number))
        transcript.record("claude-acp", continues=session(other))
        transcript.record("claude-acp", continuedIn=session(other))
        transcript.write(tmp_path)
    assert sorted(Index(tmp_path).ids()) == ["01", "03"]


def test_one_transcript_is_found_by_its_path(tmp_path: Path) -> None:
    index = SessionIndex(str(tmp_path))
    listed = index.find(str(write(tmp_path, 1)))
    assert listed is not None
    assert (listed.session_id, listed.summary.title) == (session(1), "Question 1")
    assert index.find(str(tmp_path / "none.jsonl")) is None


def test_a_transcript_that_cannot_be_read_costs_no_other(tmp_path: Path) -> None:
    unreadable = write(tmp_path, 2)
    write(tmp_path, 1)

    def read(path: str, size: int) -> Ends:
        if path == str(unreadable):
            raise OSError("no")
        return read_ends(path, size)

    found, _ = SessionIndex(str(tmp_path), read).page()
    assert [listed.session_id for listed in found] == [session(1)]
