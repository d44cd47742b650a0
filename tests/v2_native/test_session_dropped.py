"""Native v2 keeps from the client what a cancel ended before the client saw it begin; the bridge, like v1, shows it.

The bridge's side of each difference is in ``v2_bridge/test_session.py``.
"""

from __future__ import annotations

from adapter.shared.effects import AnswerControl, AskPermission
from support.machine import (
    CANCEL,
    UNBOUND,
    aborted,
    asks,
    calls,
    delta,
    dropped,
    echo,
    handle,
    idle,
    interrupt_answered,
    message_start,
    names,
    native_core,
    notification_result,
    of,
    prompt,
    returns,
    started,
)


def test_a_dropped_prompt_that_runs_is_not_shown() -> None:
    core = native_core()
    handle(core, prompt(1), CANCEL, interrupt_answered(still_queued=["p1"]))
    run = [started(1), echo(1), message_start(), delta("Hel"), calls("t1"), returns("t1")]
    assert handle(core, *run) == []
    assert handle(core, aborted(1), dropped(1), idle()) == []


def test_its_questions_are_denied() -> None:
    core = native_core()
    handle(core, prompt(1), CANCEL, interrupt_answered(still_queued=["p1"]))
    effects = handle(core, started(1), asks("q1", "t1"))
    assert names(effects) == ["AnswerControl"]
    assert of(effects, AskPermission) == []
    (denied,) = of(effects, AnswerControl)
    assert (denied.request_id, denied.response["behavior"]) == ("q1", "deny")


def test_a_turn_of_claude_code_that_begins_behind_a_cancel_is_not_shown() -> None:
    core = native_core()
    handle(core, CANCEL)
    assert handle(core, message_start(), delta("The task is done"), interrupt_answered()) == [UNBOUND]
    assert handle(core, notification_result(terminal_reason="aborted_streaming"), idle()) == []
