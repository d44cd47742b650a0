"""A brief recording lacks only what no comparison reads."""

from __future__ import annotations

from adapter.conformance.brief import brief
from adapter.conformance.recording import Entry
from adapter.conformance.view import view

from .samples import answered, asked, recording, said

ENTRIES = (
    asked(1, "initialize"),
    answered(1, agentInfo={"name": "x"}, capabilities={}),
    Entry(0, ">raw", "{"),
    asked(2, "session/new"),
    answered(2, sessionId="<uuid-1>", configOptions=[1, 2]),
    asked(3, "session/list"),
    answered(3, sessions=[]),
    asked(4, "session/load"),
    Entry(0, "<", {"jsonrpc": "2.0", "id": 4, "error": {"code": 1}}),
    Entry(0, "<", {"jsonrpc": "2.0", "id": 1, "method": "session/request_permission", "params": {}}),
    said("a"),
)


def test_the_answers_that_set_a_session_up_are_cut() -> None:
    whole = recording(*ENTRIES)
    short = brief(whole, {})
    assert short.entries[1].message["result"] == {"agentInfo": {"name": "x"}}
    assert short.entries[4].message["result"] == {"sessionId": "<uuid-1>"}
    others = [entry for number, entry in enumerate(short.entries) if number not in (1, 4)]
    assert others == [entry for number, entry in enumerate(ENTRIES) if number not in (1, 4)]
    assert view(short, shows_setup=False) == view(whole, shows_setup=False)


def test_a_scenario_that_shows_them_keeps_them() -> None:
    whole = recording(*ENTRIES)
    assert brief(whole, {"shows_setup": True}) == whole
