"""Where Claude Code keeps its transcripts: `<config>/projects/<key of the folder>/<session id>.jsonl`.

Beside a transcript stands a folder of the session's name with the transcripts of its subagents.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

LONGEST_KEY = 200
"""Characters of a folder's path in its key; the rest is a hash."""
SUFFIX = ".jsonl"
SESSION_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
NOT_IN_KEY = re.compile(r"[^a-zA-Z0-9]")


def projects_folder(environment: Mapping[str, str]) -> str:
    """The folder of all transcripts, of this environment."""
    home = environment.get("HOME") or environment.get("USERPROFILE") or str(Path("~").expanduser())
    config = environment.get("CLAUDE_CONFIG_DIR") or str(Path(home) / ".claude")
    return str(Path(unicodedata.normalize("NFC", config)) / "projects")


def canonical(folder: str) -> str:
    """A folder's path as Claude Code sees it: without symbolic links, in Unicode's composed form."""
    return unicodedata.normalize("NFC", os.path.realpath(folder))


def is_session_id(text: str) -> bool:
    """Whether this can be the name of a transcript. Anything else must not become a part of a path."""
    return SESSION_ID.fullmatch(text) is not None


def key_of(folder: str) -> str:
    """The key of a folder, if its path is not a long one."""
    return NOT_IN_KEY.sub("-", folder)


def fits_key(key: str, folder: str) -> bool:
    """Whether transcripts of sessions in `folder` are kept under `key`. Of a long path's key the hash is not read."""
    plain = key_of(folder)
    if len(plain) <= LONGEST_KEY:
        return key == plain
    return key.startswith(f"{plain[:LONGEST_KEY]}-")


def keys_of(projects: str, folder: str) -> list[str]:
    """The existing keys under which sessions of a folder may be kept, by its own path and by its canonical one."""
    found: list[str] = []
    for path in dict.fromkeys((canonical(folder), unicodedata.normalize("NFC", folder))):
        plain = key_of(path)
        if len(plain) <= LONGEST_KEY:
            known = [plain] if Path(projects, plain).is_dir() else []
        else:
            known = [key for key in all_keys(projects) if fits_key(key, path)]
        found += [key for key in known if key not in found]
    return found


def all_keys(projects: str) -> list[str]:
    """The keys of all folders that have transcripts."""
    try:
        return [entry.name for entry in os.scandir(projects) if entry.is_dir()]
    except OSError:
        return []


def find_transcript(projects: str, session_id: str) -> str:
    """The newest transcript of a session that holds anything; empty if there is none."""
    if not is_session_id(session_id):
        return ""
    return max(_transcripts(projects, session_id), default=(0, ""))[1]


def subagent_files(transcript: str) -> list[str]:
    """The transcripts of a session's subagents, in the order of their names."""
    folder = Path(transcript.removesuffix(SUFFIX), "subagents")
    try:
        return sorted(entry.path for entry in os.scandir(folder) if entry.name.endswith(SUFFIX))
    except OSError:
        return []


def _transcripts(projects: str, session_id: str) -> Iterator[tuple[int, str]]:
    for key in all_keys(projects):
        path = Path(projects, key, session_id + SUFFIX)
        with suppress(OSError):
            stat = path.stat()
            if stat.st_size > 0:
                yield stat.st_mtime_ns, str(path)
