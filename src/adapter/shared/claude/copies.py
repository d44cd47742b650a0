"""Copies of a session, made by the SDK: its entries get new ids, so that both can go on."""

from __future__ import annotations


def fork_transcript(session_id: str, up_to: str = "") -> str:
    """Copy a transcript beside itself, under a title that says so; returns the copy's session id. Blocks.

    The SDK finds the transcript by `CLAUDE_CONFIG_DIR` or `HOME` of this process.

    Args:
        session_id: The session.
        up_to: The uuid of the last entry to copy; empty for all.

    Raises:
        FileNotFoundError: There is no transcript.
        ValueError: It holds no message, or not the entry `up_to`.
    """
    from claude_agent_sdk import fork_session  # noqa: PLC0415 - most connections never need it.

    return fork_session(session_id, up_to_message_id=up_to or None).session_id
