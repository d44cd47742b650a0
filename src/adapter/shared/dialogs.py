"""Claude Code's requests to its host: permission questions wait for the client, the rest is answered at once."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from adapter.shared.claude.frames import note_unknown
from adapter.shared.config_options.settings import SessionConfig
from adapter.shared.conversation import Conversation
from adapter.shared.effects import (
    AnswerControl,
    AskElicitation,
    AskPermission,
    Effects,
    RefuseControl,
    WithdrawQuestion,
)
from adapter.shared.elicitation.mcp import DECLINED, server_answer, server_request
from adapter.shared.elicitation.questions import question_answer, question_form
from adapter.shared.elicitation.refusal import DIALOG_KIND, refusal_answer, refusal_form
from adapter.shared.elicitation.requests import Asker, Elicitation
from adapter.shared.inputs import ClientAnswered
from adapter.shared.permissions.choices import SANDBOX_NETWORK, heading, permission_options
from adapter.shared.permissions.options import ABORTED, PermissionOption, PermissionQuestion, compact, decision
from adapter.shared.tools.facts import FileSnapshot, Json, Location, Text, ToolKind, ToolStatus
from adapter.shared.tools.text import fenced, string

NO_QUESTION = "the input has no question"


class Dialogs:
    """The open questions of one session.

    Args:
        conversation: Where tool calls live; a call is opened before anything is asked about it.
        config: Which modes the session can be set to.
        may_clear: Whether a plan could be continued in a fresh context now.
    """

    def __init__(self, conversation: Conversation, config: SessionConfig, *, may_clear: Callable[[], bool]) -> None:
        self._may_clear = may_clear
        self._conversation = conversation
        self._config = config
        self._open: dict[str, PermissionQuestion | Elicitation] = {}

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
            return [AnswerControl(request_id, {"continue": True}), *self._tool_done(request.get("input"))]
        if subtype == "elicitation":
            form = server_request(request_id, request, self._conversation.context.elicitation)
            return self._elicit(form) if form is not None else [AnswerControl(request_id, DECLINED)]
        if subtype == "request_user_dialog":
            return self._dialog(request_id, request)
        note_unknown(f"control request {subtype}", request)
        return [RefuseControl(request_id, f"this host does not serve {subtype}")]

    def cancelled(self, frame: Json) -> Effects:
        """A `control_cancel_request` frame: Claude Code needs the answer no more."""
        key = string(frame.get("request_id"))
        question = self._open.pop(key, None)
        return [] if question is None else [WithdrawQuestion(key), *self._settle(question, ToolStatus.CANCELLED)]

    def question(self, key: str) -> PermissionQuestion | None:
        """The open permission question with a key."""
        question = self._open.get(key)
        return question if isinstance(question, PermissionQuestion) else None

    def answered(self, answer: ClientAnswered) -> Effects:
        """The client's answer; one that comes too late answers nothing."""
        question = self._open.pop(answer.key, None)
        if question is None:
            return []
        failed = answer.error is not None
        if isinstance(question, Elicitation):
            response = _elicited(question, answer.result, failed=failed)
            return [RefuseControl(question.key, ABORTED) if response is None else AnswerControl(question.key, response)]
        decided = decision(question, answer.result, failed=failed, feedback=answer.feedback)
        allowed = decided["behavior"] == "allow"
        ended = self._settle(question, ToolStatus.COMPLETED if allowed else ToolStatus.FAILED)
        return [AnswerControl(question.key, decided), *ended]

    def refuse(self, frame: Json) -> Effects:
        """A `control_request` frame of work that was stopped: nothing of it reaches the client."""
        request = frame.get("request")
        if not isinstance(request, dict) or request.get("subtype") != "can_use_tool":
            return self.request(frame)
        denial = {"behavior": "deny", "message": ABORTED, "interrupt": True}
        return [
            AnswerControl(string(frame.get("request_id")), {**denial, "toolUseID": string(request.get("tool_use_id"))})
        ]

    def withdraw_all(self, *, main_only: bool = False) -> Effects:
        """Nobody waits for the answers any more. `main_only`: those of subagents, which may work on, stay open."""
        keys = [key for key, question in self._open.items() if not (main_only and question.agent_id)]
        ended = [self._settle(self._open.pop(key), ToolStatus.CANCELLED) for key in keys]
        return [*(WithdrawQuestion(key) for key in keys), *(effect for effects in ended for effect in effects)]

    def _tool_done(self, done: Any) -> Effects:
        """A hook has what no frame has: the structured result of a subagent's tool, the summary of a compaction."""
        if isinstance(done, dict) and done.get("hook_event_name") == "PostCompact":
            self._conversation.compactions.summarised(string(done.get("compact_summary")))
            return []
        if not isinstance(done, dict) or not done.get("agent_id") or done.get("hook_event_name") != "PostToolUse":
            return []
        return self._conversation.tool_responded(string(done.get("tool_use_id")), done.get("tool_response"))

    def _permission(self, request_id: str, request: Json, before: FileSnapshot | None) -> Effects:
        calls = self._conversation.calls
        call_id, tool_name = string(request.get("tool_use_id")), string(request.get("tool_name"))
        if not call_id or not tool_name:
            note_unknown("form of can_use_tool", request)
            return [RefuseControl(request_id, "a permission request names a tool and its call")]
        given: Any = request.get("input")
        tool_input: Json = given if isinstance(given, dict) else {}
        effects: Effects = [*calls.open(call_id, tool_name)]
        if not calls.is_open(call_id):
            return [RefuseControl(request_id, "the tool call is over")]
        if calls.snapshot(call_id)["name"] == tool_name:
            effects += calls.refine(call_id, tool_input)
        if before is not None:
            effects += calls.show_preview(call_id, before)
        agent_id = string(request.get("agent_id"))
        if tool_name == "AskUserQuestion" and "form" in self._conversation.context.elicitation:
            form = question_form(request_id, call_id, tool_input, agent_id)
            return [*effects, *(self._elicit(form) if form is not None else [RefuseControl(request_id, NO_QUESTION)])]
        question = self._question(request_id, request, tool_input)
        self._open[request_id] = question
        return [*effects, AskPermission(question)]

    def _question(self, request_id: str, request: Json, tool_input: Json) -> PermissionQuestion:
        calls = self._conversation.calls
        call_id, tool_name = string(request.get("tool_use_id")), string(request.get("tool_name"))
        blocked = string(request.get("blocked_path"))
        known = calls.locations(call_id)
        is_new = bool(blocked) and all(place.path != blocked for place in known)
        server = request.get("mcp_server")
        fields = {**calls.snapshot(call_id), "rawInput": calls.shown_input(call_id, tool_input)}
        if heading(request):
            fields |= _own_fields(tool_name, heading(request), tool_input)
        return PermissionQuestion(
            key=request_id,
            call_id=call_id,
            tool_name=tool_name,
            tool_input=tool_input,
            fields=fields,
            locations=(*known, Location(blocked)) if is_new else known,
            agent_id=string(request.get("agent_id")),
            options=self._options(request),
            heading="Ready to code?" if tool_name == "ExitPlanMode" else string(fields.get("title")),
            reason=compact(request.get("decision_reason")),
            new_location=is_new,
            default_to_no=request.get("default_to_no") is True,
            mcp_server=server if isinstance(server, dict) else None,
        )

    def _settle(self, question: PermissionQuestion | Elicitation, status: ToolStatus) -> Effects:
        """Network access from the sandbox is over with its question: no result follows."""
        if not isinstance(question, PermissionQuestion) or question.tool_name != SANDBOX_NETWORK:
            return []
        calls = self._conversation.calls
        if not calls.is_open(question.call_id) or calls.snapshot(question.call_id)["name"] != SANDBOX_NETWORK:
            return []
        return [*calls.end(question.call_id, status)]

    def _elicit(self, form: Elicitation) -> Effects:
        self._open[form.key] = form
        return [AskElicitation(form)]

    def _dialog(self, request_id: str, request: Json) -> Effects:
        """One of a kind that we did not declare stays without an answer: every answer would settle it."""
        if request.get("dialog_kind") == DIALOG_KIND and "form" in self._conversation.context.elicitation:
            return self._elicit(refusal_form(request_id, request.get("payload")))
        note_unknown("dialog", request)
        return []

    def _options(self, request: Json) -> tuple[PermissionOption, ...]:
        modes = frozenset(mode.value for mode in self._config.modes())
        used = self._conversation.usage.percent_used
        return permission_options(request, modes, used, may_clear=self._may_clear(), cwd=self._conversation.context.cwd)


def _own_fields(tool_name: str, title: str, tool_input: Json) -> dict[str, Any]:
    """A question that is not shown like its call, which may be another tool's: the input says what it is about."""
    shown = fenced(json.dumps(tool_input, indent=2, ensure_ascii=False), "json")
    return {"name": tool_name, "title": title, "kind": ToolKind.OTHER, "content": (Text(shown),)}


def _elicited(form: Elicitation, result: Any, *, failed: bool) -> Json | None:
    """The answer to Claude Code; `None` for one that aborts what it asked about."""
    match form.asker:
        case Asker.QUESTIONS:
            return question_answer(form, result, failed=failed)
        case Asker.REFUSAL:
            return refusal_answer(result, failed=failed)
        case _:
            return server_answer(result, failed=failed)
