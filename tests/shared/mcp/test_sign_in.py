"""MCP servers that do not come up: told once, or sent to a page."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from adapter.shared.conversation import Conversation
from adapter.shared.effects import (
    AskElicitation,
    CompleteElicitation,
    SendControl,
    StartTimer,
    StopTimer,
    WithdrawQuestion,
)
from adapter.shared.inputs import ClientAnswered, CloseRequested, ControlAnswered, TimerFired
from adapter.shared.opening import call_context
from adapter.shared.updates import ServerNotice
from adapter.v1.session import V1Session
from support import machine
from support.machine import handle, of, system

PAGE = "https://login.test/authorize"
AUTHENTICATE = SendControl("mcp-sign-in my server", {"subtype": "mcp_authenticate", "serverName": "my server"})
POLL = SendControl("mcp-sign-in-poll", {"subtype": "mcp_status"})
TICK = TimerFired("mcp-sign-in")
TIMER = StartTimer("mcp-sign-in", 2.0)
KEY = "mcp-sign-in 1"


def session(*modes: str) -> V1Session:
    client = replace(machine.V1_CLIENT, elicitation=frozenset(modes))
    conversation = Conversation(call_context("/workspace", client))
    return V1Session(conversation, machine.session_config(), machine.COMMANDS)


def turn(**servers: str) -> Any:
    """A turn begins, with the servers in these states; `_` in a name is a space."""
    named = [{"name": name.replace("_", " "), "status": status} for name, status in servers.items()]
    return system("init", mcp_servers=named, session_id="s")


def page_known(**response: Any) -> ControlAnswered:
    return ControlAnswered("mcp-sign-in my server", {"authUrl": PAGE, "state": "s1", **response})


def polled(status: str) -> ControlAnswered:
    return ControlAnswered("mcp-sign-in-poll", {"mcpServers": [{"name": "my server", "status": status}]})


def reconnects(core: V1Session) -> Any:
    """The server is to be connected again, and needs a sign-in."""
    handle(core, machine.prompt(1, "/mcp reconnect my server"), machine.started(1))
    server = {"name": "my server", "status": "needs-auth"}
    handle(core, machine.says("x", local_command_run={"command": "mcp", "args": "reconnect my server"}))
    listed = ControlAnswered("mcp", {"mcpServers": [server]})
    return handle(core, listed, ControlAnswered("mcp", {}, "Server status: needs-auth"), listed)


def notices(effects: Any) -> list[Any]:
    return of(effects, ServerNotice)


@pytest.fixture
def waiting() -> V1Session:
    """A session whose client was sent to the page."""
    core = session("url")
    assert of(handle(core, turn(my_server="needs-auth")), SendControl) == [AUTHENTICATE]
    effects = handle(core, page_known())
    (ask,) = of(effects, AskElicitation)
    assert (ask.question.key, ask.question.url, ask.question.elicitation_id) == (KEY, PAGE, "mcp-oauth-s1")
    assert effects[-1] == TIMER
    return core


def test_a_server_that_failed_is_told_once() -> None:
    core = session()
    assert notices(handle(core, turn(lab="connected", broken="failed"))) == [ServerNotice("broken", "failed")]
    assert notices(handle(core, turn(lab="connected", broken="failed"))) == []
    assert notices(handle(core, turn(lab="failed", broken="failed"))) == [ServerNotice("lab", "failed")]


def test_a_client_without_pages_is_told_what_to_run() -> None:
    (notice,) = notices(handle(session("form"), turn(my_server="needs-auth")))
    assert notice.title == 'MCP server "my server" needs authentication'
    assert "sign in" in notice.description


def test_a_page_without_a_state_has_an_id_all_the_same() -> None:
    core = session("url")
    handle(core, turn(my_server="needs-auth"))
    (ask,) = of(handle(core, page_known(state=None)), AskElicitation)
    assert PAGE in ask.question.elicitation_id


def test_a_page_is_opened_once(waiting: V1Session) -> None:
    assert of(handle(waiting, turn(my_server="needs-auth")), SendControl) == []


def test_the_sign_in_is_complete_when_the_server_is_up(waiting: V1Session) -> None:
    accepted = ClientAnswered(KEY, {"action": "accept"})
    assert handle(waiting, accepted, TICK) == [POLL]
    assert handle(waiting, polled("needs-auth")) == [TIMER]
    assert handle(waiting, TICK, polled("connected")) == [
        POLL,
        CompleteElicitation("mcp-oauth-s1"),
        StopTimer("mcp-sign-in"),
    ]
    assert handle(waiting, TICK) == []


def test_each_open_page_has_an_id_of_its_own_and_is_completed_once() -> None:
    core = session("url")
    handle(core, turn(my_server="needs-auth", lab="needs-auth", third="needs-auth"))
    named = [ControlAnswered(f"mcp-sign-in {name}", {"authUrl": PAGE}) for name in ("lab", "third")]
    asks = of(handle(core, page_known(), *named), AskElicitation)
    ids = [ask.question.elicitation_id for ask in asks]
    assert len(set(ids)) == 3
    up = [{"name": name, "status": "connected"} for name in ("my server", "lab", "third")]
    polls = [ControlAnswered("mcp-sign-in-poll", {"mcpServers": up[:count]}) for count in (1, 1, 3, 3)]
    effects = [effect for poll in polls for effect in handle(core, TICK, poll)]
    assert [effect.elicitation_id for effect in of(effects, CompleteElicitation)] == ids


def test_a_sign_in_is_never_a_form() -> None:
    """What a person signs in with is a secret: it goes to a page of the server's, or nowhere."""
    only_forms = session("form")
    assert of(handle(only_forms, turn(my_server="needs-auth")), AskElicitation, SendControl) == []
    assert AUTHENTICATE not in reconnects(only_forms)
    core = session("form", "url")
    handle(core, turn(my_server="needs-auth"))
    (ask,) = of(handle(core, page_known()), AskElicitation)
    assert (ask.question.url, ask.question.choices, ask.question.schema) == (PAGE, (), None)


def test_a_page_that_was_not_answered_is_withdrawn_when_the_server_is_up(waiting: V1Session) -> None:
    assert of(handle(waiting, TICK, polled("connected")), WithdrawQuestion) == [WithdrawQuestion(KEY)]


@pytest.mark.parametrize("answer", [ClientAnswered(KEY, {"action": "decline"}), ClientAnswered(KEY, None, {"code": 1})])
def test_who_declines_is_told_what_is_missing(waiting: V1Session, answer: ClientAnswered) -> None:
    effects = handle(waiting, answer)
    assert notices(effects) == [ServerNotice("my server", "needs-auth")]
    assert effects[0] == StopTimer("mcp-sign-in")
    assert handle(waiting, answer) == []


@pytest.mark.parametrize("known", [ControlAnswered(KEY, {}, "no"), ControlAnswered("mcp-sign-in my server", {})])
def test_a_sign_in_that_cannot_begin_is_told(known: ControlAnswered) -> None:
    core = session("url")
    handle(core, turn(my_server="needs-auth"))
    assert len(notices(handle(core, known))) == 1


def test_nobody_waits_for_ever(waiting: V1Session) -> None:
    handle(waiting, ClientAnswered(KEY, {"action": "accept"}))
    for _ in range(300):
        assert handle(waiting, TICK, polled("needs-auth")) == [POLL, TIMER]
    assert handle(waiting, TICK) == [StopTimer("mcp-sign-in")]


def test_a_page_does_not_survive_its_process(waiting: V1Session) -> None:
    assert of(handle(waiting, machine.dies()), WithdrawQuestion) == [WithdrawQuestion(KEY)]


def test_a_page_does_not_survive_its_session(waiting: V1Session) -> None:
    assert of(handle(waiting, CloseRequested(9)), WithdrawQuestion) == [WithdrawQuestion(KEY)]


def test_a_cancel_leaves_the_page_open(waiting: V1Session) -> None:
    assert of(handle(waiting, machine.CANCEL), WithdrawQuestion) == []


def test_a_reconnect_of_a_server_that_needs_it_opens_the_page() -> None:
    assert reconnects(session("url"))[-1] == AUTHENTICATE
