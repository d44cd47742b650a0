"""Recordings without the bulk that no comparison reads."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from adapter.conformance.recording import Entry, Recording
from adapter.conformance.view import SETUP

if TYPE_CHECKING:
    from collections.abc import Mapping

KEPT = ("sessionId", "protocolVersion", "agentInfo", "info")


def brief(recording: Recording, scenario: Mapping[str, Any]) -> Recording:
    """A recording whose answers that set a session up say only whose they are, unless its scenario shows them."""
    if scenario.get("shows_setup"):
        return recording
    asked = {
        entry.message["id"]: entry.message["method"]
        for entry in recording.entries
        if entry.direction == ">" and "method" in entry.message and "id" in entry.message
    }
    entries = [
        _shortened(entry) if entry.direction == "<" and asked.get(entry.message.get("id")) in SETUP else entry
        for entry in recording.entries
    ]
    return replace(recording, entries=tuple(entries))


def _shortened(entry: Entry) -> Entry:
    result = entry.message.get("result")
    if "method" in entry.message or not isinstance(result, dict):
        return entry
    kept = {name: result[name] for name in KEPT if name in result}
    return entry._replace(message={**entry.message, "result": kept})
