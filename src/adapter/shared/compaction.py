"""Compactions of the conversation: what a client is told of one, from Claude Code's status frames to its end.

Claude Code says `compacting` and how that ended in `system/status`, the summary in pieces of the stream where the API
streams it and whole in its PostCompact hook, and the sizes in `system/compact_boundary`.
"""

from __future__ import annotations

from typing import Any

from adapter.shared.tools.facts import Json, ToolStatus
from adapter.shared.tools.text import integer, string
from adapter.shared.updates import CompactionChanged, CompactionChunk

ABORTED = "Request was aborted"
"""In Claude Code's `compact_error` when an interrupt ended the compaction."""
TRIGGERS = {"manual": "manual", "auto": "automatic"}
FACTS = (("pre_tokens", "preTokens"), ("post_tokens", "postTokens"), ("duration_ms", "durationMs"))


class Compactions:
    """The compactions of one session: one at a time, told from its begin to its end."""

    def __init__(self) -> None:
        self._running = ""
        self._ended = ""
        self._streamed = ""
        self._summary = ""

    def status(self, frame: Json) -> list[CompactionChanged]:
        """A `system/status` frame: a compaction begins, or has ended."""
        if frame.get("status") == "compacting":
            return [] if self._running else [self._begin(frame)]
        result = string(frame.get("compact_result"))
        if not self._running or not result:
            return []
        if result == "success":
            summary = "" if self._summary.strip() == self._streamed.strip() else self._summary
            return [self._end(ToolStatus.COMPLETED, summary=summary)]
        error = string(frame.get("compact_error")) or "Claude Code gave no reason"
        return [self._end(ToolStatus.CANCELLED if ABORTED in error else ToolStatus.FAILED, error=error)]

    def summarised(self, summary: str) -> None:
        """The PostCompact hook brought the whole summary; it comes before the end."""
        self._summary = summary

    def streamed(self, text: object) -> list[CompactionChunk]:
        """A piece of the summary has come in the stream."""
        if not self._running or not isinstance(text, str) or not text:
            return []
        self._streamed += text
        return [CompactionChunk(self._running, text)]

    def boundary(self, frame: Json) -> list[CompactionChanged]:
        """A `system/compact_boundary` frame: how large the conversation was and is."""
        facts = _facts(frame.get("compact_metadata"))
        if self._running:
            # Its end was not told: the boundary is behind it.
            return [self._end(ToolStatus.COMPLETED, summary=self._summary), self._measured(facts)]
        if not self._ended:
            begun = self._begin(frame)
            return [begun, self._end(ToolStatus.COMPLETED), self._measured(facts)]
        return [self._measured(facts)]

    def turn_over(self) -> list[CompactionChanged]:
        """The turn has ended, or Claude Code has: a compaction that has not ended never will."""
        self._ended = ""
        return [self._end(ToolStatus.CANCELLED)] if self._running else []

    def _begin(self, frame: Json) -> CompactionChanged:
        self._running = string(frame.get("uuid")) or "compaction"
        self._ended = self._streamed = self._summary = ""
        return CompactionChanged(self._running, ToolStatus.IN_PROGRESS, opened=True)

    def _end(self, status: ToolStatus, *, summary: str = "", error: str = "") -> CompactionChanged:
        self._running, self._ended = "", self._running
        return CompactionChanged(self._ended, status, summary=summary, error=error)

    def _measured(self, facts: Json) -> CompactionChanged:
        return CompactionChanged(self._ended, ToolStatus.COMPLETED, facts=facts)


def _facts(metadata: Any) -> Json:
    """`trigger`, `preTokens`, `postTokens`, `durationMs`, as far as Claude Code says them."""
    data: Json = metadata if isinstance(metadata, dict) else {}
    trigger = TRIGGERS.get(string(data.get("trigger")))
    facts: Json = {} if trigger is None else {"trigger": trigger}
    return facts | {name: data[key] for key, name in FACTS if integer(data.get(key), -1) >= 0}
