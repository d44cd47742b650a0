"""Models as choices: told apart by the version behind their short labels."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.config_options.models import model_choices, model_label
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


def test_a_default_that_no_other_model_is_keeps_its_description() -> None:
    assert (
        model_choices([model("default", "Default", "claude-opus-5-5", "the default")])[0].description == "the default"
    )


def test_models_of_another_form_are_choices_still() -> None:
    assert model_choices([{}, {"value": 1, "displayName": ["x"], "description": None}]) == (
        Choice("", ""),
        Choice("", ""),
    )
    assert model_choices([]) == ()


@pytest.mark.parametrize(
    ("model_id", "shown"),
    [
        ("claude-sonnet-4-5", "Sonnet 4.5"),
        ("claude-opus-4-20250514", "Opus 4"),
        ("claude-3-5-haiku", "claude-3-5-haiku"),
        ("gateway", "gateway"),
        ("", ""),
    ],
)
def test_an_id_has_a_label(model_id: str, shown: str) -> None:
    assert model_label(model_id) == shown
