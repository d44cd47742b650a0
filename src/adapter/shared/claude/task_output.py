"""The file to which Claude Code writes a command's output while the command runs.

Its place is no documented interface: where it is missing or odd, nothing is read, and a command's result has it all.
"""

from __future__ import annotations

import codecs
import os
import re
import stat
import tempfile
from collections.abc import Iterator, Mapping

from adapter.shared.tools.families.shell import CUT

READ_BYTES = 64 * 1024
LARGEST_BYTES = 1024 * 1024
DEFAULT_PLACE = "/tmp"  # noqa: S108 - Claude Code writes there, and only a plain file of this user's is read.
SAFE_NAME = re.compile(r"[A-Za-z0-9_-]+")
NOT_ALPHANUMERIC = re.compile(r"[^A-Za-z0-9]")


def output_paths(environment: Mapping[str, str], cwd: str, session_id: str, task_id: str) -> Iterator[str]:
    """Where the output of a task may be, the likeliest first."""
    if not SAFE_NAME.fullmatch(session_id) or not SAFE_NAME.fullmatch(task_id) or not hasattr(os, "getuid"):
        return
    places = [environment.get("CLAUDE_CODE_TMPDIR"), environment.get("TMPDIR"), tempfile.gettempdir(), DEFAULT_PLACE]
    slug = NOT_ALPHANUMERIC.sub("-", os.path.realpath(cwd))
    for place in dict.fromkeys(place for place in places if place):
        yield os.path.join(place, f"claude-{os.getuid()}", slug, session_id, "tasks", f"{task_id}.output")  # noqa: PTH118


class TaskOutput:
    """The output of one command, read as it grows. It can be read to its end after its file is gone.

    Args:
        descriptor: The open file; it is closed by `close`.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._read = 0

    @classmethod
    def open(cls, paths: Iterator[str]) -> TaskOutput | None:
        """The first of the paths that is a plain file of this user's."""
        for path in paths:
            try:
                descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            except OSError:
                continue
            status = os.fstat(descriptor)
            if stat.S_ISREG(status.st_mode) and status.st_uid == os.getuid():
                return cls(descriptor)
            os.close(descriptor)
        return None

    def read(self) -> str:
        """What is new, at most 64 KiB of it; empty if nothing is. After 1 MiB a remark, and nothing more."""
        if self._read > LARGEST_BYTES:
            return ""
        try:
            data = os.read(self._descriptor, READ_BYTES)
        except OSError:
            return ""
        self._read += len(data)
        text = self._decoder.decode(data)
        return text + CUT if self._read > LARGEST_BYTES else text

    def close(self) -> None:
        """Read no more."""
        os.close(self._descriptor)
