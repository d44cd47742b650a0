"""What a person could say next, as Claude Code suggests it after a turn: shown until the next prompt."""

from __future__ import annotations

from typing import Any

from adapter.shared.effects import Effects, SendPrompt
from adapter.shared.session_part import SessionPart
from adapter.shared.updates import PromptSuggested


class PromptSuggestions(SessionPart):
    """The suggestion of one session that is shown; one without a text takes it away."""

    def __init__(self) -> None:
        self._shown = ""

    def rewrite(self, effects: Effects) -> Effects:
        """A suggestion is not repeated, and a prompt takes it away."""
        return [rewritten for effect in effects for rewritten in self._rewritten(effect)]

    def _rewritten(self, effect: Any) -> Effects:
        if isinstance(effect, PromptSuggested):
            told, self._shown = self._shown, effect.text
            return [effect] if effect.text != told else []
        if isinstance(effect, SendPrompt) and self._shown:
            self._shown = ""
            return [PromptSuggested(""), effect]
        return [effect]
