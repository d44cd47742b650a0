"""What a session runs with, which options that gives a client, and the control requests that change it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from adapter.shared.config_options.models import (
    model_choices,
    model_label,
    same_model,
    with_allowed,
    with_running_model,
)
from adapter.shared.jsonrpc.errors import invalid_params
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
BUILT_IN_AGENTS = frozenset({"claude", "Explore", "Plan", "general-purpose", "statusline-setup"})
MAIN_AGENT = "claude"
"""Claude Code's own, by name: a conversation that another agent has led goes on with that one unless it is named."""
NO_AGENT = Choice(DEFAULT, "Default", "Standard Claude Code agent")


@dataclass(frozen=True, slots=True)
class Start:
    """What Claude Code was started with, as far as its settings do not say it.

    Attributes:
        model: The model that the client or the environment named; empty for none.
        effort: The effort level likewise.
        fast: Claude Code's own word on fast mode, `on` or `off`; empty if it gave none.
        agent: The agent that leads the session; empty for Claude Code's own.
        agents: Claude Code's list of agents.
    """

    model: str = ""
    effort: str = ""
    fast: str = ""
    agent: str = ""
    agents: tuple[Json, ...] = ()


class SessionConfig:
    """The configuration of one session.

    Args:
        models: Claude Code's model list.
        permission_mode: The mode that it runs in.
        settings: Its answer to `get_settings`.
        may_bypass: Whether it was started so that it may bypass permissions.
        start: What else it was started with.

    Attributes:
        present: How the options are shown to the client, where its extensions show them in another way.
    """

    def __init__(
        self,
        models: tuple[Json, ...],
        permission_mode: str,
        settings: Json,
        *,
        may_bypass: bool,
        start: Start | None = None,
    ) -> None:
        self._start = start or Start()
        self.present: Callable[[tuple[ConfigOption, ...]], tuple[ConfigOption, ...]] = lambda options: options
        self._read(settings)
        configured, applied = string(self._effective.get("model")), self.running_model
        allowed = self._effective.get("availableModels")
        self._models = with_running_model(with_allowed(models, allowed), configured, applied)
        self._may_bypass = may_bypass
        self.mode = permission_mode
        fast = self._start.fast or ("on" if self._effective.get("fastMode") is True else "off")
        self._values = {
            "model": self._running_value(),
            "effort": DEFAULT,
            "fast": "on" if fast == "on" else "off",
            "ultracode": "on" if self._applied.get("ultracode") is True else "off",
        }
        self._values["effort"] = self._configured_effort()
        self._own_effort = string(self._applied.get("effort")) if self._values["effort"] == DEFAULT else ""
        self._chosen: set[str] = set()
        self._served: frozenset[str] | None = None
        custom = [agent for agent in self._start.agents if agent.get("name") not in BUILT_IN_AGENTS]
        self._agents = tuple(
            Choice(string(agent.get("name")), string(agent.get("name")), string(agent.get("description")))
            for agent in custom
        )
        self.agent = self._start.agent or string(self._effective.get("agent")) or DEFAULT

    @property
    def running_model(self) -> str:
        """The id of the model that Claude Code runs; empty if it has not said."""
        return string(self._applied.get("model"))

    @property
    def chosen_agent(self) -> str:
        """The name of the agent that the client chose for this session; empty if it chose none."""
        if "agent" not in self._chosen:
            return ""
        return MAIN_AGENT if self.agent == DEFAULT else self.agent

    def refresh(self, settings: Json) -> None:
        """Take over what Claude Code says that it runs with, but for the model that was chosen by name."""
        if not settings.get("applied"):
            return
        self._read(settings)
        if "ultracode" in self._applied:
            self._values["ultracode"] = "on" if self._applied["ultracode"] is True else "off"
        applied = string(self._applied.get("effort"))
        if "effort" not in self._chosen:
            self._values["effort"] = self._configured_effort()
        elif self._values["effort"] != DEFAULT:
            self._values["effort"] = applied or self._values["effort"]

    def follow(self, settings: Json) -> None:
        """As `refresh`, and model and effort too: they may have changed by a command in the conversation."""
        model, effort = self.running_model, string(self._applied.get("effort"))
        self.refresh(settings)
        running = string(self._applied.get("effort"))
        if running not in ("", effort) and self.running_model == model:
            self.changed("effort", DEFAULT if running == self._own_effort else running)
        chosen = self._model()
        if self.running_model and not same_model(string(chosen.get("resolvedModel")), self.running_model):
            self._models = with_running_model(self._models, "", self.running_model)
            self._values["model"] = self._running_value()

    def fell_back(self, model_id: str) -> bool:
        """Another model goes on with the session, after a restart too; whether that changes the options."""
        before = self._values["model"]
        if not any(model.get("resolvedModel") == model_id for model in self._models):
            self._models = with_running_model(self._models, "", model_id)
        self.changed("model", self.model_choice(model_id).value)
        return self._values["model"] != before

    def fast_seen(self, state: str) -> bool:
        """Claude Code says whether fast mode is on; whether that is news."""
        value = "off" if state == "off" else "on"
        if not self._model().get("supportsFastMode") or value == self._values["fast"]:
            return False
        self._values["fast"] = value
        return True

    def take(self, option_id: str, value: str, settings: Json) -> str:
        """Claude Code has accepted a change and says what it runs with; why that is not the change, or empty."""
        applied: Json = settings.get("applied") or {}
        running = string(applied.get("effort"))
        if option_id == "effort" and running and value not in (DEFAULT, running):
            self.refresh(settings)
            fixed = "CLAUDE_CODE_EFFORT_LEVEL or a limit in the settings may fix it"
            return f"Claude Code goes on with the effort {running}; {fixed}"
        if option_id == "ultracode" and "ultracode" in applied and (applied["ultracode"] is True) != (value == "on"):
            self.refresh(settings)
            return f"Claude Code goes on with ultracode {self._values['ultracode']}"
        self.changed(option_id, value)
        self.refresh(settings)
        return ""

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

    def mode_choice(self, mode: str) -> Choice:
        """A permission mode as a choice, also one that this session cannot be set to."""
        known = {choice.value: choice for choice in (*MODES, DONT_ASK)}
        return known.get(mode, Choice(mode, mode))

    def model_choice(self, model_id: str) -> Choice:
        """The choice that stands for a model; for one that none stands for, the model itself."""
        offered = {choice.value for option in self.options() if option.id == "model" for choice in option.choices}
        fits = (string(model.get("value")) for model in self._models if model.get("resolvedModel") == model_id)
        value = next((value for value in fits if value in offered), "")
        known = {choice.value: choice for choice in model_choices(self._models)}
        named = known.get(value)
        return Choice(model_id, model_label(model_id)) if named is None else Choice(named.value, named.name)

    def options(self) -> tuple[ConfigOption, ...]:
        """All options as they are now, in the client's form."""
        return self.present(self.own_options())

    def own_options(self) -> tuple[ConfigOption, ...]:
        """All options as they are now, in Claude Code's terms."""
        return tuple(self._options())

    @property
    def models(self) -> tuple[Json, ...]:
        """The models that can be chosen, as Claude Code lists them."""
        return self._models

    @property
    def pins_effort(self) -> bool:
        """Whether the effort level was chosen for this session, by the client or at its start."""
        return "effort" in self._chosen or bool(self._start.effort)

    def resolve(self, option_id: str, value: str) -> str:
        """The value that is meant: a model may also be named by its id or by its label.

        Raises:
            ClientMistake: There is no such option, or it has no such value.
        """
        option = next((option for option in self.options() if option.id == option_id), None)
        if option is None:
            raise invalid_params(f"Unknown config option: {option_id}")
        if any(choice.value == value for choice in option.choices):
            return value
        if option_id == "model":
            named = [model for model in self._models if model.get("value") != DEFAULT]
            labels = {choice.value: choice.name for choice in option.choices}
            for model in named:
                names = (labels[string(model.get("value"))], string(model.get("displayName")))
                if same_model(string(model.get("resolvedModel")), value) or value.lower() in map(str.lower, names):
                    return string(model.get("value"))
        raise invalid_params(f"Invalid value for config option {option_id}: {value}")

    def change(self, option_id: str, value: str) -> Json:
        """The control request that sets an option; the agent has none, it is set by a restart.

        Raises:
            ClientMistake: See `resolve`.
        """
        return self.request(option_id, self.resolve(option_id, value))

    def changed(self, option_id: str, value: str) -> None:
        """Claude Code has taken the change."""
        if option_id == "mode":
            self.mode = value
            return
        self._chosen.add(option_id)
        if option_id == "agent":
            self.agent = value
        else:
            self._values[option_id] = value

    def restoring(self, permission_mode: str) -> list[Json]:
        """The control requests that bring a fresh process to what the client chose."""
        requests = [self.request(option, value) for option, value in self._values.items() if option in self._chosen]
        return requests if permission_mode == self.mode else [self.request("mode", self.mode), *requests]

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
        if self._applied.get("ultracodeAvailable"):
            about = "Dynamic workflows on every task, at any effort level"
            yield ConfigOption("ultracode", "Ultracode", about, "model_config", value["ultracode"], SWITCH, toggle=True)
        if self._agents:
            offered = {choice.value for choice in self._agents}
            agent = self.agent if self.agent in offered else DEFAULT
            yield ConfigOption("agent", "Agent", "Main-thread agent persona", "", agent, (NO_AGENT, *self._agents))

    def request(self, option_id: str, value: str) -> Json:
        """The control request that sets an option to one of Claude Code's own values."""
        chosen = None if value == DEFAULT else value
        if option_id == "mode":
            return {"subtype": "set_permission_mode", "mode": value}
        if option_id == "model":
            return {"subtype": "set_model", "model": chosen}
        if option_id == "effort":
            # A level that is set alone turns ultracode off.
            kept = {"ultracode": True} if self._values["ultracode"] == "on" else {}
            return {"subtype": "apply_flag_settings", "settings": {"effortLevel": chosen, **kept}}
        name = {"fast": "fastMode"}.get(option_id, option_id)
        return {"subtype": "apply_flag_settings", "settings": {name: value == "on"}}

    def _read(self, settings: Json) -> None:
        self._effective: Json = settings.get("effective") or {}
        self._applied: Json = settings.get("applied") or {}

    def _listed(self) -> tuple[Json, ...]:
        if self._served is None:
            return self._models
        return tuple(model for model in self._models if model.get("resolvedModel") in self._served)

    def _model(self) -> Json:
        value = self._values["model"]
        return next((model for model in self._models if model.get("value") == value), {})

    def _configured_effort(self) -> str:
        """The level that somebody asked for, if Claude Code runs with it; otherwise it chooses the level itself."""
        per_model = self._effective.get("modelSettings")
        entries = per_model.values() if isinstance(per_model, dict) else ()
        levels = [entry.get("effortLevel") for entry in entries if isinstance(entry, dict)]
        asked = {string(level) for level in (self._start.effort, self._effective.get("effortLevel"), *levels)} - {""}
        applied = string(self._applied.get("effort"))
        if applied:
            return applied if applied in asked else DEFAULT
        return string(self._effective.get("effortLevel")) or DEFAULT

    def _running_value(self) -> str:
        """The list's value for the model that Claude Code runs: as it was asked for, if it runs that, or by its id."""
        applied = self.running_model
        named = [model for model in self._models if model.get("value") != DEFAULT]
        default = next((model for model in self._models if model.get("value") == DEFAULT), {})
        for wanted in (self._start.model, string(self._effective.get("model"))):
            for model in named:
                value, resolved = string(model.get("value")), string(model.get("resolvedModel"))
                is_wanted = wanted and (value == wanted or same_model(resolved, wanted))
                if is_wanted and (not applied or same_model(resolved, applied)):
                    return value
        if same_model(applied, string(default.get("resolvedModel"))):
            return DEFAULT
        by_id = (model for model in named if same_model(string(model.get("resolvedModel")), applied))
        return string(next(by_id, {}).get("value")) or DEFAULT
