"""Rule 7: a frame that nobody has foreseen is passed over. It breaks nothing, and nothing wrong is sent for it."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from hypothesis import strategies as st

from support import machine
from support.cores import Core, all_cores
from support.schemas import document

from .steps import play, says
from .world import ANSWERS, CALL, PROCESS, STATES, World

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .steps import Step

Json = dict[str, Any]

EXAMPLES = 150

RULES = (ANSWERS, CALL, PROCESS, STATES)

CORES: dict[Core, Callable[[], World]] = {
    Core.V1: lambda: World(machine.v1_core(), machine.v1_encoder()),
    Core.BRIDGE: lambda: World(machine.bridge_core(), machine.v2_encoder()),
    Core.NATIVE: lambda: World(machine.native_core(), machine.v2_encoder()),
}
NOTIFICATIONS = {1: "SessionNotification", 2: "UpdateSessionNotification"}

PATCH = {"filePath": "/a", "structuredPatch": [{"newStart": 1, "lines": ["-a", "+b"]}], "originalFile": "a"}
SUGGESTIONS: list[Json] = [
    {"type": "addRules", "rules": [{"toolName": "Bash"}], "behavior": "allow", "destination": "session"},
    {"type": "setMode", "mode": "acceptEdits", "destination": "session"},
]
FRAMES: list[Json] = [
    machine.says("x", local_command_run={"command": "mcp", "args": "reconnect lab"}),
    machine.says("/login isn't available", local_command_outcome={"kind": "unavailable_headless"}),
    machine.elicits("e1"),
    machine.elicits("e2", mode="url", url="https://a.test", elicitation_id="e"),
    {"type": "conversation_reset", "session_id": "old"},
    machine.system(
        "init",
        session_id="new",
        mcp_servers=[{"name": "lab", "status": "failed"}, {"name": "net", "status": "needs-auth"}],
        terminal_slash_commands=["color"],
    ),
    machine.system("status", status="compacting", uuid="c1"),
    machine.stream({"type": "content_block_delta", "index": 0, "delta": {"type": "compaction_delta", "content": "x"}}),
    machine.system("status", status=None, compact_result="success"),
    machine.system("compact_boundary", compact_metadata={"trigger": "auto", "pre_tokens": 9, "post_tokens": 3}),
    machine.system("api_retry", attempt=3, max_retries=10, error="overloaded", error_status=529),
    machine.system("hook_response", hook_name="Stop", outcome="error", exit_code=1, stderr="x"),
    machine.system("local_command_output", uuid="o1", content="x"),
    machine.system("memory_recall", uuid="m1", mode="select", memories=[{"path": "/a"}]),
    machine.system("model_refusal_fallback", original_model="a", fallback_model="b"),
    machine.system("notification", key="k", text="x", priority="high"),
    machine.system("permission_denied", tool_use_id="t1", decision_reason_type="rule", message="x"),
    machine.system("session_writes_lost", error_code="ENOSPC", lost=["transcript"]),
    {"type": "tool_progress", "tool_use_id": "t1", "elapsed_time_seconds": 30},
    {"type": "prompt_suggestion", "suggestion": "x"},
    {"type": "rate_limit_event", "rate_limit_info": {"status": "allowed", "rateLimitType": "five_hour"}},
    machine.started(1),
    machine.completed(1),
    machine.echo(1),
    machine.message_start(),
    machine.delta("x"),
    machine.stream({"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "x"}}),
    machine.stream(
        {
            "type": "content_block_start",
            "index": 0,
            "content_block": {"type": "tool_use", "id": "t1", "name": "Edit", "input": {}},
        }
    ),
    machine.stream(
        {
            "type": "content_block_delta",
            "index": 0,
            "delta": {"type": "input_json_delta", "partial_json": '{"file_path":'},
        }
    ),
    machine.assistant({"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "x"}}),
    machine.assistant({"type": "web_search_tool_result", "tool_use_id": "s1", "content": [{"title": "a", "url": "b"}]}),
    {
        "type": "tool_progress",
        "tool_use_id": "t1-heartbeat-0",
        "parent_tool_use_id": "t1",
        "elapsed_time_seconds": 30,
        "subagent_retry": {"attempt": 1},
    },
    machine.stream({"type": "message_delta", "delta": {}, "usage": {"output_tokens": 3}}),
    machine.says("x", error="rate_limit"),
    machine.assistant(
        {"type": "tool_use", "id": "t1", "name": "Bash", "input": machine.BASH},
        {"type": "tool_use", "id": "t2", "name": "Edit", "input": {"file_path": "/a", "old_string": "a"}},
        {"type": "tool_use", "id": "t3", "name": "TaskCreate", "input": {"subject": "x"}},
        {"type": "thinking", "thinking": "x"},
    ),
    machine.user(
        [
            {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "x"}]},
            {"type": "tool_result", "tool_use_id": "t2", "content": "x", "is_error": True},
        ]
    ),
    machine.user(
        [{"type": "tool_result", "tool_use_id": "t2", "content": "x"}],
        tool_use_result=PATCH,
        tool_result_meta=[{"id": "t2", "non_execution_kind": "rule"}],
    ),
    machine.user(
        [{"type": "tool_result", "tool_use_id": "t3", "content": "x"}],
        tool_use_result={"task": {"id": "1", "subject": "x"}},
    ),
    machine.asks("q1", "t1", permission_suggestions=SUGGESTIONS, blocked_path="/a", decision_reason="x"),
    machine.withdraws("q1"),
    {"type": "control_request", "request_id": "q2", "request": {"subtype": "hook_callback"}},
    {"type": "control_request", "request_id": "q3", "request": {"subtype": "elicitation", "mode": "form"}},
    machine.result(1),
    machine.aborted(1),
    machine.notification_result(),
    machine.idle(),
    machine.system("status", permissionMode="plan"),
    machine.system("informational", level="warning", content="x"),
    machine.system("commands_changed", commands=[{"name": "x", "description": "y", "argumentHint": ["z"]}]),
    machine.system("session_title_changed", title="x"),
    machine.system("task_started", task_id="a"),
]

values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)
strange = st.builds(
    lambda kind, rest: {**rest, "type": kind},
    st.text(max_size=5) | st.sampled_from([frame["type"] for frame in FRAMES]),
    st.dictionaries(st.sampled_from(["subtype", "message", "event", "request", "request_id", "x"]), values, max_size=4),
)
ABSENT = object()


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a JSON value: what holds it, and its key or index there."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, part in entries for place in [(value, key), *places(part)]]


def spoilt(frame: Json, number: int, value: Any) -> Json:
    """A frame in which one thing is another or absent; its type stays."""
    changed = copy.deepcopy(frame)
    where = [(holder, key) for holder, key in places(changed) if not (holder is changed and key == "type")]
    holder, key = where[number % len(where)]
    if value is ABSENT:
        del holder[key]
    else:
        holder[key] = value
    return changed


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """A JSON value with other texts in the place of some."""
    if isinstance(value, dict):
        return {key: renamed(part, names) for key, part in value.items()}
    if isinstance(value, list):
        return [renamed(part, names) for part in value]
    return names.get(value, value) if isinstance(value, str) else value


frames = st.sampled_from(FRAMES)
broken = st.builds(spoilt, frames, st.integers(0, 200), st.just(ABSENT) | values)
incomplete = st.builds(spoilt, frames, st.integers(0, 200), st.just(ABSENT))


def told(core: Core, heard: list[Json]) -> World:
    """A session with a running turn that hears frames."""
    world = CORES[core]()
    beginning: list[Step] = [("prompts", 0), ("starts prompt", 0)]
    play(world, beginning)
    for frame in heard:
        # Claude Code uses the id of a call once.
        again = {call: f"{call}+{len(world.closed)}" for call in world.closed}
        says(world, renamed(frame, again))
    return world


def check(core: Core, world: World) -> None:
    assert {rule: world.faults[rule] for rule in RULES if world.faults[rule]} == {}
    for update in world.updates:
        error = document(core.version).error(NOTIFICATIONS[core.version], {"sessionId": "s", "update": update})
        assert error is None, f"{error.message} at {error.json_path} of {update}"


@all_cores
@settings(max_examples=EXAMPLES)
@given(heard=st.lists(strange, max_size=6))
def test_strange_frames(core: Core, heard: list[Json]) -> None:
    check(core, told(core, heard))


@all_cores
@settings(max_examples=EXAMPLES)
@given(heard=st.lists(frames | incomplete, max_size=8))
def test_frames_that_lack_something(core: Core, heard: list[Json]) -> None:
    check(core, told(core, heard))


@all_cores
@settings(max_examples=EXAMPLES)
@given(heard=st.lists(frames | broken, max_size=8))
def test_frames_with_something_wrong(core: Core, heard: list[Json]) -> None:
    check(core, told(core, heard))
