"""The native ACP v2 agent."""

from __future__ import annotations

from adapter.shared.config_options.settings import SessionConfig
from adapter.shared.conversation import Conversation
from adapter.shared.updates import Command
from adapter.shared.v2.agent import V2Agent
from adapter.v2_native.session import NativeSession


class V2NativeAgent(V2Agent):
    """Draft ACP v2, driven by Claude Code's own lifecycle frames."""

    def make_core(
        self, conversation: Conversation, config: SessionConfig, commands: tuple[Command, ...]
    ) -> NativeSession:
        """A native v2 session."""
        return NativeSession(conversation, config, commands)
