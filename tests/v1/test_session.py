"""A v1 session's prompts: when one goes to Claude Code, and what answers it."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.effects import (
    AnswerControl,
    AskPermission,
    Fail,
    RespondOutcome,
    SendControl,
    SendPrompt,
    WithdrawQuestion,
)
from adapter.shared.inputs import ControlAnswered, SessionOpened
from adapter.shared.jsonrpc.errors import ClaudeFailure, not_taken
from adapter.shared.outcome import TokenCount
from adapter.shared.turn_outcome import UNMEASURED
from adapter.shared.updates import CommandsChanged, Notice, Speaker, TextChunk, TitleChanged, UsageChanged
from support.machine import (
    answer,
    answers,
    asked,
    asks,
    calls,
    completed,
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
    v1_core,
    withdraws,
    written,
)


def test_an_opened_session_tells_its_commands_and_asks_how_large_the_window_is() -> None:
    effects = handle(v1_core(), SessionOpened())
    assert names(effects) == ["CommandsChanged", "SendControl"]
    assert [command.name for command in of(effects, CommandsChanged)[0].commands] == ["compact"]
    assert effects[1] == SendControl("context", {"subtype": "get_context_usage", "detail": "summary"})


def test_what_the_start_has_to_say_is_told_when_the_session_is_open() -> None:
    effects = handle(v1_core(), SessionOpened(("It asks for permissions.",)))
    assert of(effects, Notice) == [Notice("warning", "It asks for permissions.")]


def test_the_size_of_the_window_is_told_with_the_usage() -> None:
    effects = handle(v1_core(), ControlAnswered("context", {"rawMaxTokens": 1_000_000}), prompt(1), message_start())
    assert of(effects, UsageChanged)[0].size == 1_000_000


def test_a_prompt_is_held_until_the_result_of_its_turn() -> None:
    core = v1_core()
    sent = handle(core, prompt(1))
    assert sent == [SendPrompt("p1", prompt(1).content)]
    assert answers(handle(core, started(1), echo(1), message_start(), delta("Hi"), says("Hi"))) == {}
    assert answers(handle(core, result(1))) == {1: "end_turn"}


def test_text_streams_while_the_prompt_is_held() -> None:
    core = v1_core()
    effects = handle(core, prompt(1), started(1), message_start("m7"), delta("Hel"), delta("lo"))
    assert of(effects, TextChunk) == [TextChunk(Speaker.AGENT, "m7", "Hel"), TextChunk(Speaker.AGENT, "m7", "lo")]


def test_the_answer_carries_what_the_turn_used() -> None:
    (response,) = of(handle(v1_core(), prompt(1), started(1), result(1)), RespondOutcome)
    assert response.outcome.usage == TokenCount(100, 20)
    assert response.outcome.by_model == (("claude-opus-5-5", TokenCount(100, 20)),)
    assert response.outcome.measured


def test_usage_and_open_calls_are_told_before_the_answer() -> None:
    core = v1_core()
    handle(core, prompt(1), started(1), message_start(), calls("t1"))
    effects = handle(core, result(1))
    assert names(effects) == ["ToolReport", "UsageChanged", "RespondOutcome"]
    assert statuses(effects) == [("t1", "cancelled")]


def test_a_call_of_a_subagent_outlives_the_turn() -> None:
    core = v1_core()
    handle(core, prompt(1), started(1), calls("t1", parent="agent"))
    assert statuses(handle(core, result(1))) == []
    assert statuses(handle(core, returns("t1"))) == [("t1", "completed")]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"stop_reason": "max_tokens"}, "max_tokens"),
        ({"subtype": "error_max_turns", "is_error": True}, "max_turn_requests"),
        ({"is_error": True, "stop_reason": "refusal", "terminal_reason": "api_error"}, "refusal"),
        ({"is_error": True, "terminal_reason": "aborted_tools", "stop_reason": "tool_use"}, "cancelled"),
        ({"terminal_reason": "aborted_streaming", "stop_reason": None}, "end_turn"),
    ],
    ids=["tokens", "round trips", "refusal", "aborted", "steered away"],
)
def test_the_result_says_why_the_turn_ended(fields: dict[str, Any], expected: str) -> None:
    assert answers(handle(v1_core(), prompt(1), started(1), result(1, **fields))) == {1: expected}


def test_a_failed_turn_fails_its_prompt_with_the_kind_that_its_message_named() -> None:
    core = v1_core()
    handle(core, prompt(1), started(1), says("Credit balance is too low", error="billing_error"))
    effects = handle(core, result(1, is_error=True, terminal_reason="api_error", result="Credit balance is too low"))
    assert of(effects, Fail) == [Fail(1, ClaudeFailure("billing_error", "Credit balance is too low"))]
    assert answers(handle(core, prompt(2), started(2), result(2))) == {2: "end_turn"}


def test_a_result_without_idle_is_enough() -> None:
    core = v1_core()
    handle(core, prompt(1), started(1), result(1), completed(1))
    effects = handle(core, prompt(2), started(2), result(2))
    assert written(effects) == ["p2"]
    assert answers(effects) == {2: "end_turn"}


def test_idle_without_a_result_ends_the_prompt() -> None:
    effects = handle(v1_core(), prompt(1), started(1), idle())
    assert of(effects, RespondOutcome) == [RespondOutcome(1, UNMEASURED)]


def test_idle_without_a_result_closes_the_calls_before_the_answer() -> None:
    core = v1_core()
    handle(core, prompt(1), started(1), calls("t1"))
    effects = handle(core, idle())
    assert names(effects) == ["ToolReport", "RespondOutcome"]
    assert statuses(effects) == [("t1", "cancelled")]


def test_the_idle_of_the_turn_before_leaves_the_next_prompt_open() -> None:
    core = v1_core()
    handle(core, prompt(1), started(1), result(1), prompt(2))
    assert answers(handle(core, idle())) == {}
    assert answers(handle(core, started(2), result(2))) == {2: "end_turn"}


def test_idle_after_a_result_answers_nothing_again() -> None:
    core = v1_core()
    handle(core, prompt(1), started(1), result(1))
    assert handle(core, completed(1), idle(), idle()) == []


def test_a_late_echo_changes_nothing() -> None:
    core = v1_core()
    handle(core, prompt(1), started(1), result(1))
    assert handle(core, echo(1)) == []


def test_a_duplicate_result_answers_nothing() -> None:
    core = v1_core()
    handle(core, prompt(1), started(1), result(1), prompt(2), started(2))
    assert answers(handle(core, result(1))) == {}
    assert answers(handle(core, result(2))) == {2: "end_turn"}


def test_a_result_can_come_before_the_start() -> None:
    core = v1_core()
    handle(core, prompt(1), lifecycle(1, "queued"))
    assert answers(handle(core, result(1))) == {1: "end_turn"}


def test_the_result_of_a_turn_that_claude_code_began_answers_no_prompt() -> None:
    core = v1_core()
    handle(core, prompt(1), lifecycle(1, "queued"))
    assert answers(handle(core, message_start(), delta("It is done."), notification_result())) == {}
    assert answers(handle(core, started(1), result(1))) == {1: "end_turn"}


def test_a_placeholder_result_answers_no_prompt() -> None:
    core = v1_core()
    handle(core, prompt(1), started(1))
    assert answers(handle(core, notification_result(num_turns=0))) == {}
    assert answers(handle(core, result(1))) == {1: "end_turn"}


def test_a_placeholder_result_leaves_the_calls_of_the_running_turn_open() -> None:
    core = v1_core()
    handle(core, prompt(1), started(1), calls("t1"))
    assert statuses(handle(core, notification_result(num_turns=0))) == []
    assert statuses(handle(core, returns("t1"))) == [("t1", "completed")]


def test_a_prompt_that_claude_code_cancelled_is_answered_as_cancelled() -> None:
    core = v1_core()
    handle(core, prompt(1), started(1), prompt(2))
    assert answers(handle(core, dropped(2))) == {2: "cancelled"}
    assert answers(handle(core, result(1), completed(1))) == {1: "end_turn"}


def test_prompts_behind_a_running_turn_are_written_at_once() -> None:
    core = v1_core()
    assert written(handle(core, prompt(1), started(1), prompt(2), prompt(3))) == ["p1", "p2", "p3"]


def test_a_batch_is_answered_in_order_the_last_by_the_result() -> None:
    core = v1_core()
    handle(core, prompt(1), started(1), prompt(2), prompt(3), result(1))
    assert answers(handle(core, started(2), started(3))) == {2: "end_turn"}
    assert answers(handle(core, result(2, 3, stop_reason="max_tokens"))) == {3: "max_tokens"}


def test_a_folded_prompt_ends_the_prompt_that_ran_and_gets_its_result() -> None:
    core = v1_core()
    handle(core, prompt(1), started(1), calls("t1"), prompt(2), returns("t1"), echo(2))
    (response,) = of(handle(core, started(2)), RespondOutcome)
    assert response == RespondOutcome(1, UNMEASURED)
    effects = handle(core, message_start(), delta("Both."), completed(2), result(1, 2), completed(1))
    assert answers(effects) == {2: "end_turn"}


def test_a_question_goes_to_the_client_with_the_call_opened_before() -> None:
    core = v1_core()
    effects = handle(core, prompt(1), started(1), asks("q1", "t1"))
    assert names(effects)[1:] == ["ToolReport", "ToolReport", "AskPermission"]
    assert asked(effects) == ["q1"]
    assert of(effects, AskPermission)[0].question.call_id == "t1"


def test_the_answer_to_a_question_goes_to_claude_code_once() -> None:
    core = v1_core()
    handle(core, prompt(1), started(1), asks("q1"))
    (response,) = of(handle(core, answer("q1")), AnswerControl)
    assert (response.request_id, response.response["behavior"]) == ("q1", "allow")
    assert handle(core, answer("q1")) == []


def test_what_is_asked_in_spite_of_bypassed_permissions_is_asked() -> None:
    effects = handle(v1_core(mode="bypassPermissions"), prompt(1), started(1), asks("q1"))
    assert len(of(effects, AskPermission)) == 1


def test_a_withdrawn_question_is_withdrawn_from_the_client() -> None:
    core = v1_core()
    handle(core, prompt(1), started(1), asks("q1"))
    assert handle(core, withdraws("q1")) == [WithdrawQuestion("q1")]
    assert handle(core, answer("q1"), withdraws("q1")) == []


def test_a_long_prompt_asks_for_a_title_and_its_answer_is_told() -> None:
    core = v1_core()
    effects = handle(core, prompt(1, "Explain this project to me"))
    (request,) = of(effects, SendControl)
    assert (request.key, request.request["subtype"]) == ("title", "generate_session_title")
    assert handle(core, ControlAnswered("title", {"title": "The project"})) == [TitleChanged("The project")]


def test_a_rename_is_told_once() -> None:
    core = v1_core()
    renamed = system("session_title_changed", title="Mine")
    assert handle(core, renamed, renamed) == [TitleChanged("Mine")]


def test_a_notice_of_claude_code_is_told() -> None:
    effects = handle(v1_core(), system("informational", level="warning", content="Auto mode is not available"))
    assert effects == [Notice("warning", "Auto mode is not available")]


def test_an_unknown_frame_changes_nothing() -> None:
    core = v1_core()
    handle(core, prompt(1), started(1))
    assert handle(core, {"type": "never_seen"}, system("never_seen"), {"type": "stream_event"}) == []
    assert answers(handle(core, result(1))) == {1: "end_turn"}


@pytest.mark.parametrize("state", ["discarded", "refused"])
def test_a_prompt_that_claude_code_does_not_take_fails(state: str) -> None:
    core = v1_core()
    handle(core, prompt(1))
    assert handle(core, lifecycle(1, state)) == [Fail(1, not_taken(state))]
