"""Keeps in the transcripts which conversations a session has been in, so that its id leads to the last one.

After `/clear`, Claude Code goes on in another conversation, under another id, and the client's session keeps its own.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path

from adapter.shared.history.index import read_ends
from adapter.shared.history.marks import append_session, append_successor
from adapter.shared.history.places import find_transcript, projects_folder
from adapter.shared.history.summary import END_BYTES, named_session

log = logging.getLogger(__name__)

NEAR = END_BYTES // 2
"""Bytes from the end of a transcript in which a mark stands well; further away it is repeated."""


class Lineage:
    """The conversations of one session.

    Args:
        environment: Says where the transcripts are.
        session_id: The id that the client knows.
        conversation: The conversation that the session is in.
    """

    def __init__(self, environment: Mapping[str, str], session_id: str, conversation: str) -> None:
        self._projects = projects_folder(environment)
        self._session_id = session_id
        self._current = conversation
        self._left = ""
        self._is_named = conversation == session_id

    def turn(self, conversation: str) -> None:
        """A turn begins or has ended in a conversation. If that is not the session's first, this reads and writes.

        Its transcript is not there before something was said in it. The mark that names the session has to stand near
        one of its ends, so it is repeated where it does not stand near the beginning.
        """
        if conversation != self._current:
            self._left = self._left or self._current
            self._current = conversation
            self._is_named = conversation == self._session_id
        if self._is_named and not self._left:
            return
        path = find_transcript(self._projects, conversation)
        if not path:
            return
        try:
            self._mark(path)
        except OSError as error:
            log.warning("the session %s will not be found after %s: %s", self._session_id, conversation, error)

    def _mark(self, path: str) -> None:
        if not self._is_named:
            head, tail = read_ends(path, Path(path).stat().st_size)
            self._is_named = named_session(head) == self._session_id
            if not self._is_named and named_session(tail[-NEAR:]) != self._session_id:
                append_session(path, self._current, self._session_id)
        if self._left:
            left, self._left = self._left, ""
            before = find_transcript(self._projects, left)
            if before:
                append_successor(before, left, self._current)
