"""Claude Code's models as choices: short labels get the version of the model behind them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from adapter.shared.tools.text import string
from adapter.shared.updates import Choice

Json = dict[str, Any]

FAMILIES = frozenset({"best", "default", "fable", "haiku", "opus", "opusplan", "sonnet"})
"""Aliases: in a list of allowed models they stand for models that Claude Code lists under their own names."""
DEFAULT = "default"
CONTEXT_SUFFIX = re.compile(r"\s*\((?:with )?\d+[MKmk] context\)$")
MODEL_ID = re.compile(r"claude-([a-z]+)-(\d+)(?:-(\d{1,2}))?(?!\d)")


WIDE = re.compile(r"(\[1m\]|-1m)$")


def same_model(one: str, other: str) -> bool:
    """Whether two ids name the same model; the wide context window may be written in two ways."""
    return WIDE.sub("[1m]", one) == WIDE.sub("[1m]", other) != ""


def model_choices(models: Sequence[Json]) -> tuple[Choice, ...]:
    """One choice a model.

    If two would get the same label, all keep the labels that Claude Code gave; those that are still alike are told
    apart by their values.
    """
    given = [string(model.get("displayName")) or string(model.get("value")) for model in models]
    versioned = [
        _versioned(label, string(model.get("resolvedModel"))) for label, model in zip(given, models, strict=True)
    ]
    labels = versioned if len(set(versioned)) == len(versioned) else _told_apart(given, versioned, models)
    return tuple(
        Choice(string(model.get("value")), label, _description(model, models))
        for label, model in zip(labels, models, strict=True)
    )


def _told_apart(given: list[str], versioned: list[str], models: Sequence[Json]) -> list[str]:
    labels = given if len(set(given)) == len(given) else versioned
    return [
        f"{label} ({string(model.get('value'))})" if labels.count(label) > 1 else label
        for label, model in zip(labels, models, strict=True)
    ]


def _versioned(label: str, model_id: str) -> str:
    """`Sonnet` for claude-sonnet-4-5 is `Sonnet 4.5`; a label that names no family stays."""
    match = MODEL_ID.match(model_id)
    short = CONTEXT_SUFFIX.sub("", label)
    if match is None or short.removeprefix("Claude ").lower() != match[1]:
        return label
    version = f"{match[2]}.{match[3]}" if match[3] else match[2]
    return f"{short} {version}"


def model_label(model_id: str) -> str:
    """`Sonnet 4.5` for claude-sonnet-4-5, with its context window if that is wide; another id is its own label."""
    match = MODEL_ID.match(model_id)
    if match is None:
        return model_id
    window = " (1M context)" if WIDE.search(model_id) else ""
    version = f"{match[2]}.{match[3]}" if match[3] else match[2]
    return f"{match[1].capitalize()} {version}{window}"


def _description(model: Json, models: Sequence[Json]) -> str:
    """Claude Code's text; for the default, which model it stands for."""
    if model.get("value") != DEFAULT:
        return string(model.get("description"))
    same = (m for m in models if m.get("value") != DEFAULT and m.get("resolvedModel") == model.get("resolvedModel"))
    named = next(same, None)
    if named is None:
        return string(model.get("resolvedModel")) or string(model.get("description"))
    return string(named.get("displayName"))


def with_allowed(models: tuple[Json, ...], allowed: Any) -> tuple[Json, ...]:
    """The model list with the ids that the settings allow beside it, each behind the one that they name before it."""
    if not isinstance(allowed, list) or not models:
        return models
    listed = list(models)
    place = 0
    for name in allowed:
        at = next((index for index, model in enumerate(listed) if _covers(model, name)), None)
        if at is not None:
            place = at
        elif isinstance(name, str) and name and name not in FAMILIES:
            place += 1
            listed.insert(place, {"value": name, "displayName": name, "resolvedModel": name})
    return tuple(listed)


def _covers(model: Json, name: Any) -> bool:
    """Whether an entry of a list of allowed models means this model: by its alias, its id, or the id's beginning."""
    resolved = string(model.get("resolvedModel"))
    if model.get("value") == DEFAULT or not isinstance(name, str) or not name:
        return False
    return model.get("value") == name or resolved.startswith((name, f"claude-{name}"))


def with_running_model(models: tuple[Json, ...], configured: str, applied: str) -> tuple[Json, ...]:
    """The model list, and the running model if the list lacks it: the environment or the settings may name any."""
    known = {string(model.get(key)) for model in models for key in ("value", "resolvedModel")}
    if not models or not applied or applied in known or (configured in known - {""} and "[" not in applied):
        return models
    return (*models, {"value": applied, "displayName": model_label(applied), "resolvedModel": applied})
