"""A history as AIR is shown it: usage limits as the records that they were, and a mark at its end.

Source: docs/air-extensions.md, *Session failure* and *Session history*.
"""

from __future__ import annotations

from typing import Any

from adapter.shared.history.branch import blocks_of
from adapter.shared.tools.facts import Json
from adapter.shared.tools.text import string
from adapter.v1.extensions.failure_records import replayed_record
from adapter.v1.extensions.updates import session_info


class AirReplay:
    """Watches the history of one session.

    Args:
        session_id: The session.
        declared: What AIR declared.
    """

    def __init__(self, session_id: str, declared: frozenset[str]) -> None:
        self._session_id = session_id
        self._declared = declared
        self._prompt = ""

    def shown(self, entry: Json, updates: list[Any]) -> list[Any]:
        """A message about a usage limit becomes the record that went with it, in its place."""
        if entry.get("type") == "user" and _is_prompt(entry):
            self._prompt = string(entry.get("uuid"))
        if "sessionFailure" not in self._declared or entry.get("type") != "assistant":
            return updates
        record = replayed_record(entry, self._prompt, self._session_id)
        return updates if record is None else [session_info(sessionFailure=record)]

    def over(self) -> list[Any]:
        """Whoever asked for it is told that the history is complete."""
        return [session_info(loadReplayEnd=True)] if "loadReplayEnd" in self._declared else []


def _is_prompt(entry: Json) -> bool:
    results = any(block.get("type") == "tool_result" for block in blocks_of(entry))
    return not (results or entry.get("isMeta") or entry.get("isCompactSummary"))
