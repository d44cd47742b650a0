"""A native v2 session whose Claude Code dies, and the end of a session."""

from __future__ import annotations

from adapter.shared.effects import EndSession, StartProcess, StopTimer, WithdrawQuestion
from adapter.shared.inputs import CloseRequested, ProcessStarted, ShutDown
from adapter.shared.updates import TextChunk
from adapter.v2_native.session import NativeSession
from support.machine import (
    CANCEL,
    TOO_OLD,
    aborted,
    answers,
    asks,
    calls,
    configure,
    delta,
    dies,
    handle,
    idle,
    interrupt_answered,
    message_start,
    names,
    native_core,
    of,
    prompt,
    result,
    started,
    statuses,
    told,
    written,
)

UP = ProcessStarted("default")


def running() -> NativeSession:
    core = native_core()
    handle(core, prompt(1), started(1), message_start(), delta("Hel"))
    return core


def test_a_death_ends_the_turn_with_its_error_after_its_calls() -> None:
    core = running()
    handle(core, calls("t1"))
    effects = handle(core, dies())
    assert names(effects) == ["ToolReport", "StateChanged"]
    assert statuses(effects) == [("t1", "failed")]
    assert told(effects) == ["idle: process_exited"]


def test_a_death_fails_the_prompts_that_are_not_inserted() -> None:
    core = running()
    handle(core, prompt(2))
    effects = handle(core, dies())
    assert answers(effects) == {2: "process_exited"}
    assert told(effects) == ["idle: process_exited"]


def test_a_death_withdraws_the_open_questions() -> None:
    core = running()
    handle(core, asks("q1", "t1"))
    effects = handle(core, dies())
    assert of(effects, WithdrawQuestion) == [WithdrawQuestion("q1")]
    assert told(effects) == ["idle: process_exited"]


def test_a_death_after_a_cancel_is_the_end_of_the_cancel() -> None:
    core = running()
    handle(core, CANCEL)
    effects = handle(core, dies())
    assert told(effects) == ["idle: cancelled"]
    assert of(effects, StopTimer) == [StopTimer("cancel")]


def test_a_death_while_idle_says_nothing() -> None:
    assert handle(native_core(), dies()) == []


def test_a_prompt_behind_an_interrupt_outlives_the_death() -> None:
    core = running()
    handle(core, CANCEL, prompt(2))
    effects = handle(core, dies())
    assert answers(effects) == {}
    assert effects[-1] == StartProcess()
    assert written(handle(core, UP)) == ["p2"]


def test_the_next_prompt_starts_claude_code_again() -> None:
    core = running()
    handle(core, dies())
    assert handle(core, prompt(2)) == [StartProcess()]
    assert written(handle(core, UP)) == ["p2"]
    assert told(handle(core, started(2), result(2), idle())) == ["running", "idle: end_turn"]


def test_the_idle_that_a_dead_process_owed_does_not_count() -> None:
    core = running()
    handle(core, result(1), dies(), prompt(2), UP, started(2))
    assert told(handle(core, idle())) == ["idle: end_turn"]


def test_what_was_dropped_is_forgotten_with_the_process() -> None:
    core = native_core()
    handle(core, prompt(1), CANCEL, interrupt_answered(), started(1), dies())
    effects = handle(core, prompt(2), UP, started(2), message_start(), delta("Hi"))
    assert [chunk.text for chunk in of(effects, TextChunk)] == ["Hi"]


def test_a_failed_start_fails_the_prompts_that_wait() -> None:
    core = native_core()
    handle(core, dies(), prompt(1), prompt(2))
    assert answers(handle(core, dies(TOO_OLD))) == {1: "cli_too_old", 2: "cli_too_old"}
    assert handle(core, prompt(3)) == [StartProcess()]


def test_closing_ends_the_turn_as_cancelled_before_the_session() -> None:
    core = running()
    handle(core, asks("q1", "t1"), prompt(2))
    effects = handle(core, CloseRequested(9))
    assert of(effects, WithdrawQuestion) == [WithdrawQuestion("q1")]
    assert statuses(effects) == [("t1", "cancelled")]
    assert answers(effects) == {2: "-32800"}
    assert told(effects) == ["idle: cancelled"]
    assert effects[-1] == EndSession(9)


def test_closing_an_idle_session_tells_nothing() -> None:
    assert handle(native_core(), CloseRequested(9)) == [EndSession(9)]


def test_closing_answers_an_open_change_of_configuration() -> None:
    core = native_core()
    handle(core, configure(1, "model", "haiku"))
    assert answers(handle(core, CloseRequested(9))) == {1: "-32800"}


def test_nothing_is_told_after_the_close() -> None:
    core = running()
    handle(core, CloseRequested(9))
    assert handle(core, delta("lo"), calls("t1"), aborted(1), idle(), dies()) == []


def test_the_end_of_the_adapter_ends_the_turn_too() -> None:
    assert told(handle(running(), ShutDown())) == ["idle: cancelled"]
