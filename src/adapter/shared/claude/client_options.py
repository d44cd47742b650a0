"""What a client, or a variable, wants of one session's Claude Code beside the adapter's own options."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from adapter.shared.jsonrpc.errors import ClaudeFailure, invalid_field
from adapter.shared.wire.claude_options import ClaudeOptions, SystemPrompt, Thinking

Json = dict[str, Any]

SDK_FIELDS = (
    "allowed_tools",
    "betas",
    "effort",
    "fallback_model",
    "include_hook_events",
    "max_budget_usd",
    "max_thinking_tokens",
    "max_turns",
    "model",
    "setting_sources",
    "skills",
    "strict_mcp_config",
)
"""Options that the Python SDK takes as they are."""
INITIALIZE_FIELDS = {
    "agents": "agents",
    "agent_progress_summaries": "agentProgressSummaries",
    "forward_subagent_text": "forwardSubagentText",
    "per_task_stop_affordance": "perTaskStopAffordance",
    "plan_mode_instructions": "planModeInstructions",
    "prompt_suggestions": "promptSuggestions",
    "title": "title",
    "tool_aliases": "toolAliases",
}
"""Options that go into the `initialize` request under these names."""
RESERVED_FLAGS = frozenset(
    {
        "continue",
        "dangerously-skip-permissions",
        "fork-session",
        "include-partial-messages",
        "input-format",
        "output-format",
        "permission-prompt-tool",
        "print",
        "replay-user-messages",
        "resume",
        "session-id",
        "verbose",
    }
)
"""Flags on which the adapter depends, so that a client's `extraArgs` cannot set them."""
THINKING_DISPLAYS = ("summarized", "omitted")
MODEL_SETTINGS = ("modelOverrides", "availableModels")


@dataclass(frozen=True, slots=True)
class ClientOptions:
    """The wishes for one session.

    Attributes:
        fields: Fields of `ClaudeAgentOptions`.
        flags: Further flags of the CLI, without their dashes; `None` for one without a value.
        initialize: Fields of the `initialize` request. System prompts and agents can be long, so they go there.
        environment: Variables of the process; `None` takes one away.
        settings: Claude Code's settings above those of the user and the project: the settings, or a file's path.
        mcp_servers: Claude Code's configuration by server name.
        additional_directories: Further workspace roots.
        disallowed_tools: Rules.
        permission_mode: The mode to start in; empty leaves it to the settings.
        agent: The agent that leads the session; empty leaves it to the settings.
        may_bypass: Whether the mode `bypassPermissions` is allowed.
        notices: What the person should know of these options.
    """

    fields: Mapping[str, Any] = field(default_factory=dict)
    flags: Mapping[str, str | None] = field(default_factory=dict)
    initialize: Mapping[str, Any] = field(default_factory=dict)
    environment: Mapping[str, str | None] = field(default_factory=dict)
    settings: Json | str | None = None
    mcp_servers: Mapping[str, Json] = field(default_factory=dict)
    additional_directories: tuple[str, ...] = ()
    disallowed_tools: tuple[str, ...] = ()
    permission_mode: str = ""
    agent: str = ""
    may_bypass: bool = True
    notices: tuple[str, ...] = ()


def client_options(
    sent: ClaudeOptions, unknown: list[str], system_prompt: str | SystemPrompt | None, path: str
) -> ClientOptions:
    """What a client asks for.

    Args:
        sent: Its options.
        unknown: The names of those without effect.
        system_prompt: `_meta.systemPrompt`, which goes before the option of that name.
        path: Where the options stand in the request.

    Raises:
        ClientMistake: Options that do not go together.
    """
    reserved = sorted(flag for flag in sent.extra_args if flag.lstrip("-") in RESERVED_FLAGS)
    return ClientOptions(
        fields=_sdk_fields(sent),
        flags=_flags(sent, reserved),
        initialize=_initialize(sent, sent.system_prompt if system_prompt is None else system_prompt),
        environment=_environment(sent),
        settings=_settings(sent, path),
        mcp_servers=sent.mcp_servers,
        additional_directories=tuple(sent.additional_directories),
        disallowed_tools=tuple(sent.disallowed_tools),
        permission_mode=sent.permission_mode or "",
        agent=sent.agent,
        may_bypass=sent.allow_dangerously_skip_permissions,
        notices=_notices(unknown, reserved),
    )


def with_variables(options: ClientOptions, environment: Mapping[str, str]) -> ClientOptions:
    """The options, and what the environment says where the client says nothing.

    `MAX_THINKING_TOKENS`, `CLAUDE_CODE_THINKING_DISPLAY` and `CLAUDE_MODEL_CONFIG` are read here, because Claude Code
    does not read them for a session of this kind.

    Raises:
        ClaudeFailure: `CLAUDE_MODEL_CONFIG` is malformed: a session without it could use a model that is not allowed.
    """
    fields, notices = dict(options.fields), list(options.notices)
    if "thinking" not in fields and "max_thinking_tokens" not in fields:
        thinking = _thinking_of(environment, notices)
        fields |= {"thinking": thinking} if thinking else {}
    settings = options.settings
    if settings is None:
        settings = _model_config(environment.get("CLAUDE_MODEL_CONFIG", ""))
    return replace(options, fields=fields, settings=settings, notices=tuple(notices))


def _sdk_fields(sent: ClaudeOptions) -> Json:
    fields = {name: getattr(sent, name) for name in SDK_FIELDS if getattr(sent, name) is not None}
    if sent.tools is not None:
        fields["tools"] = sent.tools if isinstance(sent.tools, list) else sent.tools.model_dump()
    if sent.plugins is not None:
        fields["plugins"] = [plugin.model_dump() for plugin in sent.plugins]
    if sent.output_format is not None:
        fields["output_format"] = {"type": sent.output_format.type, "schema": sent.output_format.json_schema}
    if sent.task_budget is not None:
        fields["task_budget"] = sent.task_budget.model_dump()
    if sent.thinking is not None:
        fields["thinking"] = _thinking(sent.thinking)
        # The SDK takes one of both, and this is the newer one.
        fields.pop("max_thinking_tokens", None)
    return fields


def _thinking(thinking: Thinking) -> Json:
    """`ThinkingConfig` of the Python SDK; without a budget Claude Code decides how much it thinks."""
    if thinking.type == "disabled":
        return {"type": "disabled"}
    shown = {"display": thinking.display} if thinking.display else {}
    if thinking.budget_tokens is None:
        return {"type": "adaptive", **shown}
    return {"type": "enabled", "budget_tokens": thinking.budget_tokens, **shown}


def _flags(sent: ClaudeOptions, reserved: list[str]) -> dict[str, str | None]:
    flags = {flag.lstrip("-"): value for flag, value in sent.extra_args.items() if flag not in reserved}
    if sent.debug_file is not None:
        flags["debug-file"] = sent.debug_file
    elif sent.debug:
        flags["debug"] = None
    if not sent.persist_session:
        flags["no-session-persistence"] = None
    return flags


def _initialize(sent: ClaudeOptions, system_prompt: str | list[str] | SystemPrompt | None) -> Json:
    given = {name: getattr(sent, option) for option, name in INITIALIZE_FIELDS.items()}
    request = {name: value for name, value in given.items() if value is not None}
    if isinstance(sent.skills, list):
        request["skills"] = sent.skills
    return request | _system_prompt(system_prompt)


def _system_prompt(prompt: str | list[str] | SystemPrompt | None) -> Json:
    """A text replaces Claude Code's system prompt; an object may do the same, or append to it."""
    if prompt is None:
        return {}
    if isinstance(prompt, str | list):
        return {"systemPrompt": [prompt] if isinstance(prompt, str) else prompt}
    request = _system_prompt(prompt.prompt) if prompt.type == "custom" else {}
    if prompt.append:
        request["appendSystemPrompt"] = prompt.append
    if prompt.exclude_dynamic_sections is not None:
        request["excludeDynamicSections"] = prompt.exclude_dynamic_sections
    if prompt.snapshot is not None:
        request["systemPromptSnapshot"] = prompt.snapshot
    return request


def _environment(sent: ClaudeOptions) -> dict[str, str | None]:
    checkpoints = {"CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING": "true"} if sent.enable_file_checkpointing else {}
    return {**checkpoints, **sent.env}


def _settings(sent: ClaudeOptions, path: str) -> Json | str | None:
    """The settings as an object where the client gave their text; a sandbox is a part of them."""
    settings = sent.settings
    if isinstance(settings, str) and settings.lstrip().startswith("{"):
        settings = _json_object(settings)
        if settings is None:
            raise invalid_field(f"{path}.settings", "is no JSON object", f"{path}.settings: is no JSON object")
    if sent.sandbox is None:
        return settings
    if isinstance(settings, str):
        message = "cannot be joined with a settings file; give `settings` as an object"
        raise invalid_field(f"{path}.sandbox", message, f"{path}.sandbox: {message}")
    return {**(settings or {}), "sandbox": sent.sandbox}


def _notices(unknown: list[str], reserved: list[str]) -> tuple[str, ...]:
    """One notice for everything without effect."""
    said: list[str] = []
    if "hooks" in unknown:
        said.append(
            "The client sent hooks, which are functions of its own: put them into Claude Code's settings instead."
        )
    others = [name for name in unknown if name != "hooks"]
    if others:
        said.append(f"These options of the client have no effect here: {', '.join(others)}.")
    if reserved:
        flags = ", ".join(reserved)
        said.append(f"These flags of the client's extraArgs are the adapter's own and were left out: {flags}.")
    return (" ".join(said),) if said else ()


def _thinking_of(environment: Mapping[str, str], notices: list[str]) -> Json:
    tokens, display = environment.get("MAX_THINKING_TOKENS", ""), environment.get("CLAUDE_CODE_THINKING_DISPLAY", "")
    budget = int(tokens) if tokens.isascii() and tokens.isdigit() else None
    if tokens and budget is None:
        notices.append(f"MAX_THINKING_TOKENS is {tokens!r}, which is no whole number, and was left out.")
    if display and display not in THINKING_DISPLAYS:
        known = " or ".join(THINKING_DISPLAYS)
        notices.append(f"CLAUDE_CODE_THINKING_DISPLAY is {display!r}; it takes {known}, and was left out.")
        display = ""
    if budget == 0:
        return {"type": "disabled"}
    shown = {"display": display} if display else {}
    if budget is not None:
        return {"type": "enabled", "budget_tokens": budget, **shown}
    return {"type": "adaptive", **shown} if shown else {}


def _model_config(text: str) -> Json | None:
    """`CLAUDE_MODEL_CONFIG`: two of Claude Code's settings; other keys are not read."""
    if not text:
        return None
    config = _json_object(text)
    if config is None:
        message = "CLAUDE_MODEL_CONFIG is no JSON object"
        raise ClaudeFailure("start_failed", message, {"variable": "CLAUDE_MODEL_CONFIG"})
    return {name: config[name] for name in MODEL_SETTINGS if name in config} or None


def _json_object(text: str) -> Json | None:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
