"""Transcripts as Claude Code writes them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

Json = dict[str, Any]

SESSION = "11111111-1111-4111-8111-111111111111"
OTHER = "22222222-2222-4222-8222-222222222222"


class Transcript:
    """The entries of a conversation, each behind the one before.

    Args:
        cwd: The session's folder. `cwd` may be set to another later: the next entries are of that one.
        session_id: Its id.
    """

    def __init__(self, cwd: str = "/w", session_id: str = SESSION) -> None:
        self.cwd = cwd
        self.kept_for = cwd
        self.session_id = session_id
        self.entries: list[Json] = []
        self.last: str | None = None

    def add(self, kind: str, uuid: str = "", **fields: Any) -> Json:
        """An entry behind the last one, or behind `parentUuid`."""
        uuid = uuid or f"e{len(self.entries)}"
        entry = {
            "parentUuid": self.last,
            "isSidechain": False,
            "type": kind,
            "uuid": uuid,
            "cwd": self.cwd,
            "sessionId": self.session_id,
            **fields,
        }
        self.entries.append(entry)
        self.last = uuid
        return entry

    def user(self, content: Any, uuid: str = "", **fields: Any) -> Json:
        """What a person said, or a tool's result."""
        return self.add("user", uuid, message={"role": "user", "content": content}, **fields)

    def answer(self, message_id: str, *blocks: Json, uuid: str = "", **fields: Any) -> Json:
        """What Claude said."""
        message = {"id": message_id, "role": "assistant", "model": "claude-opus-5-5", "content": list(blocks)}
        return self.add("assistant", uuid, message={**message, **fields.pop("message", {})}, **fields)

    def call(self, call_id: str, name: str, message_id: str = "", **tool_input: Any) -> Json:
        """A tool call."""
        block = {"type": "tool_use", "id": call_id, "name": name, "input": tool_input}
        return self.answer(message_id or f"m-{call_id}", block)

    def result(self, call_id: str, content: Any, structured: Any = None, **fields: Any) -> Json:
        """The result of a tool call."""
        block = {"type": "tool_result", "tool_use_id": call_id, "content": content}
        return self.user([block], toolUseResult=structured, **fields)

    def record(self, kind: str, **fields: Any) -> Json:
        """A record that is no entry of the conversation."""
        entry = {"type": kind, **fields, "sessionId": self.session_id}
        self.entries.append(entry)
        return entry

    def text(self) -> str:
        """The file."""
        return "".join(json.dumps(entry, separators=(",", ":")) + "\n" for entry in self.entries)

    def write(self, projects: Path, key: str = "") -> Path:
        """Writes the file where Claude Code would."""
        folder = projects / (key or re.sub("[^a-zA-Z0-9]", "-", self.kept_for))
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.session_id}.jsonl"
        path.write_text(self.text())
        return path


def text(words: str) -> Json:
    """A text block."""
    return {"type": "text", "text": words}


def hello(cwd: str = "/w", session_id: str = SESSION, words: str = "Hello there") -> Transcript:
    """A conversation of one turn."""
    transcript = Transcript(cwd, session_id)
    transcript.user([text(words)], permissionMode="default")
    transcript.answer("msg_1", text("Hi."))
    return transcript
