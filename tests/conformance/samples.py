"""Recordings made by hand."""

from __future__ import annotations

from typing import Any

from adapter.conformance.recording import Entry, Recording
from adapter.conformance.view import view

Json = dict[str, Any]


def asked(number: int, method: str, **params: Any) -> Entry:
    """A request of the client."""
    return Entry(0.0, ">", {"jsonrpc": "2.0", "id": number, "method": method, "params": params})


def answered(number: int, **result: Any) -> Entry:
    """A result of the agent."""
    return Entry(0.0, "<", {"jsonrpc": "2.0", "id": number, "result": result})


def update(kind: str, session: str = "<uuid-1>", **fields: Any) -> Entry:
    """A session update."""
    params = {"sessionId": session, "update": {"sessionUpdate": kind, **fields}}
    return Entry(0.0, "<", {"jsonrpc": "2.0", "method": "session/update", "params": params})


def said(text: str, message: str = "m1", session: str = "<uuid-1>") -> Entry:
    """A piece of a message of the agent."""
    content = {"type": "text", "text": text}
    return update("agent_message_chunk", session, messageId=message, content=content)


def recording(*entries: Entry, **fields: Any) -> Recording:
    """A recording of ``hello`` by the client ``plain``."""
    return Recording("hello", "plain", entries, **fields)


def view_of(*entries: Entry, shows_setup: bool = True) -> Json:
    """The view of some messages."""
    return view(recording(*entries), shows_setup=shows_setup)
