"""Failures and warnings as typed records."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.effects import SendControl
from adapter.shared.inputs import SteerReceived
from adapter.shared.jsonrpc.errors import ClaudeFailure
from support.air import AirSession, failures
from support.machine import (
    CANCEL,
    DEAD,
    aborted,
    assistant,
    dies,
    dropped,
    idle,
    interrupt_answered,
    notification_result,
    of,
    prompt,
    result,
    says,
    started,
    system,
)

Json = dict[str, Any]
OVERLOADED = "API Error: 529 Overloaded."


def session(**declared: Any) -> AirSession:
    return AirSession("sessionFailure", **declared)


def error(text: str = OVERLOADED, kind: str = "server_error") -> Json:
    """Claude Code's own message of an error."""
    frame = says(text, "e1", error=kind)
    return {**frame, "message": {**frame["message"], "model": "<synthetic>"}}


def failed(number: int, text: str = OVERLOADED) -> Json:
    return result(number, is_error=True, result=text, terminal_reason="api_error", stop_reason=None)


def retry(attempt: int = 1, **fields: Any) -> Json:
    about = {"attempt": attempt, "max_retries": 2, "error_status": 529, "error": "overloaded"}
    return system("api_retry", **{**about, **fields})


def ids(sent: list[Json]) -> list[tuple[str, int]]:
    return [(record["id"], record["revision"]) for record in failures(sent)]


def texts(sent: list[Json]) -> list[str]:
    return [message["content"]["text"] for message in sent if message.get("sessionUpdate") == "agent_message_chunk"]


def test_a_failed_turn_ends_with_a_record_and_without_its_text() -> None:
    sent = session().gets(prompt(1), started(1), error(), failed(1))
    (answer,) = [message for message in sent if "respond" in message]
    assert answer["result"]["stopReason"] == "end_turn"
    assert answer["result"]["usage"]["totalTokens"] == 120
    assert "quota" in answer["result"]["_meta"]
    assert failures([answer]) == [
        {
            "id": "p1:error",
            "revision": 1,
            "category": "service",
            "severity": "error",
            "title": OVERLOADED,
            "actions": ["retry"],
        }
    ]
    assert texts(sent) == []


def test_no_title_is_made_of_an_error_that_is_a_record() -> None:
    sent = session().gets(prompt(1), started(1), error(), failed(1))
    assert [message["title"] for message in sent if "title" in message] == ["Go"]
    asked = session().take(prompt(1), started(1), says("I begin", "m1"), error(), failed(1))
    assert [effect.request["description"] for effect in of(asked, SendControl) if effect.key == "title"] == [
        "Go\n\nI begin"
    ]
    asked = AirSession().take(prompt(1), started(1), error(), failed(1))
    assert [effect.request["description"] for effect in of(asked, SendControl) if effect.key == "title"] == [
        f"Go\n\n{OVERLOADED}"
    ]


def test_without_the_capability_errors_stay_what_they_are() -> None:
    sent = AirSession().gets(prompt(1), started(1), error(), failed(1))
    assert failures(sent) == []
    assert texts(sent) == [OVERLOADED]
    assert [message["error"]["code"] for message in sent if "respond" in message] == [-32603]


@pytest.mark.parametrize("kind", ["authentication_failed", "oauth_org_not_allowed"])
def test_a_sign_in_failure_stays_an_error(kind: str) -> None:
    sent = session().gets(prompt(1), retry(error=kind), started(1), error("Invalid API key", kind), failed(1))
    assert failures(sent) == []
    assert [message["error"]["code"] for message in sent if "respond" in message] == [-32000]


def test_a_sign_in_failure_of_a_turn_of_claudes_own_is_told_once_as_text() -> None:
    sent = session().gets(error("Not logged in", "authentication_failed"), failed(0, "Not logged in"))
    assert failures(sent) == []
    assert "Not logged in" in str(sent)


def test_a_limit_of_turns_is_a_failure() -> None:
    limit = {"subtype": "error_max_turns", "is_error": True, "result": None, "terminal_reason": "max_turns"}
    sent = session().gets(prompt(1), started(1), result(1, **limit, errors=["Reached maximum number of turns (1)"]))
    (record,) = failures(sent)
    assert (record["title"], record["actions"]) == ("Reached maximum number of turns (1)", ["new_session"])
    assert [message["result"]["stopReason"] for message in sent if "respond" in message] == ["end_turn"]


def test_retries_are_warnings_each_an_incident_of_the_session() -> None:
    air = session()
    sent = air.gets(prompt(1), started(1), retry(1), retry(2), error(), failed(1))
    assert ids(sent) == [
        ("session:session-error:token:1", 1),
        ("session:session-error:token:2", 1),
        ("p1:error", 1),
    ]
    assert [record["severity"] for record in failures(sent)] == ["warning", "warning", "error"]
    assert ids(air.gets(prompt(2), started(2), retry(1)))[0][0] == "session:session-error:token:3"


def test_a_retry_after_an_error_of_the_turn_is_a_revision_and_so_is_its_end() -> None:
    sent = session().gets(prompt(1), started(1), error(), retry(1), error(), failed(1))
    assert ids(sent) == [("p1:error", 1), ("p1:error", 2)]


def test_an_answer_of_the_model_recovers_the_turn() -> None:
    answer = assistant({"type": "text", "text": "Hi"}, message_id="m2")
    sent = session().gets(prompt(1), started(1), error(), answer, retry(1), result(1))
    assert ids(sent) == [("session:session-error:token:1", 1)]


def test_a_later_failure_of_the_same_kind_is_another_incident() -> None:
    air = session()
    first = air.gets(prompt(1), started(1), error(), failed(1))
    second = air.gets(prompt(2), started(2), error(), failed(2))
    assert ids(first + second) == [("p1:error", 1), ("p2:error", 1)]


def test_a_process_that_dies_under_a_prompt_fails_it() -> None:
    (record,) = failures(session().gets(prompt(1), started(1), dies(DEAD)))
    assert (record["id"], record["category"]) == ("p1:error", "connection")
    assert (record["title"], record["actions"]) == ("The connection to Claude was lost.", ["new_session"])


def test_a_process_that_dies_without_a_prompt_is_an_incident_of_the_session() -> None:
    assert ids(session().gets(dies(DEAD))) == [("session:session-error:token:1", 1)]


def test_a_worker_that_shuts_down_is_an_incident_of_the_session() -> None:
    (record,) = failures(session().gets(system("worker_shutting_down")))
    assert (record["category"], record["severity"]) == ("connection", "error")


def test_a_fault_of_the_adapter_has_a_plain_title() -> None:
    (record,) = failures(session().gets(prompt(1), started(1), dies(ClaudeFailure("adapter_fault", "see the log"))))
    assert (record["title"], record["actions"]) == ("The adapter failed on this turn.", ["retry", "new_session"])


def test_a_turn_of_claudes_own_that_fails_is_an_incident_of_the_session() -> None:
    sent = session().gets(error(), notification_result(is_error=True, result=OVERLOADED, terminal_reason="api_error"))
    (record,) = failures(sent)
    assert (record["id"], record["title"]) == ("session:session-error:token:1", OVERLOADED)
    assert texts(sent) == []


def test_a_cancelled_turn_is_no_failure() -> None:
    sent = session().gets(prompt(1), started(1), CANCEL, interrupt_answered(), aborted(1), dropped(1), idle())
    assert failures(sent) == []
    assert [message["result"]["stopReason"] for message in sent if "respond" in message] == ["cancelled"]


def test_errors_of_subagents_are_none_of_the_session() -> None:
    frame = {**error(), "parent_tool_use_id": "agent"}
    assert failures(session().gets(prompt(1), started(1), frame, result(1))) == []


FELL_BACK = system("model_refusal_fallback", content="Opus refused. Sonnet answers.")


def test_another_model_is_a_warning_and_its_repetition_a_revision() -> None:
    other = system("model_refusal_fallback", content="Back to Opus.")
    sent = session().gets(FELL_BACK, FELL_BACK, other, system("model_refusal_fallback"))
    assert ids(sent) == [
        ("session:notice:token:1", 1),
        ("session:notice:token:1", 2),
        ("session:notice:token:2", 1),
    ]
    assert failures(sent)[0] == {
        "id": "session:notice:token:1",
        "revision": 1,
        "category": "unknown",
        "severity": "warning",
        "title": "Opus refused. Sonnet answers.",
        "actions": [],
    }


def test_a_client_with_notices_gets_no_record_of_it() -> None:
    assert failures(session(session={"notices": {}}).gets(FELL_BACK)) == []


def test_a_remark_that_is_a_record_is_not_shown_twice() -> None:
    told = {"content": "Opus refused.", "original_model": "opus", "fallback_model": "sonnet"}
    for frame in (system("model_refusal_fallback", **told), retry(5, max_retries=10)):
        sent = session().gets(frame)
        assert sent[0]["sessionUpdate"] == "session_info_update"
        assert texts(sent) == []
        assert texts(AirSession().gets(frame)) != []


def test_a_steered_prompt_that_fails_is_an_incident_beside_its_empty_answer() -> None:
    block = {"type": "text", "text": "/goal x"}
    steer = SteerReceived(1, "p1", (block,), (block,), "/goal x", goal=True)
    sent = session().gets(steer, started(1), error(), failed(1))
    assert ids(sent) == [("p1:error", 1)]
    assert [message["result"] for message in sent if "respond" in message] == [{}]
