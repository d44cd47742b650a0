"""What a client may send as `_meta.claudeCode.options`: options of Claude's TypeScript SDK, by their names there."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

from pydantic import ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from adapter.shared.jsonrpc.errors import ClientMistake, invalid_field
from adapter.shared.wire.common import Json, Wire

Model = TypeVar("Model", bound=Wire)


class Camel(Wire):
    """A part whose fields have camelCase names on the wire."""

    model_config = ConfigDict(alias_generator=to_camel)


class ToolsPreset(Camel):
    """All tools of Claude Code."""

    type: Literal["preset"]
    preset: Literal["claude_code"]


class Thinking(Camel):
    """`ThinkingConfig`."""

    type: Literal["adaptive", "enabled", "disabled"]
    budget_tokens: Annotated[int, Field(gt=0)] | None = None
    display: Literal["summarized", "omitted"] | None = None


class OutputFormat(Camel):
    """`OutputFormat`."""

    type: Literal["json_schema"]
    json_schema: Json = Field(alias="schema")


class Plugin(Camel):
    """`SdkPluginConfig`."""

    type: Literal["local"]
    path: str


class TaskBudget(Camel):
    """`taskBudget`."""

    total: Annotated[int, Field(gt=0)]


class SystemPrompt(Camel):
    """A system prompt of its own (`custom`), or Claude Code's with a text appended (`preset`, or no type)."""

    type: Literal["preset", "custom"] | None = None
    preset: Literal["claude_code"] | None = None
    prompt: str | list[str] | None = None
    append: str = ""
    exclude_dynamic_sections: bool | None = None
    snapshot: bool | None = None


class ClaudeOptions(Camel):
    """`Options` of the TypeScript SDK 0.3.318, as far as they can be sent as JSON and have an effect here."""

    additional_directories: list[str] = Field(default_factory=list)
    agent: str = ""
    agents: dict[str, Json] | None = None
    agent_progress_summaries: bool | None = None
    allow_dangerously_skip_permissions: bool = True
    allowed_tools: list[str] | None = None
    betas: list[str] | None = None
    debug: bool = False
    debug_file: str | None = None
    disallowed_tools: list[str] = Field(default_factory=list)
    effort: Literal["low", "medium", "high", "xhigh", "max"] | None = None
    enable_file_checkpointing: bool = False
    env: dict[str, str | None] = Field(default_factory=dict)
    extra_args: dict[str, str | None] = Field(default_factory=dict)
    fallback_model: str | None = None
    forward_subagent_text: bool | None = None
    include_hook_events: bool | None = None
    max_budget_usd: Annotated[float, Field(gt=0)] | None = None
    max_thinking_tokens: Annotated[int, Field(ge=0)] | None = None
    max_turns: Annotated[int, Field(gt=0)] | None = None
    mcp_servers: dict[str, Json] = Field(default_factory=dict)
    model: str | None = None
    output_format: OutputFormat | None = None
    per_task_stop_affordance: bool | None = None
    permission_mode: Literal["default", "acceptEdits", "plan", "bypassPermissions", "dontAsk", "auto"] | None = None
    persist_session: bool = True
    plan_mode_instructions: str | None = None
    plugins: list[Plugin] | None = None
    prompt_suggestions: bool | None = None
    sandbox: Json | None = None
    setting_sources: list[Literal["user", "project", "local"]] | None = None
    settings: str | Json | None = None
    skills: list[str] | Literal["all"] | None = None
    strict_mcp_config: bool | None = None
    system_prompt: str | list[str] | SystemPrompt | None = None
    task_budget: TaskBudget | None = None
    thinking: Thinking | None = None
    title: str | None = None
    tool_aliases: dict[str, str] | None = None
    tools: list[str] | ToolsPreset | None = None


class SystemPromptMeta(Camel):
    """`_meta.systemPrompt`: a text in place of Claude Code's system prompt, or an object that appends to it."""

    system_prompt: str | SystemPrompt | None = None


def read_claude_options(sent: Any, path: str) -> tuple[ClaudeOptions, list[str]]:
    """The options, and the names of those that are not known here; null counts as not sent.

    Args:
        sent: What the client sent.
        path: Where that stands in the request.

    Raises:
        ClientMistake: It is no object, or a known option has another type; `data.path` names the option.
    """
    if sent is None:
        return ClaudeOptions(), []
    if not isinstance(sent, dict):
        raise invalid_field(path, "must be an object", f"{path}: must be an object")
    given = {name: value for name, value in sent.items() if value is not None}
    known = {field.alias for field in ClaudeOptions.model_fields.values()}
    return _checked(ClaudeOptions, given, path), sorted(set(given) - known)


def read_system_prompt(sent: Any, path: str) -> str | SystemPrompt | None:
    """`_meta.systemPrompt`, where `path` ends.

    Raises:
        ClientMistake: It is neither a text nor an object with texts.
    """
    return _checked(SystemPromptMeta, {"systemPrompt": sent}, path.rpartition(".")[0]).system_prompt


def _checked(model: type[Model], value: Any, prefix: str) -> Model:
    """Validated; a mistake names the option, as what is within it may be one of several forms."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise _mistake(error, prefix) from None


def _mistake(error: ValidationError, prefix: str) -> ClientMistake:
    first = error.errors(include_url=False, include_input=False)[0]
    path = f"{prefix}.{first['loc'][0]}"
    return invalid_field(path, first["msg"], f"{path}: {first['msg']}")
