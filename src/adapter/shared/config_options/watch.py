"""Changes of the configuration by another cause than a request: a command of the conversation, or a restart."""

from __future__ import annotations

from adapter.shared.claude.frames import Frame
from adapter.shared.config_options.changes import GET_SETTINGS, ConfigChanges
from adapter.shared.config_options.settings import SessionConfig
from adapter.shared.effects import Effects, SendControl
from adapter.shared.inputs import ControlAnswered
from adapter.shared.session_part import SessionPart
from adapter.shared.tools.text import string
from adapter.shared.updates import ConfigChanged

COMMANDS = frozenset({"config", "effort", "model"})
"""Commands of a conversation that may change what the session runs with."""
KEY = "settings"
FAST_STATES = frozenset({"on", "off"})


class ConfigWatch(SessionPart):
    """Keeps what the client is told true to what Claude Code runs with.

    Args:
        config: What the session runs with.
        changes: The client's own changes, which tell it themselves.
    """

    def __init__(self, config: SessionConfig, changes: ConfigChanges) -> None:
        self._config = config
        self._changes = changes
        self.frames = {"system/init": self._turn_began, "result": self._turn_ended}
        self.answers = {KEY: self._answered}

    def _turn_began(self, frame: Frame) -> Effects:
        effects = self._fast_mode(frame)
        model = string(frame.get("model"))
        if model and model != self._config.running_model and not self._changes.any_open():
            effects.append(SendControl(KEY, GET_SETTINGS))
        return effects

    def _turn_ended(self, frame: Frame) -> Effects:
        command = string(frame.get("local_command")).lstrip("/").split(" ", 1)[0]
        asked: Effects = [SendControl(KEY, GET_SETTINGS)] if command in COMMANDS else []
        return [*self._fast_mode(frame), *asked]

    def _fast_mode(self, frame: Frame) -> Effects:
        state = string(frame.get("fast_mode_state"))
        if state not in FAST_STATES or self._changes.any_open() or not self._config.fast_seen(state):
            return []
        return [ConfigChanged(self._config.options())]

    def _answered(self, event: ControlAnswered) -> Effects:
        if event.error or self._changes.any_open():
            return []
        before = self._config.options()
        self._config.follow(event.response)
        after = self._config.options()
        return [ConfigChanged(after)] if after != before else []
