"""A v2 session whose Claude Code dies, and the end of a session."""

from __future__ import annotations

from adapter.shared.effects import EndSession, Fail, StartProcess, StopTimer, WithdrawQuestion
from adapter.shared.inputs import CloseRequested, ProcessStarted, RequestCancelled, ShutDown
from adapter.shared.jsonrpc.errors import request_cancelled
from adapter.shared.updates import TextChunk
from adapter.shared.v2.session import V2Session
from support.machine import (
    CANCEL,
    TOO_OLD,
    NewCore,
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
    of,
    prompt,
    result,
    started,
    statuses,
    told,
    written,
)

UP = ProcessStarted("default")


def test_a_death_ends_the_turn_with_its_error_after_its_calls(running: V2Session) -> None:
    handle(running, calls("t1"))
    effects = handle(running, dies())
    assert names(effects) == ["ToolReport", "StateChanged"]
    assert statuses(effects) == [("t1", "failed")]
    assert told(effects) == ["idle: process_exited"]


def test_prompts_that_are_not_inserted_go_to_the_next_claude_code_once(running: V2Session) -> None:
    handle(running, prompt(2))
    effects = handle(running, dies())
    assert answers(effects) == {}
    assert told(effects) == ["idle: process_exited"]
    assert written(handle(running, UP)) == ["p2"]
    assert answers(handle(running, dies())) == {2: "process_exited"}


def test_a_death_withdraws_the_open_questions(running: V2Session) -> None:
    handle(running, asks("q1", "t1"))
    effects = handle(running, dies())
    assert of(effects, WithdrawQuestion) == [WithdrawQuestion("q1")]
    assert told(effects) == ["idle: process_exited"]


def test_a_death_after_a_cancel_is_the_end_of_the_cancel(running: V2Session) -> None:
    handle(running, CANCEL)
    effects = handle(running, dies())
    assert told(effects) == ["idle: cancelled"]
    assert of(effects, StopTimer) == [StopTimer("cancel")]


def test_a_death_while_idle_says_nothing(new_core: NewCore) -> None:
    assert handle(new_core(), dies()) == []


def test_a_prompt_behind_an_interrupt_outlives_the_death(running: V2Session) -> None:
    handle(running, CANCEL, prompt(2))
    effects = handle(running, dies())
    assert answers(effects) == {}
    assert effects[-1] == StartProcess()
    assert written(handle(running, UP)) == ["p2"]


def test_the_next_prompt_starts_claude_code_again(running: V2Session) -> None:
    handle(running, dies())
    assert handle(running, prompt(2)) == [StartProcess()]
    assert written(handle(running, UP)) == ["p2"]
    assert told(handle(running, started(2), result(2), idle())) == ["running", "idle: end_turn"]


def test_the_idle_that_a_dead_process_owed_does_not_count(running: V2Session) -> None:
    handle(running, result(1), dies(), prompt(2), UP, started(2))
    assert told(handle(running, idle())) == ["idle: end_turn"]


def test_what_was_dropped_is_forgotten_with_the_process(new_core: NewCore) -> None:
    core = new_core()
    handle(core, prompt(1), CANCEL, interrupt_answered(), started(1), dies())
    effects = handle(core, prompt(2), UP, started(2), message_start(), delta("Hi"))
    assert [chunk.text for chunk in of(effects, TextChunk)] == ["Hi"]


def test_cancelling_the_request_of_a_prompt_that_waits_for_the_start_ends_it_alone(new_core: NewCore) -> None:
    core = new_core()
    handle(core, dies(), prompt(1), prompt(2))
    assert handle(core, RequestCancelled(1)) == [Fail(1, request_cancelled())]
    assert written(handle(core, UP)) == ["p2"]


def test_a_failed_start_fails_the_prompts_that_wait(new_core: NewCore) -> None:
    core = new_core()
    handle(core, dies(), prompt(1), prompt(2))
    assert answers(handle(core, dies(TOO_OLD))) == {1: "cli_too_old", 2: "cli_too_old"}
    assert handle(core, prompt(3)) == [StartProcess()]


def test_closing_ends_the_turn_as_cancelled_before_the_session(running: V2Session) -> None:
    handle(running, asks("q1", "t1"), prompt(2))
    effects = handle(running, CloseRequested(9))
    assert of(effects, WithdrawQuestion) == [WithdrawQuestion("q1")]
    assert statuses(effects) == [("t1", "cancelled")]
    assert answers(effects) == {2: "-32800"}
    assert told(effects) == ["idle: cancelled"]
    assert effects[-1] == EndSession(9)


def test_closing_an_idle_session_tells_nothing(new_core: NewCore) -> None:
    assert handle(new_core(), CloseRequested(9)) == [EndSession(9)]


def test_closing_answers_an_open_change_of_configuration(new_core: NewCore) -> None:
    core = new_core()
    handle(core, configure(1, "model", "haiku"))
    assert answers(handle(core, CloseRequested(9))) == {1: "-32800"}


def test_nothing_is_told_after_the_close(running: V2Session) -> None:
    handle(running, CloseRequested(9))
    assert handle(running, delta("lo"), calls("t1"), aborted(1), idle(), dies()) == []


def test_the_end_of_the_adapter_ends_the_turn_too(running: V2Session) -> None:
    assert told(handle(running, ShutDown())) == ["idle: cancelled"]
