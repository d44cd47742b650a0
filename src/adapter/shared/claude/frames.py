"""Claude Code's frames: from a line to a dict, whatever the line is."""

from __future__ import annotations

import json
import logging
from collections import Counter
from typing import Any

import orjson

from adapter.shared.jsonrpc.messages import without_surrogates

log = logging.getLogger(__name__)

Frame = dict[str, Any]

unknown_frames: Counter[str] = Counter()
"""How often each unknown type, subtype or malformed line came, for the log and for tests."""

REPORTS = frozenset(
    {
        "api_retry",
        "hook_response",
        "local_command_output",
        "memory_recall",
        "model_refusal_fallback",
        "notification",
        "permission_denied",
        "plugin_install",
        "session_writes_lost",
    }
)
"""System frames that a part of the session shows (`shared.reports`)."""

SILENT_SYSTEM = frozenset(
    {
        "background_tasks_changed",
        "control_request_progress",
        "elicitation_complete",
        "files_persisted",
        "hook_progress",
        "hook_started",
        "init",
        "model_refusal_no_fallback",
        "session_state_changed",
        "task_progress",
        "task_updated",
        "thinking_tokens",
        "worker_shutting_down",
    }
)
"""System frames that tell a client nothing."""

SILENT_FRAMES = frozenset(
    {
        "active_goal",
        "auth_status",
        "conversation_reset",
        "keep_alive",
        "prompt_suggestion",
        "rate_limit_event",
        "tool_progress",
        "tool_use_summary",
    }
)
"""Frame types that lead to nothing of the conversation; a part of the session may show them (`shared.reports`)."""


def read_frame(line: bytes) -> Frame | None:
    """Parse a line of Claude Code's stdout.

    Lone surrogates become U+FFFD. A line that is no frame is logged, counted and passed over: `None`.
    """
    frame = read_json(line)
    if isinstance(frame, dict) and isinstance(frame.get("type"), str):
        return frame
    if line.strip():
        note_unknown("line", line[:200])
    return None


def read_json(line: bytes) -> object:
    """The JSON value of a line, with U+FFFD for each lone surrogate; `None` if it is none."""
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError:
        return _read_leniently(line)


def note_unknown(what: str, detail: object) -> None:
    """Log and count something that this version does not know; the first of a kind as a warning."""
    unknown_frames[what] += 1
    level = logging.WARNING if unknown_frames[what] == 1 else logging.DEBUG
    log.log(level, "passed over an unknown %s from Claude Code: %s", what, str(detail)[:200])


def _read_leniently(line: bytes) -> object:
    try:
        return without_surrogates(json.loads(line.decode("utf-8", "replace")))
    except (ValueError, RecursionError):
        return None
