"""Claude Code's requests to its host: permission questions wait for the client, the rest is answered at once."""

from __future__ import annotations

from typing import Any

from adapter.shared.claude.frames import note_unknown
from adapter.shared.conversation import Conversation
from adapter.shared.effects import AnswerControl, AskPermission, Effects, RefuseControl, WithdrawQuestion
from adapter.shared.inputs import ClientAnswered
from adapter.shared.permissions.options import PermissionQuestion, decision, permission_options
from adapter.shared.tools.facts import FileSnapshot, Json
from adapter.shared.tools.text import string


class Dialogs:
    """The open questions of one session.

    Args:
        conversation: Where tool calls live; a call is opened before anything is asked about it.
    """

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation
        self._open: dict[str, PermissionQuestion] = {}

    @property
    def any_open(self) -> bool:
        """Whether the client owes an answer."""
        return bool(self._open)

    def request(self, frame: Json, before: FileSnapshot | None = None) -> Effects:
        """A `control_request` frame. `before` is the file that the tool would change, if it was read."""
        request_id, request = string(frame.get("request_id")), frame.get("request")
        subtype = request.get("subtype") if isinstance(request, dict) else None
        if not isinstance(request, dict) or not request_id:
            note_unknown("control request", frame)
            return []
        if subtype == "can_use_tool":
            return self._permission(request_id, request, before)
        if subtype == "hook_callback":
            return [AnswerControl(request_id, {"continue": True})]
        if subtype == "elicitation":
            return [AnswerControl(request_id, {"action": "cancel"})]
        note_unknown(f"control request {subtype}", request)
        return [RefuseControl(request_id, f"this host does not serve {subtype}")]

    def cancelled(self, frame: Json) -> Effects:
        """A `control_cancel_request` frame: Claude Code needs the answer no more."""
        key = string(frame.get("request_id"))
        return [WithdrawQuestion(key)] if self._open.pop(key, None) else []

    def answered(self, answer: ClientAnswered) -> Effects:
        """The client's answer; one that comes too late answers nothing."""
        question = self._open.pop(answer.key, None)
        if question is None:
            return []
        response = decision(question, answer.result, failed=answer.error is not None)
        return [AnswerControl(question.key, response)]

    def deny(self, question: PermissionQuestion) -> Effects:
        """Refuse what was just asked without asking the client."""
        self._open.pop(question.key, None)
        return [AnswerControl(question.key, decision(question, {"outcome": {"outcome": "cancelled"}}, failed=False))]

    def withdraw_all(self) -> Effects:
        """Nobody waits for the answers any more."""
        keys = list(self._open)
        self._open.clear()
        return [WithdrawQuestion(key) for key in keys]

    def _permission(self, request_id: str, request: Json, before: FileSnapshot | None) -> Effects:
        calls = self._conversation.calls
        call_id, tool_name = string(request.get("tool_use_id")), string(request.get("tool_name"))
        given: Any = request.get("input")
        tool_input: Json = given if isinstance(given, dict) else {}
        effects: Effects = [*calls.open(call_id, tool_name)]
        effects += calls.refine(call_id, tool_input)
        if before is not None:
            effects += calls.show_preview(call_id, before)
        blocked = string(request.get("blocked_path"))
        fields = calls.snapshot(call_id)
        server = request.get("mcp_server")
        question = PermissionQuestion(
            key=request_id,
            call_id=call_id,
            tool_name=tool_name,
            tool_input=tool_input,
            fields=fields,
            locations=tuple(calls.locate(call_id, blocked)) if blocked else tuple(fields.get("locations") or ()),
            options=permission_options(request),
            mcp_server=server if isinstance(server, dict) else None,
        )
        self._open[request_id] = question
        return [*effects, AskPermission(question)]
