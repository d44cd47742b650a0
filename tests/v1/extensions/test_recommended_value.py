"""Concrete models and effort levels in place of rows that say `default`."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.config_options.settings import SessionConfig, Start
from adapter.shared.effects import RespondConfig, SendControl
from adapter.shared.inputs import CloseRequested, ControlAnswered, ProcessStarted, SessionOpened, TimerFired
from adapter.v1.extensions.recommended_value import recommended_model
from support.air import AirSession, check
from support.machine import CANCEL, configure, dies, of, prompt

Json = dict[str, Any]
LEVELS = {"supportsEffort": True, "supportedEffortLevels": ["low", "medium", "high"]}
MODELS: tuple[Json, ...] = (
    {"value": "default", "resolvedModel": "claude-opus-5-5[1m]", "displayName": "Default", **LEVELS},
    {"value": "opus", "resolvedModel": "claude-opus-5-5-1m", "displayName": "Opus", **LEVELS},
    {"value": "sonnet", "resolvedModel": "claude-sonnet-5-5", "displayName": "Sonnet", **LEVELS},
    {"value": "small", "resolvedModel": "claude-haiku-5-5", "displayName": "Haiku"},
    {"value": "odd", "resolvedModel": "odd-1", "displayName": "Odd", **LEVELS, "supportedEffortLevels": ["one", "two"]},
)
RUNS: Json = {"effective": {}, "applied": {"model": "claude-opus-5-5[1m]"}}


def session(models: tuple[Json, ...] = MODELS, start: Start | None = None, **effective: Any) -> AirSession:
    settings = {"effective": effective, "applied": RUNS["applied"]}
    config = SessionConfig(models, "default", settings, may_bypass=True, start=start)
    return AirSession("recommendedValue", config=config)


def shown(air: AirSession) -> dict[str, Json]:
    """The options as AIR gets them."""
    result = air.encoder.config_result(air.core.config.options())
    check("SetSessionConfigOptionResponse", result)
    return {option["id"]: option for option in result["configOptions"]}


def effort(air: AirSession) -> str | None:
    option = shown(air).get("effort")
    return None if option is None else option["currentValue"]


def values(option: Json) -> list[str]:
    return [choice["value"] for choice in option["options"]]


def recommended(option: Json) -> Any:
    return option["_meta"]["jetbrains"]["air"]["recommendedValue"]


def controls(effects: list[Any]) -> list[Any]:
    """The changes and questions of ours that go to Claude Code, in short."""
    sent = [effect for effect in of(effects, SendControl) if effect.key.startswith(("recommended", "config"))]
    return [effect.request.get("settings", effect.request["subtype"]) for effect in sent]


def answers(air: AirSession, applied: Json | None = None, error: str = "", effective: Json | None = None) -> list[Any]:
    """Claude Code answers what it was asked last."""
    key = air.last
    return follow(air, ControlAnswered(key, {"effective": effective or {}, "applied": applied or {}}, error))


def follow(air: AirSession, *events: Any) -> list[Any]:
    """All effects of some inputs; remembers what Claude Code is asked."""
    effects = air.take(*events)
    keys = [effect.key for effect in of(effects, SendControl) if effect.key.startswith(("recommended", "config"))]
    air.last = keys[-1] if keys else ""
    return effects


def opened(**given: Any) -> AirSession:
    """A session whose recommended effort has been set."""
    air = session(**given)
    follow(air, SessionOpened())
    if air.last:
        answers(air)
        answers(air, {"model": "claude-opus-5-5[1m]", "effort": "medium"}, effective={"effortLevel": "medium"})
    return air


def switch(air: AirSession, model: str, model_id: str, **applied: Any) -> list[Any]:
    """Claude Code takes another model; the effects of its last answer."""
    follow(air, configure(9, "model", model))
    answers(air)
    return answers(air, {"model": model_id, **applied})


def test_the_default_model_is_shown_by_its_name() -> None:
    model = shown(session())["model"]
    assert values(model) == ["opus", "sonnet", "small", "odd"]
    assert (model["currentValue"], recommended(model)) == ("opus", "opus")


def test_a_model_that_was_chosen_stays_current() -> None:
    air = session(model="sonnet")
    air.core.config.changed("model", "sonnet")
    model = shown(air)["model"]
    assert (model["currentValue"], recommended(model)) == ("sonnet", "opus")


def test_a_recommendation_without_a_named_model_keeps_the_default_row() -> None:
    unnamed = (MODELS[0], MODELS[2])
    model = shown(session(unnamed))["model"]
    assert values(model) == ["default", "sonnet"]
    assert model["currentValue"] == "default"
    assert "_meta" not in model
    assert recommended_model(()) == ""


def test_the_recommended_effort_is_shown_and_set() -> None:
    air = session()
    option = shown(air)["effort"]
    assert (values(option), option["currentValue"], recommended(option)) == (
        ["low", "medium", "high"],
        "medium",
        "medium",
    )
    assert controls(follow(air, SessionOpened())) == [{"effortLevel": "medium"}]
    assert controls(answers(air)) == ["get_settings"]
    assert air.gets(ControlAnswered(air.last, {"effective": {}, "applied": {"effort": "medium"}})) == []
    assert effort(air) == "medium"


def test_an_effort_that_the_settings_name_is_left_alone() -> None:
    air = session(effortLevel="high")
    assert effort(air) == "high"
    assert controls(follow(air, SessionOpened())) == []


def test_a_model_without_medium_gets_the_first_level() -> None:
    air = session()
    air.core.config.changed("model", "odd")
    option = shown(air)["effort"]
    assert (option["currentValue"], recommended(option)) == ("one", "one")


def test_the_rows_that_are_not_shown_cannot_be_chosen() -> None:
    air = session()
    assert "Invalid value" in str(air.gets(configure(1, "effort", "default")))
    assert "Invalid value" in str(air.gets(configure(2, "model", "default")))


def test_a_change_of_the_model_is_answered_when_its_effort_is_set() -> None:
    air = opened()
    assert controls(switch(air, "sonnet", "claude-sonnet-5-5", effort="medium")) == [{"effortLevel": None}]
    assert controls(answers(air)) == ["get_settings"]
    assert controls(answers(air, {"model": "claude-sonnet-5-5"})) == [{"effortLevel": "medium"}]
    assert controls(answers(air)) == ["get_settings"]
    (answer,) = air.gets(ControlAnswered(air.last, {"effective": {}, "applied": {"effort": "medium"}}))
    told = {option["id"]: option["currentValue"] for option in answer["result"]["configOptions"]}
    assert (answer["respond"], told["model"], told["effort"]) == (9, "sonnet", "medium")


def test_each_new_model_has_the_settings_read_again() -> None:
    air = opened()
    switch(air, "sonnet", "claude-sonnet-5-5", effort="medium")
    answers(air)
    settings = {"effective": {"effortLevel": "high"}, "applied": {"model": "claude-sonnet-5-5", "effort": "high"}}
    effects = follow(air, ControlAnswered(air.last, settings))
    assert controls(effects) == []
    assert [sent["respond"] for effect in effects for sent in air.sent(effect)] == [9]
    assert effort(air) == "high"


def test_an_effort_that_was_chosen_stays_with_another_model() -> None:
    air = opened()
    follow(air, configure(1, "effort", "high"))
    answers(air)
    answers(air, {"model": "claude-opus-5-5[1m]", "effort": "high"})
    effects = switch(air, "sonnet", "claude-sonnet-5-5", effort="high")
    assert controls(effects) == []
    assert effort(air) == "high"


def test_an_effort_given_at_the_start_stays_too() -> None:
    air = session(start=Start(effort="low"), effortLevel="low")
    follow(air, SessionOpened())
    assert controls(switch(air, "sonnet", "claude-sonnet-5-5", effort="low")) == []
    assert effort(air) == "low"


def test_a_model_without_levels_clears_what_was_set_and_the_choice_comes_back() -> None:
    air = opened()
    follow(air, configure(1, "effort", "high"))
    answers(air)
    answers(air, {"model": "claude-opus-5-5[1m]", "effort": "high"})
    assert controls(switch(air, "small", "claude-haiku-5-5")) == [{"effortLevel": None}]
    assert [sent["respond"] for effect in answers(air) for sent in air.sent(effect)] == [9]
    assert effort(air) is None
    assert controls(switch(air, "sonnet", "claude-sonnet-5-5")) == [{"effortLevel": "high"}]


def test_a_level_that_cannot_be_set_is_not_shown() -> None:
    air = session()
    follow(air, SessionOpened())
    (update,) = [sent for effect in answers(air, error="no") for sent in air.sent(effect)]
    assert [option["id"] for option in update["configOptions"]] == ["mode", "model"]


def test_a_level_that_claude_code_does_not_follow_is_not_shown() -> None:
    air = session()
    follow(air, SessionOpened())
    answers(air)
    answers(air, {"model": "claude-opus-5-5[1m]", "effort": "low"})
    assert effort(air) is None


def test_a_failure_behind_a_change_of_the_model_still_tells_the_model() -> None:
    air = opened()
    switch(air, "sonnet", "claude-sonnet-5-5")
    (answer,) = [sent for effect in answers(air, error="no") for sent in air.sent(effect)]
    told = {option["id"]: option["currentValue"] for option in answer["result"]["configOptions"]}
    assert (told["model"], told["effort"]) == ("sonnet", "medium")


def test_a_failure_hides_a_level_that_the_new_model_does_not_have() -> None:
    air = opened()
    switch(air, "odd", "odd-1")
    answers(air, error="no")
    assert effort(air) is None
    switch(air, "sonnet", "claude-sonnet-5-5")
    answers(air)
    answers(air, {"model": "claude-sonnet-5-5"})
    answers(air)
    answers(air, {"model": "claude-sonnet-5-5", "effort": "medium"})
    assert effort(air) == "medium"


@pytest.mark.parametrize("end", [dies(), CloseRequested(8)])
def test_a_change_that_waits_is_answered_when_nobody_will(end: Any) -> None:
    air = opened()
    switch(air, "sonnet", "claude-sonnet-5-5")
    stale = air.last
    assert 9 in [sent.get("respond") for sent in air.gets(end)]
    assert air.gets(ControlAnswered(stale, {})) == []


def test_nothing_is_asked_of_a_claude_code_that_is_dropped_while_its_model_changes() -> None:
    air = opened()
    follow(air, configure(9, "model", "sonnet"))
    answers(air)
    checks = air.last
    air.take(CANCEL, TimerFired("cancel"))
    effects = air.take(ControlAnswered(checks, {}, "Claude Code was stopped"))
    assert controls(effects) == []
    assert [effect.request for effect in of(effects, RespondConfig)] == [9]


def test_a_fresh_process_gets_the_level_again() -> None:
    air = opened()
    air.take(dies(), prompt(1))
    assert controls(follow(air, ProcessStarted("default"))) == [{"effortLevel": "medium"}]


def test_without_the_capability_nothing_changes() -> None:
    config = SessionConfig(MODELS, "default", RUNS, may_bypass=True)
    air = AirSession(config=config)
    assert values(shown(air)["model"])[0] == "default"
    assert shown(air)["effort"]["currentValue"] == "default"
    assert controls(follow(air, SessionOpened())) == []
