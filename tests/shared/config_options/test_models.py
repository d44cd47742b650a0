"""Models as choices: told apart by the version behind their short labels."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.config_options.models import model_choices, model_label, same_model, with_allowed
from adapter.shared.updates import Choice


def model(value: str, label: str | None, resolved: str | None = None, about: str = "about") -> dict[str, Any]:
    return {"value": value, "displayName": label, "resolvedModel": resolved, "description": about}


def labels(*models: dict[str, Any]) -> list[str]:
    return [choice.name for choice in model_choices(models)]


def test_a_model_is_a_choice() -> None:
    assert model_choices([model("opus", "Opus", "claude-opus-5-5", "For hard tasks")]) == (
        Choice("opus", "Opus 5.5", "For hard tasks"),
    )


@pytest.mark.parametrize(
    ("label", "resolved", "shown"),
    [
        ("Sonnet", "claude-sonnet-4-5", "Sonnet 4.5"),
        ("Sonnet", "claude-sonnet-4-5-20250929", "Sonnet 4.5"),
        ("Sonnet", "claude-sonnet-4-20250514", "Sonnet 4"),
        ("Haiku", "claude-haiku-5-5", "Haiku 5.5"),
        ("Claude Opus", "claude-opus-4-1", "Claude Opus 4.1"),
        ("Sonnet (1M context)", "claude-sonnet-4-5[1m]", "Sonnet 4.5"),
        ("Sonnet (with 1M context)", "claude-sonnet-4-5[1m]", "Sonnet 4.5"),
        ("Opus 5.5", "claude-opus-5-5", "Opus 5.5"),
        ("Default (recommended)", "claude-opus-5-5", "Default (recommended)"),
        ("My gateway", "my-gateway-model", "My gateway"),
        ("Sonnet", None, "Sonnet"),
        ("Sonnet", "claude-opus-4-1", "Sonnet"),
        (None, "claude-opus-4-1", "the-value"),
    ],
)
def test_a_short_label_gets_the_version(label: str | None, resolved: str | None, shown: str) -> None:
    assert labels(model("the-value", label, resolved)) == [shown]


def test_labels_that_would_be_the_same_stay_as_they_were() -> None:
    assert labels(
        model("sonnet", "Sonnet", "claude-sonnet-4-5"), model("sonnet[1m]", "Sonnet (1M context)", "claude-sonnet-4-5")
    ) == ["Sonnet", "Sonnet (1M context)"]


def test_the_default_says_which_model_it_stands_for() -> None:
    choices = model_choices(
        [
            model("default", "Default (recommended)", "claude-opus-5-5", "Use the default model"),
            model("sonnet", "Sonnet", "claude-sonnet-5"),
            model("opus", "Opus", "claude-opus-5-5"),
        ]
    )
    assert [choice.description for choice in choices] == ["Opus", "about", "about"]


def test_a_default_that_no_other_model_is_is_described_by_its_id() -> None:
    (default,) = model_choices([model("default", "Default", "claude-opus-5-5", "the default")])
    assert default.description == "claude-opus-5-5"
    (default,) = model_choices([model("default", "Default", "", "the default")])
    assert default.description == "the default"


def test_models_of_another_form_are_choices_still() -> None:
    assert model_choices([{}, {"value": 1, "displayName": ["x"], "description": None}]) == (
        Choice("", " ()"),
        Choice("", " ()"),
    )
    assert model_choices([]) == ()


@pytest.mark.parametrize(
    ("model_id", "shown"),
    [
        ("claude-sonnet-4-5", "Sonnet 4.5"),
        ("claude-opus-4-20250514", "Opus 4"),
        ("claude-sonnet-5-5[1m]", "Sonnet 5.5 (1M context)"),
        ("claude-3-5-haiku", "claude-3-5-haiku"),
        ("gateway", "gateway"),
        ("", ""),
    ],
)
def test_an_id_has_a_label(model_id: str, shown: str) -> None:
    assert model_label(model_id) == shown


def test_one_gateway_model_behind_many_aliases_is_told_apart() -> None:
    models = [model("default", "Default", "gw-1[1m]"), model("opus", "gw-1", "gw-1"), model("haiku", "gw-1", "gw-1")]
    assert [choice.name for choice in model_choices(models)] == ["Default", "gw-1 (opus)", "gw-1 (haiku)"]


def test_a_wide_window_is_written_in_two_ways() -> None:
    assert same_model("claude-opus-5-5[1m]", "claude-opus-5-5-1m")
    assert not same_model("claude-opus-5-5[1m]", "claude-opus-5-5")
    assert not same_model("", "")


ALIASES = (
    {"value": "default", "resolvedModel": "claude-opus-5-5"},
    {"value": "opus", "resolvedModel": "claude-opus-5-5"},
    {"value": "haiku", "resolvedModel": "claude-haiku-5-5"},
)


@pytest.mark.parametrize(
    ("allowed", "values"),
    [
        (None, ["default", "opus", "haiku"]),
        ("opus", ["default", "opus", "haiku"]),
        (["opus", "claude-sonnet-4-5", "haiku"], ["default", "opus", "claude-sonnet-4-5", "haiku"]),
        (["gw/one", "gw/two"], ["default", "gw/one", "gw/two", "opus", "haiku"]),
        (["best", "sonnet", 5, "", "opus-5", "claude-haiku-5-5"], ["default", "opus", "haiku"]),
    ],
)
def test_ids_that_the_settings_allow_are_listed_where_they_stand(allowed: Any, values: list[str]) -> None:
    assert [entry["value"] for entry in with_allowed(ALIASES, allowed)] == values
    assert with_allowed((), allowed) == ()
