"""What AIR's messages carry beside those of every client: compactions, suggestions, forms, subagents."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.elicitation.questions import question_form
from adapter.shared.tools.facts import ToolStatus
from adapter.shared.updates import CompactionChanged, PromptSuggested
from support.air import AirSession, check
from support.machine import calls, prompt, returns_data, started, task_ended, task_started

Json = dict[str, Any]
BEGUN = CompactionChanged("c1", ToolStatus.IN_PROGRESS, opened=True)
DONE = CompactionChanged("c1", ToolStatus.COMPLETED, summary="All of it.")
MEASURED = CompactionChanged("c1", ToolStatus.COMPLETED, facts={"trigger": "manual", "preTokens": 9})
FAILED = CompactionChanged("c1", ToolStatus.FAILED, error="too_few_groups")
LAUNCH = {"description": "Look", "prompt": "look around", "subagent_type": "general-purpose"}
REPORT = {"status": "completed", "content": [{"type": "text", "text": "Found it."}]}


def told(update: Any, **declared: Any) -> Json:
    (sent,) = AirSession(**declared).sent(update)
    return sent


def compaction(update: Json) -> Any:
    return update["_meta"]["jetbrains"]["air"]["contextCompaction"]


def test_a_compaction_as_a_tool_call_tells_its_sizes_once() -> None:
    begun = told(BEGUN)
    assert begun["_meta"] == {"jetbrains": {"air": {"version": 1, "contextCompaction": {"version": 1}}}}
    assert "_meta" not in told(DONE)
    measured = told(MEASURED)
    facts = {"version": 1, "trigger": "manual", "preTokens": 9}
    assert measured["_meta"] == {"jetbrains": {"air": {"contextCompaction": facts}}}
    assert "rawOutput" not in measured


def test_a_compaction_that_failed_says_why_in_the_tool_call_too() -> None:
    failed = told(FAILED)
    assert compaction(failed) == {"version": 1, "error": "too_few_groups"}
    assert failed["content"][0]["content"]["text"] == "Compaction failed: too_few_groups"


def test_a_compaction_by_its_id_has_them_in_each_update() -> None:
    declared: Json = {"session": {"compaction": {}}}
    assert [compaction(told(update, **declared)) for update in (BEGUN, DONE, MEASURED, FAILED)] == [
        {"version": 1},
        {"version": 1},
        {"version": 1, "trigger": "manual", "preTokens": 9},
        {"version": 1},
    ]
    assert "too_few_groups" in str(told(FAILED, **declared)["error"])


def test_a_suggestion_without_a_text_takes_the_last_one_away() -> None:
    assert told(PromptSuggested(""))["_meta"] == {"promptSuggestions": {"suggestions": []}}


def test_the_field_for_ones_own_words_names_its_question_by_both_keys() -> None:
    question = {"question": "Which?", "header": "Pick", "options": [{"label": "A"}, {"label": "B"}]}
    form = question_form("k", "c", {"questions": [question]})
    assert form is not None
    params = AirSession().encoder.elicitation("s", form)
    check("CreateElicitationRequest", params)
    named = {"questionId": "question_0", "isCustomAnswer": True}
    assert params["requestedSchema"]["properties"]["question_0_custom"]["_meta"] == {
        "_askUserQuestionCustomAnswer": named,
        "jetbrains": {"air": {"version": 1, "customAnswer": named}},
    }


def session() -> AirSession:
    """A session whose turn has launched a subagent."""
    air = AirSession("nativeSubagentSessions")
    air.take(prompt(1), started(1))
    return air


def test_a_subagent_is_announced_by_the_draft_and_anew_for_each_run() -> None:
    air = session()
    about = {"sessionUpdate": "subagent_spawned", "name": "Look", "capabilities": {}}
    first = {"subagentSessionId": "a1", "task": "look around", "prompt": "look around"}
    launched = air.gets(calls("agent", "Agent", LAUNCH), task_started(background=False))
    assert launched == [{**about, **first}]
    ended = air.gets(task_ended(), returns_data("agent", REPORT), calls("m1", "SendMessage", {"to": "a1"}))
    assert ended[0] == {"sessionUpdate": "subagent_state_update", "subagentSessionId": "a1", "state": "completed"}
    assert "tool_call" in [update["sessionUpdate"] for update in ended]
    again = air.gets(task_started(call_id="m1", prompt=""))
    assert again[0] == {**about, "subagentSessionId": "a1:generation:2", "task": "Look"}


@pytest.mark.parametrize(
    ("status", "state"), [("stopped", "cancelled"), ("failed", "failed"), ("completed", "completed")]
)
def test_the_end_of_a_run_is_told(status: str, state: str) -> None:
    air = session()
    air.take(calls("agent", "Agent", LAUNCH), task_started(background=False))
    (update,) = air.gets(task_ended(status=status))
    assert update["state"] == state


def test_without_sessions_a_subagent_is_a_call_that_says_so() -> None:
    air = AirSession()
    sent = air.gets(prompt(1), started(1), calls("agent", "Agent", LAUNCH))
    assert [update["_meta"]["jetbrains"]["air"]["subagent"] for update in sent if "_meta" in update][-1] is True
