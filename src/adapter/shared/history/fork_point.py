"""Where a fork ends that a client wants at one message (docs/air-extensions.md, session fork point)."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from adapter.shared.history.branch import Json, active_branch, blocks_of, message_end, names_of

SEGMENT = re.compile(r":segment:\d+$")


@dataclass(frozen=True, slots=True)
class ForkPoint:
    """A message.

    Attributes:
        message_id: As the client knows it.
        fingerprint: `sha256:` and the digest of the message's text; empty if it is not known.
        occurrence: Which of the messages with the same text it is, counted from 1.
    """

    message_id: str
    fingerprint: str = ""
    occurrence: int = 1


def cut_at(entries: list[Json], point: ForkPoint) -> str:
    """The uuid of the last entry that the fork keeps; empty if there is no such message."""
    branch = active_branch(entries)
    for history in (branch, entries):
        for name in dict.fromkeys((point.message_id, SEGMENT.sub("", point.message_id))):
            if found := message_end(history, name):
                return found
    return _by_text(branch, point) or _by_text(entries, point) if point.fingerprint else ""


def _by_text(entries: list[Json], point: ForkPoint) -> str:
    texts: dict[str, str] = {}
    for entry in entries:
        if entry["type"] in ("user", "assistant") and not entry.get("isMeta"):
            name = names_of(entry)[0]
            texts[name] = texts.get(name, "") + "".join(str(block.get("text") or "") for block in blocks_of(entry))
    same = [name for name, text in texts.items() if _fingerprint(text) == point.fingerprint]
    if len(same) != 1 and not 1 <= point.occurrence <= len(same):
        return ""
    return message_end(entries, same[0] if len(same) == 1 else same[point.occurrence - 1])


def _fingerprint(text: str) -> str:
    return f"sha256:{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()}"
