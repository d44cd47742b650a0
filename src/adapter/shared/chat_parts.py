"""The parts of a session that serve the chat: every core has them."""

from __future__ import annotations

from adapter.shared.clearing import Clearing
from adapter.shared.conversation import Conversation
from adapter.shared.frame_hold import FrameHold
from adapter.shared.mcp.command import McpCommand
from adapter.shared.mcp.sign_in import McpSignIn
from adapter.shared.session_part import SessionPart
from adapter.shared.titles import TitleKeeper


def chat_parts(conversation: Conversation, hold: FrameHold, titles: TitleKeeper) -> list[SessionPart]:
    """The parts of a new session.

    Args:
        conversation: What Claude's frames mean.
        hold: Keeps frames back while a part finds something out.
        titles: The session's title.
    """
    sign_in = McpSignIn(conversation.context.elicitation)
    return [Clearing(conversation, titles), sign_in, McpCommand(hold, sign_in.begin)]
