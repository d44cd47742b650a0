"""Messages between a session and its subagents: what one is to do, and what it answers."""

from __future__ import annotations

from typing import Any

from adapter.shared.tools.facts import Text, ToolReport, ToolStatus
from adapter.shared.tools.text import string
from adapter.shared.work_updates import MessageView, SessionMessage


def delegation(call_id: str, sender: str, recipient: str, prompt: str) -> tuple[SessionMessage, SessionMessage]:
    """What a subagent is to do: the message in the sender's transcript and in the subagent's.

    Args:
        call_id: The call that gave the task; it names the message.
        sender: The session that made it.
        recipient: The subagent's session.
        prompt: The task.
    """
    content = ({"type": "text", "text": prompt},)
    outgoing = SessionMessage(call_id, sender, recipient, content, MessageView.OUTGOING)
    return outgoing, SessionMessage(call_id, sender, recipient, content, MessageView.INCOMING)


def reply(report: ToolReport, sender: str, recipient: str) -> SessionMessage | None:
    """A subagent's answer to the session that waited for it, if the report of its launch has one.

    The structured result has it; inside a subagent there is none, and the text for the model has it.
    """
    response: Any = report.response
    blocks = response.get("content") if isinstance(response, dict) else None
    if not isinstance(blocks, list) and report.fields.get("status") is ToolStatus.COMPLETED and report.parent_id:
        shown = report.fields.get("content") or ()
        blocks = [{"type": "text", "text": item.text} for item in shown if isinstance(item, Text)]
    texts = tuple({"type": "text", "text": string(block.get("text"))} for block in blocks or () if _is_text(block))
    if not texts:
        return None
    return SessionMessage(f"{report.call_id}:reply", sender, recipient, texts, MessageView.UNLINKED)


def _is_text(block: Any) -> bool:
    return isinstance(block, dict) and block.get("type") == "text"
