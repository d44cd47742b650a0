"""What a session shows of the frames that Claude Code sends beside the conversation."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.tools.facts import Text, ToolReport
from adapter.shared.updates import (
    ConfigChanged,
    ConfigOption,
    MemoryRecalled,
    Notice,
    PlanApproved,
    PlanChanged,
    PromptSuggested,
    Speaker,
    TextChunk,
    UsageChanged,
)
from support.machine import (
    assistant,
    calls,
    dies,
    handle,
    message_start,
    native_core,
    of,
    prompt,
    result,
    returns_data,
    started,
    system,
    v1_core,
)

LOST = (
    "Claude Code could not save lines of this session's transcript and changes to Claude Code's own settings "
    "(ENOSPC: the disk or its quota is full). A later load of the session may miss a part of it."
)
BASH = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "make"}}


def retry(attempt: int, error: str = "overloaded", status: int | None = 529) -> Any:
    return system("api_retry", attempt=attempt, max_retries=10, retry_delay_ms=5, error=error, error_status=status)


def notices(*frames: Any) -> list[str]:
    return [notice.text for notice in of(handle(v1_core(), *frames), Notice)]


def test_a_sign_in_that_is_refused_is_told_at_once() -> None:
    (text,) = notices(retry(1, "authentication_failed", 401), retry(2, "authentication_failed", 401))
    assert text == (
        "The API refuses the sign-in (401). Check the key, or sign in again. Claude Code tries again, attempt 1 of 10."
    )


def test_retries_are_told_when_they_begin_to_last() -> None:
    assert notices(retry(1), retry(2)) == []
    assert notices(retry(1), retry(2), retry(3), retry(4)) == [
        "The API answers 529 (overloaded). Claude Code tries again, attempt 3 of 10."
    ]


def test_an_api_that_cannot_be_reached_may_be_behind_a_proxy() -> None:
    (text,) = notices(retry(3, "unknown", None))
    assert text.startswith("The API cannot be reached. Check the network, the proxy and the base URL.")


@pytest.mark.parametrize("end", [result(1), dies()])
def test_each_turn_tells_of_its_own_retries(end: Any) -> None:
    assert len(notices(prompt(1), started(1), retry(3), end, prompt(2), started(2), retry(3))) == 2


def test_a_model_that_declined_was_replaced() -> None:
    frame = system("model_refusal_fallback", original_model="opus", fallback_model="sonnet")
    (notice,) = of(handle(v1_core(), frame), Notice)
    text = "opus declined this request; retried with sonnet. The session will continue on sonnet."
    assert notice == Notice("warning", text, heading="Model fallback")
    assert notices({**frame, "scope": "local"}) == ["opus declined this request; retried with sonnet."]


def model_of(options: tuple[ConfigOption, ...]) -> str:
    return next(option.current for option in options if option.id == "model")


@pytest.mark.parametrize(("model", "value"), [("claude-haiku-5-5", "haiku"), ("claude-other-1", "claude-other-1")])
def test_the_model_option_follows_and_a_restart_goes_on_with_that_model(model: str, value: str) -> None:
    core = v1_core()
    frame = system("model_refusal_fallback", original_model="opus", fallback_model=model)
    (changed,) = of(handle(core, frame), ConfigChanged)
    assert model_of(changed.options) == value
    assert of(handle(core, frame), ConfigChanged) == []
    assert {"subtype": "set_model", "model": value} in core.config.restoring("default")


def test_a_side_question_that_was_declined_changes_no_model() -> None:
    frame = system("model_refusal_fallback", original_model="opus", fallback_model="claude-haiku-5-5", scope="local")
    assert of(handle(v1_core(), frame), ConfigChanged) == []


def test_memories() -> None:
    selected = system("memory_recall", uuid="m1", mode="select", memories=[{"path": "/a.md"}, {"path": "/b.md"}])
    assert handle(v1_core(), selected) == [MemoryRecalled("m1", "select", ("/a.md", "/b.md"))]
    made = system("memory_recall", uuid="m2", mode="synthesize", memories=[{"path": "<x>", "content": "Tea."}])
    assert handle(v1_core(), made) == [MemoryRecalled("m2", "synthesize", text="Tea.")]


def test_the_output_of_a_local_command_is_a_message() -> None:
    frame = system("local_command_output", uuid="o1", content="Here.")
    assert handle(v1_core(), frame) == [TextChunk(Speaker.AGENT, "o1", "Here.")]


@pytest.mark.parametrize(
    ("frame", "told"),
    [
        (
            system("hook_response", hook_name="SessionStart:startup", outcome="error", exit_code=3, stderr="no such\n"),
            ["The hook SessionStart:startup failed with exit code 3: no such"],
        ),
        (
            system("hook_response", hook_name="Stop", outcome="error", exit_code=1),
            ["The hook Stop failed with exit code 1."],
        ),
        (system("hook_response", hook_name="Stop", outcome="success", output="fine"), []),
        (system("notification", key="k", text="Mind the hook", priority="high"), ["Mind the hook"]),
        (system("notification", key="k", text="Tip of the day", priority="low"), []),
        (
            system("plugin_install", status="failed", name="lint", error="404"),
            ["The plugin lint is not installed: 404"],
        ),
        (system("plugin_install", status="started"), []),
        (
            system("session_writes_lost", error_code="ENOSPC", lost=["transcript", "global_config"]),
            [LOST],
        ),
    ],
)
def test_what_a_person_should_know_is_a_notice(frame: Any, told: list[str]) -> None:
    assert notices(frame) == told


def test_suggestions_are_passed_on() -> None:
    assert handle(v1_core(), {"type": "prompt_suggestion", "suggestion": "run the tests"}) == [
        PromptSuggested("run the tests")
    ]
    assert handle(v1_core(), {"type": "prompt_suggestion", "suggestion": ""}) == []


def call_updates(*frames: Any) -> list[ToolReport]:
    core = v1_core()
    handle(core, prompt(1), started(1), message_start(), assistant(BASH))
    return of(handle(core, *frames), ToolReport)


def test_a_call_that_was_denied_says_why_and_is_ended_by_its_result() -> None:
    denied = system(
        "permission_denied",
        tool_name="Bash",
        tool_use_id="t1",
        decision_reason_type="rule",
        decision_reason="deny rule",
        message="Permission to use Bash denied",
    )
    (update,) = call_updates(denied)
    assert update.fields == {"content": (Text("Permission denied: deny rule"),)}
    message = "Permission to use Bash denied"
    assert update.response == {"decisionReasonType": "rule", "decisionReason": "deny rule", "message": message}
    (bare,) = call_updates(system("permission_denied", tool_use_id="t1", message=message))
    assert bare.fields == {"content": (Text(f"Permission denied: {message}"),)}
    assert call_updates(system("permission_denied", tool_use_id="other", message=message)) == []


def test_a_conversation_that_was_dropped_takes_plan_and_usage_with_it() -> None:
    core = v1_core()
    handle(core, prompt(1), started(1), message_start())
    effects = handle(core, {"type": "conversation_reset", "new_conversation_id": "x", "trigger": "clear"})
    assert [usage.used for usage in of(effects, UsageChanged)] == [0]
    assert of(effects, PlanChanged) == [PlanChanged(())]


@pytest.mark.parametrize(
    "frame",
    [
        system("api_retry", attempt="first", max_retries=10),
        system("memory_recall", mode="select", memories=None, uuid="m"),
        system("memory_recall", mode="select", memories=[{"path": 3}], uuid="m"),
        system("local_command_output", content="x"),
        system("session_writes_lost"),
    ],
)
def test_a_frame_that_lacks_what_it_should_have_is_passed_over(frame: Any) -> None:
    assert call_updates(frame) == []
    assert notices(frame) == []


def test_an_approved_plan_is_told_behind_its_call() -> None:
    core = native_core()
    handle(core, prompt(1), started(1), calls("t1", "ExitPlanMode", {"plan": "# Plan"}))
    effects = handle(core, returns_data("t1", {"plan": "# Plan\n", "isAgent": False, "filePath": "/w/p.md"}))
    assert [type(effect) for effect in effects] == [ToolReport, PlanApproved]
    assert effects[1] == PlanApproved("# Plan")
    assert of(handle(core, returns_data("t2", {"plan": "# Plan"})), PlanApproved) == []
