"""`/clear`: the session goes on under its id, in another conversation of Claude Code's."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.updates import CommandsChanged, PlanChanged, UsageChanged
from support import machine
from support.machine import answers, handle, of, prompt, result, started, system

RESET: dict[str, Any] = {"type": "conversation_reset", "session_id": "old", "new_conversation_id": "another"}


def turn(session_id: Any) -> Any:
    return system("init", session_id=session_id)


@pytest.fixture
def core() -> Any:
    session = machine.v1_core()
    handle(session, prompt(1, "/clear"), started(1), turn("old"))
    return session


def test_plan_and_usage_begin_anew_and_the_commands_are_told_again(core: Any) -> None:
    effects = handle(core, RESET)
    assert of(effects, PlanChanged) == [PlanChanged(())]
    assert of(effects, UsageChanged)[0].used == 0
    assert of(effects, CommandsChanged) == [CommandsChanged(machine.COMMANDS)]


def test_a_call_that_is_open_ends(core: Any) -> None:
    handle(core, machine.calls("t1"))
    assert machine.statuses(handle(core, RESET)) == [("t1", "cancelled")]


def test_the_command_is_answered_with_no_use_of_any_model(core: Any) -> None:
    since = {machine.MODEL: {"inputTokens": 50, "outputTokens": 1}}
    effects = handle(core, RESET, turn("new"), result(1, num_turns=0, model_usage_since_last_result=since))
    assert answers(effects) == {1: "end_turn"}
    assert effects[-1].outcome.by_model == ()
