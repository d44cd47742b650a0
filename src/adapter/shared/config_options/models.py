"""Claude Code's models as choices: short labels get the version of the model behind them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from adapter.shared.tools.text import string
from adapter.shared.updates import Choice

CONTEXT_SUFFIX = re.compile(r"\s*\((?:with )?\d+[MKmk] context\)$")
MODEL_ID = re.compile(r"claude-([a-z]+)-(\d+)(?:-(\d{1,2}))?(?!\d)")


def model_choices(models: Sequence[dict[str, Any]]) -> tuple[Choice, ...]:
    """One choice a model. If two would get the same label, all keep the labels that Claude Code gave."""
    given = [string(model.get("displayName")) or string(model.get("value")) for model in models]
    versioned = [
        _versioned(label, string(model.get("resolvedModel"))) for label, model in zip(given, models, strict=True)
    ]
    labels = versioned if len(set(versioned)) == len(versioned) else given
    return tuple(
        Choice(string(model.get("value")), label, _description(model, models))
        for label, model in zip(labels, models, strict=True)
    )


def _versioned(label: str, model_id: str) -> str:
    """`Sonnet` for claude-sonnet-4-5 is `Sonnet 4.5`; a label that names no family stays."""
    match = MODEL_ID.match(model_id)
    short = CONTEXT_SUFFIX.sub("", label)
    if match is None or short.removeprefix("Claude ").lower() != match[1]:
        return label
    version = f"{match[2]}.{match[3]}" if match[3] else match[2]
    return f"{short} {version}"


def model_label(model_id: str) -> str:
    """`Sonnet 4.5` for claude-sonnet-4-5; an id of another form is its own label."""
    match = MODEL_ID.match(model_id)
    if match is None:
        return model_id
    return f"{match[1].capitalize()} {match[2]}.{match[3]}" if match[3] else f"{match[1].capitalize()} {match[2]}"


def _description(model: dict[str, Any], models: Sequence[dict[str, Any]]) -> str:
    """Claude Code's text; for the default, which model it stands for."""
    if model.get("value") != "default":
        return string(model.get("description"))
    same = (m for m in models if m.get("value") != "default" and m.get("resolvedModel") == model.get("resolvedModel"))
    named = next(same, None)
    return string(named.get("displayName")) if named else string(model.get("description"))
