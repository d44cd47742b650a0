"""What a session runs with, what a client can change of it, and how that reaches Claude Code."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.config_options.settings import SessionConfig, Start
from adapter.shared.jsonrpc.errors import ClientMistake
from adapter.shared.updates import Choice, ConfigOption

OPUS = {
    "value": "opus",
    "resolvedModel": "claude-opus-5-5",
    "displayName": "Opus",
    "supportsEffort": True,
    "supportedEffortLevels": ["low", "medium", "high"],
    "supportsFastMode": True,
    "supportsAutoMode": True,
}
HAIKU = {"value": "haiku", "resolvedModel": "claude-haiku-5-5", "displayName": "Haiku"}
DEFAULT = {**OPUS, "value": "default", "displayName": "Default (recommended)"}
MODELS = (DEFAULT, OPUS, HAIKU)


def config(
    mode: str = "default",
    *,
    models: Any = MODELS,
    may_bypass: bool = True,
    applied: Any = None,
    start: Start | None = None,
    **effective: Any,
) -> SessionConfig:
    settings = {"effective": effective, "applied": applied}
    return SessionConfig(tuple(models), mode, settings, may_bypass=may_bypass, start=start)


def current(session: SessionConfig) -> dict[str, str]:
    return {option.id: option.current for option in session.options()}


def runs(**applied: Any) -> dict[str, Any]:
    """An answer to `get_settings`."""
    return {"effective": {}, "applied": {"model": "claude-opus-5-5", **applied}}


def option(session: SessionConfig, name: str) -> ConfigOption:
    (found,) = [option for option in session.options() if option.id == name]
    return found


def ids(session: SessionConfig) -> list[str]:
    return [option.id for option in session.options()]


def modes(session: SessionConfig) -> list[str]:
    return [mode.value for mode in session.modes()]


def choices(option: ConfigOption) -> list[str]:
    return [choice.value for choice in option.choices]


def test_a_model_that_can_do_all_has_all_options() -> None:
    assert ids(config()) == ["mode", "model", "effort", "fast"]
    assert ids(config(applied={"ultracodeAvailable": True})) == ["mode", "model", "effort", "fast", "ultracode"]


def test_a_model_that_can_do_little_has_few_options() -> None:
    assert ids(config(model="haiku")) == ["mode", "model"]
    assert ids(config(models=[])) == ["mode"]


def test_the_options_are_described() -> None:
    mode, model, effort, fast, ultracode = config(applied={"ultracodeAvailable": True}).options()
    assert (mode.name, mode.category, mode.current, mode.toggle) == ("Mode", "mode", "default", False)
    assert (model.name, model.category, model.current) == ("Model", "model", "default")
    assert choices(model) == ["default", "opus", "haiku"]
    assert (effort.name, effort.category, effort.current) == ("Effort", "thought_level", "default")
    assert effort.choices == (
        Choice("default", "Default"),
        Choice("low", "Low"),
        Choice("medium", "Medium"),
        Choice("high", "High"),
    )
    assert (fast.name, fast.category, fast.current, fast.toggle) == ("Fast mode", "model_config", "off", True)
    assert (ultracode.name, ultracode.category, ultracode.toggle) == ("Ultracode", "model_config", True)
    assert choices(fast) == choices(ultracode) == ["on", "off"]


def test_the_modes_have_names() -> None:
    names = {mode.value: mode.name for mode in config("dontAsk").modes()}
    assert names == {
        "default": "Manual",
        "acceptEdits": "Accept edits",
        "plan": "Plan",
        "auto": "Auto",
        "bypassPermissions": "Bypass permissions",
        "dontAsk": "Don't ask",
    }
    assert all(mode.description for mode in config("dontAsk").modes())


@pytest.mark.parametrize(
    ("session", "expected"),
    [
        (config(), ["default", "acceptEdits", "plan", "auto", "bypassPermissions"]),
        (config(may_bypass=False), ["default", "acceptEdits", "plan", "auto"]),
        (config(model="haiku"), ["default", "acceptEdits", "plan", "bypassPermissions"]),
        (config("auto", model="haiku", may_bypass=False), ["default", "acceptEdits", "plan", "auto"]),
        (config("dontAsk", may_bypass=False), ["default", "acceptEdits", "plan", "auto", "dontAsk"]),
    ],
)
def test_the_modes_are_those_that_can_be_set_and_the_one_that_is(session: SessionConfig, expected: list[str]) -> None:
    assert modes(session) == expected
    assert choices(option(session, "mode")) == expected


@pytest.mark.parametrize(
    ("given", "current"),
    [
        ("opus", "opus"),
        ("claude-haiku-5-5", "haiku"),
        ("claude-opus-5-5", "opus"),
        ("default", "default"),
        ("unknown-model", "default"),
        ("", "default"),
        (None, "default"),
        (7, "default"),
    ],
)
def test_the_model_of_the_settings_is_found_by_value_or_by_id(given: Any, current: str) -> None:
    assert option(config(model=given), "model").current == current


@pytest.mark.parametrize(
    ("given", "current"), [("high", "high"), ("max", "default"), (None, "default"), (7, "default")]
)
def test_the_effort_of_the_settings_is_shown_if_the_model_has_it(given: Any, current: str) -> None:
    assert option(config(effortLevel=given), "effort").current == current


@pytest.mark.parametrize("levels", [None, "high", {"low": 1}])
def test_a_model_without_a_list_of_levels_has_no_effort(levels: Any) -> None:
    assert "effort" not in ids(config(models=[{**OPUS, "value": "default", "supportedEffortLevels": levels}]))


@pytest.mark.parametrize(("value", "current"), [(True, "on"), (False, "off"), ("true", "off"), (None, "off")])
def test_switches_are_on_if_the_settings_say_so(value: Any, current: str) -> None:
    session = config(fastMode=value, applied={"ultracodeAvailable": True, "ultracode": value})
    assert option(session, "fast").current == current
    assert option(session, "ultracode").current == current


@pytest.mark.parametrize("settings", [{}, {"effective": None, "applied": None}])
def test_settings_may_be_missing(settings: dict[str, Any]) -> None:
    session = SessionConfig(MODELS, "plan", settings, may_bypass=False)
    assert [option.current for option in session.options()] == ["plan", "default", "default", "off"]


@pytest.mark.parametrize(
    ("name", "value", "request_"),
    [
        ("mode", "plan", {"subtype": "set_permission_mode", "mode": "plan"}),
        ("mode", "default", {"subtype": "set_permission_mode", "mode": "default"}),
        ("model", "opus", {"subtype": "set_model", "model": "opus"}),
        ("model", "default", {"subtype": "set_model", "model": None}),
        ("effort", "high", {"subtype": "apply_flag_settings", "settings": {"effortLevel": "high"}}),
        ("effort", "default", {"subtype": "apply_flag_settings", "settings": {"effortLevel": None}}),
        ("fast", "on", {"subtype": "apply_flag_settings", "settings": {"fastMode": True}}),
        ("fast", "off", {"subtype": "apply_flag_settings", "settings": {"fastMode": False}}),
        ("ultracode", "on", {"subtype": "apply_flag_settings", "settings": {"ultracode": True}}),
        ("ultracode", "off", {"subtype": "apply_flag_settings", "settings": {"ultracode": False}}),
    ],
)
def test_a_change_is_a_request_to_claude_code(name: str, value: str, request_: dict[str, Any]) -> None:
    session = config(applied={"ultracodeAvailable": True})
    assert session.change(name, value) == request_
    assert [option.current for option in session.options()] == ["default", "default", "default", "off", "off"]


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("nope", "x", "Invalid params: Unknown config option: nope"),
        ("model", "x", "Invalid params: Invalid value for config option model: x"),
        ("mode", "bypassPermissions", "Invalid params: Invalid value for config option mode: bypassPermissions"),
        ("mode", "dontAsk", "Invalid params: Invalid value for config option mode: dontAsk"),
        ("effort", "max", "Invalid params: Invalid value for config option effort: max"),
        ("fast", "yes", "Invalid params: Invalid value for config option fast: yes"),
        ("ultracode", "on", "Invalid params: Unknown config option: ultracode"),
    ],
)
def test_a_change_that_cannot_be_is_the_clients_mistake(name: str, value: str, message: str) -> None:
    with pytest.raises(ClientMistake) as raised:
        config(may_bypass=False).change(name, value)
    error = raised.value
    assert (error.code, error.message) == (-32602, message)
    assert error.data is None


def test_an_option_that_the_model_lacks_cannot_be_changed() -> None:
    with pytest.raises(ClientMistake, match="Unknown config option: effort"):
        config(model="haiku").change("effort", "high")


def test_what_was_changed_is_shown() -> None:
    session = config(applied={"ultracodeAvailable": True})
    for name, value in (("mode", "plan"), ("model", "opus"), ("effort", "low"), ("fast", "on"), ("ultracode", "on")):
        session.changed(name, value)
    assert [option.current for option in session.options()] == ["plan", "opus", "low", "on", "on"]


def test_an_effort_level_leaves_ultracode_as_it_is() -> None:
    session = config(applied={"ultracodeAvailable": True, "ultracode": True})
    settings = {"effortLevel": "low", "ultracode": True}
    assert session.change("effort", "low") == {"subtype": "apply_flag_settings", "settings": settings}
    session.changed("ultracode", "off")
    assert session.change("effort", "low") == {"subtype": "apply_flag_settings", "settings": {"effortLevel": "low"}}


def test_a_model_brings_its_own_options() -> None:
    session = config()
    session.changed("model", "haiku")
    assert ids(session) == ["mode", "model"]
    assert "auto" not in modes(session)
    session.changed("model", "opus")
    assert ids(session) == ["mode", "model", "effort", "fast"]


def test_a_fresh_process_needs_nothing_where_nothing_was_changed() -> None:
    session = config("plan", model="opus", effortLevel="high", fastMode=True)
    assert session.restoring("plan") == []


def test_a_fresh_process_is_brought_to_what_was_changed() -> None:
    session = config("plan", model="opus", effortLevel="high")
    for name, value in (("mode", "auto"), ("effort", "default"), ("fast", "on"), ("model", "default")):
        session.changed(name, value)
    assert session.restoring("plan") == [
        {"subtype": "set_permission_mode", "mode": "auto"},
        {"subtype": "set_model", "model": None},
        {"subtype": "apply_flag_settings", "settings": {"effortLevel": None}},
        {"subtype": "apply_flag_settings", "settings": {"fastMode": True}},
    ]
    assert session.restoring("auto") == session.restoring("plan")[1:]


def test_a_change_that_was_taken_back_is_restored_as_well() -> None:
    session = config()
    session.changed("model", "haiku")
    session.changed("model", "default")
    # A resumed conversation goes on with the model that it had last.
    assert session.restoring("default") == [{"subtype": "set_model", "model": None}]


# What is shown is what Claude Code runs with.


@pytest.mark.parametrize(
    ("applied", "start", "effective", "shown"),
    [
        ("medium", Start(), {}, "default"),
        ("medium", Start(), {"effortLevel": "high"}, "default"),
        ("high", Start(), {"effortLevel": "high"}, "high"),
        ("low", Start(effort="low"), {"effortLevel": "high"}, "low"),
        ("low", Start(), {"modelSettings": {"claude-opus-5-5": {"effortLevel": "low"}, "x": 5}}, "low"),
    ],
)
def test_the_effort_is_the_one_that_runs_if_somebody_asked_for_it(
    applied: str, start: Start, effective: Any, shown: str
) -> None:
    session = config(applied={"model": "claude-opus-5-5", "effort": applied}, start=start, **effective)
    assert option(session, "effort").current == shown


@pytest.mark.parametrize(
    ("applied", "start", "effective", "shown"),
    [
        ("claude-opus-5-5", Start(), {}, "default"),
        ("claude-opus-5-5", Start(model="opus"), {}, "opus"),
        ("claude-haiku-5-5", Start(model="haiku"), {"model": "opus"}, "haiku"),
        ("claude-haiku-5-5", Start(), {"model": "claude-haiku-5-5"}, "haiku"),
        ("claude-opus-5-5", Start(), {"model": "haiku"}, "default"),
        ("my-gateway", Start(model="my-gateway"), {}, "my-gateway"),
    ],
)
def test_the_model_is_the_one_that_runs(applied: str, start: Start, effective: Any, shown: str) -> None:
    session = config(applied={"model": applied}, start=start, **effective)
    assert option(session, "model").current == shown


def test_a_wider_window_of_a_listed_model_is_a_choice_of_its_own() -> None:
    session = config(applied={"model": "claude-haiku-5-5[1m]"}, model="haiku[1m]")
    model = option(session, "model")
    assert model.current == "claude-haiku-5-5[1m]"
    assert model.choices[-1] == Choice("claude-haiku-5-5[1m]", "Haiku 5.5 (1M context)")


@pytest.mark.parametrize(("said", "effective", "shown"), [("off", True, "off"), ("on", False, "on"), ("", True, "on")])
def test_fast_mode_is_what_claude_code_says(said: str, effective: bool, shown: str) -> None:
    session = config(start=Start(fast=said), fastMode=effective)
    assert option(session, "fast").current == shown


@pytest.mark.parametrize("name", ["claude-haiku-5-5", "HAIKU", "Haiku 5.5"])
def test_a_model_may_be_named_by_its_id_or_label(name: str) -> None:
    assert config().change("model", name) == {"subtype": "set_model", "model": "haiku"}


def test_a_level_that_claude_code_does_not_follow_is_refused() -> None:
    session = config(applied={"effort": "medium"})
    assert session.take("effort", "high", runs(effort="low")).startswith("Claude Code goes on with the effort low")
    assert current(session)["effort"] == "default"
    assert session.take("effort", "high", runs(effort="high")) == ""
    assert current(session)["effort"] == "high"
    assert session.take("effort", "default", runs(effort="medium")) == ""
    assert current(session)["effort"] == "default"


def test_ultracode_that_claude_code_does_not_follow_is_refused() -> None:
    session = config(applied={"ultracodeAvailable": True, "ultracode": False})
    answer = runs(ultracodeAvailable=True, ultracode=False)
    assert session.take("ultracode", "on", answer) == "Claude Code goes on with ultracode off"
    assert current(session)["ultracode"] == "off"
    assert session.take("ultracode", "on", runs(ultracodeAvailable=True, ultracode=True)) == ""
    assert current(session)["ultracode"] == "on"


def test_a_model_may_bring_another_level_with_it() -> None:
    session = config(applied={"model": "claude-opus-5-5", "effort": "medium"})
    assert session.take("effort", "high", runs(effort="high")) == ""
    session.take("model", "opus", runs(effort="low"))
    assert (current(session)["model"], current(session)["effort"]) == ("opus", "low")


def test_an_answer_without_settings_changes_nothing() -> None:
    session = config(applied={"model": "claude-opus-5-5", "effort": "high"}, effortLevel="high")
    before = session.options()
    session.refresh({})
    session.follow({})
    assert session.options() == before


def test_a_model_that_changed_by_another_cause_is_followed() -> None:
    session = config(applied={"model": "claude-opus-5-5"})
    session.follow({"effective": {}, "applied": {"model": "claude-haiku-5-5"}})
    assert current(session)["model"] == "haiku"
    session.follow({"effective": {}, "applied": {"model": "other"}})
    assert current(session)["model"] == "other"


def test_an_effort_that_changed_by_a_command_is_followed_and_kept() -> None:
    session = config(applied={"model": "claude-opus-5-5", "effort": "medium"})
    session.follow(runs(effort="medium"))
    assert (current(session)["effort"], session.restoring("default")) == ("default", [])
    session.follow(runs(effort="high"))
    assert current(session)["effort"] == "high"
    assert session.restoring("default") == [session.request("effort", "high")]
    session.follow(runs(effort="medium"))
    assert current(session)["effort"] == "default"


def test_another_model_s_own_effort_is_nobody_s_choice() -> None:
    session = config(applied={"model": "claude-opus-5-5", "effort": "medium"})
    session.follow({"effective": {}, "applied": {"model": "other", "effort": "high"}})
    assert session.restoring("default") == []


AGENTS = ({"name": "claude"}, {"name": "Explore"}, {"name": "reviewer", "description": "Reviews code"})


def test_custom_agents_can_lead_a_session() -> None:
    agent = option(config(start=Start(agents=AGENTS)), "agent")
    assert (agent.name, agent.category, agent.current) == ("Agent", "", "default")
    assert agent.choices == (
        Choice("default", "Default", "Standard Claude Code agent"),
        Choice("reviewer", "reviewer", "Reviews code"),
    )
    assert option(config(start=Start(agents=AGENTS, agent="reviewer")), "agent").current == "reviewer"
    assert option(config(start=Start(agents=AGENTS), agent="reviewer"), "agent").current == "reviewer"


def test_without_custom_agents_there_is_no_choice() -> None:
    assert "agent" not in ids(config(start=Start(agents=AGENTS[:2])))
