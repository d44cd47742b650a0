"""A subagent in the background outlives two prompts: each turn is foreground work from its start to its result."""

from __future__ import annotations

import pytest

from adapter.shared.updates import UserMessage
from adapter.shared.v2.session import V2Session
from adapter.shared.work_updates import StateChanged
from support.machine import (
    NewCore,
    answers,
    calls,
    completed,
    delta,
    handle,
    idle,
    message_start,
    notification_result,
    of,
    prompt,
    result,
    returns,
    started,
    system,
    task_ended,
    task_started,
    told,
)

RUNNING = system("session_state_changed", state="running")
"""Claude Code says so once, and idle only when the subagent's report was dealt with."""
LAUNCH = [calls("agent", "Agent", {"prompt": "look", "description": "Look"}), task_started(), returns("agent")]


@pytest.fixture
def core(new_core: NewCore) -> V2Session:
    """A session whose first turn has launched the subagent and is over."""
    core = new_core()
    effects = handle(core, prompt(1), RUNNING, started(1), message_start(), *LAUNCH, result(1), completed(1))
    assert [state for state in told(effects) if state != "running"] == ["idle: end_turn"]
    return core


def test_each_result_is_idle_and_the_report_is_a_turn_of_its_own(core: V2Session) -> None:
    second = handle(core, prompt(2), started(2), message_start("m2"), delta("second"), result(2), completed(2))
    assert told(second) == ["running", "idle: end_turn"]
    assert answers(second) == {2: "ok"}
    third = handle(core, task_ended(), system("background_tasks_changed", tasks=[]))
    assert told(third) == ["idle"]
    last = handle(core, system("init"), message_start("m3"), delta("It is done."), notification_result(), idle())
    assert told(last) == ["running", "idle: end_turn"]
    assert of(last, UserMessage) == []


def test_the_subagent_is_listed_as_long_as_it_works(core: V2Session) -> None:
    second = of(handle(core, prompt(2), started(2), message_start("m2"), result(2), completed(2)), StateChanged)
    assert [[item.id for item in change.background] for change in second] == [["a1"], ["a1"]]
    [ended] = of(handle(core, task_ended()), StateChanged)
    assert ended.background == ()
