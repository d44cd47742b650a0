"""Cancel on v2: prompts that are not inserted fail, the turn stops, and prompts behind it are untouched."""

from __future__ import annotations

from adapter.shared.effects import (
    SendControl,
    StartProcess,
    StopTimer,
    WithdrawQuestion,
)
from adapter.shared.inputs import ProcessStarted, RequestCancelled
from adapter.shared.updates import Notice, TextChunk
from adapter.shared.v2.session import V2Session
from support.machine import (
    BOUND,
    CANCEL,
    FIRED,
    INTERRUPT,
    UNBOUND,
    NewCore,
    aborted,
    answer,
    answers,
    asked,
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
    of,
    prompt,
    result,
    returns,
    started,
    statuses,
    told,
    withdrawn,
    withdraws,
    written,
)


def test_a_cancel_interrupts_and_sets_a_bound(running: V2Session) -> None:
    assert handle(running, CANCEL) == [INTERRUPT, BOUND]


def test_a_cancelled_turn_is_idle_as_cancelled(running: V2Session) -> None:
    handle(running, CANCEL, interrupt_answered())
    effects = handle(running, aborted(1))
    assert told(effects) == ["idle: cancelled"]
    assert of(effects, StopTimer) == [StopTimer("cancel")]
    assert handle(running, dropped(1), idle()) == []


def test_output_that_comes_while_the_work_stops_is_told(running: V2Session) -> None:
    handle(running, CANCEL)
    assert [chunk.text for chunk in of(handle(running, delta("lo")), TextChunk)] == ["lo"]


def test_a_cancel_in_a_tool_ends_its_call_as_cancelled(running: V2Session) -> None:
    handle(running, calls("t1"), CANCEL, interrupt_answered())
    effects = handle(running, returns("t1", "rejected", kind="user-rejected"), aborted(1))
    assert statuses(effects) == [("t1", "cancelled")]
    assert told(effects) == ["idle: cancelled"]


def test_a_call_that_never_ends_is_cancelled_before_idle(running: V2Session) -> None:
    handle(running, calls("t1"), CANCEL, interrupt_answered())
    effects = handle(running, aborted(1))
    assert statuses(effects) == [("t1", "cancelled")]
    assert names(effects).index("ToolReport") < names(effects).index("StateChanged")


def test_a_question_is_withdrawn_and_no_running_is_told(running: V2Session) -> None:
    handle(running, asks("q1", "t1"), CANCEL)
    assert handle(running, withdraws("q1")) == [WithdrawQuestion("q1")]
    assert told(handle(running, interrupt_answered(), returns("t1", kind="user-rejected"), aborted(1))) == [
        "idle: cancelled"
    ]


def test_a_question_that_is_answered_after_the_cancel_reports_running(running: V2Session) -> None:
    handle(running, asks("q1", "t1"), CANCEL)
    assert told(handle(running, answer("q1"))) == ["running"]
    assert told(handle(running, interrupt_answered(), aborted(1))) == ["idle: cancelled"]


def test_prompts_that_are_not_inserted_fail_at_once(running: V2Session) -> None:
    handle(running, prompt(2), prompt(3))
    effects = handle(running, CANCEL)
    assert answers(effects) == {2: "-32800", 3: "-32800"}
    assert effects[-2:] == [INTERRUPT, BOUND]
    assert answers(handle(running, dropped(2), dropped(3), interrupt_answered(), aborted(1))) == {}


def test_a_cancel_with_nothing_running_tells_nothing(new_core: NewCore) -> None:
    core = new_core()
    assert handle(core, CANCEL) == [INTERRUPT, BOUND]
    assert handle(core, interrupt_answered()) == [UNBOUND]


def test_a_cancel_that_ended_only_queued_prompts_leaves_the_next_turn_alone(new_core: NewCore) -> None:
    core = new_core()
    handle(core, prompt(1), CANCEL, dropped(1), interrupt_answered())
    assert told(handle(core, prompt(2), started(2), result(2))) == ["running", "idle: end_turn"]


def test_a_prompt_after_a_cancel_waits_for_the_interrupt_and_is_untouched(running: V2Session) -> None:
    handle(running, CANCEL)
    assert handle(running, prompt(2)) == []
    assert written(handle(running, interrupt_answered())) == []
    effects = handle(running, aborted(1))
    assert told(effects) == ["idle: cancelled"]
    assert written(effects) == ["p2"]
    assert told(handle(running, started(2), result(2))) == ["running", "idle: end_turn"]


def test_a_prompt_waits_for_the_answer_to_an_interrupt_that_nothing_needed(new_core: NewCore) -> None:
    core = new_core()
    handle(core, CANCEL)
    assert handle(core, prompt(1)) == []
    assert written(handle(core, interrupt_answered())) == ["p1"]


def test_cancelling_the_request_of_a_waiting_prompt_ends_it_alone(running: V2Session) -> None:
    handle(running, prompt(2))
    asked_for = {"subtype": "cancel_async_message", "message_uuid": "p2"}
    assert handle(running, RequestCancelled(2)) == [SendControl("withdraw p2", asked_for)]
    assert answers(handle(running, dropped(2), withdrawn(2, cancelled=True))) == {2: "-32800"}
    assert told(handle(running, result(1))) == ["idle: end_turn"]


def test_claude_codes_answer_alone_ends_it_too(running: V2Session) -> None:
    handle(running, prompt(2), RequestCancelled(2))
    assert answers(handle(running, withdrawn(2, cancelled=True))) == {2: "-32800"}


def test_a_prompt_that_claude_code_has_begun_with_unseen_is_stopped_with_its_turn(new_core: NewCore) -> None:
    core = new_core()
    handle(core, prompt(1), RequestCancelled(1))
    effects = handle(core, withdrawn(1, cancelled=False))
    assert answers(effects) == {1: "-32800"}
    assert effects[-2:] == [INTERRUPT, BOUND]


def test_cancelling_the_request_of_a_held_prompt_ends_it_at_once(running: V2Session) -> None:
    handle(running, CANCEL, prompt(2))
    assert answers(handle(running, RequestCancelled(2))) == {2: "-32800"}
    assert written(handle(running, interrupt_answered(), aborted(1))) == []


def test_cancelling_the_request_of_an_inserted_prompt_changes_nothing(running: V2Session) -> None:
    assert handle(running, RequestCancelled(1)) == []


# Prompts that were cancelled before they were inserted.


def test_the_prompt_behind_one_that_runs_all_the_same_is_shown(new_core: NewCore) -> None:
    core = new_core()
    handle(core, prompt(1), CANCEL, interrupt_answered(still_queued=["p1"]))
    handle(core, started(1), message_start(), delta("Hel"), aborted(1), dropped(1), idle())
    effects = handle(core, prompt(2), started(2), message_start("m2"), delta("Hi"), result(2))
    assert [chunk.text for chunk in of(effects, TextChunk)] == ["Hi"]
    assert told(effects) == ["running", "idle: end_turn"]


def test_a_turn_whose_queued_prompt_was_folded_as_the_cancel_came_still_ends(running: V2Session) -> None:
    handle(running, calls("t1"), prompt(2), CANCEL)
    effects = handle(running, started(2), interrupt_answered(), aborted(1, 2))
    assert statuses(effects) == [("t1", "cancelled")]
    assert told(effects) == ["idle: cancelled"]
    assert of(effects, StopTimer) == [StopTimer("cancel")]


def test_the_output_of_such_a_turn_is_still_told(running: V2Session) -> None:
    handle(running, prompt(2), CANCEL, started(2))
    assert [chunk.text for chunk in of(handle(running, delta("lo")), TextChunk)] == ["lo"]


def test_a_subagent_that_the_client_saw_begin_is_shown_beside_dropped_work(new_core: NewCore) -> None:
    core = new_core()
    handle(core, prompt(1), started(1), calls("t1", parent="agent"), result(1), idle(), CANCEL, message_start("m2"))
    assert statuses(handle(core, {**returns("t1"), "parent_tool_use_id": "agent"})) == [("t1", "completed")]
    assert asked(handle(core, asks("q1", "t2", agent_id="a1"))) == ["q1"]


# A Claude Code that does not react.


def test_an_interrupt_that_is_ignored_is_given_up(running: V2Session) -> None:
    handle(running, asks("q1", "t1"), CANCEL)
    effects = handle(running, FIRED)
    assert names(effects) == ["DropProcess", "WithdrawQuestion", "ToolReport", "Notice", "StateChanged"]
    assert statuses(effects) == [("t1", "cancelled")]
    assert told(effects) == ["idle: cancelled"]
    assert len(of(effects, Notice)) == 1


def test_prompts_that_waited_start_claude_code_again(running: V2Session) -> None:
    handle(running, CANCEL, prompt(2))
    effects = handle(running, FIRED)
    assert effects[-1] == StartProcess()
    assert written(handle(running, ProcessStarted("default"))) == ["p2"]
    assert told(handle(running, started(2), result(2))) == ["running", "idle: end_turn"]


def test_an_interrupt_of_nothing_that_is_not_answered_holds_no_later_prompt(new_core: NewCore) -> None:
    core = new_core()
    handle(core, CANCEL, message_start(), prompt(1))
    handle(core, FIRED, ProcessStarted("default"))
    assert told(handle(core, started(1), result(1))) == ["running", "idle: end_turn"]


def test_what_was_dropped_is_forgotten_with_the_process(running: V2Session) -> None:
    handle(running, prompt(2), CANCEL, started(2), FIRED)
    effects = handle(running, prompt(3), ProcessStarted("default"), started(3), message_start("m2"), delta("Hi"))
    assert [chunk.text for chunk in of(effects, TextChunk)] == ["Hi"]
    assert told(handle(running, result(3))) == ["idle: end_turn"]


def test_a_second_cancel_is_harmless(running: V2Session) -> None:
    handle(running, CANCEL)
    assert handle(running, CANCEL) == [INTERRUPT]
    assert told(handle(running, interrupt_answered(), aborted(1), interrupt_answered(), idle())) == ["idle: cancelled"]
    assert told(handle(running, prompt(2), started(2), result(2))) == ["running", "idle: end_turn"]


def test_the_word_that_the_turn_s_prompt_is_cancelled_ends_a_turn_without_a_result(new_core: NewCore) -> None:
    core = new_core()
    handle(core, prompt(1), started(1), CANCEL, interrupt_answered())
    assert told(handle(core, dropped(1))) == ["idle: cancelled"]
    assert told(handle(core, completed(1), idle())) == []
