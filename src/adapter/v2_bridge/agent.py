"""The bridged ACP v2 agent."""

from __future__ import annotations

from adapter.shared.config_options.settings import SessionConfig
from adapter.shared.conversation import Conversation
from adapter.shared.updates import Command
from adapter.shared.v2.agent import V2Agent
from adapter.v2_bridge.session import BridgeSession


class V2BridgeAgent(V2Agent):
    """Draft ACP v2, translated from the v1 core."""

    def make_core(
        self, conversation: Conversation, config: SessionConfig, commands: tuple[Command, ...]
    ) -> BridgeSession:
        """A v1 session that speaks v2."""
        return BridgeSession(conversation, config, commands)
