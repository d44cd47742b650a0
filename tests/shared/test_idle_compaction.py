"""A session that has been idle for long is compacted, if that is wanted and it holds much."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.effects import SendPrompt, StartTimer, StopTimer
from adapter.shared.inputs import SessionOpened, TimerFired
from adapter.shared.work_updates import StateChanged, WorkState
from support.machine import (
    answers,
    bridge_core,
    completed,
    dies,
    handle,
    idle,
    message_start,
    native_core,
    of,
    prompt,
    result,
    started,
    system,
    v1_core,
    written,
)

FIRES = TimerFired("idle-compaction")
WAITS = StartTimer("idle-compaction", 600.0)
COMPACT = SendPrompt("", ({"type": "text", "text": "/compact"},))
RUNNING = system("session_state_changed", state="running")
every = pytest.mark.parametrize("make_core", [v1_core, bridge_core, native_core])
both_of_v2 = pytest.mark.parametrize("make_core", [bridge_core, native_core])


def prompted(make_core: Any, seconds: float = 600.0, tokens: int = 100) -> Any:
    core = make_core()
    handle(core, SessionOpened(idle_seconds=seconds, idle_tokens=tokens))
    handle(core, prompt(1), started(1), message_start(), result(1), completed(1))
    return core


@every
def test_it_is_off_unless_it_is_wanted(make_core: Any) -> None:
    core = prompted(make_core, seconds=0.0)
    assert of(handle(core, idle()), StartTimer) == []


@every
def test_a_long_idle_session_is_compacted_once(make_core: Any) -> None:
    core = prompted(make_core)
    assert of(handle(core, idle()), StartTimer) == [WAITS]
    assert of(handle(core, FIRES), SendPrompt) == [COMPACT]
    ended = handle(core, RUNNING, result(), idle())
    assert of(ended, StartTimer) == []
    assert handle(core, FIRES) == []


def test_a_prompt_that_comes_meanwhile_waits_and_is_not_answered_by_it() -> None:
    core = prompted(v1_core)
    handle(core, idle(), FIRES, RUNNING)
    assert written(handle(core, prompt(2))) == []
    assert answers(handle(core, result())) == {}
    assert written(handle(core, idle())) == ["p2"]


@both_of_v2
def test_a_client_of_v2_sees_the_session_run(make_core: Any) -> None:
    core = prompted(make_core)
    handle(core, idle())
    assert [change.state for change in of(handle(core, FIRES), StateChanged)] == [WorkState.RUNNING]
    assert [change.state for change in of(handle(core, RUNNING, result()), StateChanged)] == [WorkState.IDLE]


@every
def test_a_small_conversation_is_left_alone(make_core: Any) -> None:
    core = prompted(make_core, tokens=1_000_000)
    handle(core, idle())
    assert handle(core, FIRES) == []


@every
def test_a_prompt_starts_the_wait_anew(make_core: Any) -> None:
    core = prompted(make_core)
    handle(core, idle())
    assert StopTimer("idle-compaction") in handle(core, prompt(2))
    assert handle(core, FIRES) == []


@every
def test_it_ends_with_claude_code(make_core: Any) -> None:
    core = prompted(make_core)
    handle(core, idle(), FIRES, dies())
    assert written(handle(core, prompt(2))) == []


@every
def test_a_cleared_conversation_is_not_compacted(make_core: Any) -> None:
    core = prompted(make_core, tokens=0)
    handle(core, {"type": "conversation_reset", "new_conversation_id": "x"})
    assert WAITS not in handle(core, idle())
    assert COMPACT not in handle(core, FIRES)
