"""Subagents as sessions of their own, by the subagents RFD and by AIR's draft, on a whole session."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.client_capabilities import SubagentForm
from adapter.shared.effects import AnswerControl, AskPermission, SendControl, WithdrawQuestion
from adapter.shared.inputs import CancelReceived, ChildCancelled, ClientAnswered, CloseRequested
from adapter.shared.tools.facts import ToolReport
from adapter.shared.tools.tracker import NO_RESULT
from adapter.shared.updates import ToSession
from support.machine import (
    answer,
    asks,
    assistant,
    calls,
    dies,
    handle,
    notification_result,
    of,
    prompt,
    result,
    returns,
    returns_data,
    started,
    system,
    task_ended,
    task_started,
    v1_core,
    v1_encoder,
    withdraws,
)
from support.performed import wire

Json = dict[str, Any]

LAUNCH = {"description": "Look", "prompt": "look around", "subagent_type": "general-purpose"}
REPORT = {"status": "completed", "content": [{"type": "text", "text": "Found it."}, {"type": "image"}]}


def core(form: SubagentForm = SubagentForm.SESSIONS, *, elicits: tuple[str, ...] = ()) -> Any:
    """A session with a prompt whose turn runs."""
    session = v1_core(subagents=form, elicits=elicits)
    handle(session, prompt(1), started(1))
    return session


def sent(effects: Any, encoder: Any = None) -> list[tuple[str, Json]]:
    """The updates as they go out, each with its session."""
    parts = [part for effect in effects for part in wire(effect, encoder or v1_encoder())]
    return [(part.get("session", "session"), part["update"]) for part in parts if "update" in part]


def kinds(effects: Any, encoder: Any = None) -> list[tuple[str, str]]:
    """The types of the updates that go out, each with its session."""
    return [(session, update["sessionUpdate"]) for session, update in sent(effects, encoder)]


def launched(session: Any) -> Any:
    """The effects of the launch of a subagent in the foreground."""
    return handle(session, calls("agent", "Agent", LAUNCH), task_started(background=False))


def hook(event: str, **fields: Any) -> Json:
    """A hook of Claude Code's about the subagent."""
    told = {"hook_event_name": event, "agent_id": "a1", "agent_type": "Explore", **fields}
    request = {"subtype": "hook_callback", "input": told}
    return {"type": "control_request", "request_id": "h", "request": request}


def configured(effects: Any) -> list[dict[str, str]]:
    """The configurations that go out, each as the value of each option."""
    updates = [update for _, update in sent(effects) if update["sessionUpdate"] == "config_option_update"]
    return [{option["id"]: option["currentValue"] for option in update["configOptions"]} for update in updates]


def states(effects: Any) -> list[Json]:
    """The states of subagents that go out."""
    return [update["state"] for _, update in sent(effects) if update["sessionUpdate"] == "subagent_update"]


def test_a_subagent_is_announced_with_its_task_in_both_transcripts() -> None:
    message = {
        "sessionUpdate": "session_message",
        "messageId": "agent",
        "senderSessionId": "session",
        "recipientSessionId": "a1",
        "content": [{"type": "text", "text": "look around"}],
    }
    assert sent(launched(core())) == [
        (
            "session",
            {
                "sessionUpdate": "subagent_update",
                "sessionId": "a1",
                "title": "Look",
                "description": "general-purpose",
                "capabilities": {"cancel": {}},
                "state": {"state": "running"},
            },
        ),
        ("session", {**message, "recipientMessageId": "agent"}),
        ("a1", {**message, "senderMessageId": "agent"}),
    ]


def test_what_a_subagent_does_goes_to_its_session() -> None:
    session = core()
    launched(session)
    spoken = assistant({"type": "text", "text": "Hm."}, message_id="m2", parent="agent")
    effects = handle(session, calls("t1", parent="agent"), spoken, returns("t1"))
    assert {place for place, _ in kinds(effects)} == {"a1"}
    chunk = next(update for _, update in sent(effects) if update["sessionUpdate"] == "agent_message_chunk")
    assert (chunk["content"]["text"], chunk["_meta"]) == ("Hm.", {"claudeCode": {"parentToolUseId": "agent"}})


def test_the_call_that_launched_it_is_not_shown_and_its_report_is_a_message() -> None:
    session = core()
    launched(session)
    ended = handle(session, task_ended(), returns_data("agent", REPORT))
    assert kinds(ended) == [("session", "subagent_update"), ("session", "session_message")]
    reply = sent(ended)[1][1]
    assert (reply["messageId"], reply["senderSessionId"], reply["recipientSessionId"]) == (
        "agent:reply",
        "a1",
        "session",
    )
    assert reply["content"] == [{"type": "text", "text": "Found it."}]
    assert not {"senderMessageId", "recipientMessageId"} & reply.keys()


def test_a_launch_in_the_background_has_no_reply() -> None:
    session = core()
    handle(session, calls("agent", "Agent", LAUNCH), task_started())
    launched_ = {"isAsync": True, "status": "async_launched", "agentId": "a1"}
    assert sent(handle(session, returns_data("agent", launched_))) == []


def test_a_call_that_launches_nothing_is_shown() -> None:
    session = core()
    assert sent(handle(session, calls("agent", "Agent", LAUNCH))) == []
    effects = handle(session, returns("agent", "No such agent", kind="rule"))
    assert sent(effects)[0][1]["sessionUpdate"] == "tool_call"
    assert sent(effects)[-1][1]["status"] == "failed"


def test_a_call_that_is_asked_about_is_shown_first() -> None:
    session = core()
    effects = handle(session, calls("agent", "Agent", LAUNCH), asks("k", "agent", "Agent", LAUNCH))
    assert isinstance(effects[0], ToolReport)
    assert isinstance(effects[-1], AskPermission)
    launch = handle(session, answer("k"), task_started(background=False))
    assert ("session", "subagent_update") in kinds(launch)
    assert any(update["sessionUpdate"] == "tool_call_update" for _, update in sent(handle(session, returns("agent"))))


@pytest.mark.parametrize(
    ("status", "state"),
    [
        ("completed", {"state": "idle", "stopReason": "end_turn"}),
        ("stopped", {"state": "idle", "stopReason": "cancelled"}),
    ],
)
def test_a_subagent_ends(status: str, state: Json) -> None:
    session = core()
    launched(session)
    assert states(handle(session, task_ended(status=status))) == [state]
    assert states(handle(session, task_ended(status=status))) == []


def test_a_subagent_fails_with_what_claude_code_said() -> None:
    session = core()
    launched(session)
    (state,) = states(handle(session, {**task_ended(status="failed"), "summary": "Out of tokens"}))
    assert (state["stopReason"], state["error"]["message"]) == ("error", "Internal error: Out of tokens")


def test_a_kill_ends_a_subagent_and_then_its_calls() -> None:
    session = core()
    launched(session)
    handle(session, calls("t1", parent="agent"))
    killed = handle(session, system("task_updated", task_id="a1", patch={"status": "killed"}))
    assert kinds(killed) == [("session", "subagent_update"), ("a1", "tool_call_update")]
    call = sent(killed)[1][1]
    assert call["status"] == "failed"
    assert [item["content"]["text"] for item in call["content"]] == [NO_RESULT]
    assert states(killed) == [{"state": "idle", "stopReason": "cancelled"}]


def test_the_calls_of_a_stopped_subagent_wait_for_its_end() -> None:
    session = core()
    launched(session)
    handle(session, calls("t1", parent="agent"))
    stopped = handle(session, returns("agent", "stopped", kind="user-rejected"))
    assert "tool_call_update" not in [kind for place, kind in kinds(stopped) if place == "a1"]
    ended = handle(session, task_ended(status="stopped"))
    assert kinds(ended) == [("session", "subagent_update"), ("a1", "tool_call_update")]


def test_a_subagent_is_idle_without_a_reason_when_claude_code_dies() -> None:
    session = core()
    launched(session)
    assert states(handle(session, dies())) == [{"state": "idle"}]


def test_a_subagent_is_cancelled_with_its_session() -> None:
    session = core()
    launched(session)
    assert states(handle(session, CloseRequested(9))) == [{"state": "idle", "stopReason": "cancelled"}]


def test_a_message_sets_a_subagent_to_work_again() -> None:
    session = core()
    launched(session)
    resumed = {"success": True, "resumedAgentId": "a1"}
    handle(session, task_ended(), returns_data("agent", REPORT), calls("m1", "SendMessage", {"to": "a1"}))
    effects = handle(session, task_started(call_id="m1", prompt="more"), returns_data("m1", resumed))
    assert kinds(effects) == [("session", "subagent_update"), ("session", "session_message"), ("a1", "session_message")]
    assert sent(effects)[0][1] == {"sessionUpdate": "subagent_update", "sessionId": "a1", "state": {"state": "running"}}
    assert sent(effects)[1][1]["content"][0]["text"] == "more"
    # Its frames still name the call that launched it first.
    assert ("a1", "tool_call") in kinds(handle(session, calls("t2", parent="agent")))


def test_the_result_of_a_message_may_come_before_the_work() -> None:
    session = core()
    launched(session)
    resumed = {"success": True, "resumedAgentId": "a1"}
    handle(session, task_ended(), returns_data("agent", REPORT), calls("m1", "SendMessage", {"to": "a1"}))
    assert sent(handle(session, returns_data("m1", resumed))) == []
    assert ("session", "session_message") in kinds(handle(session, task_started(call_id="m1", prompt="more")))


def test_a_message_that_sets_nobody_to_work_is_shown() -> None:
    session = core()
    handle(session, calls("m1", "SendMessage", {"to": "nobody"}))
    effects = handle(session, returns_data("m1", {"success": False}))
    assert sent(effects)[0][1]["sessionUpdate"] == "tool_call"


def test_a_subagent_of_a_subagent_belongs_to_it() -> None:
    session = core()
    launched(session)
    handle(session, calls("inner", "Agent", LAUNCH, parent="agent"))
    effects = handle(session, task_started("a2", "inner", background=False))
    assert kinds(effects) == [("a1", "subagent_update"), ("a1", "session_message"), ("a2", "session_message")]
    assert sent(effects)[1][1]["senderSessionId"] == "a1"


def test_the_question_of_a_subagent_is_asked_on_its_session() -> None:
    session = core()
    launched(session)
    handle(session, calls("t1", parent="agent"))
    effects = handle(session, asks("k", "t1", agent_id="a1"))
    (question,) = of(effects, AskPermission)
    assert question.question.session_id == "a1"
    assert states(effects) == [{"state": "requires_action"}]
    answered = handle(session, answer("k"))
    assert isinstance(answered[0], AnswerControl)
    assert states(answered) == [{"state": "running"}]


def test_a_form_of_a_subagent_is_asked_on_its_session() -> None:
    session = core(elicits=("form",))
    launched(session)
    asked = {"questions": [{"question": "Which?", "header": "Which", "options": [{"label": "One"}, {"label": "Two"}]}]}
    handle(session, calls("t1", "AskUserQuestion", asked, parent="agent"))
    effects = handle(session, asks("k", "t1", "AskUserQuestion", asked, agent_id="a1"))
    params = next(part["params"] for effect in effects for part in wire(effect, v1_encoder()) if "elicit" in part)
    assert (params["sessionId"], params["toolCallId"]) == ("a1", "t1")
    assert states(effects) == [{"state": "requires_action"}]
    answered = handle(session, ClientAnswered("k", {"action": "decline"}, None))
    assert of(answered, AnswerControl)
    assert states(answered) == [{"state": "running"}]


def test_a_subagent_runs_again_after_its_last_question() -> None:
    session = core()
    launched(session)
    handle(session, calls("t1", parent="agent"), calls("t2", parent="agent"))
    handle(session, asks("k1", "t1", agent_id="a1"), asks("k2", "t2", agent_id="a1"))
    assert states(handle(session, answer("k1"))) == []
    assert states(handle(session, withdraws("k2"))) == [{"state": "running"}]


@pytest.mark.parametrize("cancel", [CancelReceived(), ChildCancelled("a1")])
def test_a_question_that_a_cancel_withdraws_reports_no_running(cancel: Any) -> None:
    session = core()
    launched(session)
    handle(session, calls("t1", parent="agent"), asks("k", "t1", agent_id="a1"), cancel)
    effects = handle(session, withdraws("k"))
    assert of(effects, WithdrawQuestion)
    assert states(effects) == []
    assert states(handle(session, task_ended(status="stopped"))) == [{"state": "idle", "stopReason": "cancelled"}]


def test_a_cancel_of_the_session_leaves_a_question_of_the_background_alone() -> None:
    session = core()
    handle(session, calls("agent", "Agent", LAUNCH), task_started(), calls("t1", parent="agent"))
    handle(session, asks("k", "t1", agent_id="a1"), CancelReceived())
    assert states(handle(session, withdraws("k"))) == [{"state": "running"}]


def test_a_cancel_of_a_subagent_stops_it_alone() -> None:
    session = core()
    launched(session)
    assert session.parts.has_session("a1")
    assert not session.parts.has_session("a2")
    stop = SendControl("stop_task a1", {"subtype": "stop_task", "task_id": "a1"})
    assert handle(session, ChildCancelled("a1")) == [stop]
    handle(session, task_ended(status="stopped"))
    assert handle(session, ChildCancelled("a1"), ChildCancelled("a2")) == []


def test_what_a_subagent_runs_with_is_told_when_it_is_known() -> None:
    session = core()
    launched(session)
    handle(session, hook("SubagentStart", cwd="/workspace"))
    effects = handle(session, hook("PreToolUse", permission_mode="plan", effort={"level": "high"}))
    assert configured(effects) == [{"mode": "plan", "effort": "high", "agent": "general-purpose"}]
    effects = handle(session, calls("t1", parent="agent"), calls("t2", parent="agent"))
    assert configured(effects) == [{"mode": "plan", "model": "default", "effort": "high", "agent": "general-purpose"}]
    assert configured(handle(session, hook("PostToolUse", permission_mode="plan", effort="high"))) == []


def test_a_hook_before_the_announcement_tells_the_type() -> None:
    session = core()
    handle(session, hook("SubagentStart"))
    effects = launched(session)
    assert configured(effects) == [{"agent": "Explore"}]
    assert sent(effects)[0][1]["description"] == "Explore"


def test_a_subagent_in_another_folder_says_so() -> None:
    session = core()
    launched(session)
    assert sent(handle(session, hook("SubagentStart", cwd="/elsewhere")))[0] == (
        "session",
        {"sessionUpdate": "subagent_update", "sessionId": "a1", "cwd": "/elsewhere"},
    )


@pytest.mark.parametrize(
    "frame",
    [
        system("task_started", task_id="b1", tool_use_id="x", task_type="local_bash"),
        system("task_started", task_id="a1", task_type="local_agent"),
        system("task_updated", task_id="a1"),
        task_ended("unknown"),
        {"type": "control_request", "request_id": "h"},
        hook("PreToolUse", agent_id=None),
    ],
)
def test_what_is_not_about_a_known_subagent_changes_nothing(frame: Json) -> None:
    session = core()
    launched(session)
    assert states(handle(session, frame)) == []


def test_a_further_run_tells_anew_what_it_runs_with() -> None:
    session = core(SubagentForm.DRAFT)
    handle(session, hook("SubagentStart"))
    launched(session)
    runs = hook("PreToolUse", permission_mode="plan", effort={"level": "high"})
    assert configured(handle(session, runs)) == [{"mode": "plan", "effort": "high", "agent": "Explore"}]
    assert configured(handle(session, task_ended(), task_started(call_id="m1"))) == [{"agent": "Explore"}]
    stops = hook("SubagentStop", permission_mode="plan", effort={"level": "high"})
    assert configured(handle(session, stops)) == [{"mode": "plan", "effort": "high", "agent": "Explore"}]


def test_a_client_of_transcripts_is_shown_the_text_in_the_session() -> None:
    session = core(SubagentForm.TRANSCRIPT)
    handle(session, calls("agent", "Agent", LAUNCH), task_started(background=False))
    spoken = assistant({"type": "text", "text": "Hm."}, message_id="m2", parent="agent")
    ((_, chunk),) = sent(handle(session, spoken))
    assert chunk["_meta"] == {"claudeCode": {"parentToolUseId": "agent"}}
    assert of(handle(session, spoken), ToSession)[0].session_id == ""


def test_other_clients_are_shown_calls_alone() -> None:
    session = core(SubagentForm.CALLS)
    effects = handle(session, calls("agent", "Agent", LAUNCH), task_started(background=False))
    assert kinds(effects)[0] == ("session", "tool_call")
    spoken = assistant({"type": "text", "text": "Hm."}, message_id="m2", parent="agent")
    assert handle(session, spoken) == []
    assert handle(session, task_ended(), notification_result(), result(1)) != []
