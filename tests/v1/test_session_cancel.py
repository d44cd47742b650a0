"""Cancel on v1: it ends what was sent before it and nothing else, and it always settles."""

from __future__ import annotations

from adapter.shared.effects import (
    DropProcess,
    RespondOutcome,
    SendControl,
    StartProcess,
    StopTimer,
    WithdrawQuestion,
)
from adapter.shared.inputs import ProcessStarted, RequestCancelled, TimerFired
from adapter.shared.turn_outcome import CANCELLED_UNMEASURED
from adapter.shared.updates import Notice, TextChunk, TitleChanged
from adapter.v1.session import V1Session
from support.machine import (
    BOUND,
    CANCEL,
    FIRED,
    INTERRUPT,
    UNBOUND,
    aborted,
    answer,
    answers,
    asks,
    calls,
    completed,
    delta,
    dropped,
    handle,
    idle,
    interrupt_answered,
    message_start,
    names,
    notification_result,
    of,
    prompt,
    result,
    returns,
    started,
    statuses,
    v1_core,
    withdrawn,
    withdraws,
    written,
)


def running() -> V1Session:
    core = v1_core()
    handle(core, prompt(1), started(1), message_start(), delta("Hel"))
    return core


def test_a_cancel_interrupts_and_sets_a_bound() -> None:
    assert handle(running(), CANCEL) == [INTERRUPT, BOUND]


def test_a_turn_cancelled_while_it_streams_ends_by_its_result() -> None:
    core = running()
    handle(core, CANCEL, interrupt_answered())
    effects = handle(core, aborted(1))
    assert answers(effects) == {1: "cancelled"}
    assert of(effects, StopTimer) == [StopTimer("cancel")]
    assert handle(core, dropped(1), idle()) == []


def test_a_turn_that_was_over_before_the_interrupt_came_is_cancelled_all_the_same() -> None:
    core = running()
    handle(core, CANCEL)
    assert answers(handle(core, result(1))) == {1: "cancelled"}


def test_text_that_comes_after_the_cancel_is_still_told() -> None:
    core = running()
    assert of(handle(core, CANCEL, delta("lo")), TextChunk) != []


def test_the_bound_lasts_until_the_interrupt_is_answered_too() -> None:
    core = running()
    handle(core, CANCEL)
    assert of(handle(core, aborted(1)), StopTimer) == []
    assert handle(core, interrupt_answered()) == [StopTimer("cancel")]


def test_a_cancel_in_a_tool_ends_its_call_before_the_answer() -> None:
    core = running()
    handle(core, calls("t1"), CANCEL, interrupt_answered())
    effects = handle(core, returns("t1", "rejected", kind="user-rejected"), aborted(1))
    assert statuses(effects) == [("t1", "cancelled")]
    assert names(effects)[0] == "ToolReport"
    assert answers(effects) == {1: "cancelled"}


def test_a_cancel_while_a_question_is_open_withdraws_it() -> None:
    core = running()
    handle(core, asks("q1", "t1"), CANCEL)
    assert handle(core, withdraws("q1")) == [WithdrawQuestion("q1")]
    effects = handle(core, interrupt_answered(), returns("t1", kind="user-rejected"), aborted(1))
    assert statuses(effects) == [("t1", "cancelled")]
    assert answers(effects) == {1: "cancelled"}
    assert handle(core, answer("q1")) == []


def test_an_interrupt_of_nothing_that_is_not_answered_holds_no_later_prompt() -> None:
    core = v1_core()
    handle(core, CANCEL, prompt(1))
    assert of(handle(core, FIRED), DropProcess, StartProcess) == [DropProcess(), StartProcess()]
    assert written(handle(core, ProcessStarted("default"))) == ["p1"]


def test_a_cancel_with_nothing_running_changes_nothing_for_the_client() -> None:
    core = v1_core()
    assert handle(core, CANCEL) == [INTERRUPT, BOUND]
    assert handle(core, interrupt_answered()) == [UNBOUND]
    effects = handle(core, prompt(1), started(1), result(1))
    assert answers(effects) == {1: "end_turn"}


def test_a_cancel_right_behind_the_prompt_whose_turn_then_starts() -> None:
    core = v1_core()
    assert handle(core, prompt(1), CANCEL)[1:] == [INTERRUPT, BOUND]
    assert answers(handle(core, interrupt_answered(still_queued=["p1"]), started(1))) == {}
    assert answers(handle(core, aborted(1))) == {1: "cancelled"}


def test_a_cancel_right_behind_the_prompt_that_drops_it() -> None:
    core = v1_core()
    handle(core, prompt(1), CANCEL)
    assert answers(handle(core, dropped(1))) == {1: "cancelled"}
    assert handle(core, interrupt_answered(cancelled=["p1"])) == [StopTimer("cancel")]


def test_the_idle_of_the_turn_before_does_not_end_a_prompt_that_was_cancelled_at_once() -> None:
    core = v1_core()
    handle(core, prompt(1), started(1), result(1), prompt(2), CANCEL)
    assert answers(handle(core, idle())) == {}
    assert answers(handle(core, interrupt_answered(), idle())) == {2: "cancelled"}


def test_a_cancel_covers_the_queued_prompts_too() -> None:
    core = running()
    handle(core, prompt(2), prompt(3), CANCEL)
    assert answers(handle(core, dropped(2), dropped(3))) == {2: "cancelled", 3: "cancelled"}
    assert answers(handle(core, interrupt_answered(), aborted(1))) == {1: "cancelled"}


def test_a_prompt_that_was_folded_at_the_moment_of_the_cancel_is_cancelled() -> None:
    core = running()
    handle(core, prompt(2), CANCEL)
    assert answers(handle(core, started(2))) == {1: "cancelled"}
    assert answers(handle(core, interrupt_answered(), aborted(1, 2))) == {2: "cancelled"}


def test_a_prompt_after_a_cancel_waits_for_it_and_is_untouched() -> None:
    core = running()
    handle(core, CANCEL)
    assert handle(core, prompt(2)) == []
    assert written(handle(core, interrupt_answered())) == []
    effects = handle(core, aborted(1))
    assert answers(effects) == {1: "cancelled"}
    assert written(effects) == ["p2"]
    assert answers(handle(core, dropped(1), started(2), result(2))) == {2: "end_turn"}


def test_a_prompt_after_a_cancel_waits_for_the_answer_to_the_interrupt() -> None:
    core = v1_core()
    handle(core, CANCEL)
    assert handle(core, prompt(1)) == []
    assert written(handle(core, interrupt_answered())) == ["p1"]


def test_a_second_cancel_is_harmless() -> None:
    core = running()
    handle(core, CANCEL)
    assert handle(core, CANCEL) == [INTERRUPT]
    assert handle(core, prompt(2)) == []
    assert written(handle(core, interrupt_answered(), aborted(1))) == []
    effects = handle(core, interrupt_answered())
    assert written(effects) == ["p2"]
    assert answers(handle(core, started(2), result(2))) == {2: "end_turn"}


def test_a_second_cancel_ends_the_prompts_that_waited_for_the_first() -> None:
    core = running()
    handle(core, CANCEL, prompt(2))
    assert answers(handle(core, CANCEL)) == {2: "cancelled"}


def test_a_cancel_during_a_turn_of_claude_code_drops_the_prompt_behind_it() -> None:
    core = v1_core()
    handle(core, message_start(), delta("A task is done"), prompt(1), CANCEL)
    assert answers(handle(core, dropped(1), interrupt_answered(cancelled=["p1"]))) == {1: "cancelled"}
    assert answers(handle(core, notification_result(terminal_reason="aborted_streaming"))) == {}


def test_idle_ends_a_cancelled_turn_that_has_no_result() -> None:
    core = running()
    handle(core, CANCEL, interrupt_answered())
    effects = handle(core, idle())
    assert of(effects, RespondOutcome) == [RespondOutcome(1, CANCELLED_UNMEASURED)]
    assert of(effects, StopTimer) == [StopTimer("cancel")]


def test_an_interrupt_that_claude_code_ignores_is_given_up() -> None:
    core = running()
    handle(core, asks("q1", "t1"), CANCEL)
    effects = handle(core, FIRED)
    assert names(effects) == ["DropProcess", "WithdrawQuestion", "ToolReport", "Notice", "RespondOutcome"]
    assert effects[0] == DropProcess()
    assert statuses(effects) == [("t1", "cancelled")]
    assert [notice.level for notice in of(effects, Notice)] == ["warning"]
    assert answers(effects) == {1: "cancelled"}


def test_after_that_the_next_prompt_starts_claude_code_again() -> None:
    core = running()
    handle(core, CANCEL, FIRED)
    assert handle(core, prompt(2)) == [StartProcess()]
    effects = handle(core, ProcessStarted("default"))
    assert written(effects) == ["p2"]
    assert answers(handle(core, started(2), result(2))) == {2: "end_turn"}


def test_prompts_that_waited_for_the_cancel_start_it_again_at_once() -> None:
    core = running()
    handle(core, CANCEL, prompt(2))
    effects = handle(core, FIRED)
    assert answers(effects) == {1: "cancelled"}
    assert effects[-1] == StartProcess()
    assert written(handle(core, ProcessStarted("default"))) == ["p2"]


def test_a_bound_that_fires_late_does_nothing() -> None:
    core = running()
    handle(core, CANCEL, interrupt_answered(), aborted(1))
    assert handle(core, FIRED, TimerFired("another")) == []


def test_the_late_answer_of_a_dropped_process_does_nothing() -> None:
    core = running()
    handle(core, CANCEL, FIRED)
    assert handle(core, interrupt_answered()) == []


def test_a_cancel_while_claude_code_starts_ends_the_prompts_that_wait() -> None:
    core = running()
    handle(core, CANCEL, FIRED, prompt(2))
    assert handle(core, CANCEL) == [RespondOutcome(2, CANCELLED_UNMEASURED)]
    assert handle(core, ProcessStarted("default")) == []


def test_cancelling_the_request_of_a_held_prompt_cancels_its_turn() -> None:
    core = running()
    assert handle(core, RequestCancelled(1)) == [INTERRUPT, BOUND]
    assert answers(handle(core, interrupt_answered(), aborted(1))) == {1: "cancelled"}


def test_cancelling_the_request_of_a_waiting_prompt_ends_it_alone() -> None:
    core = running()
    handle(core, prompt(2))
    asked_for = {"subtype": "cancel_async_message", "message_uuid": "p2"}
    assert handle(core, RequestCancelled(2)) == [SendControl("withdraw p2", asked_for)]
    assert answers(handle(core, withdrawn(2, cancelled=True), dropped(2))) == {2: "cancelled"}
    assert answers(handle(core, result(1))) == {1: "end_turn"}


def test_a_prompt_that_claude_code_has_begun_with_meanwhile_is_stopped_with_its_turn() -> None:
    core = v1_core()
    handle(core, prompt(1), RequestCancelled(1), started(1))
    assert handle(core, withdrawn(1, cancelled=False)) == [INTERRUPT, BOUND]


def test_a_prompt_that_is_over_when_claude_code_answers_stops_nothing() -> None:
    core = v1_core()
    handle(core, prompt(1), RequestCancelled(1), started(1), result(1))
    assert handle(core, withdrawn(1, cancelled=False)) == []


def test_cancelling_the_request_of_a_held_prompt_ends_it_at_once() -> None:
    core = running()
    handle(core, CANCEL, prompt(2))
    assert answers(handle(core, RequestCancelled(2))) == {2: "cancelled"}
    assert written(handle(core, interrupt_answered(), aborted(1))) == []


def test_cancelling_another_request_changes_nothing() -> None:
    assert handle(running(), RequestCancelled(7), RequestCancelled("1")) == []


def test_after_a_cancel_the_prompt_is_the_title_if_there_is_no_other() -> None:
    core = running()
    handle(core, CANCEL, interrupt_answered())
    assert of(handle(core, aborted(1)), TitleChanged) == [TitleChanged("Go")]


def test_idle_closes_the_calls_of_a_cancelled_turn_before_the_answer() -> None:
    core = running()
    handle(core, calls("t1"), CANCEL, interrupt_answered())
    effects = handle(core, idle())
    assert statuses(effects) == [("t1", "cancelled")]


def test_claude_code_s_word_that_the_turn_s_prompt_is_cancelled_ends_it() -> None:
    core = running()
    handle(core, CANCEL, interrupt_answered())
    assert answers(handle(core, dropped(1))) == {1: "cancelled"}
    assert answers(handle(core, completed(1), prompt(2), started(2), result(2))) == {2: "end_turn"}
