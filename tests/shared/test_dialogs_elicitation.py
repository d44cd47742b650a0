"""Forms and pages that Claude Code wants shown: asked where the client can, answered once, and taken back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from adapter.shared.claude.frames import unknown_frames
from adapter.shared.config_options.settings import SessionConfig
from adapter.shared.conversation import Conversation
from adapter.shared.dialogs import Dialogs
from adapter.shared.effects import AnswerControl, AskElicitation, AskPermission, RefuseControl, WithdrawQuestion
from adapter.shared.elicitation.requests import Elicitation
from adapter.shared.inputs import ClientAnswered
from shared.tools.contexts import PLAIN

if TYPE_CHECKING:
    from collections.abc import Iterator

QUESTIONS = {"questions": [{"question": "Why?", "header": "Why", "options": [{"label": "So"}]}]}
SCHEMA = {"type": "object", "properties": {"name": {"type": "string"}}}
SERVER = {"subtype": "elicitation", "mcp_server_name": "lab", "message": "Who?", "requested_schema": SCHEMA}
DIALOG = {"subtype": "request_user_dialog", "dialog_kind": "refusal_fallback_prompt", "payload": {}}
QUESTION = {"subtype": "can_use_tool", "tool_name": "AskUserQuestion", "input": QUESTIONS, "tool_use_id": "c"}


@pytest.fixture(autouse=True)
def counted() -> Iterator[None]:
    """Count from zero."""
    unknown_frames.clear()
    yield
    unknown_frames.clear()


def dialogs(*modes: str) -> Dialogs:
    conversation = Conversation(replace(PLAIN, elicitation=frozenset(modes)))
    return Dialogs(conversation, SessionConfig((), "default", {}, may_bypass=False), may_clear=lambda: False)


def frame(request: Any, key: str = "k") -> Any:
    return {"type": "control_request", "request_id": key, "request": request}


def asked(open_: Dialogs, request: Any, key: str = "k") -> Elicitation:
    ask = open_.request(frame(request, key))[-1]
    assert isinstance(ask, AskElicitation)
    assert open_.any_open
    return ask.question


def test_a_question_opens_its_card_and_asks() -> None:
    open_ = dialogs("form")
    effects = open_.request(frame(QUESTION))
    assert [type(effect).__name__ for effect in effects] == ["ToolReport", "ToolReport", "AskElicitation"]
    result = {"action": "accept", "content": {"question_0": "So"}}
    (reply,) = open_.answered(ClientAnswered("k", result))
    assert reply.response["updatedInput"] == {**QUESTIONS, "answers": {"Why?": "So"}}
    assert not open_.any_open
    assert open_.answered(ClientAnswered("k", result)) == []


def test_a_question_that_is_dismissed_aborts_the_call() -> None:
    open_ = dialogs("form")
    asked(open_, QUESTION)
    assert open_.answered(ClientAnswered("k", {"action": "cancel"})) == [RefuseControl("k", "Tool use aborted")]


def test_a_question_without_forms_asks_for_permission() -> None:
    assert isinstance(dialogs("url").request(frame(QUESTION))[-1], AskPermission)


def test_a_question_that_asks_nothing_is_refused() -> None:
    effects = dialogs("form").request(frame({**QUESTION, "input": {}}))
    assert effects[-1] == RefuseControl("k", "the input has no question")


def test_a_servers_form_is_asked_and_answered() -> None:
    open_ = dialogs("form")
    assert asked(open_, SERVER).schema == SCHEMA
    result = {"action": "accept", "content": {"name": "Ada"}}
    assert open_.answered(ClientAnswered("k", result)) == [AnswerControl("k", result)]


@pytest.mark.parametrize("modes", [(), ("url",)])
def test_a_servers_form_without_forms_is_declined(modes: tuple[str, ...]) -> None:
    assert dialogs(*modes).request(frame(SERVER)) == [AnswerControl("k", {"action": "decline"})]


def test_a_form_that_could_not_be_sent_is_cancelled() -> None:
    open_ = dialogs("form")
    asked(open_, SERVER)
    failed = ClientAnswered("k", None, {"code": -32603, "message": "No"})
    assert open_.answered(failed) == [AnswerControl("k", {"action": "cancel"})]


def test_the_consent_after_a_refusal_is_asked_and_answered() -> None:
    open_ = dialogs("form")
    asked(open_, DIALOG)
    result = {"action": "accept", "content": {"choice": "retry_fallback"}}
    answer = {"behavior": "completed", "result": "retry_fallback"}
    assert open_.answered(ClientAnswered("k", result)) == [AnswerControl("k", answer)]


@pytest.mark.parametrize(
    ("modes", "request_"), [(("form",), {**DIALOG, "dialog_kind": "other"}), ((), DIALOG), (("url",), DIALOG)]
)
def test_a_dialog_that_was_not_declared_gets_no_answer(modes: tuple[str, ...], request_: Any) -> None:
    assert dialogs(*modes).request(frame(request_)) == []
    assert sum(unknown_frames.values()) == 1


@pytest.mark.parametrize("request_", [QUESTION, SERVER, DIALOG])
def test_claude_code_takes_it_back(request_: Any) -> None:
    open_ = dialogs("form")
    asked(open_, request_)
    cancelled = {"type": "control_cancel_request", "request_id": "k"}
    assert open_.cancelled(cancelled) == [WithdrawQuestion("k")]
    assert open_.answered(ClientAnswered("k", {"action": "accept"})) == []


def test_the_end_of_a_turn_takes_back_what_no_subagent_asks() -> None:
    open_ = dialogs("form")
    asked(open_, SERVER, "main")
    asked(open_, {**QUESTION, "agent_id": "a"}, "agent")
    assert open_.withdraw_all(main_only=True) == [WithdrawQuestion("main")]
    assert open_.any_open
    assert open_.question("agent") is None
