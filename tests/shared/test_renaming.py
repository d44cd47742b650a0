"""A title that a person chose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from adapter.shared.effects import Fail, Respond, RespondOutcome, SendControl, SendPrompt, StartProcess
from adapter.shared.inputs import CloseRequested, ControlAnswered, MethodCalled, ProcessStarted, SessionOpened
from adapter.shared.updates import TextChunk, TitleChanged, UserMessage
from adapter.shared.work_updates import StateChanged, WorkState
from support import machine

if TYPE_CHECKING:
    from collections.abc import Callable

    from adapter.shared.core import SessionCore

v2_cores = pytest.mark.parametrize("make", [machine.bridge_core, machine.native_core])


def control(effects: list[Any]) -> SendControl:
    """The one control request."""
    [asked] = machine.of(effects, SendControl)
    assert isinstance(asked, SendControl)
    return asked


def done(effects: list[Any], error: str = "") -> ControlAnswered:
    """Claude Code's answer to it."""
    return ControlAnswered(control(effects).key, {}, error)


@pytest.fixture(params=[machine.v1_core, machine.bridge_core, machine.native_core])
def core(request: pytest.FixtureRequest) -> SessionCore:
    made: SessionCore = request.param()
    return made


def test_a_rename_goes_to_claude_code_and_to_no_model(core: SessionCore) -> None:
    effects = machine.handle(core, machine.prompt(1, "/rename  New\tname "))
    assert machine.of(effects, SendPrompt) == []
    assert control(effects).request == {"subtype": "rename_session", "title": "New name", "source": "host"}
    effects = machine.handle(core, done(effects))
    assert TitleChanged("New name") in effects
    assert machine.of(effects, SendPrompt, SendControl) == []
    assert 1 in machine.answers(effects)


def test_v1_answers_a_rename_behind_the_title() -> None:
    core = machine.v1_core()
    effects = machine.handle(core, done(machine.handle(core, machine.prompt(1, "/rename A"))))
    assert isinstance(effects[0], TitleChanged)
    assert isinstance(effects[1], RespondOutcome)


@v2_cores
def test_v2_shows_a_rename_as_a_turn_of_its_own(make: Callable[[], SessionCore]) -> None:
    core = make()
    effects = machine.handle(core, done(machine.handle(core, machine.prompt(1, "/rename A"))))
    states = [state.state for state in machine.of(effects, StateChanged)]
    assert isinstance(effects[0], UserMessage)
    assert isinstance(effects[1], Respond)
    assert states == [WorkState.RUNNING, WorkState.IDLE]


@v2_cores
def test_v2_leaves_the_state_of_a_running_turn_alone(make: Callable[[], SessionCore]) -> None:
    core = make()
    machine.handle(core, machine.prompt(1), machine.started(1))
    effects = machine.handle(core, done(machine.handle(core, machine.prompt(2, "/rename A"))))
    assert machine.of(effects, StateChanged) == []
    assert TitleChanged("A") in effects


def test_without_a_name_it_says_how_it_is_used(core: SessionCore) -> None:
    effects = machine.handle(core, machine.prompt(1, "/rename "))
    [said] = machine.of(effects, TextChunk)
    assert said.text == "Usage: `/rename NEW NAME`"
    assert machine.of(effects, SendControl) == []
    assert 1 in machine.answers(effects)


@pytest.mark.parametrize("text", ["/renamed x", "please /rename x", "", " "])
def test_other_prompts_go_to_the_model(core: SessionCore, text: str) -> None:
    assert len(machine.of(machine.handle(core, machine.prompt(1, text)), SendPrompt)) == 1


def test_a_generated_title_never_replaces_a_chosen_one(core: SessionCore) -> None:
    machine.handle(core, machine.prompt(1, "A prompt that is long enough"))
    machine.handle(core, done(machine.handle(core, machine.prompt(2, "/rename Chosen"))))
    assert machine.handle(core, ControlAnswered("title", {"title": "Generated"})) == []
    effects = machine.handle(core, machine.prompt(3, "Another prompt that is long enough"))
    assert machine.of(effects, SendControl) == []


def test_a_title_is_set_by_a_request(core: SessionCore) -> None:
    asked = machine.handle(core, MethodCalled(1, "session/set_title", {"title": "Name"}))
    assert machine.handle(core, done(asked)) == [TitleChanged("Name"), Respond(1, {"title": "Name"})]


def test_claude_code_may_tell_the_title_before_it_answers(core: SessionCore) -> None:
    asked = machine.handle(core, MethodCalled(1, "session/set_title", {"title": "Name"}))
    told = machine.handle(core, machine.system("session_title_changed", title="Name"))
    assert told == [TitleChanged("Name")]
    assert machine.handle(core, done(asked)) == [Respond(1, {"title": "Name"})]


def test_a_title_waits_until_claude_code_is_up_again(core: SessionCore) -> None:
    machine.handle(core, machine.dies())
    first = machine.handle(core, MethodCalled(1, "session/set_title", {"title": "Name"}))
    assert [type(effect) for effect in first] == [StartProcess]
    assert machine.handle(core, machine.prompt(2, "/rename Other")) == []
    up = machine.handle(core, ProcessStarted("default"))
    assert [effect.request["title"] for effect in machine.of(up, SendControl)] == ["Name", "Other"]


def test_what_claude_code_refuses_is_told(core: SessionCore) -> None:
    asked = machine.handle(core, MethodCalled(1, "session/set_title", {"title": "Name"}))
    [failed] = machine.handle(core, done(asked, "no"))
    assert isinstance(failed, Fail)
    assert "control_failed" in machine.answers([failed])[1]


@pytest.mark.parametrize(("end", "error"), [(machine.dies(), "process_exited"), (CloseRequested(9), "-32800")])
def test_a_title_that_was_not_kept_fails_once(core: SessionCore, end: Any, error: str) -> None:
    asked = machine.handle(core, MethodCalled(1, "session/set_title", {"title": "Name"}))
    effects = machine.handle(core, end)
    assert machine.answers(effects)[1] == error
    assert machine.handle(core, done(asked)) == []


def test_a_title_from_before_is_told_once(core: SessionCore) -> None:
    assert TitleChanged("Old") in machine.handle(core, SessionOpened(title="Old"))
    assert TitleChanged("Old") not in machine.handle(core, SessionOpened(title="Old"))
