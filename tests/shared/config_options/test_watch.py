"""What changes by another cause than a request is found out and told."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.effects import SendControl
from adapter.shared.inputs import ControlAnswered
from adapter.shared.updates import ConfigChanged
from support.machine import configure, handle, v1_core

ASKED = SendControl("settings", {"subtype": "get_settings"})


def init(**fields: Any) -> dict[str, Any]:
    return {"type": "system", "subtype": "init", **fields}


def command(text: str) -> dict[str, Any]:
    return {"type": "result", "subtype": "success", "num_turns": 0, "local_command": text, "result": ""}


def current(changed: Any) -> dict[str, str]:
    assert isinstance(changed, ConfigChanged)
    return {option.id: option.current for option in changed.options}


def test_another_model_in_a_turn_is_asked_about_and_told() -> None:
    core = v1_core()
    assert handle(core, init(model="claude-haiku-5-5")) == [ASKED]
    runs = {"effective": {}, "applied": {"model": "claude-haiku-5-5"}}
    (changed,) = handle(core, ControlAnswered("settings", runs))
    assert current(changed)["model"] == "haiku"
    assert handle(core, init(model="claude-haiku-5-5")) == []
    assert handle(core, ControlAnswered("settings", runs)) == []


@pytest.mark.parametrize(("text", "asks"), [("/model haiku", True), ("effort high", True), ("compact", False)])
def test_a_command_that_may_change_the_configuration_is_followed(text: str, asks: bool) -> None:
    assert (ASKED in handle(v1_core(), command(text))) is asks


@pytest.mark.parametrize("frame", [init(fast_mode_state="on"), {**command("x"), "fast_mode_state": "on"}])
def test_fast_mode_is_told_as_it_is(frame: dict[str, Any]) -> None:
    core = v1_core()
    changed = [effect for effect in handle(core, frame) if isinstance(effect, ConfigChanged)]
    assert [current(change)["fast"] for change in changed] == ["on"]
    assert not any(isinstance(effect, ConfigChanged) for effect in handle(core, frame))


@pytest.mark.parametrize("state", ["cooldown", None, 5])
def test_another_state_of_fast_mode_is_passed_over(state: Any) -> None:
    assert handle(v1_core(), init(fast_mode_state=state)) == []


def test_a_change_of_the_client_s_is_told_by_its_answer_alone() -> None:
    core = v1_core()
    handle(core, init(model="claude-haiku-5-5"), configure(1, "effort", "high"))
    assert handle(core, init(model="other", fast_mode_state="on")) == []
    assert handle(core, ControlAnswered("settings", {"applied": {"model": "claude-haiku-5-5"}})) == []


def test_settings_that_are_refused_change_nothing() -> None:
    core = v1_core()
    handle(core, init(model="claude-haiku-5-5"))
    assert handle(core, ControlAnswered("settings", {}, "no")) == []
