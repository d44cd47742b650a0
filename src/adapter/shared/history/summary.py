"""What a list says of a session, read from the two ends of its transcript. Nothing else of the file is looked at.

Claude Code writes a session's title again and again, so that the last one is near the end. A title that a person chose
wins over a generated one, and either over the first prompt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from adapter.shared.claude.frames import read_json

END_BYTES = 65536
"""Bytes that are read at each end of a transcript."""
LONGEST_TITLE = 200
"""Characters."""
ARCHIVED = "archived"
"""The tag of a session that was archived."""
OWN_RECORD = "claude-acp"
"""The type of records that the adapter writes, and below the two things that one may say."""
CONTINUES = "continues"
CONTINUED_IN = "continuedIn"
NOT_TYPED = re.compile(
    r"<(local-command-(stdout|stderr|caveat)|session-start-hook|task-notification|system-reminder|bash-|tick|goal)"
    r"|\[Request interrupted by user"
)
"""How texts begin that stand in a transcript as the user's and were not typed."""
COMMAND = re.compile(r"<command-name>(.*?)</command-name>", re.DOTALL)
ARGUMENTS = re.compile(r"<command-args>(.*?)</command-args>", re.DOTALL)
SUMMARY_START = re.compile(
    r"This session is being continued from .*\n\n(<system-reminder>(?s:.*?)</system-reminder>\n)?"
)
SUMMARY_END = re.compile(r"\n\nIf you need specific details from before compaction")

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Summary:
    """A session in a list.

    Attributes:
        title: Chosen, generated, or the first prompt's; empty if there is none of them.
        chosen: Whether a person chose the title.
        named: Whether the title was chosen or generated.
        archived: Whether it is archived.
        first_cwd: The folder that the transcript begins in.
        last_cwd: The folder that it ends in.
        continues: The session that is in this conversation, if that has another id.
        continued_in: The conversation in which its session goes on; empty if somebody has gone on with this one.
    """

    title: str
    chosen: bool
    named: bool
    archived: bool
    first_cwd: str
    last_cwd: str
    continues: str = ""
    continued_in: str = ""


def read_summary(head: bytes, tail: bytes) -> Summary | None:
    """The summary of a transcript; `None` if a list should not have it.

    That is one of a subagent or of a team's member, and one in which nobody has said anything.

    Args:
        head: Its first `END_BYTES`.
        tail: Its last `END_BYTES`.
    """
    said = _first_said(head) or _last_said(tail)
    if said is None or said.get("isSidechain") or said.get("teamName"):
        return None
    chosen = _last_record(tail, head, b"custom-title", "customTitle")
    generated = "" if chosen else _last_record(tail, head, b"ai-title", "aiTitle")
    last = _last_said(tail) or said
    return Summary(
        title=one_line(chosen or generated or _first_prompt(head)),
        chosen=bool(chosen),
        named=bool(chosen or generated),
        archived=_last_record(tail, head, b"tag", "tag") == ARCHIVED,
        first_cwd=_text(said.get("cwd")),
        last_cwd=_text(last.get("cwd")) or _text(said.get("cwd")),
        continues=named_session(tail) or named_session(head),
        continued_in=_successor(tail),
    )


def named_session(part: bytes) -> str:
    """The session that is in this conversation, as a part of its transcript says; empty if it does not."""
    return _last_record(part, b"", OWN_RECORD.encode(), CONTINUES)


def one_line(title: str) -> str:
    """A title on one line, cut to `LONGEST_TITLE` characters."""
    words = " ".join(title.split())
    return words if len(words) <= LONGEST_TITLE else f"{words[: LONGEST_TITLE - 1].rstrip()}…"


def typed_text(text: str) -> str:
    """What a person typed of a text that stands in a transcript as the user's; empty if nothing of it was."""
    command = COMMAND.search(text)
    if command is not None:
        arguments = ARGUMENTS.search(text)
        return f"{command[1]} {arguments[1] if arguments is not None else ''}".strip()
    return "" if NOT_TYPED.match(text.lstrip()) else text


def compact_summary(text: str) -> str:
    """The summary of a compaction, of the text with which Claude Code hands it to the model."""
    start, end = SUMMARY_START.match(text), SUMMARY_END.search(text)
    return text[start.end() if start is not None else 0 : end.start() if end is not None else len(text)].strip()


def prompt_texts(entry: Json) -> list[str]:
    """The texts of a `user` entry."""
    message = entry.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return [content]
    blocks = content if isinstance(content, list) else []
    texts = [block.get("text") for block in blocks if isinstance(block, dict) and block.get("type") == "text"]
    return [text for text in texts if isinstance(text, str)]


def _first_prompt(head: bytes) -> str:
    command = ""
    for entry in _said(_lines(head), b'"user"'):
        if entry.get("type") != "user" or entry.get("isMeta") or entry.get("isCompactSummary"):
            continue
        for text in prompt_texts(entry):
            typed = typed_text(text).strip()
            if typed and not typed.startswith("/"):
                return typed
            command = command or typed
    return command


def _first_said(head: bytes) -> Json | None:
    return next(_said(_lines(head), b'"message"'), None)


def _last_said(tail: bytes) -> Json | None:
    return next(_said(_lines_backwards(tail), b'"message"'), None)


def _said(lines: Iterator[bytes], mark: bytes) -> Iterator[Json]:
    """The `user` and `assistant` entries among these lines. A line that is cut or broken is passed over."""
    for line in lines:
        entry = _parsed(line) if mark in line and b'"parentUuid"' in line else None
        if entry is not None and entry.get("type") in ("user", "assistant") and isinstance(entry.get("message"), dict):
            yield entry


def _last_record(tail: bytes, head: bytes, kind: bytes, field: str) -> str:
    """The text of the last record of a type, which is a line of its own."""
    for part in (tail, head):
        end = len(part)
        while (found := part.rfind(b'{"type":"' + kind + b'"', 0, end)) >= 0:
            end = found
            line_end = part.find(b"\n", found)
            entry = _parsed(part[found : line_end if line_end >= 0 else len(part)])
            is_line = found == 0 or part[found - 1 : found] == b"\n"
            if is_line and entry is not None and isinstance(entry.get(field), str):
                return str(entry[field])
    return ""


def _successor(tail: bytes) -> str:
    """The conversation behind this one, unless a person has said something here since."""
    if OWN_RECORD.encode() not in tail:
        return ""
    for line in _lines_backwards(tail):
        entry = _parsed(line)
        if entry is None:
            continue
        if entry.get("type") == OWN_RECORD and isinstance(entry.get(CONTINUED_IN), str):
            return str(entry[CONTINUED_IN])
        if entry.get("type") == "user":
            return ""
    return ""


def _lines(part: bytes) -> Iterator[bytes]:
    start = 0
    while start < len(part):
        end = part.find(b"\n", start)
        end = end if end >= 0 else len(part)
        yield part[start:end]
        start = end + 1


def _lines_backwards(part: bytes) -> Iterator[bytes]:
    end = len(part)
    while end > 0:
        start = part.rfind(b"\n", 0, end)
        yield part[start + 1 : end]
        end = start


def _parsed(line: bytes) -> Json | None:
    entry = read_json(line)
    return entry if isinstance(entry, dict) else None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
