"""What Claude Code's lifecycle frames and results say about prompts and turns."""

from __future__ import annotations

from adapter.shared.claude.frames import Frame
from adapter.shared.tools.text import string

NEVER_TAKEN = frozenset({"discarded", "refused"})
"""The states of a prompt that Claude Code has not taken in and will not."""


def lifecycle_event(frame: Frame) -> tuple[str, str]:
    """A `command_lifecycle` frame's prompt and state; empty strings if it has none."""
    return string(frame.get("command_uuid")), string(frame.get("state"))


def named_prompts(result: Frame) -> list[str]:
    """The prompts that a result says it answers."""
    uuids = result.get("user_message_uuids")
    if isinstance(uuids, list):
        return [string(uuid) for uuid in uuids]
    uuid = string(result.get("user_message_uuid"))
    return [uuid] if uuid else []


def begun_by_host(result: Frame) -> bool:
    """Whether a result's turn was begun by a prompt, not by Claude Code itself."""
    origin = result.get("origin")
    return not isinstance(origin, dict) or origin.get("kind") != "task-notification"


def is_placeholder(result: Frame) -> bool:
    """Whether a result only says that another turn answers its notification: it ends nothing."""
    return result.get("num_turns") == 0 and not begun_by_host(result)


def notified_run(result: Frame) -> str:
    """The run whose end a result's turn answers; empty if it answers none."""
    origin = result.get("origin")
    return string(origin.get("runId")) if isinstance(origin, dict) and not begun_by_host(result) else ""
