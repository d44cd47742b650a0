"""`/clear`: Claude Code begins another conversation under another id; the client's session stays the same."""

from __future__ import annotations

from adapter.shared.conversation import Conversation
from adapter.shared.session_part import SessionPart


class Clearing(SessionPart):
    """What a session forgets when it is cleared. Its process knows under which id it goes on.

    Args:
        conversation: What is forgotten.
    """

    def __init__(self, conversation: Conversation) -> None:
        self.frames = {"conversation_reset": lambda _frame: conversation.cleared()}
