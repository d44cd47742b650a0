"""Reading a whole transcript. Blocks, so it is called in a thread."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import orjson

from adapter.shared.claude.frames import read_json
from adapter.shared.history.agents import PastAgent
from adapter.shared.history.branch import Json, active_branch, is_kept, slimmed
from adapter.shared.history.places import SUFFIX, subagent_files
from adapter.shared.tools.text import string

log = logging.getLogger(__name__)

NEVER_KEPT = (b'{"type":"api-request', b'{"type":"cost-state"', b'{"type":"tools-used"', b'{"type":"file-history')
"""How lines begin that hold much and tell a client nothing."""
AGENT_PREFIX = "agent-"
MODE_MARK = b'"permissionMode":"'
MODE_BLOCK = 1 << 20
LONGEST_MODE = 32


def read_entries(path: str) -> list[Json]:
    """The entries of a transcript that say anything, in the order of the file. A broken line is passed over.

    Raises:
        OSError: It cannot be read.
    """
    return list(_entries(path))


def read_branch(path: str) -> list[Json]:
    """The entries of the conversation as it is now.

    Raises:
        OSError: The transcript cannot be read.
    """
    return active_branch(read_entries(path))


def read_subagents(path: str) -> list[PastAgent]:
    """The subagents of a session of which Claude Code has kept what launched them."""
    found: list[PastAgent] = []
    for file in subagent_files(path):
        with suppress(OSError, orjson.JSONDecodeError):
            name = file.removesuffix(SUFFIX)
            with open(f"{name}.meta.json", "rb") as about:  # noqa: PTH123 - a string is at hand.
                meta: Any = orjson.loads(about.read())
            if isinstance(meta, dict) and (call_id := string(meta.get("toolUseId"))):
                found.append(
                    PastAgent(
                        os.path.basename(name).removeprefix(AGENT_PREFIX),  # noqa: PTH119 - a string is at hand.
                        call_id,
                        string(meta.get("description")),
                        string(meta.get("agentType")),
                        active_branch(read_entries(file), of_subagent=True),
                        in_background=meta.get("requestShape") == "background",
                    )
                )
    return found


def last_permission_mode(path: str) -> str:
    """The permission mode of the last prompt; empty if the transcript names none.

    Raises:
        OSError: It cannot be read.
    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        end = os.lseek(descriptor, 0, os.SEEK_END)
        while end > 0:
            start = max(0, end - MODE_BLOCK)
            os.lseek(descriptor, start, os.SEEK_SET)
            # A bit of what follows is read again, for a mark that stands across the two blocks.
            block = os.read(descriptor, end - start + len(MODE_MARK) + LONGEST_MODE)
            found = block.rfind(MODE_MARK)
            if found >= 0:
                mode = block[found + len(MODE_MARK) :][:LONGEST_MODE]
                return mode[: mode.find(b'"')].decode("ascii", "replace") if b'"' in mode else ""
            end = start
    finally:
        os.close(descriptor)
    return ""


def _entries(path: str) -> Iterator[Json]:
    broken = 0
    with open(path, "rb") as file:  # noqa: PTH123 - a string is at hand.
        for line in file:
            if line.startswith(NEVER_KEPT) or line.isspace():
                continue
            entry = read_json(line)
            if entry is None:
                broken += 1
            elif isinstance(entry, dict) and is_kept(entry):
                yield slimmed(entry)
    if broken:
        log.warning("passed over %d broken lines of %s", broken, path)
