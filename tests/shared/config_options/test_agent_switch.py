"""Another agent leads the session after a restart on the same conversation, and only when nothing runs."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.claude.client_options import ClientOptions
from adapter.shared.claude.features import ClaudeHello
from adapter.shared.config_options.settings import SessionConfig, Start
from adapter.shared.conversation import Conversation
from adapter.shared.effects import SendControl, StartProcess
from adapter.shared.inputs import CloseRequested, ControlAnswered, ProcessStarted
from adapter.shared.opening import call_context, config_start
from adapter.v1.session import V1Session
from support.machine import (
    COMMANDS,
    MODELS,
    V1_CLIENT,
    answers,
    completed,
    configure,
    dies,
    handle,
    idle,
    names,
    prompt,
    result,
    started,
    system,
    written,
)

AGENTS = ({"name": "claude"}, {"name": "reviewer", "description": "Reviews"}, {"name": "writer"})
UP = ProcessStarted("default")
REPLACED = StartProcess(replaces=True)


def core() -> V1Session:
    config = SessionConfig(MODELS, "default", {}, may_bypass=True, start=Start(agents=AGENTS))
    return V1Session(Conversation(call_context("/workspace", V1_CLIENT)), config, COMMANDS)


def agent(session: V1Session) -> str:
    return {option.id: option.current for option in session.config.options()}["agent"]


def test_an_idle_session_is_restarted_and_the_answer_follows() -> None:
    session = core()
    assert handle(session, configure(1, "agent", "reviewer")) == [REPLACED]
    assert session.config.chosen_agent == "reviewer"
    effects = handle(session, UP)
    assert effects[0] == SendControl("settings", {"subtype": "get_settings"})
    assert answers(effects) == {1: "options"}
    assert agent(session) == "reviewer"


def test_claude_code_itself_is_named_after_another_agent() -> None:
    session = core()
    assert session.config.chosen_agent == ""
    handle(session, configure(1, "agent", "reviewer"), UP)
    assert handle(session, configure(2, "agent", "default")) == [REPLACED]
    assert session.config.chosen_agent == "claude"


def test_the_agent_that_leads_already_needs_no_restart() -> None:
    assert answers(handle(core(), configure(1, "agent", "default"))) == {1: "options"}


def test_an_agent_that_does_not_exist_is_the_client_s_mistake() -> None:
    assert answers(handle(core(), configure(1, "agent", "claude"))) == {1: "-32602"}


def test_a_turn_is_not_disturbed() -> None:
    session = core()
    handle(session, prompt(1), system("session_state_changed", state="running"), started(1))
    assert handle(session, configure(2, "agent", "reviewer")) == []
    assert REPLACED not in handle(session, result(1), completed(1))
    assert handle(session, idle()) == [REPLACED]
    assert answers(handle(session, UP)) == {2: "options"}


def test_a_prompt_that_comes_meanwhile_waits_for_the_agent() -> None:
    session = core()
    handle(session, configure(1, "agent", "reviewer"))
    assert written(handle(session, prompt(2))) == []
    assert written(handle(session, UP)) == ["p2"]


def test_another_change_is_answered_before_the_restart() -> None:
    session = core()
    handle(session, configure(1, "mode", "plan"))
    assert handle(session, configure(2, "agent", "reviewer")) == []
    effects = handle(session, ControlAnswered("config 1", {}))
    assert answers(effects) == {1: "options"}
    assert effects[-1] == REPLACED


def test_a_restart_that_fails_leaves_the_agent_that_led() -> None:
    session = core()
    handle(session, configure(1, "agent", "reviewer"), configure(2, "agent", "writer"))
    effects = handle(session, dies())
    assert answers(effects) == {1: "process_exited"}
    # Claude Code is down now, so the next one is a plain start.
    assert effects[-1] == StartProcess()
    assert answers(handle(session, UP)) == {2: "options"}
    assert agent(session) == "writer"


def test_a_session_that_closes_answers_what_waits() -> None:
    session = core()
    handle(session, configure(1, "agent", "reviewer"), configure(2, "agent", "writer"))
    assert names(handle(session, CloseRequested(3)))[:2] == ["Fail", "Fail"]


@pytest.mark.parametrize(
    ("environment", "options", "expected"),
    [
        ({}, ClientOptions(), ("", "")),
        ({"ANTHROPIC_MODEL": "haiku", "CLAUDE_CODE_EFFORT_LEVEL": "low"}, ClientOptions(), ("haiku", "low")),
        (
            {"ANTHROPIC_MODEL": "haiku", "CLAUDE_CODE_EFFORT_LEVEL": "low"},
            ClientOptions(fields={"model": "opus", "effort": "max"}),
            ("opus", "low"),
        ),
    ],
)
def test_a_start_knows_who_named_model_and_effort(environment: Any, options: Any, expected: Any) -> None:
    hello = ClaudeHello((), (), {}, "default", "2.1.332", AGENTS, "on")
    start = config_start(options, environment, hello)
    assert (start.model, start.effort) == expected
    assert (start.fast, start.agents) == ("on", AGENTS)
