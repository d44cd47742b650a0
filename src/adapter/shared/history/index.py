"""The index of all transcripts, in memory: a transcript is opened again only when its size or its time has changed."""

from __future__ import annotations

import base64
import binascii
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from adapter.shared.history.listed import Listed
from adapter.shared.history.places import (
    SUFFIX,
    all_keys,
    canonical,
    find_transcript,
    fits_key,
    is_session_id,
    key_of,
    keys_of,
)
from adapter.shared.history.summary import END_BYTES, Summary, read_summary
from adapter.shared.jsonrpc.errors import invalid_field

WORKTREES = "--claude-worktrees-"
"""What follows in the key of a worktree that Claude Code made in a folder, `FOLDER/.claude/worktrees/NAME`."""
PAGE = 1000
"""Sessions on a page of `session/list`."""


class Ends(NamedTuple):
    """The two ends of a transcript; they overlap in a short one."""

    head: bytes
    tail: bytes


class Place(NamedTuple):
    """A transcript as the folder lists it; places sort from the newest to the oldest."""

    age: int
    session_id: str
    path: str
    size: int
    key: str

    @property
    def changed_ns(self) -> int:
        """When it was last written to, in nanoseconds since 1970."""
        return -self.age


def read_ends(path: str, size: int) -> Ends:
    """Read both ends of a file. Blocks.

    Raises:
        OSError: It cannot be read.
    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        head = os.read(descriptor, END_BYTES)
        if size <= END_BYTES:
            return Ends(head, head)
        os.lseek(descriptor, size - END_BYTES, os.SEEK_SET)
        return Ends(head, os.read(descriptor, END_BYTES))
    finally:
        os.close(descriptor)


class SessionIndex:
    """What is known of the transcripts under one folder. Its methods block, so they are called in threads.

    Args:
        projects: The folder of all transcripts.
        read: Reads the ends of a transcript.
    """

    def __init__(self, projects: str, read: Callable[[str, int], Ends] = read_ends) -> None:
        self.projects = projects
        self._read = read
        self._canonical: dict[str, str] = {}
        self._paths: dict[str, str] = {}
        self._known: dict[str, tuple[int, int, Summary | None]] = {}

    def page(
        self, cwd: str = "", cursor: str = "", archived: bool | None = False, size: int = PAGE
    ) -> tuple[list[Listed], str]:
        """The next page of sessions, the newest first, and the cursor of the page after it, empty at the end.

        Args:
            cwd: Only sessions in this folder; empty for all.
            cursor: That of the page before.
            archived: Only archived sessions, or only others; `None` for both.
            size: Sessions on a page.

        Raises:
            ClientMistake: The cursor is none of ours.
        """
        after = _read_cursor(cursor) if cursor else None
        self._canonical = {}
        wanted = canonical(cwd) if cwd else ""
        keys = self._keys(cwd) if cwd else all_keys(self.projects)
        found: list[Listed] = []
        for listed in self._listed(self._places(keys), wanted, after):
            if archived is not None and listed.summary.archived is not archived:
                continue
            if len(found) == size:
                return found, _cursor(found[-1])
            found.append(listed)
        return found, ""

    def find(self, path: str) -> Listed | None:
        """What a list says of one transcript, also if it would not list it for what is said in it."""
        place = _place(path)
        summary = self._summary(place) if place is not None else None
        return self._as_listed(place, summary, "") if place is not None and summary is not None else None

    def conversations(self, session_id: str) -> list[str]:
        """The conversations that a session has been in, the oldest first; each of them may name the session."""
        if self._place_of(session_id) is None:
            return [session_id, *self._heirs(session_id)]
        first = session_id
        seen = {first}
        while (before := self._marks(first)[0]) and before not in seen:
            seen.add(before)
            first = before
        found = self._from(first)
        if session_id in found:
            return found
        own = self._from(session_id)
        return own if self._place_of(first) is not None else [first, *own]

    def _from(self, conversation: str) -> list[str]:
        """A conversation and those behind it."""
        found = [conversation]
        while (after := self._marks(found[-1])[1]) and after not in found and self._place_of(after) is not None:
            found.append(after)
        return found

    def _heirs(self, session_id: str) -> list[str]:
        """The conversations of a session that was cleared before anything was said in it."""
        if not is_session_id(session_id):
            return []
        summaries = ((place, self._summary(place)) for place in reversed(self._places(all_keys(self.projects))))
        found = (place.session_id for place, summary in summaries if summary and summary.continues == session_id)
        return list(dict.fromkeys(found))

    def _marks(self, conversation: str) -> tuple[str, str]:
        """What the marks in a transcript name: its session, and the conversation behind it."""
        place = self._place_of(conversation)
        summary = self._summary(place) if place is not None else None
        return (summary.continues, summary.continued_in) if summary is not None else ("", "")

    def _place_of(self, conversation: str) -> Place | None:
        known = self._paths.get(conversation)
        place = _place(known) if known is not None else None
        if place is None and (path := find_transcript(self.projects, conversation)):
            self._paths[conversation] = path
            place = _place(path)
        return place

    def _keys(self, cwd: str) -> list[str]:
        """The keys of a folder, and those of others to which its sessions may have moved, or in which they go on."""
        own = keys_of(self.projects, cwd)
        others = (key for key in all_keys(self.projects) if key not in own)
        worktrees = tuple(f"{key}{WORKTREES}" for key in own or [key_of(canonical(cwd))])
        return [*own, *(key for key in others if key.startswith(worktrees) or self._takes_in(key))]

    def _takes_in(self, key: str) -> bool:
        """Whether the newest session of a folder began in another one, or in one that is gone."""
        newest = min(_places_in(self.projects, key), default=None)
        summary = self._summary(newest) if newest is not None else None
        if summary is None:
            return False
        return not _exists(summary.first_cwd) or not fits_key(key, self._canonical_of(summary.first_cwd))

    def _places(self, keys: Iterable[str]) -> list[Place]:
        places: list[Place] = []
        for key in keys:
            places += _places_in(self.projects, key)
        places.sort()
        return places

    def _listed(self, places: list[Place], wanted: str, after: tuple[int, str] | None) -> Iterator[Listed]:
        seen: set[str] = set()
        for place in places:
            if place.session_id in seen:
                continue
            seen.add(place.session_id)
            if after is not None and (place.age, place.session_id) <= after:
                continue
            summary = self._summary(place)
            if summary is None:
                continue
            listed = self._as_listed(place, summary, wanted)
            if summary.continues or summary.continued_in:
                conversations = self.conversations(place.session_id)
                if conversations[-1] != place.session_id:
                    continue
                listed = replace(listed, session_id=conversations[0])
            if not wanted or self._canonical_of(listed.cwd) == wanted:
                yield listed
            elif self._began_in(place, summary, wanted):
                yield replace(listed, cwd=summary.first_cwd)

    def _began_in(self, place: Place, summary: Summary, folder: str) -> bool:
        """Whether a session began in a folder and was moved to another, as Claude Code does that with a worktree."""
        began = self._canonical_of(summary.first_cwd)
        return began == folder and not fits_key(place.key, began)

    def _summary(self, place: Place) -> Summary | None:
        known = self._known.get(place.path)
        if known is not None and known[:2] == (place.size, place.age):
            return known[2]
        try:
            summary = read_summary(*self._read(place.path, place.size))
        except OSError:
            return None
        self._known[place.path] = (place.size, place.age, summary)
        return summary

    def _canonical_of(self, cwd: str) -> str:
        """A folder's canonical path; during one list each is looked up once."""
        known = self._canonical.get(cwd)
        if known is None:
            known = self._canonical[cwd] = canonical(cwd)
        return known

    def _as_listed(self, place: Place, summary: Summary, wanted: str) -> Listed:
        """Its folder is the one that the transcript is kept for, or, if that is gone, the one that it went on in."""
        told = (summary.first_cwd, summary.last_cwd, wanted)
        cwd = next((cwd for cwd in told if cwd and fits_key(place.key, self._canonical_of(cwd))), summary.last_cwd)
        if cwd != summary.last_cwd and not _exists(cwd) and _exists(summary.last_cwd):
            cwd = summary.last_cwd
        return Listed(place.session_id, cwd, place.changed_ns, summary, place.session_id)


def _exists(folder: str) -> bool:
    return bool(folder) and Path(folder).is_dir()


def _places_in(projects: str, key: str) -> Iterator[Place]:
    try:
        entries = list(os.scandir(Path(projects, key)))
    except OSError:
        return
    for entry in entries:
        name = entry.name
        if name.endswith(SUFFIX) and is_session_id(name.removesuffix(SUFFIX)):
            with suppress(OSError):
                stat = entry.stat()
                if stat.st_size > 0:
                    yield Place(-stat.st_mtime_ns, name.removesuffix(SUFFIX), entry.path, stat.st_size, key)


def _place(path: str) -> Place | None:
    file = Path(path)
    with suppress(OSError):
        stat = file.stat()
        return Place(-stat.st_mtime_ns, file.stem, path, stat.st_size, file.parent.name)
    return None


def _cursor(last: Listed) -> str:
    return base64.urlsafe_b64encode(f"{last.changed_ns} {last.conversation_id}".encode()).decode()


def _read_cursor(cursor: str) -> tuple[int, str]:
    try:
        changed, _, session_id = base64.urlsafe_b64decode(cursor.encode()).decode().partition(" ")
        age = -int(changed)
    except (ValueError, binascii.Error):
        session_id, age = "", 0
    if not is_session_id(session_id):
        raise invalid_field("cursor", f"Unknown cursor: {cursor}")
    return age, session_id
