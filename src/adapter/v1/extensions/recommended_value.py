"""Concrete models and effort levels for AIR, in place of rows that say `default`.

Source: docs/air-extensions.md, *Recommended config values*. What is shown is what Claude Code runs with: the
recommended effort is set, where nobody has asked for another one, at the start of a session and with each new model.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from adapter.shared.config_options.changes import GET_SETTINGS
from adapter.shared.config_options.models import DEFAULT, same_model
from adapter.shared.config_options.settings import SessionConfig
from adapter.shared.effects import Effects, RespondConfig, SendControl
from adapter.shared.inputs import ControlAnswered
from adapter.shared.session_part import SessionPart
from adapter.shared.tools.facts import Json
from adapter.shared.tools.text import string
from adapter.shared.updates import ConfigChanged, ConfigOption

RECOMMENDED_EFFORT = "medium"
KEY = "recommended"


@dataclass(frozen=True, slots=True)
class RecommendedOption(ConfigOption):
    """An option with the value that is recommended for it, one of its choices."""

    recommended: str = ""


def recommended_model(models: tuple[Json, ...]) -> str:
    """The named model that Claude Code's default stands for; empty if the list has none."""
    default = next((model for model in models if model.get("value") == DEFAULT), {})
    resolved = string(default.get("resolvedModel"))
    named = (model for model in models if model.get("value") != DEFAULT)
    fits = (string(model.get("value")) for model in named if same_model(string(model.get("resolvedModel")), resolved))
    return next(fits, "")


def recommended_effort(option: ConfigOption) -> str:
    """`medium`, or the first level of a model that does not have it."""
    levels = [choice.value for choice in option.choices if choice.value != DEFAULT]
    return RECOMMENDED_EFFORT if RECOMMENDED_EFFORT in levels else levels[0]


def with_recommended(option: ConfigOption, recommended: str, current: str) -> ConfigOption:
    """The option without its default row."""
    choices = tuple(choice for choice in option.choices if choice.value != DEFAULT)
    return RecommendedOption(
        option.id, option.name, option.description, option.category, current, choices, recommended=recommended
    )


class RecommendedValues(SessionPart):
    """The recommendations of one session.

    Args:
        config: What the session runs with.
    """

    def __init__(self, config: SessionConfig) -> None:
        self._config = config
        self._model = self._model_value()
        self._applied = ""
        self._wanted = ""
        self._cleared = False
        self._in_doubt = False
        self._is_up = True
        self._count = 0
        self._held: Effects = []
        self.answers = {KEY: self._answered}
        config.present = self.present

    def present(self, options: tuple[ConfigOption, ...]) -> tuple[ConfigOption, ...]:
        """The options as AIR gets them. An effort that is not known to have been set is not shown."""
        return tuple(shown for option in options if (shown := self._presented(option)) is not None)

    def rewrite(self, effects: Effects) -> Effects:
        """A change of the model is told when the effort that is shown with it has been set."""
        if self._model_value() == self._model:
            return effects
        self._model = self._model_value()
        if not self._is_up:
            # The next process is told what fits this model.
            self._applied = ""
            return effects
        self._held += [effect for effect in effects if isinstance(effect, RespondConfig | ConfigChanged)]
        others = [effect for effect in effects if not isinstance(effect, RespondConfig | ConfigChanged)]
        return [*others, *self._model_changed()]

    def process_started(self) -> Effects:
        """The session begins, or a fresh process does not know what was set before."""
        self._is_up = True
        if self._applied and not self._config.pins_effort:
            return [self._set(self._applied)]
        return self._synchronise()

    def process_gone(self) -> Effects:
        """Nobody will answer."""
        self._is_up = False
        self._count += 1
        return self._release()

    def session_over(self) -> Effects:
        """The same."""
        return self.process_gone()

    def _presented(self, option: ConfigOption) -> ConfigOption | None:
        if option.id == "model":
            recommended = recommended_model(self._config.models)
            current = recommended if option.current == DEFAULT else option.current
            return with_recommended(option, recommended, current) if recommended else option
        if option.id != "effort":
            return option
        recommended = recommended_effort(option)
        current = option.current
        if current == DEFAULT:
            current = self._applied if self._in_doubt else recommended
        known = any(choice.value == current for choice in option.choices)
        return with_recommended(option, recommended, current) if known else None

    def _synchronise(self) -> Effects:
        """Set the recommended effort, where the model has levels and nobody has asked for one."""
        effort = self._effort()
        if effort is None or effort.current != DEFAULT:
            return self._release()
        return [self._set(recommended_effort(effort))]

    def _model_changed(self) -> Effects:
        effort = self._effort()
        pinned = self._config.pins_effort
        if effort is None:
            if not self._applied and not pinned:
                return self._release()
            self._applied, self._cleared = "", True
            return [self._send("drop", self._config.request("effort", DEFAULT))]
        if pinned and effort.current != DEFAULT:
            return [self._set(effort.current)] if self._cleared else self._release()
        self._in_doubt = True
        if self._applied:
            return [self._send("clear", self._config.request("effort", DEFAULT))]
        return self._synchronise()

    def _answered(self, event: ControlAnswered) -> Effects:
        _, step, number = event.key.split(" ")
        if int(number) != self._count:
            return []
        match step:
            case "clear" if not event.error:
                return [self._send("read", GET_SETTINGS)]
            case "read" if not event.error:
                self._config.refresh(event.response)
                return self._synchronise()
            case "set" if not event.error:
                return [self._send("check", GET_SETTINGS)]
            case "check":
                return self._checked(event)
            case "drop":
                return self._release()
            case _:
                return self._failed()

    def _checked(self, event: ControlAnswered) -> Effects:
        if not event.error:
            self._config.refresh(event.response)
        applied = event.response.get("applied")
        running = string(applied.get("effort")) if isinstance(applied, dict) else ""
        if running not in ("", self._wanted):
            return self._failed()
        self._applied = self._wanted
        self._in_doubt = self._cleared = False
        return self._release()

    def _failed(self) -> Effects:
        """The model is told all the same; without anything to answer, the client is told what is known now."""
        self._in_doubt = True
        return self._release() or [ConfigChanged(self._config.options())]

    def _release(self) -> Effects:
        held, self._held = self._held, []
        options = self._config.options()
        return [replace(effect, options=options) for effect in held]

    def _set(self, level: str) -> SendControl:
        self._wanted = level
        return self._send("set", self._config.request("effort", level))

    def _send(self, step: str, request: Json) -> SendControl:
        self._count += 1
        return SendControl(f"{KEY} {step} {self._count}", request)

    def _model_value(self) -> str:
        return next((option.current for option in self._config.own_options() if option.id == "model"), "")

    def _effort(self) -> ConfigOption | None:
        return next((option for option in self._config.own_options() if option.id == "effort"), None)
