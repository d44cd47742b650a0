"""A v2 session: a prompt is answered at its insertion, and the client is told whether the session works."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adapter.shared.effects import AskPermission, Fail, Respond, SendControl, SendPrompt, WithdrawQuestion
from adapter.shared.inputs import ControlAnswered, SessionOpened, SteerReceived
from adapter.shared.jsonrpc.errors import ClaudeFailure, method_not_found
from adapter.shared.outcome import TokenCount
from adapter.shared.turn_outcome import UNMEASURED
from adapter.shared.updates import TextChunk, TitleChanged, UserMessage
from adapter.shared.v2.session import V2Session
from adapter.shared.work_updates import StateChanged, WorkState
from support.machine import (
    NewCore,
    answer,
    answers,
    asks,
    calls,
    completed,
    configure,
    delta,
    dropped,
    echo,
    handle,
    idle,
    lifecycle,
    message_start,
    names,
    notification_result,
    of,
    prompt,
    result,
    returns,
    says,
    started,
    statuses,
    system,
    told,
    withdraws,
    written,
)

INSERTED = [UserMessage("p1", prompt(1).blocks), Respond(1, {"messageId": "p1"}), StateChanged(WorkState.RUNNING)]


# Insertion.


def test_a_prompt_is_written_and_not_answered_yet(new_core: NewCore) -> None:
    assert handle(new_core(), prompt(1), lifecycle(1, "queued")) == [SendPrompt("p1", prompt(1).content)]


def test_the_start_of_a_prompt_inserts_it(new_core: NewCore) -> None:
    core = new_core()
    handle(core, prompt(1))
    assert handle(core, started(1)) == INSERTED


def test_the_echo_of_a_prompt_inserts_it(new_core: NewCore) -> None:
    core = new_core()
    handle(core, prompt(1))
    assert handle(core, echo(1)) == INSERTED


def test_a_result_inserts_the_prompt_that_it_names(new_core: NewCore) -> None:
    core = new_core()
    handle(core, prompt(1))
    effects = handle(core, result(1))
    assert effects[:3] == INSERTED
    assert (answers(effects), told(effects)) == ({1: "ok"}, ["running", "idle: end_turn"])


def test_a_prompt_is_inserted_once(new_core: NewCore) -> None:
    core = new_core()
    handle(core, prompt(1))
    assert handle(core, started(1), echo(1), started(1)) == INSERTED


def test_a_folded_prompt_is_inserted_in_the_running_turn(running: V2Session) -> None:
    handle(running, prompt(2))
    assert names(handle(running, echo(2), started(2))) == ["UserMessage", "Respond"]


def test_a_batch_is_inserted_one_after_the_other_in_one_turn(running: V2Session) -> None:
    handle(running, prompt(2), prompt(3))
    assert told(handle(running, result(1), completed(1))) == ["idle: end_turn"]
    effects = handle(running, echo(2), started(2), started(3), echo(3))
    assert answers(effects) == {2: "ok", 3: "ok"}
    assert told(effects) == ["running"]
    assert told(handle(running, result(2, 3), completed(2), completed(3), idle())) == ["idle: end_turn"]


@pytest.mark.parametrize("state", ["discarded", "refused"])
def test_a_prompt_that_claude_code_does_not_take_fails(new_core: NewCore, state: str) -> None:
    core = new_core()
    handle(core, prompt(1))
    (failed,) = handle(core, lifecycle(1, state))
    assert failed == Fail(1, ClaudeFailure("unknown", f"Claude Code did not take the prompt: {state}"))


def test_a_prompt_that_claude_code_cancels_fails_as_cancelled(new_core: NewCore) -> None:
    core = new_core()
    handle(core, prompt(1))
    assert answers(handle(core, dropped(1))) == {1: "-32800"}


def test_a_request_id_may_come_again_after_a_rename(new_core: NewCore) -> None:
    core = new_core()
    (asked,) = handle(core, prompt(1, "/rename Mine"))
    assert answers(handle(core, ControlAnswered(asked.key, {}))) == {1: "ok"}
    handle(core, prompt(1))
    assert answers(handle(core, lifecycle(1, "refused"))) == {1: "unknown"}


def test_a_steering_prompt_goes_into_the_turn_at_once(running: V2Session) -> None:
    effects = handle(running, replace(prompt(2), steers=True))
    assert [effect.steers for effect in of(effects, SendPrompt)] == [True]


def test_steering_by_v1_s_method_is_refused(running: V2Session) -> None:
    block = {"type": "text", "text": "Left"}
    steer = SteerReceived(2, "p2", (block,), (block,), "Left")
    assert handle(running, steer) == [Fail(2, method_not_found("_session/steering"))]


def test_prompts_behind_a_running_turn_are_written_at_once(running: V2Session) -> None:
    assert written(handle(running, prompt(2), prompt(3))) == ["p2", "p3"]


# Running and idle.


def test_a_turn_is_idle_with_its_outcome(running: V2Session) -> None:
    (change,) = of(handle(running, result(1)), StateChanged)
    assert change.outcome is not None
    assert (change.outcome.usage, change.outcome.measured) == (TokenCount(100, 20), True)


def test_usage_and_open_calls_are_told_before_idle(running: V2Session) -> None:
    handle(running, calls("t1"))
    effects = handle(running, result(1))
    assert names(effects) == ["ToolReport", "UsageChanged", "StateChanged"]
    assert statuses(effects) == [("t1", "cancelled")]


def test_a_failed_turn_is_idle_with_its_error(running: V2Session) -> None:
    handle(running, says("Overloaded", error="server_error"))
    assert told(handle(running, result(1, is_error=True, terminal_reason="api_error"))) == ["idle: server_error"]


def test_the_idle_after_a_result_is_not_told_again(running: V2Session) -> None:
    assert told(handle(running, result(1), completed(1), idle())) == ["idle: end_turn"]


def test_the_idle_of_the_turn_before_does_not_end_the_next_one(running: V2Session) -> None:
    handle(running, prompt(2), result(1), started(2), message_start("m2"))
    assert told(handle(running, idle())) == []
    assert told(handle(running, result(2))) == ["idle: end_turn"]


def test_idle_without_a_result_ends_the_turn(running: V2Session) -> None:
    handle(running, calls("t1"))
    effects = handle(running, idle())
    assert statuses(effects) == [("t1", "cancelled")]
    assert effects[-1] == StateChanged(WorkState.IDLE, UNMEASURED)


@pytest.mark.parametrize("begun", [started(1), echo(1)], ids=["started", "echoed"])
@pytest.mark.parametrize("end", [completed(1), dropped(1)], ids=["completed", "cancelled"])
def test_the_end_of_the_turn_s_prompt_ends_the_turn(
    new_core: NewCore, begun: dict[str, object], end: dict[str, object]
) -> None:
    core = new_core()
    handle(core, prompt(1), begun)
    assert told(handle(core, end)) == ["idle: end_turn"]


def test_the_end_of_a_folded_prompt_does_not_end_the_turn(running: V2Session) -> None:
    handle(running, prompt(2), started(2))
    assert told(handle(running, completed(2))) == []
    assert told(handle(running, result(1, 2), completed(1))) == ["idle: end_turn"]


def test_idle_while_nothing_runs_says_nothing(new_core: NewCore) -> None:
    assert handle(new_core(), idle(), idle()) == []


def test_a_turn_that_claude_code_begins_runs_with_its_first_output(new_core: NewCore) -> None:
    core = new_core()
    assert told(handle(core, system("session_state_changed", state="running"), system("init"))) == []
    assert told(handle(core, message_start(), delta("The task is done"))) == ["running"]
    assert told(handle(core, notification_result(), idle())) == ["idle: end_turn"]


def test_a_placeholder_result_ends_nothing(running: V2Session) -> None:
    handle(running, calls("t1"))
    assert handle(running, notification_result(num_turns=0)) == []
    assert statuses(handle(running, returns("t1"))) == [("t1", "completed")]


def test_a_result_of_a_local_command_ends_its_turn(new_core: NewCore) -> None:
    core = new_core()
    handle(core, prompt(1), started(1), says("42 tokens"))
    assert told(handle(core, result(1, num_turns=0, terminal_reason=None))) == ["idle: end_turn"]


def test_output_of_a_subagent_begins_no_turn(new_core: NewCore) -> None:
    core = new_core()
    effects = handle(core, calls("t1", parent="agent"), returns("t1"))
    assert told(effects) == []
    assert statuses(effects) == [("t1", "pending"), ("t1", "completed")]


def test_a_call_of_a_subagent_outlives_the_turn(running: V2Session) -> None:
    handle(running, calls("t1", parent="agent"))
    assert statuses(handle(running, result(1))) == []


def test_two_turns_alternate(running: V2Session) -> None:
    effects = handle(running, result(1), completed(1), idle(), prompt(2), started(2), result(2))
    assert told(effects) == ["idle: end_turn", "running", "idle: end_turn"]


def test_a_client_that_opens_the_session_again_is_told_its_state(running: V2Session) -> None:
    assert running.snapshot() == [StateChanged(WorkState.RUNNING)]
    handle(running, result(1))
    assert running.snapshot() == [StateChanged(WorkState.IDLE)]


# Questions.


def test_a_question_makes_the_turn_wait_for_the_client(running: V2Session) -> None:
    effects = handle(running, asks("q1", "t1"))
    assert names(effects)[-2:] == ["StateChanged", "AskPermission"]
    assert told(effects) == ["requires_action"]
    assert of(effects, AskPermission)[0].question.call_id == "t1"


def test_after_the_answer_it_runs_again(running: V2Session) -> None:
    handle(running, asks("q1"))
    effects = handle(running, answer("q1"))
    assert names(effects) == ["AnswerControl", "StateChanged"]
    assert told(effects) == ["running"]


def test_it_waits_until_the_last_of_several_is_answered(running: V2Session) -> None:
    assert told(handle(running, asks("q1", "t1"), asks("q2", "t2"))) == ["requires_action"]
    assert told(handle(running, answer("q1"))) == []
    assert told(handle(running, answer("q2"))) == ["running"]


def test_an_answer_that_comes_late_says_nothing(running: V2Session) -> None:
    handle(running, asks("q1"), answer("q1"))
    assert handle(running, answer("q1")) == []


def test_a_withdrawn_question_is_withdrawn_from_the_client(running: V2Session) -> None:
    handle(running, asks("q1"))
    assert WithdrawQuestion("q1") in handle(running, withdraws("q1"))
    assert handle(running, answer("q1"), withdraws("q1")) == []
    assert told(handle(running, result(1))) == ["idle: end_turn"]


def test_a_turn_whose_question_is_withdrawn_without_a_cancel_runs_on(running: V2Session) -> None:
    handle(running, asks("q1"))
    assert told(handle(running, withdraws("q1"))) == ["running"]


def test_a_turn_that_begins_while_a_question_is_open_waits_for_the_client(new_core: NewCore) -> None:
    core = new_core()
    handle(core, asks("q1", agent_id="a1"), prompt(1))
    assert told(handle(core, started(1)))[-1] == "requires_action"


def test_a_question_while_nothing_runs_is_asked_and_tells_no_state(new_core: NewCore) -> None:
    core = new_core()
    effects = handle(core, asks("q1", agent_id="a1"))
    assert told(effects) == []
    assert len(of(effects, AskPermission)) == 1
    assert told(handle(core, answer("q1"))) == []


def test_requests_that_are_answered_at_once_tell_no_state(running: V2Session) -> None:
    hook = {"type": "control_request", "request_id": "h", "request": {"subtype": "hook_callback"}}
    assert names(handle(running, hook)) == ["AnswerControl"]


# Titles, modes, configuration.


def test_an_opened_session_tells_its_commands(new_core: NewCore) -> None:
    assert names(handle(new_core(), SessionOpened())) == ["CommandsChanged", "SendControl"]


def test_a_title_is_told(new_core: NewCore) -> None:
    core = new_core()
    (request,) = of(handle(core, prompt(1, "Explain this project to me")), SendControl)
    assert request.key == "title"
    assert handle(core, ControlAnswered("title", {"title": "The project"})) == [TitleChanged("The project")]


@pytest.mark.parametrize(("option", "value"), [("model", "haiku"), ("mode", "plan")])
def test_a_change_is_told_as_an_update_and_in_the_answer(new_core: NewCore, option: str, value: str) -> None:
    core = new_core()
    handle(core, configure(1, option, value))
    if option == "model":
        handle(core, ControlAnswered("config 1", {}))
    effects = handle(core, ControlAnswered("config 1", {}))
    assert names(effects) == ["ConfigChanged", "RespondConfig", *(["SendControl"] if option == "model" else [])]
    assert effects[0].options == effects[1].options
    assert {changed.id: changed.current for changed in effects[0].options}[option] == value


def test_a_mode_that_claude_code_changes_is_an_option(new_core: NewCore) -> None:
    effects = handle(new_core(), system("status", status=None, permissionMode="plan"))
    assert names(effects) == ["ConfigChanged"]


def test_text_is_told_as_it_streams(running: V2Session) -> None:
    assert [chunk.text for chunk in of(handle(running, delta("lo")), TextChunk)] == ["lo"]
