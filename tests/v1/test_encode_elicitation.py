"""Forms, pages and remarks on MCP servers as ACP v1 has them, valid against its schema."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from adapter.shared.elicitation.mcp import sign_in_page
from adapter.shared.elicitation.questions import question_form
from adapter.shared.elicitation.refusal import refusal_form
from adapter.shared.elicitation.requests import Elicitation
from adapter.shared.updates import ServerNotice
from adapter.v1.encode import V1Encoder
from support import machine
from support.machine import NOW
from support.schemas import document

QUESTION: dict[str, Any] = {
    "question": "Which?",
    "header": "Pick",
    "options": [{"label": "A", "description": "first", "preview": "~"}, {"label": "B"}],
}


def form(*questions: Any) -> Elicitation:
    asked = question_form("k", "c", {"questions": list(questions)})
    assert asked is not None
    return asked


@pytest.mark.parametrize(
    "asked",
    [
        form(QUESTION),
        form(QUESTION, {**QUESTION, "multiSelect": True}),
        refusal_form("k", {}),
        sign_in_page("k", "e", "lab", "https://a.test"),
    ],
    ids=["question", "questions", "refusal", "page"],
)
@pytest.mark.parametrize("version", [1, 2])
def test_what_is_asked_is_valid(asked: Elicitation, version: int) -> None:
    encoder = machine.v1_encoder() if version == 1 else machine.v2_encoder()
    error = document(version).error("CreateElicitationRequest", encoder.elicitation("s", asked))
    assert error is None, f"{error.json_path}: {error.message}"


def test_a_server_that_failed_is_a_message_for_a_client_without_notices() -> None:
    (update,) = machine.v1_encoder().updates(ServerNotice("lab", "failed"))
    assert update["_meta"] == {"claudeCode": {"kind": "mcpServerStatus", "server": "lab", "status": "failed"}}
    assert update["content"]["text"] == (
        '**MCP server "lab" failed to start:** Its tools are unavailable in this session. Run /mcp for the error.'
    )
    assert document(1).error("SessionNotification", {"sessionId": "s", "update": update}) is None


def test_a_server_that_failed_is_a_notice_for_a_client_that_takes_them() -> None:
    encoder = V1Encoder(replace(machine.V1_CLIENT, notices=True), lambda: NOW)
    (update,) = encoder.updates(ServerNotice("lab", "failed"))
    assert (update["sessionUpdate"], update["severity"]) == ("notice", "warning")
    assert machine.v2_encoder().updates(ServerNotice("lab", "failed")) == [update]
