"""`/clear`: Claude Code begins another conversation under another id; the client's session stays the same."""

from __future__ import annotations

from adapter.shared.claude.frames import Frame
from adapter.shared.conversation import Conversation
from adapter.shared.effects import Effects
from adapter.shared.session_part import SessionPart
from adapter.shared.titles import TitleKeeper


class Clearing(SessionPart):
    """What a session forgets when it is cleared. Its process knows under which id it goes on.

    Args:
        conversation: What is forgotten.
        titles: Forget the title too, unless a person chose it.
    """

    def __init__(self, conversation: Conversation, titles: TitleKeeper) -> None:
        self._conversation = conversation
        self._titles = titles
        self.frames = {"conversation_reset": self._reset}

    def _reset(self, _frame: Frame) -> Effects:
        self._titles.start_over()
        return self._conversation.cleared()
