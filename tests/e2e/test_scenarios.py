"""Scenarios with the real Claude Code: each ends well, each message is valid, each request is answered once.

An ordinary run plays some two dozen of them; those marked ``extended`` are played when ALL_SCENARIOS is set.
"""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

import pytest

from support.scenario import load_scenario, run_scenario

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from support.scenario import Outcome

    Play = Callable[..., Outcome]

pytestmark = pytest.mark.cli
extended = pytest.mark.extended

LONG_ANSWER = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"


@pytest.fixture
def play(tmp_path: Path) -> Play:
    """Plays a scenario by name, for the client ``plain`` unless another is named, and judges what holds for all."""

    def run(name: str, profile: str = "plain") -> Outcome:
        outcome = run_scenario(load_scenario(name), profile, tmp_path)
        assert outcome.status == 0
        assert set(outcome.traffic.response_counts().values()) == {1}
        return outcome

    return run


def asked(outcome: Outcome) -> list[str]:
    """The titles of the tool calls or questions that the client was asked about."""
    requests = outcome.traffic.agent_requests("session/request_permission")
    return [request.get("title") or request["toolCall"]["title"] for request in requests]


def outputs(outcome: Outcome) -> str:
    """What the tool calls show, as JSON."""
    return json.dumps([call.get("content") for call in outcome.traffic.tool_calls().values()])


def error(outcome: Outcome, prompt: int) -> dict[str, Any]:
    found: dict[str, Any] = outcome.traffic.responses("session/prompt")[prompt]["error"]
    return found


def test_hello(play: Play) -> None:
    outcome = play("hello")
    assert outcome.traffic.text("agent_thought_chunk") == "The user greets me."
    assert outcome.traffic.text() == "Hello there, this is a **scripted** answer."
    assert outcome.traffic.stop_reasons() == ["end_turn"]


@extended
def test_two_turns(play: Play) -> None:
    outcome = play("two_turns")
    assert outcome.traffic.text() == "First answer.Second answer."
    assert outcome.traffic.stop_reasons() == ["end_turn", "end_turn"]


@extended
def test_max_tokens(play: Play) -> None:
    outcome = play("max_tokens")
    assert error(outcome, 0)["code"] == -32603
    assert "output token maximum" in error(outcome, 0)["message"]


def test_a_plan_goes_on_in_a_fresh_context(play: Play) -> None:
    outcome = play("plan_clear")
    assert outcome.traffic.text() == "Working on the plan."
    assert outcome.traffic.stop_reasons() == ["end_turn"]
    assert outcome.traffic.tool_statuses() == ["completed", "completed"]
    assert outcome.traffic.responses("session/prompt")[0]["result"]["usage"]["totalTokens"] == 360


@extended
def test_compact(play: Play) -> None:
    outcome = play("compact")
    assert outcome.traffic.tool_statuses() == ["completed"]
    assert outcome.traffic.text() == "Hi.Hi again.More."
    assert outcome.traffic.stop_reasons() == ["end_turn"] * 4


@extended
def test_refusal(play: Play) -> None:
    assert play("refusal").traffic.stop_reasons() == ["refusal"]


def test_err_400(play: Play) -> None:
    outcome = play("err_400")
    assert "scripted bad request" in error(outcome, 0)["message"]
    assert outcome.traffic.stop_reasons() == ["end_turn"]
    assert outcome.traffic.text().endswith("Recovered.")


def test_content_blocks(play: Play) -> None:
    outcome = play("content_blocks")
    assert outcome.traffic.text() == "Looked."
    told = json.dumps([request.body["messages"] for request in outcome.model_requests if "messages" in request.body])
    assert "# Notes" in told
    assert '"media_type": "image/png"' in told
    assert "a.txt" in told


def test_bash_allow(play: Play) -> None:
    outcome = play("bash_allow")
    assert asked(outcome) == ["touch made.txt && echo done"]
    assert outcome.traffic.tool_statuses() == ["completed"]
    assert "done" in outputs(outcome)
    assert "made.txt" in outcome.files
    assert outcome.traffic.text() == "I will run it.It is made."


def test_bash_reject(play: Play) -> None:
    outcome = play("bash_reject")
    assert len(asked(outcome)) == 1
    assert outcome.traffic.tool_statuses() == ["failed"]
    assert "made.txt" not in outcome.files
    assert outcome.traffic.stop_reasons() == ["end_turn"]


@extended
def test_bash_always(play: Play) -> None:
    outcome = play("bash_always_rule")
    assert asked(outcome) == ["sh make.sh"]
    assert outcome.traffic.tool_statuses() == ["completed", "completed"]
    assert outcome.files["made.txt"] == "made\nmade\n"
    rules = json.loads(outcome.files[".claude/settings.local.json"])["permissions"]["allow"]
    assert any("make.sh" in rule for rule in rules)


def test_bash_fail(play: Play) -> None:
    outcome = play("bash_fail")
    assert outcome.traffic.tool_statuses() == ["failed"]
    assert "out" in outputs(outcome)
    assert "err" in outputs(outcome)
    assert outcome.traffic.text() == "It failed."


@extended
def test_bash_safe(play: Play) -> None:
    outcome = play("bash_safe")
    assert asked(outcome) == []
    assert "a.txt" in outputs(outcome)


def test_read_edit(play: Play) -> None:
    outcome = play("read_edit")
    assert len(asked(outcome)) == 1
    assert outcome.files["a.txt"] == "alpha\nBETA\ngamma\n"
    assert outcome.traffic.tool_statuses() == ["completed", "completed"]
    edit = list(outcome.traffic.tool_calls().values())[-1]
    (diff,) = [content for content in edit["content"] if content["type"] == "diff"]
    assert diff["path"].endswith("a.txt")
    assert "beta" in diff["oldText"]
    assert "BETA" in diff["newText"]


@extended
def test_edit_reject(play: Play) -> None:
    outcome = play("edit_reject")
    assert outcome.files["a.txt"] == "alpha\nbeta\ngamma\n"
    assert outcome.traffic.tool_statuses() == ["completed", "failed"]


@extended
def test_write_new(play: Play) -> None:
    outcome = play("write_new")
    assert len(asked(outcome)) == 1
    assert outcome.files["new.txt"] == "line one\nline two\n"


def test_accept_edits(play: Play) -> None:
    outcome = play("accept_edits")
    assert asked(outcome) == []
    assert outcome.files["new.txt"] == "x\n"


@extended
def test_read_ranges(play: Play) -> None:
    outcome = play("read_ranges")
    assert outcome.traffic.tool_statuses() == ["completed", "failed", "completed"]


def test_cancel_stream(play: Play) -> None:
    outcome = play("cancel_stream")
    assert outcome.traffic.stop_reasons() == ["cancelled", "end_turn"]
    assert "twenty" not in outcome.traffic.text()
    assert outcome.traffic.text().endswith("Next.")


def test_cancel_tool(play: Play) -> None:
    outcome = play("cancel_tool")
    assert outcome.traffic.stop_reasons() == ["cancelled", "end_turn"]
    assert outcome.traffic.tool_statuses() == ["failed"]
    assert outcome.traffic.text() == "Next."


def test_cancel_permission(play: Play) -> None:
    outcome = play("cancel_permission")
    assert outcome.traffic.stop_reasons() == ["cancelled", "end_turn"]
    assert outcome.traffic.tool_statuses() == ["failed"]
    assert "x" not in outcome.files


def test_queue_two(play: Play) -> None:
    outcome = play("queue_two")
    assert outcome.traffic.stop_reasons() == ["end_turn", "end_turn"]
    assert outcome.traffic.text().startswith(LONG_ANSWER)
    assert outcome.traffic.text().endswith("Second answer.")


def test_queue_fold(play: Play) -> None:
    outcome = play("queue_fold")
    assert outcome.traffic.stop_reasons() == ["end_turn", "end_turn"]
    assert outcome.traffic.tool_statuses() == ["completed", "completed"]
    assert outcome.traffic.text() == "Both done."


def test_bad_params(play: Play) -> None:
    outcome = play("bad_params")
    unnumbered = [m["error"]["code"] for m in outcome.traffic.received() if m.get("id", 0) is None]
    assert unnumbered == [-32700, -32600]
    assert [response["error"]["code"] for response in outcome.traffic.responses("no/such")] == [-32601]
    created = outcome.traffic.responses("session/new")
    assert [response.get("error", {}).get("code") for response in created] == [-32602, -32602, -32602, None]
    configured = outcome.traffic.responses("session/set_config_option")
    assert [response["error"]["code"] for response in configured] == [-32602, -32602]
    assert [error(outcome, prompt)["code"] for prompt in (0, 1)] == [-32602, -32602]
    assert outcome.traffic.text() == "Next."


def test_crash(play: Play) -> None:
    outcome = play("crash")
    assert error(outcome, 0)["code"] == -32603
    assert "three" in outcome.traffic.text()
    assert "twenty" not in outcome.traffic.text()


@extended
def test_todo(play: Play) -> None:
    plans = [update["entries"] for update in play("todo").traffic.updates("plan")]
    assert [(entry["content"], entry["status"]) for entry in plans[-1]] == [
        ("First step", "completed"),
        ("Second step", "pending"),
    ]


@extended
def test_schedule(play: Play) -> None:
    traffic = play("schedule").traffic
    opened = [call["title"] for call in traffic.updates("tool_call")]
    updates = traffic.updates("tool_call_update")
    titles = [*opened, *(update["title"] for update in updates if "title" in update)]
    assert {"Schedule `30 14 28 2 *`: Look at the build", "List scheduled prompts"} <= {*titles}
    assert [update["status"] for update in updates if "status" in update][-1] == "completed"


@extended
def test_todo_write(play: Play) -> None:
    plans = [update["entries"] for update in play("todo_write").traffic.updates("plan")]
    assert [(entry["content"], entry["status"]) for entry in plans[-1]] == [
        ("First", "completed"),
        ("Doing 2", "in_progress"),
    ]


def test_plan_exit(play: Play) -> None:
    outcome = play("plan_exit")
    assert len(asked(outcome)) == 1
    modes = [update["currentModeId"] for update in outcome.traffic.updates("current_mode_update")]
    assert modes[-1] == "default"
    assert outcome.traffic.text() == "Leaving plan mode."


def test_native_hello(play: Play) -> None:
    outcome = play("hello", "v2_native")
    assert outcome.traffic.text() == "Hello there, this is a **scripted** answer."
    assert outcome.traffic.stop_reasons() == ["end_turn"]


def test_native_bash_allow(play: Play) -> None:
    outcome = play("bash_allow", "v2_native")
    assert asked(outcome) == ["touch made.txt && echo done"]
    assert outcome.traffic.tool_statuses() == ["completed"]
    states = [update["state"] for update in outcome.traffic.updates("state_update")]
    assert states == ["running", "requires_action", "running", "idle"]
    assert "made.txt" in outcome.files


def test_native_read_edit(play: Play) -> None:
    outcome = play("read_edit", "v2_native")
    assert outcome.files["a.txt"] == "alpha\nBETA\ngamma\n"
    assert outcome.traffic.tool_statuses() == ["completed", "completed"]


def test_native_cancel_permission(play: Play) -> None:
    outcome = play("cancel_permission", "v2_native")
    assert outcome.traffic.stop_reasons() == ["cancelled", "end_turn"]
    assert outcome.traffic.tool_statuses() == ["cancelled"]
    assert "x" not in outcome.files


@extended
def test_native_queue_two(play: Play) -> None:
    outcome = play("queue_two", "v2_native")
    prompted = [response["result"]["messageId"] for response in outcome.traffic.responses("session/prompt")]
    inserted = [update["messageId"] for update in outcome.traffic.updates("user_message")]
    assert prompted == inserted
    assert outcome.traffic.text().startswith(LONG_ANSWER)
    assert outcome.traffic.text().endswith("Second answer.")


def test_native_crash(play: Play) -> None:
    outcome = play("crash", "v2_native")
    ended = [update for update in outcome.traffic.updates("state_update") if update["state"] == "idle"]
    assert ended[0]["stopReason"] == "error"
    assert "twenty" not in outcome.traffic.text()


def shown_in_terminal(outcome: Outcome) -> list[str]:
    """What the client was told to append to the terminal of the only command, update by update, on v1."""
    metas = [update.get("_meta", {}) for update in outcome.traffic.updates("tool_call_update")]
    return [meta["terminal_output"]["data"] for meta in metas if "terminal_output" in meta]


def test_a_running_command_is_shown_while_it_prints(play: Play) -> None:
    shown = shown_in_terminal(play("bash_live", "zed"))
    assert "".join(shown) == "\n".join(f"line {number}" for number in range(1, 7))
    assert "line 4" in "".join(shown[:-1])
    assert "line 6" not in "".join(shown[:-1])


@extended
def test_a_running_command_is_shown_while_it_prints_on_v2(play: Play) -> None:
    chunks = play("bash_live", "v2_native").traffic.updates("terminal_output_chunk")
    shown = [base64.b64decode(chunk["data"]).decode() for chunk in chunks]
    assert "".join(shown) == "\n".join(f"line {number}" for number in range(1, 7))
    assert len(shown) > 2


def test_a_command_in_the_background_is_shown_to_its_end(play: Play) -> None:
    outcome = play("bash_background", "zed")
    launch, printed = shown_in_terminal(outcome)
    assert launch.startswith("Command running in background")
    assert printed == "\nfinished"
    ends = [
        meta["terminal_exit"]
        for update in outcome.traffic.updates()
        if "terminal_exit" in (meta := update.get("_meta") or {})
    ]
    assert [end["exit_code"] for end in ends] == [None]


def test_agent_bg(play: Play) -> None:
    outcome = play("agent_bg", "rich")
    kinds = [update["sessionUpdate"] for update in outcome.traffic.updates()]
    assert kinds.count("session_message") == 2
    assert outcome.traffic.text() == "It works on.Sub report: done.Done."
    assert outcome.traffic.stop_reasons() == ["end_turn"]


@extended
@pytest.mark.parametrize("profile", ["plain", "rich", "air", "v2_native"])
def test_agent_resume(play: Play, profile: str) -> None:
    assert "Asked again." in play("agent_resume", profile).traffic.text()


@extended
def test_agent_cancel(play: Play) -> None:
    outcome = play("agent_cancel", "rich")
    assert outcome.traffic.stop_reasons() == ["cancelled"]
    ends = [update["state"] for update in outcome.traffic.updates() if update["sessionUpdate"] == "subagent_update"]
    assert ends[-1] == {"state": "idle", "stopReason": "cancelled"}


@extended
def test_item_cancel(play: Play) -> None:
    outcome = play("item_cancel", "v2_native")
    assert outcome.traffic.responses("terminal/cancel") == [{"jsonrpc": "2.0", "id": 4, "result": {}}]
