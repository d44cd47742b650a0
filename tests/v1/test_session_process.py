"""A v1 session whose Claude Code dies or is configured, and the end of a session."""

from __future__ import annotations

from adapter.shared.effects import (
    EndSession,
    Fail,
    Respond,
    RespondConfig,
    RespondOutcome,
    SendControl,
    StartProcess,
    StopTimer,
    WithdrawQuestion,
)
from adapter.shared.inputs import CloseRequested, ControlAnswered, ProcessStarted, ShutDown
from adapter.shared.jsonrpc.errors import ClaudeFailure, invalid_params
from adapter.shared.turn_outcome import CANCELLED_UNMEASURED
from adapter.shared.updates import ConfigChanged, ModeChanged
from adapter.v1.session import V1Session
from support.machine import (
    CANCEL,
    DEAD,
    TOO_OLD,
    aborted,
    answer,
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
    system,
    v1_core,
    written,
)

UP = ProcessStarted("default")


def running() -> V1Session:
    core = v1_core()
    handle(core, prompt(1), started(1), message_start(), delta("Hel"))
    return core


def down() -> V1Session:
    core = v1_core()
    handle(core, dies())
    return core


# Death and restart.


def test_a_death_fails_the_running_prompt_after_its_calls() -> None:
    core = running()
    handle(core, calls("t1"), calls("t2", parent="t1"))
    effects = handle(core, dies())
    assert names(effects) == ["ToolReport", "ToolReport", "Fail"]
    assert statuses(effects) == [("t1", "failed"), ("t2", "failed")]
    assert effects[-1] == Fail(1, DEAD)
    assert answers(effects) == {1: "process_exited"}


def test_prompts_that_waited_go_to_the_next_claude_code_in_order() -> None:
    core = running()
    handle(core, prompt(2), prompt(3))
    effects = handle(core, dies())
    assert answers(effects) == {1: "process_exited"}
    assert of(effects, StartProcess) == [StartProcess()]
    assert written(handle(core, ProcessStarted("default"))) == ["p2", "p3"]


def test_a_prompt_that_no_claude_code_outlives_fails_the_second_time() -> None:
    core = v1_core()
    assert answers(handle(core, prompt(1), dies())) == {}
    assert written(handle(core, ProcessStarted("default"))) == ["p1"]
    assert answers(handle(core, dies())) == {1: "process_exited"}


def test_a_death_withdraws_the_open_questions() -> None:
    core = running()
    handle(core, asks("q1", "t1"))
    effects = handle(core, dies())
    assert effects[0] == WithdrawQuestion("q1")
    assert statuses(effects) == [("t1", "failed")]
    assert handle(core, answer("q1")) == []


def test_a_death_after_a_cancel_answers_as_cancelled() -> None:
    core = running()
    handle(core, CANCEL)
    effects = handle(core, dies())
    assert of(effects, RespondOutcome) == [RespondOutcome(1, CANCELLED_UNMEASURED)]
    assert of(effects, StopTimer) == [StopTimer("cancel")]


def test_a_prompt_behind_an_interrupt_outlives_the_death() -> None:
    core = running()
    handle(core, CANCEL, prompt(2))
    effects = handle(core, dies())
    assert answers(effects) == {1: "cancelled"}
    assert effects[-1] == StartProcess()
    assert written(handle(core, UP)) == ["p2"]


def test_a_death_while_idle_says_nothing_and_starts_nothing() -> None:
    assert handle(v1_core(), dies()) == []


def test_the_next_prompt_starts_claude_code_again_and_is_answered() -> None:
    core = down()
    assert handle(core, prompt(2)) == [StartProcess()]
    assert written(handle(core, UP)) == ["p2"]
    assert answers(handle(core, started(2), result(2))) == {2: "end_turn"}


def test_prompts_that_come_while_it_starts_wait_too() -> None:
    core = down()
    assert handle(core, prompt(2), prompt(3)) == [StartProcess()]
    assert written(handle(core, UP)) == ["p2", "p3"]


def test_a_failed_start_fails_the_prompts_that_wait() -> None:
    core = down()
    handle(core, prompt(2), prompt(3))
    assert answers(handle(core, dies(TOO_OLD))) == {2: "cli_too_old", 3: "cli_too_old"}


def test_after_a_failed_start_the_next_prompt_tries_again() -> None:
    core = down()
    handle(core, prompt(2), dies(TOO_OLD))
    assert handle(core, prompt(3)) == [StartProcess()]
    assert answers(handle(core, UP, started(3), result(3))) == {3: "end_turn"}


def test_a_process_can_die_again() -> None:
    core = down()
    handle(core, prompt(2), UP, started(2))
    assert answers(handle(core, dies())) == {2: "process_exited"}


def test_a_restart_restores_what_the_client_had_set() -> None:
    core = v1_core()
    handle(core, configure(1, "model", "haiku"), ControlAnswered("config 1", {}), ControlAnswered("config 1", {}))
    handle(core, configure(2, "mode", "plan"), ControlAnswered("config 2", {}))
    handle(core, dies(), prompt(3))
    effects = handle(core, UP)
    assert effects[:2] == [
        SendControl("restore", {"subtype": "set_permission_mode", "mode": "plan"}),
        SendControl("restore", {"subtype": "set_model", "model": "haiku"}),
    ]
    assert written(effects) == ["p3"]
    assert handle(core, ControlAnswered("restore", {})) == []


def test_a_restart_in_the_right_mode_restores_nothing() -> None:
    core = v1_core(mode="plan")
    handle(core, dies(), prompt(1))
    assert of(handle(core, ProcessStarted("plan")), SendControl) == []


def test_a_cancel_while_claude_code_is_down_does_nothing() -> None:
    assert handle(down(), CANCEL) == []


def test_the_cancel_that_nothing_needed_is_forgotten_with_the_process() -> None:
    core = v1_core()
    handle(core, CANCEL, dies())
    assert handle(core, prompt(1)) == [StartProcess()]
    assert written(handle(core, UP)) == ["p1"]


# Configuration.


def test_a_change_goes_to_claude_code_and_is_answered_with_all_options() -> None:
    core = v1_core()
    request = {"subtype": "set_model", "model": "haiku"}
    assert handle(core, configure(1, "model", "haiku")) == [SendControl("config 1", request)]
    assert handle(core, ControlAnswered("config 1", {})) == [SendControl("config 1", {"subtype": "get_settings"})]
    response, window = handle(core, ControlAnswered("config 1", {}))
    assert isinstance(response, RespondConfig)
    assert window == SendControl("context", {"subtype": "get_context_usage", "detail": "summary"})
    assert {option.id: option.current for option in response.options}["model"] == "haiku"


def test_a_mode_that_is_set_as_an_option_is_told_as_the_mode_too() -> None:
    core = v1_core()
    handle(core, configure(1, "mode", "plan"))
    effects = handle(core, ControlAnswered("config 1", {}))
    assert names(effects) == ["ModeChanged", "RespondConfig"]
    assert effects[0] == ModeChanged("plan")


def test_a_mode_that_is_set_as_a_mode_is_told_as_an_option_too() -> None:
    core = v1_core()
    handle(core, configure(1, "mode", "plan", as_mode=True))
    effects = handle(core, ControlAnswered("config 1", {}))
    assert names(effects) == ["ConfigChanged", "Respond"]
    assert effects[1] == Respond(1, {})


def test_an_unknown_option_is_the_client_s_mistake() -> None:
    message = "Unknown config option: colour"
    assert handle(v1_core(), configure(1, "colour", "red")) == [Fail(1, invalid_params(message))]


def test_an_unknown_value_is_the_client_s_mistake() -> None:
    effects = handle(v1_core(), configure(1, "model", "gpt"))
    message = "Invalid value for config option model: gpt"
    assert effects == [Fail(1, invalid_params(message))]


def test_an_unknown_mode_is_the_client_s_mistake() -> None:
    effects = handle(v1_core(), configure(1, "mode", "nope", as_mode=True))
    assert effects == [Fail(1, invalid_params("Invalid Mode: nope"))]


def test_a_change_that_claude_code_refuses_fails_and_changes_nothing() -> None:
    core = v1_core()
    handle(core, configure(1, "model", "haiku"))
    assert handle(core, ControlAnswered("config 1", {}, "no such model")) == [
        Fail(1, ClaudeFailure("control_failed", "no such model"))
    ]
    assert core.config.restoring("default") == []


def test_changes_are_answered_each_by_its_own_answer() -> None:
    core = v1_core()
    handle(core, configure(1, "model", "haiku"), configure(2, "mode", "plan"))
    assert answers(handle(core, ControlAnswered("config 2", {}))) == {2: "options"}
    assert answers(handle(core, ControlAnswered("config 1", {}), ControlAnswered("config 1", {}))) == {1: "options"}
    assert handle(core, ControlAnswered("config 1", {})) == []


def test_a_change_while_claude_code_is_down_starts_it_and_waits() -> None:
    core = down()
    assert handle(core, configure(1, "model", "haiku")) == [StartProcess()]
    (request,) = handle(core, UP)
    assert request.request == {"subtype": "set_model", "model": "haiku"}
    taken = ControlAnswered(request.key, {})
    assert answers(handle(core, taken, taken)) == {1: "options"}


def test_a_change_that_claude_code_accepts_and_does_not_follow_fails() -> None:
    core = v1_core()
    handle(core, configure(1, "effort", "high"), ControlAnswered("config 1", {}))
    (failure,) = handle(core, ControlAnswered("config 1", {"applied": {"effort": "low"}}))
    assert failure.request == 1
    assert "goes on with the effort low" in failure.error.message
    assert {option.id: option.current for option in core.config.options()}["effort"] == "default"


def test_what_runs_after_two_changes_says_nothing_of_the_first() -> None:
    core = v1_core()
    handle(core, configure(1, "effort", "high"), configure(2, "effort", "low"))
    handle(core, ControlAnswered("config 1", {}), ControlAnswered("config 2", {}))
    runs = {"applied": {"effort": "low"}}
    assert answers(handle(core, ControlAnswered("config 1", runs))) == {1: "options"}
    assert answers(handle(core, ControlAnswered("config 2", runs))) == {2: "options"}
    assert {option.id: option.current for option in core.config.options()}["effort"] == "low"


def test_a_change_that_waits_fails_with_the_start() -> None:
    core = down()
    handle(core, configure(1, "model", "haiku"))
    assert answers(handle(core, dies(TOO_OLD))) == {1: "cli_too_old"}


def test_a_change_that_claude_code_had_fails_with_its_death() -> None:
    core = v1_core()
    handle(core, configure(1, "model", "haiku"))
    assert answers(handle(core, dies())) == {1: "process_exited"}
    assert handle(core, ControlAnswered("config 1", {})) == []


def test_a_mode_that_claude_code_changes_is_told_in_both_forms() -> None:
    core = v1_core()
    effects = handle(core, system("status", status=None, permissionMode="plan"))
    assert names(effects) == ["ModeChanged", "ConfigChanged"]
    assert of(effects, ConfigChanged)[0].options[0].current == "plan"
    assert handle(core, system("status", status=None, permissionMode="plan")) == []


def test_the_mode_that_the_client_has_asked_for_is_told_once() -> None:
    core = v1_core()
    handle(core, configure(1, "mode", "plan"))
    assert handle(core, system("status", status=None, permissionMode="plan")) == []
    assert names(handle(core, ControlAnswered("config 1", {}))) == ["ModeChanged", "RespondConfig"]


# The end of a session.


def test_closing_an_idle_session_ends_it() -> None:
    assert handle(v1_core(), CloseRequested(9)) == [EndSession(9)]


def test_closing_ends_everything_as_cancelled_first() -> None:
    core = running()
    handle(core, asks("q1", "t1"), prompt(2), CANCEL, prompt(3))
    effects = handle(core, CloseRequested(9))
    assert effects[0] == WithdrawQuestion("q1")
    assert statuses(effects) == [("t1", "cancelled")]
    assert answers(effects) == {1: "cancelled", 2: "cancelled", 3: "cancelled"}
    assert of(effects, StopTimer) == [StopTimer("cancel")]
    assert effects[-1] == EndSession(9)
    assert names(effects).index("ToolReport") < names(effects).index("RespondOutcome")


def test_closing_while_claude_code_is_down_ends_the_session() -> None:
    core = down()
    handle(core, prompt(1))
    effects = handle(core, CloseRequested(9))
    assert answers(effects) == {1: "cancelled"}
    assert effects[-1] == EndSession(9)


def test_closing_answers_an_open_change_of_configuration() -> None:
    core = v1_core()
    handle(core, configure(1, "model", "haiku"))
    assert answers(handle(core, CloseRequested(9))) == {1: "-32800"}


def test_closing_answers_a_change_that_waits_for_claude_code() -> None:
    core = down()
    handle(core, configure(1, "model", "haiku"))
    assert answers(handle(core, CloseRequested(9))) == {1: "-32800"}


def test_the_end_of_the_adapter_ends_everything_in_the_same_way() -> None:
    core = running()
    handle(core, calls("t1"), configure(2, "model", "haiku"))
    effects = handle(core, ShutDown())
    assert statuses(effects) == [("t1", "cancelled")]
    assert answers(effects) == {1: "cancelled", 2: "-32800"}
    assert of(effects, EndSession) == []


def test_late_frames_of_a_closed_session_do_no_harm() -> None:
    core = running()
    handle(core, CloseRequested(9))
    assert answers(handle(core, interrupt_answered(), aborted(1), idle(), dies())) == {}
