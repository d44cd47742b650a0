"""What a person could say next, as Claude Code suggests it after a turn: shown until the next prompt."""

from __future__ import annotations

from adapter.shared.claude.frames import Frame
from adapter.shared.effects import Effects, SendPrompt
from adapter.shared.session_part import SessionPart
from adapter.shared.tools.text import string
from adapter.v1.extensions.updates import AirUpdate


class PromptSuggestions(SessionPart):
    """The suggestion of one session that is shown."""

    def __init__(self) -> None:
        self._shown = ""
        self.frames = {"prompt_suggestion": self._suggested}

    def rewrite(self, effects: Effects) -> Effects:
        """A prompt takes the suggestion away."""
        if not self._shown or not any(isinstance(effect, SendPrompt) for effect in effects):
            return effects
        self._shown = ""
        return [suggestions(), *effects]

    def _suggested(self, frame: Frame) -> Effects:
        text = string(frame.get("suggestion"))
        if text in ("", self._shown):
            return []
        self._shown = text
        return [suggestions(text)]


def suggestions(*texts: str) -> AirUpdate:
    """The suggestions that are shown from now on."""
    told = {"promptSuggestions": {"suggestions": [{"text": text} for text in texts]}}
    return AirUpdate({"sessionUpdate": "session_info_update", "_meta": told})
