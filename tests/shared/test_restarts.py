"""A session whose Claude Code is started anew because its route or its login has changed."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.effects import SendPrompt, StartProcess
from adapter.shared.inputs import ProcessStarted, RestartWanted
from adapter.shared.updates import ConfigChanged
from support.machine import (
    CANCEL,
    answers,
    assistant,
    bridge_core,
    completed,
    delta,
    dies,
    handle,
    idle,
    interrupt_answered,
    message_start,
    native_core,
    of,
    prompt,
    result,
    started,
    system,
    v1_core,
    written,
)

AFTER_IT = StartProcess(replaces=True)
UP = ProcessStarted("default")
every = pytest.mark.parametrize("make_core", [v1_core, bridge_core, native_core])


def restarts(effects: list[Any]) -> list[StartProcess]:
    return of(effects, StartProcess)


@every
def test_a_quiet_session_restarts_at_once(make_core: Any) -> None:
    core = make_core()
    assert handle(core, RestartWanted()) == [AFTER_IT]
    assert restarts(handle(core, prompt(1))) == []
    assert written(handle(core, UP)) == ["p1"]


@every
def test_what_changes_while_it_comes_up_counts_as_well(make_core: Any) -> None:
    core = make_core()
    handle(core, RestartWanted())
    assert restarts(handle(core, RestartWanted(), RestartWanted(), prompt(1))) == []
    again = handle(core, UP)
    assert (restarts(again), written(again)) == ([AFTER_IT], [])
    assert written(handle(core, UP)) == ["p1"]


@every
def test_a_session_that_works_restarts_after_its_turn_and_prompts_wait_for_it(make_core: Any) -> None:
    core = make_core()
    handle(core, prompt(1), started(1), message_start(), delta("x"))
    held = handle(core, RestartWanted(), prompt(2))
    assert (restarts(held), written(held)) == ([], [])
    assert restarts(handle(core, result(1), completed(1))) == [AFTER_IT]
    assert written(handle(core, UP)) == ["p2"]


@every
def test_a_turn_of_claude_codes_own_and_work_in_the_background_are_not_ended(make_core: Any) -> None:
    core = make_core()
    handle(core, system("session_state_changed", state="running"))
    assert handle(core, RestartWanted()) == []
    tasks = [{"task_id": "b1", "task_type": "local_bash"}]
    assert restarts(handle(core, system("background_tasks_changed", tasks=tasks), idle())) == []
    assert restarts(handle(core, system("background_tasks_changed", tasks=[]))) == [AFTER_IT]


@every
def test_a_cancel_settles_before_a_restart(make_core: Any) -> None:
    core = make_core()
    handle(core, prompt(1), started(1), message_start(), RestartWanted(), CANCEL)
    assert restarts(handle(core, completed(1))) == []
    assert restarts(handle(core, interrupt_answered(), result(1), idle())) == [AFTER_IT]


@every
def test_what_is_down_needs_no_restart(make_core: Any) -> None:
    core = make_core()
    handle(core, dies())
    assert handle(core, RestartWanted()) == []
    assert restarts(handle(core, prompt(1))) == [StartProcess()]


@every
def test_a_refused_login_makes_the_next_prompt_start_claude_code_anew(make_core: Any) -> None:
    core = make_core()
    refused = assistant({"type": "text", "text": "Invalid API key"}, error="authentication_failed")
    failed = result(1, is_error=True, result="Invalid API key")
    handle(core, prompt(1), started(1), refused, failed, completed(1))
    assert restarts(handle(core, idle())) == []
    assert restarts(handle(core, prompt(2))) == [AFTER_IT]
    assert written(handle(core, UP)) == ["p2"]
    later = handle(core, started(2), result(2), completed(2), idle(), prompt(3))
    assert (restarts(later), written(later)) == ([], ["p3"])


def test_a_prompt_that_waits_behind_the_refused_one_brings_the_restart() -> None:
    core = v1_core()
    refused = assistant({"type": "text", "text": "Invalid API key"}, error="authentication_failed")
    handle(core, prompt(1), started(1), refused)
    assert of(handle(core, prompt(2)), SendPrompt) == []
    effects = handle(core, result(1, is_error=True, result="Invalid API key"), completed(1))
    assert list(answers(effects)) == [1]
    assert restarts(effects) == [AFTER_IT]


@every
def test_the_models_that_a_provider_lists_are_offered(make_core: Any) -> None:
    core = make_core()
    handle(core, RestartWanted())
    (changed,) = of(handle(core, ProcessStarted("default", ())), ConfigChanged)
    assert "model" not in [option.id for option in changed.options]
    handle(core, RestartWanted())
    (again,) = of(handle(core, UP), ConfigChanged)
    assert "model" in [option.id for option in again.options]
    handle(core, RestartWanted())
    assert of(handle(core, UP), ConfigChanged) == []
