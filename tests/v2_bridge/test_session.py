"""What holds for the bridge alone.

It shows work that a cancel ended before the client saw it begin; the native core does not, which
``v2_native/test_session_dropped.py`` holds. And it depends on when the v1 core answers a prompt.
"""

from __future__ import annotations

from adapter.shared.updates import TextChunk
from support.machine import (
    CANCEL,
    aborted,
    answer,
    answers,
    asked,
    asks,
    bridge_core,
    calls,
    delta,
    dropped,
    echo,
    handle,
    idle,
    interrupt_answered,
    message_start,
    notification_result,
    of,
    prompt,
    result,
    returns,
    started,
    statuses,
    told,
    withdraws,
)


def test_a_dropped_prompt_that_runs_is_a_turn_without_a_user_message() -> None:
    core = bridge_core()
    assert answers(handle(core, prompt(1), CANCEL, interrupt_answered(still_queued=["p1"]))) == {1: "-32800"}
    begun = handle(core, started(1), echo(1), message_start(), delta("Hel"), calls("t1"))
    assert told(begun) == ["running"]
    assert [chunk.text for chunk in of(begun, TextChunk)] == ["Hel"]
    ended = handle(core, returns("t1", kind="user-rejected"), aborted(1), dropped(1), idle())
    assert (told(ended), statuses(ended), answers(ended)) == (["idle: cancelled"], [("t1", "cancelled")], {})


def test_a_prompt_that_the_v1_core_takes_for_done_is_inserted() -> None:
    """A result that names no prompt, while Claude Code has not begun with the one that waits."""
    core = bridge_core()
    effects = handle(core, prompt(1), message_start(), delta("Hel"), result(), idle())
    assert (answers(effects), told(effects)) == ({1: "ok"}, ["running", "idle: end_turn"])
    assert told(handle(core, started(1), message_start("m2"), result(1))) == ["running", "idle: end_turn"]


def test_its_questions_are_asked() -> None:
    core = bridge_core()
    handle(core, prompt(1), CANCEL, interrupt_answered(still_queued=["p1"]), started(1), message_start())
    effects = handle(core, asks("q1", "t1"))
    assert (told(effects), asked(effects)) == (["requires_action"], ["q1"])
    assert told(handle(core, answer("q1"))) == ["running"]


def test_a_question_of_it_that_is_withdrawn_reports_no_running() -> None:
    core = bridge_core()
    handle(core, prompt(1), CANCEL, started(1), message_start(), asks("q1", "t1"))
    assert told(handle(core, withdraws("q1"), interrupt_answered(), aborted(1))) == ["idle: cancelled"]


def test_a_turn_of_claude_code_that_begins_behind_a_cancel_is_shown() -> None:
    core = bridge_core()
    handle(core, CANCEL)
    effects = handle(core, message_start(), delta("The task is done"), interrupt_answered())
    assert told(effects) == ["running"]
    ended = handle(core, notification_result(terminal_reason="aborted_streaming"), idle())
    assert told(ended) == ["idle: end_turn"]
