"""`/clear`: Claude Code begins another conversation under another id; the client's session stays the same."""

from __future__ import annotations

from adapter.shared.claude.frames import Frame
from adapter.shared.conversation import Conversation
from adapter.shared.effects import ConversationMoved, Effects
from adapter.shared.session_part import SessionPart
from adapter.shared.tools.text import string


class Clearing(SessionPart):
    """Which of Claude Code's conversations a session is in.

    Args:
        conversation: What is forgotten.
    """

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation
        self._left = ""
        self.frames = {"conversation_reset": self._reset, "system/init": self._turn_began}

    def _reset(self, frame: Frame) -> Effects:
        self._left = string(frame.get("session_id"))
        return self._conversation.cleared()

    def _turn_began(self, frame: Frame) -> Effects:
        """The frame after a reset has the new id, which is not the one that the reset announces."""
        now = string(frame.get("session_id"))
        if not self._left or now in ("", self._left):
            return []
        self._left = ""
        return [ConversationMoved(now)]
