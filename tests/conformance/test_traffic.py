"""The questions that tests ask about recorded traffic."""

from __future__ import annotations

from typing import Any

from adapter.conformance.traffic import RAW, RECEIVED, SENT, Entry, Traffic


def update(session: str, kind: str, **fields: Any) -> Entry:
    params = {"sessionId": session, "update": {"sessionUpdate": kind, **fields}}
    return Entry(RECEIVED, {"jsonrpc": "2.0", "method": "session/update", "params": params})


def text(session: str, word: str) -> Entry:
    return update(session, "agent_message_chunk", content={"type": "text", "text": word})


LOG = Traffic(
    [
        Entry(RAW, {"line": "{"}),
        Entry(RECEIVED, {"id": None, "error": {"code": -32700}}),
        Entry(SENT, {"id": 1, "method": "session/prompt", "params": {}}),
        Entry(SENT, {"id": 2, "method": "session/prompt", "params": {}}),
        Entry(SENT, {"id": 3, "method": "session/list", "params": {}}),
        Entry(SENT, {"method": "session/cancel", "params": {}}),
        text("a", "one "),
        text("b", "other"),
        update("a", "tool_call", toolCallId="t1", title="Run", status="pending"),
        update("a", "tool_call", toolCallId="t2", title="Read", status="pending"),
        text("a", "two"),
        update("a", "tool_call_update", toolCallId="t1", status="failed"),
        update("a", "state_update", state="running"),
        update("a", "state_update", state="idle", stopReason="cancelled"),
        Entry(RECEIVED, {"id": 0, "method": "session/request_permission", "params": {"title": "Run"}}),
        Entry(RECEIVED, {"method": "_auth/status_update", "params": {"kind": "key"}}),
        Entry(RECEIVED, {"id": 2, "error": {"code": -32603}}),
        Entry(RECEIVED, {"id": 1, "result": {"stopReason": "end_turn"}}),
    ]
)


def test_messages_are_told_apart_by_direction_and_kind() -> None:
    assert [message.get("id") for message in LOG.sent()] == [1, 2, 3, None]
    assert LOG.agent_requests("session/request_permission") == [{"title": "Run"}]
    assert LOG.agent_notifications("_auth/status_update") == [{"kind": "key"}]
    assert LOG.agent_notifications("session/request_permission") == []


def test_responses_come_in_the_order_of_their_requests() -> None:
    assert [response["id"] for response in LOG.responses("session/prompt")] == [1, 2]
    assert LOG.responses("session/list") == []
    assert dict(LOG.response_counts()) == {1: 1, 2: 1, 3: 0}


def test_text_and_updates_are_read_by_session() -> None:
    assert (LOG.text(session="a"), LOG.text(session="b"), LOG.text()) == ("one two", "other", "one othertwo")
    assert len(LOG.updates("tool_call", "a")) == 2
    assert LOG.updates("tool_call", "b") == []


def test_tool_calls_are_merged_into_their_final_state() -> None:
    assert LOG.tool_calls()["t1"] == {"toolCallId": "t1", "title": "Run", "status": "failed"}
    assert LOG.tool_statuses() == ["failed", "pending"]


def test_stop_reasons_come_from_responses_and_from_idle_states() -> None:
    assert LOG.stop_reasons() == ["end_turn", "cancelled"]
