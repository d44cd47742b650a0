"""What is written into a transcript: a title and a tag, which are records of Claude Code, and a record of our own.

That one says under which id clients know the conversation, or in which other one its session goes on. Claude Code
passes it over. Of all records of a kind the last one counts. Blocks.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import orjson

from adapter.shared.history.places import SUFFIX
from adapter.shared.history.summary import CONTINUED_IN, CONTINUES, OWN_RECORD


def append_title(path: str, session_id: str, title: str) -> None:
    """Name a session that Claude Code does not have open.

    Raises:
        OSError: The transcript cannot be written.
    """
    _append(path, {"type": "custom-title", "customTitle": title, "sessionId": session_id})


def append_tag(path: str, session_id: str, tag: str) -> None:
    """Tag a session that Claude Code does not have open; an empty tag takes the last one away.

    Raises:
        OSError: The transcript cannot be written.
    """
    _append(path, {"type": "tag", "tag": tag, "sessionId": session_id})


def append_session(path: str, conversation: str, session_id: str) -> None:
    """Say under which id clients know the session that is in a conversation.

    Raises:
        OSError: The transcript cannot be written.
    """
    _append(path, {"type": OWN_RECORD, CONTINUES: session_id, "sessionId": conversation})


def append_successor(path: str, conversation: str, successor: str) -> None:
    """Say in which conversation the session of this one goes on.

    Raises:
        OSError: The transcript cannot be written.
    """
    _append(path, {"type": OWN_RECORD, CONTINUED_IN: successor, "sessionId": conversation})


def delete_transcript(path: str) -> None:
    """Delete a transcript with those of its subagents. One that is gone already is no error.

    Raises:
        OSError: It cannot be deleted.
    """
    try:
        Path(path).unlink()
    except FileNotFoundError:
        return
    shutil.rmtree(path.removesuffix(SUFFIX), ignore_errors=True)


def _append(path: str, record: dict[str, str]) -> None:
    """A record on a line of its own. The time of the file stays: nobody has said anything in the session."""
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | getattr(os, "O_BINARY", 0))
    try:
        before = os.fstat(descriptor)
        os.lseek(descriptor, max(0, before.st_size - 1), os.SEEK_SET)
        start = b"" if before.st_size == 0 or os.read(descriptor, 1) == b"\n" else b"\n"
        os.write(descriptor, start + orjson.dumps(record) + b"\n")
    finally:
        os.close(descriptor)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
