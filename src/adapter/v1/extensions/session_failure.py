"""Failures and warnings as typed records in AIR's transcript, in place of errors and texts of the assistant.

Source: docs/air-extensions.md, *Session failure*.
"""

from __future__ import annotations

from typing import Any

from adapter.shared.claude.frames import Frame
from adapter.shared.claude.lifecycle import is_placeholder, lifecycle_event
from adapter.shared.effects import Effects, Fail, Respond, RespondOutcome
from adapter.shared.inputs import Input, ProcessEnded, SteerReceived
from adapter.shared.jsonrpc.errors import AUTH_ERROR_KINDS, ClaudeFailure
from adapter.shared.jsonrpc.messages import RequestId
from adapter.shared.outcome import Outcome, StopReason
from adapter.shared.session_part import SessionPart
from adapter.shared.tools.text import string
from adapter.shared.turn_outcome import ABORTED
from adapter.shared.updates import Notice, TextChunk
from adapter.v1.extensions.failure_records import (
    STOPPING,
    UNKNOWN,
    failure_class,
    is_sign_in,
    record,
    retry_record,
    synthetic_text,
    text_of,
    title_of,
    warning,
)
from adapter.v1.extensions.open_prompts import OpenPrompts
from adapter.v1.extensions.updates import AirUpdate, FailedOutcome, session_info

TURNS_SPENT = "The limit of this turn is reached."


class SessionFailures(SessionPart):
    """The incidents of one session.

    Args:
        session_id: The session.
        epoch: A fresh id: incidents of an earlier run of the session have another one.
        prompts: The session's open prompts.
        notices: AIR takes remarks as ACP's notices, so they need no record.
    """

    def __init__(self, session_id: str, epoch: str, prompts: OpenPrompts, *, notices: bool) -> None:
        self._session_id = session_id
        self._epoch = epoch
        self._prompts = prompts
        self._revisions: dict[str, int] = {}
        self._errors = self._notices = 0
        self._last_notice = ""
        self._is_told = False
        self._silent: set[str] = set()
        self._owner = ""
        self._failing = ""
        self._signed_out = False
        self._result_text = ""
        self._said = self._answer = ""
        self._unanswered: tuple[str, str] | None = None
        self.early_frames = {
            "assistant": self._spoke,
            "command_lifecycle": self._lifecycle,
            "result": self._result,
            "system/api_retry": self._retried,
            "system/worker_shutting_down": lambda _frame: [self._session_error("process_exited", STOPPING)],
        }
        if not notices:
            self.early_frames["system/model_refusal_fallback"] = self._fell_back

    def see(self, event: Input) -> None:
        """Claude Code may be lost while nothing waits for it."""
        if isinstance(event, ProcessEnded):
            self._unanswered = (event.failure.kind, title_of(event.failure))

    def answer_of(self, result: Frame) -> str:
        """What a turn has said. One that failed has said what the model said before: its error is a record."""
        return self._answer if result.get("is_error") is True else string(result.get("result"))

    def rewrite(self, effects: Effects) -> Effects:
        """A failure goes with the answer to its prompt, or, if it answers none, into the session."""
        if not self._silent and self._unanswered is None and len(effects) == 1 and type(effects[0]) is TextChunk:
            return effects
        shown = [effect for effect in effects if not self._is_silent(effect)]
        rewritten = [told for effect in shown for told in self._rewritten(effect)]
        unanswered, self._unanswered, self._is_told = self._unanswered, None, False
        answered = any(isinstance(effect, Fail | RespondOutcome) and self._is_prompt(effect) for effect in effects)
        if unanswered is not None and not answered:
            rewritten.append(self._session_error(*unanswered))
        return rewritten

    def _rewritten(self, effect: Any) -> Effects:
        match effect:
            case Fail(error=ClaudeFailure() as failure, outcome=Outcome() as outcome) if not is_sign_in(failure):
                return self._failed(effect.request, outcome, failure.kind, title_of(failure))
            case RespondOutcome(outcome=Outcome(stop=StopReason.MAX_TURN_REQUESTS) as outcome):
                return self._failed(effect.request, outcome, "max_turns", self._result_text or TURNS_SPENT)
            case _:
                return [effect]

    def _failed(self, request: RequestId, outcome: Outcome, kind: str, title: str) -> Effects:
        prompt = self._prompts.of(request)
        identity = self._session_error_id() if prompt is None else f"{prompt.uuid}:error"
        told = record(identity, self._revision(identity), failure_class(kind, title), title)
        if isinstance(prompt, SteerReceived):
            # The answer to such a request has no place for it.
            return [session_info(sessionFailure=told), Respond(request, {})]
        ended = FailedOutcome(StopReason.END_TURN, None, outcome.usage, outcome.by_model, outcome.measured, record=told)
        return [RespondOutcome(request, ended)]

    def _is_silent(self, effect: Any) -> bool:
        """Whether a record says what this text or remark says."""
        if isinstance(effect, Notice):
            return self._is_told
        return isinstance(effect, TextChunk) and effect.message_id in self._silent

    def _is_prompt(self, effect: Fail | RespondOutcome) -> bool:
        return self._prompts.of(effect.request) is not None

    def _spoke(self, frame: Frame) -> Effects:
        if frame.get("parent_tool_use_id"):
            return []
        text, kind = synthetic_text(frame), string(frame.get("error"))
        if not text:
            self._failing = ""
            self._said = text_of(frame) or self._said
        elif kind in AUTH_ERROR_KINDS:
            self._signed_out = True
        elif kind:
            self._failing = kind
            self._silent.add(string(frame["message"].get("id")))
        return []

    def _lifecycle(self, frame: Frame) -> Effects:
        uuid, state = lifecycle_event(frame)
        if state == "started" and self._prompts.has(uuid):
            self._owner, self._failing, self._signed_out = uuid, "", False
        return []

    def _result(self, frame: Frame) -> Effects:
        if is_placeholder(frame):
            return []
        self._answer, self._said = self._said, ""
        errors = frame.get("errors")
        listed = "; ".join(string(error) for error in errors) if isinstance(errors, list) else ""
        self._result_text = string(frame.get("result")) or listed
        ended_by_person = string(frame.get("terminal_reason")) in ABORTED
        signed_out, self._signed_out = self._signed_out, False
        if frame.get("is_error") is True and self._result_text and not ended_by_person and not signed_out:
            self._unanswered = (self._failing or "unknown", self._result_text)
        self._silent.clear()
        self._failing = ""
        return []

    def _retried(self, frame: Frame) -> Effects:
        """Another attempt; one for a login is followed by the error of the login itself."""
        if string(frame.get("error")) in AUTH_ERROR_KINDS:
            return []
        fails = self._failing and self._prompts.has(self._owner)
        identity = f"{self._owner}:error" if fails else self._session_error_id()
        self._is_told = True
        return [session_info(sessionFailure=retry_record(identity, self._revision(identity), frame))]

    def _fell_back(self, frame: Frame) -> Effects:
        """Another model answers; a remark that is repeated at once is the same one."""
        text = string(frame.get("content"))
        if not text:
            return []
        if text != self._last_notice:
            self._notices += 1
            self._last_notice = text
        self._is_told = True
        identity = f"{self._session_id}:notice:{self._epoch}:{self._notices}"
        return [session_info(sessionFailure=warning(identity, self._revision(identity), UNKNOWN.category, text))]

    def _session_error(self, kind: str, title: str) -> AirUpdate:
        identity = self._session_error_id()
        told = record(identity, self._revision(identity), failure_class(kind, title), title)
        return session_info(sessionFailure=told)

    def _session_error_id(self) -> str:
        self._errors += 1
        return f"{self._session_id}:session-error:{self._epoch}:{self._errors}"

    def _revision(self, identity: str) -> int:
        self._revisions[identity] = self._revisions.get(identity, 0) + 1
        return self._revisions[identity]
