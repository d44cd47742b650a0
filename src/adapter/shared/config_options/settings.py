"""What a session runs with, which options that gives a client, and the control requests that change it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from adapter.shared.config_options.models import model_choices, model_label
from adapter.shared.jsonrpc.errors import ClientMistake, invalid_params
from adapter.shared.tools.facts import Json
from adapter.shared.tools.text import string
from adapter.shared.updates import Choice, ConfigOption

MODES = (
    Choice("default", "Manual", "Always ask before making changes"),
    Choice("acceptEdits", "Accept edits", "Automatically accept all file edits"),
    Choice("plan", "Plan", "Create a plan before making changes"),
    Choice("auto", "Auto", "Claude handles permission decisions"),
    Choice("bypassPermissions", "Bypass permissions", "Accepts all permissions"),
)
DONT_ASK = Choice("dontAsk", "Don't ask", "Deny whatever is not allowed already")
"""Comes from settings only, so it is among the choices only as long as it is the mode."""
SWITCH = (Choice("on", "On"), Choice("off", "Off"))
DEFAULT = "default"


class SessionConfig:
    """The configuration of one session.

    Args:
        models: Claude Code's model list.
        permission_mode: The mode that it runs in.
        settings: Its answer to `get_settings`.
        may_bypass: Whether it was started so that it may bypass permissions.
    """

    def __init__(self, models: tuple[Json, ...], permission_mode: str, settings: Json, *, may_bypass: bool) -> None:
        effective: Any = settings.get("effective") or {}
        applied: Any = settings.get("applied") or {}
        self._models = _with_running_model(models, string(effective.get("model")), string(applied.get("model")))
        self._may_bypass = may_bypass
        self._ultracode_offered = bool(applied.get("ultracodeAvailable"))
        self.mode = permission_mode
        self._values = {
            "model": self._running_model(string(effective.get("model")), string(applied.get("model"))),
            "effort": string(effective.get("effortLevel")) or DEFAULT,
            "fast": "on" if effective.get("fastMode") is True else "off",
            "ultracode": "on" if applied.get("ultracode") is True else "off",
        }
        self._initial = dict(self._values)
        self._served: frozenset[str] | None = None

    def serve(self, served: Iterable[str] | None) -> bool:
        """Offer only the models that a provider lists by id, or, for `None`, all; whether that changes the offer."""
        before, self._served = self._served, None if served is None else frozenset(served)
        return self._served != before

    def modes(self) -> tuple[Choice, ...]:
        """The permission modes that can be set."""
        auto = self._model().get("supportsAutoMode") is True
        unavailable = {"auto"} if not auto else set()
        if not self._may_bypass:
            unavailable.add("bypassPermissions")
        known = (*MODES, DONT_ASK) if self.mode == DONT_ASK.value else MODES
        return tuple(mode for mode in known if mode.value not in unavailable or mode.value == self.mode)

    def options(self) -> tuple[ConfigOption, ...]:
        """All options as they are now."""
        return tuple(self._options())

    def change(self, option_id: str, value: str) -> Json:
        """The control request that sets an option.

        Raises:
            ClientMistake: There is no such option, or it has no such value.
        """
        option = next((option for option in self._options() if option.id == option_id), None)
        if option is None:
            raise _mistake("configId", f"Unknown config option: {option_id}")
        if all(choice.value != value for choice in option.choices):
            raise _mistake("value", f"Invalid value for config option {option_id}: {value}")
        return self._request(option_id, value)

    def changed(self, option_id: str, value: str) -> None:
        """Claude Code has taken the change."""
        if option_id == "mode":
            self.mode = value
            return
        self._values[option_id] = value
        if option_id == "effort":
            # Claude Code leaves ultracode when an effort level is set.
            self._values["ultracode"] = "off"

    def restoring(self, permission_mode: str) -> list[Json]:
        """The control requests that bring a fresh process to this configuration."""
        requests = [
            self._request(option, value) for option, value in self._values.items() if value != self._initial[option]
        ]
        return requests if permission_mode == self.mode else [self._request("mode", self.mode), *requests]

    def _options(self) -> Iterator[ConfigOption]:
        value = self._values
        yield ConfigOption("mode", "Mode", "Session permission mode", "mode", self.mode, self.modes())
        listed = self._listed()
        if listed:
            choices = model_choices(listed)
            yield ConfigOption("model", "Model", "AI model to use", "model", value["model"], choices)
        levels = self._model().get("supportedEffortLevels")
        if self._model().get("supportsEffort") and isinstance(levels, list):
            known = [level for level in levels if isinstance(level, str)]
            efforts = (Choice(DEFAULT, "Default"), *(Choice(level, level.capitalize()) for level in known))
            about = "Available effort levels for this model"
            current = value["effort"] if value["effort"] in known else DEFAULT
            yield ConfigOption("effort", "Effort", about, "thought_level", current, efforts)
        if self._model().get("supportsFastMode"):
            about = "Faster responses on supported models"
            yield ConfigOption("fast", "Fast mode", about, "model_config", value["fast"], SWITCH, toggle=True)
        if self._ultracode_offered:
            about = "Dynamic workflows on every task, at any effort level"
            yield ConfigOption("ultracode", "Ultracode", about, "model_config", value["ultracode"], SWITCH, toggle=True)

    def _request(self, option_id: str, value: str) -> Json:
        chosen = None if value == DEFAULT else value
        if option_id == "mode":
            return {"subtype": "set_permission_mode", "mode": value}
        if option_id == "model":
            return {"subtype": "set_model", "model": chosen}
        setting = {"effort": ("effortLevel", chosen), "fast": ("fastMode", value == "on")}
        name, content = setting.get(option_id, (option_id, value == "on"))
        return {"subtype": "apply_flag_settings", "settings": {name: content}}

    def _listed(self) -> tuple[Json, ...]:
        if self._served is None:
            return self._models
        return tuple(model for model in self._models if model.get("resolvedModel") in self._served)

    def _model(self) -> Json:
        value = self._values["model"]
        return next((model for model in self._models if model.get("value") == value), {})

    def _running_model(self, configured: str, applied: str) -> str:
        """The list's value for the model that Claude Code runs: the configured one, or else the applied one."""
        default = next((model for model in self._models if model.get("value") == DEFAULT), {})
        if not configured and applied == default.get("resolvedModel"):
            return DEFAULT
        for wanted in (configured, applied):
            for key in ("value", "resolvedModel"):
                for model in self._models:
                    if wanted and model.get(key) == wanted and model.get("value") != DEFAULT:
                        return string(model.get("value"))
        return DEFAULT


def _with_running_model(models: tuple[Json, ...], configured: str, applied: str) -> tuple[Json, ...]:
    """The model list, and the running model if the list lacks it: the environment or the settings may name any."""
    known = {string(model.get(key)) for model in models for key in ("value", "resolvedModel")}
    if not models or not applied or applied in known or configured in known - {""}:
        return models
    return (*models, {"value": applied, "displayName": model_label(applied), "resolvedModel": applied})


def _mistake(path: str, message: str) -> ClientMistake:
    return invalid_params(message, {"path": path})
