"""What the sessions of both v2 cores tell in the same way."""

from __future__ import annotations

from adapter.shared.effects import Effects, Respond, RespondConfig
from adapter.shared.inputs import ConfigRequested, PromptReceived
from adapter.shared.session_base import SessionBase
from adapter.shared.updates import ConfigChanged, UserMessage


class V2Session(SessionBase):
    """A session whose client speaks v2."""

    def config_changed(self, change: ConfigRequested) -> Effects:
        """The options go out as an update and as the answer."""
        options = self.config.options()
        return [ConfigChanged(options), RespondConfig(change.request, options)]

    def mode_changed(self, _mode: str) -> Effects:
        """The mode is one of the options."""
        return [ConfigChanged(self.config.options())]


def inserted(prompt: PromptReceived) -> Effects:
    """A prompt is part of the conversation: its message is told, and its request answered."""
    return [UserMessage(prompt.uuid, prompt.blocks), Respond(prompt.request, {"messageId": prompt.uuid})]
