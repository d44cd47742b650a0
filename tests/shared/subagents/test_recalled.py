"""Subagents of a session from before: what becomes of them when they are set to work again."""

from __future__ import annotations

from typing import Any

from adapter.shared.client_capabilities import SubagentForm
from adapter.shared.inputs import ChildCancelled, SessionOpened
from support.machine import calls, handle, prompt, started, task_ended, task_started, v1_core, v1_encoder
from support.performed import wire

Json = dict[str, Any]

MESSAGE = {"to": "a1", "message": "look again"}


def past(agent: str = "a1", parent: str = "session", **fields: Any) -> Json:
    known = {
        "agent_id": agent,
        "launch_id": f"launch-{agent}",
        "session_id": agent,
        "parent_id": parent,
        "title": f"Title {agent}",
        "agent_type": "Explore",
        "model": "",
        "runs": 1,
        "announced": False,
    }
    return {**known, **fields}


def opened(*subagents: Json, form: SubagentForm = SubagentForm.SESSIONS) -> Any:
    """A session that has these from before, with a turn that runs."""
    session = v1_core(subagents=form)
    handle(session, SessionOpened(subagents=subagents), prompt(1), started(1))
    return session


def sent(effects: Any) -> list[tuple[str, Json]]:
    parts = [part for effect in effects for part in wire(effect, v1_encoder())]
    return [(part.get("session", "session"), part["update"]) for part in parts if "update" in part]


def announced(effects: Any) -> list[tuple[str, Json]]:
    return [(place, update) for place, update in sent(effects) if update["sessionUpdate"] == "subagent_update"]


def set_to_work(session: Any, agent: str = "a1") -> Any:
    return handle(session, calls("s", "SendMessage", MESSAGE), task_started(agent, "s", prompt="look again"))


def test_it_works_in_its_session_from_before() -> None:
    session = opened(past())
    effects = set_to_work(session)
    about = {"sessionUpdate": "subagent_update", "sessionId": "a1", "title": "Title a1", "description": "Explore"}
    assert announced(effects) == [
        ("session", {**about, "capabilities": {"cancel": {}}, "state": {"state": "running"}}),
    ]
    messages = [(place, update["messageId"]) for place, update in sent(effects) if "messageId" in update]
    assert messages == [("session", "s"), ("a1", "s")]
    (place, _), *_ = sent(handle(session, calls("t", parent="launch-a1")))
    assert place == "a1"
    assert handle(session, ChildCancelled("a1")) != []


def test_a_replay_that_showed_it_gave_it_no_capabilities_so_it_is_announced_anew_once() -> None:
    session = opened(past(announced=True))
    assert announced(set_to_work(session))[0][1]["capabilities"] == {"cancel": {}}
    handle(session, task_ended())
    again = handle(session, calls("s2", "SendMessage", MESSAGE), task_started("a1", "s2"))
    assert announced(again) == [
        ("session", {"sessionUpdate": "subagent_update", "sessionId": "a1", "state": {"state": "running"}}),
    ]


def test_its_ancestors_are_announced_first_without_a_state() -> None:
    session = opened(past("a1"), past("a2", "a1"), past("a3", "a2"))
    told = announced(set_to_work(session, "a3"))
    assert [(place, update["sessionId"]) for place, update in told] == [("session", "a1"), ("a1", "a2"), ("a2", "a3")]
    assert [update.get("state") for _, update in told] == [None, None, {"state": "running"}]
    assert ["capabilities" in update for _, update in told] == [False, False, True]
    handle(session, task_ended("a3"))
    assert len(announced(set_to_work(session, "a3"))) == 1, "the client knows them now"


def test_ancestors_that_a_replay_showed_are_known() -> None:
    session = opened(past("a1", announced=True), past("a2", "a1", announced=True))
    assert [update["sessionId"] for _, update in announced(set_to_work(session, "a2"))] == ["a2"]


def test_one_that_the_history_does_not_record_is_not_exposed() -> None:
    session = opened(past())
    effects = set_to_work(session, "a9")
    assert announced(effects) == []
    assert next(update["sessionUpdate"] for _, update in sent(effects)) == "tool_call"
    assert not session.parts.has_session("a9")


def test_what_it_runs_with_is_told_to_a_client_that_was_shown_it() -> None:
    session = v1_core(subagents=SubagentForm.SESSIONS)
    effects = handle(session, SessionOpened(subagents=(past(announced=True), past("a2"))))
    told = [(place, update) for place, update in sent(effects) if place != "session"]
    assert [(place, update["sessionUpdate"]) for place, update in told] == [("a1", "config_option_update")]


def test_in_the_draft_its_next_run_follows_those_of_the_history() -> None:
    session = opened(past(session_id="a1:generation:2", runs=2), form=SubagentForm.DRAFT)
    set_to_work(session)
    assert session.parts.has_session("a1:generation:3")


def test_one_that_works_stays_as_it_is_when_the_session_is_loaded_again() -> None:
    session = opened()
    handle(session, calls("agent", "Agent", {}), task_started())
    assert session.parts.working_sessions() == {"a1"}
    handle(session, SessionOpened(subagents=(past(launch_id="agent", announced=True),)))
    assert session.parts.working_sessions() == {"a1"}
    handle(session, task_ended())
    assert session.parts.working_sessions() == frozenset()
