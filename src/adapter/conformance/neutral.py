"""What two runs of a scenario never have in common, replaced by stable names: ids, paths, times, the port."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from adapter.conformance.recording import Entry

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
PATTERNS = (
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)"), "<time>"),
    (re.compile(r"\b([Nn]ext run:?) \w+ \d+ \d+:\d\d[ap]m"), r"\1 <time>"),
    (re.compile(r"\bduration_ms: \d+"), "duration_ms: <varies>"),
    (re.compile(r"(?:/private)?/tmp/claude-\d+"), "<tmp>"),
    (re.compile(r"/plans/[\w-]+\.md"), "/plans/<plan>.md"),
    (re.compile(r"-blob-\d+-\w+\."), "-blob-<varies>."),
    (re.compile(r"\ba[0-9a-f]{16}\b"), "<agent-id>"),
    (re.compile(r"\bagent a[0-9a-f]{6}\b"), "agent <agent-id>"),
    (re.compile(r'"ref":"[0-9a-f]{6}"'), '"ref":"<varies>"'),
    (re.compile(r"\b(?=[a-f]*\d)[0-9a-f]{8}\b"), "<job-id>"),
)
"""Texts of Claude Code that vary: times, folders, files, and the ids of subagents, commands and schedules."""
TASK_ID = re.compile(r"(?:\bwith ID: |/tasks/|<task-id>)(b[0-9a-z]{8})\b")
"""Where Claude Code names a command in the background; elsewhere its id could be any word."""
WORD = re.compile(r"\bb[0-9a-z]{8}\b")
NEUTRAL = re.compile(r"<[a-z]+-\d+>")
TASK_MEMBERS = frozenset({"backgroundTaskId", "shell_id", "taskId", "task_id"})
VARYING = frozenset({
    "agentId",
    "createdAt",
    "durationMs",
    "durationSeconds",
    "duration_ms",
    "nextFireAt",
    "ref",
    "totalDurationMs",
})  # fmt: skip
"""Members whose plain values are times, or ids of no form of their own."""
KEPT_COMMANDS = frozenset({"compact", "mcp", "say-hello"})
"""The commands that a list keeps: what else is installed is not what a scenario is about."""
TERMINAL = frozenset({"terminal_update", "terminal_output_chunk"})


class Neutral:
    """Replaces what is of one run; ids are numbered in the order in which they come.

    Args:
        texts: Texts of this run (paths) and their names, in the order in which they are replaced.
        port: The port of the scripted model, if there is one.
    """

    def __init__(self, texts: Mapping[str, str], port: int | None = None) -> None:
        self._texts = dict(texts) if port is None else {**texts, f"127.0.0.1:{port}": "127.0.0.1:<port>"}
        self._ids: dict[str, str] = {}
        self._tasks: set[str] = set()

    def entries(self, entries: Sequence[Entry]) -> list[Entry]:
        """A whole recording; ids that have no form of their own are found in it first."""
        for entry in entries:
            self._learn(entry.message)
        return [Entry(entry.seconds, entry.direction, self.value(entry.message)) for entry in entries]

    def value(self, value: Any, key: str = "") -> Any:
        """A JSON value, which has a key if it is a member of an object."""
        if isinstance(value, dict):
            value = _with_terminal_text(value, self._text)
            return {self._text(name): self.value(part, name) for name, part in _shortened(value).items()}
        if isinstance(value, list):
            return [self.value(part) for part in value]
        if key in VARYING and isinstance(value, str | int | float) and not isinstance(value, bool):
            return "<varies>"
        return self._text(value) if isinstance(value, str) else value

    def _learn(self, value: Any, key: str = "") -> None:
        if isinstance(value, dict):
            # The bytes of a terminal are looked at as the text that they are.
            _with_terminal_text(value, self._learn_text)
            for name, part in value.items():
                self._learn(part, name)
        elif isinstance(value, list):
            for part in value:
                self._learn(part)
        elif isinstance(value, str):
            self._learn_text(value, key)

    def _learn_text(self, text: str, key: str = "") -> str:
        if key == "sessionId" and text and not UUID.fullmatch(text) and not NEUTRAL.fullmatch(text):
            self._ids.setdefault(text, f"<session-{len(self._ids) + 1}>")
        if key in TASK_MEMBERS and re.fullmatch("b[0-9a-z]{8}", text):
            self._tasks.add(text)
        self._tasks.update(TASK_ID.findall(text))
        return text

    def _text(self, text: str) -> str:
        if text in self._ids:
            return self._ids[text]
        text = UUID.sub(self._uuid, text)
        for old, new in self._texts.items():
            text = text.replace(old, new)
        for pattern, name in PATTERNS:
            text = pattern.sub(name, text)
        return WORD.sub(lambda found: "<task-id>" if found[0] in self._tasks else found[0], text)

    def _uuid(self, found: re.Match[str]) -> str:
        return self._ids.setdefault(found[0], f"<uuid-{len(self._ids) + 1}>")


def _shortened(value: dict[str, Any]) -> dict[str, Any]:
    commands = value.get("availableCommands")
    if value.get("sessionUpdate") != "available_commands_update" or not isinstance(commands, list):
        return value
    kept = [item for item in commands if isinstance(item, dict) and item.get("name") in KEPT_COMMANDS]
    return {**value, "availableCommands": kept}


def _with_terminal_text(value: dict[str, Any], fix: Callable[[str], str]) -> dict[str, Any]:
    """v2 sends the bytes of a terminal in base64, in which paths and ids hide."""
    if value.get("sessionUpdate") not in TERMINAL:
        return value
    changed: dict[str, Any] = {"data": _fixed(value["data"], fix)} if isinstance(value.get("data"), str) else {}
    output = value.get("output")
    if isinstance(output, dict) and isinstance(output.get("data"), str):
        changed["output"] = {**output, "data": _fixed(output["data"], fix)}
    return {**value, **changed}


def _fixed(data: str, fix: Callable[[str], str]) -> str:
    try:
        text = base64.b64decode(data, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return data
    return base64.b64encode(fix(text).encode()).decode()
