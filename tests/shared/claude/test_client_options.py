"""What a client's options and the adapter's variables become."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.claude.client_options import ClientOptions, client_options, with_variables
from adapter.shared.jsonrpc.errors import ClaudeFailure, ClientMistake
from adapter.shared.wire.claude_options import SystemPrompt, read_claude_options

PATH = "options"


def asked(system_prompt: str | SystemPrompt | None = None, **options: Any) -> ClientOptions:
    """What options become."""
    sent, unknown = read_claude_options(options, PATH)
    return client_options(sent, unknown, system_prompt, PATH)


def variables(options: ClientOptions | None = None, **environment: str) -> ClientOptions:
    return with_variables(options or ClientOptions(), environment)


def test_without_options_nothing_is_wanted() -> None:
    assert asked() == ClientOptions()


def test_options_of_the_sdk_are_its_fields() -> None:
    options = asked(
        allowedTools=["Read"],
        betas=["context-1m-2025-08-07"],
        effort="low",
        fallbackModel="haiku",
        includeHookEvents=True,
        maxBudgetUsd=1.5,
        maxTurns=3,
        model="sonnet",
        settingSources=["user"],
        skills="all",
        strictMcpConfig=True,
        tools=["Read", "Edit"],
        plugins=[{"type": "local", "path": "/p"}],
        outputFormat={"type": "json_schema", "schema": {"type": "object"}},
        taskBudget={"total": 9},
    )
    assert options.fields == {
        "allowed_tools": ["Read"],
        "betas": ["context-1m-2025-08-07"],
        "effort": "low",
        "fallback_model": "haiku",
        "include_hook_events": True,
        "max_budget_usd": 1.5,
        "max_turns": 3,
        "model": "sonnet",
        "setting_sources": ["user"],
        "skills": "all",
        "strict_mcp_config": True,
        "tools": ["Read", "Edit"],
        "plugins": [{"type": "local", "path": "/p"}],
        "output_format": {"type": "json_schema", "schema": {"type": "object"}},
        "task_budget": {"total": 9},
    }
    assert options.initialize == {}
    assert options.notices == ()


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"type": "disabled"}, {"type": "disabled"}),
        ({"type": "adaptive", "display": "omitted"}, {"type": "adaptive", "display": "omitted"}),
        ({"type": "enabled", "budgetTokens": 5000}, {"type": "enabled", "budget_tokens": 5000}),
        ({"type": "enabled"}, {"type": "adaptive"}),
    ],
)
def test_thinking(sent: Any, field: Any) -> None:
    assert asked(thinking=sent, maxThinkingTokens=1).fields == {"thinking": field}


def test_an_older_way_to_say_how_much_to_think() -> None:
    assert asked(maxThinkingTokens=0).fields == {"max_thinking_tokens": 0}


def test_what_is_long_goes_with_the_greeting() -> None:
    options = asked(
        agents={"a": {"description": "d", "prompt": "p"}},
        forwardSubagentText=True,
        perTaskStopAffordance=False,
        planModeInstructions="steps",
        promptSuggestions=False,
        skills=["pdf"],
        title="T",
        toolAliases={"a": "b"},
    )
    assert options.initialize == {
        "agents": {"a": {"description": "d", "prompt": "p"}},
        "forwardSubagentText": True,
        "perTaskStopAffordance": False,
        "planModeInstructions": "steps",
        "promptSuggestions": False,
        "skills": ["pdf"],
        "title": "T",
        "toolAliases": {"a": "b"},
    }


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ("Just this.", {"systemPrompt": ["Just this."]}),
        (["a", "b"], {"systemPrompt": ["a", "b"]}),
        ({"type": "custom", "prompt": "x", "snapshot": False}, {"systemPrompt": ["x"], "systemPromptSnapshot": False}),
        ({"type": "preset", "preset": "claude_code"}, {}),
        ({"append": "More."}, {"appendSystemPrompt": "More."}),
        (
            {"type": "preset", "preset": "claude_code", "append": "x", "excludeDynamicSections": True},
            {"appendSystemPrompt": "x", "excludeDynamicSections": True},
        ),
    ],
)
def test_a_system_prompt_is_never_an_argument(sent: Any, told: Any) -> None:
    options = asked(systemPrompt=sent)
    assert options.initialize == told
    assert options.fields == options.flags == {}


def test_a_prompt_beside_the_options_goes_first() -> None:
    assert asked("outer", systemPrompt="inner").initialize == {"systemPrompt": ["outer"]}


def test_the_rest_of_the_process() -> None:
    options = asked(
        additionalDirectories=["/a"],
        agent="reviewer",
        allowDangerouslySkipPermissions=False,
        debugFile="/tmp/d",
        disallowedTools=["Write"],
        enableFileCheckpointing=True,
        env={"A": "1", "B": None},
        extraArgs={"--x-y": None, "z": "1"},
        mcpServers={"m": {"command": "m"}},
        permissionMode="plan",
        persistSession=False,
    )
    assert options.additional_directories == ("/a",)
    assert options.agent == "reviewer"
    assert not options.may_bypass
    assert options.flags == {"x-y": None, "z": "1", "debug-file": "/tmp/d", "no-session-persistence": None}
    assert options.disallowed_tools == ("Write",)
    assert options.environment == {"CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING": "true", "A": "1", "B": None}
    assert options.mcp_servers == {"m": {"command": "m"}}
    assert options.permission_mode == "plan"
    assert asked(debug=True).flags == {"debug": None}


def test_settings_and_the_sandbox_are_joined() -> None:
    assert asked(settings={"model": "opus"}).settings == {"model": "opus"}
    assert asked(settings=' {"model": "opus"}').settings == {"model": "opus"}
    assert asked(settings="/etc/x.json").settings == "/etc/x.json"
    assert asked(sandbox={"enabled": True}).settings == {"sandbox": {"enabled": True}}
    joined = asked(settings='{"model": "opus"}', sandbox={"enabled": True}).settings
    assert joined == {"model": "opus", "sandbox": {"enabled": True}}


@pytest.mark.parametrize(
    ("options", "path"),
    [
        ({"settings": "{bad"}, "options.settings"),
        ({"settings": "/etc/x.json", "sandbox": {}}, "options.sandbox"),
        ({"maxTurns": "three"}, "options.maxTurns"),
        ({"tools": [1]}, "options.tools"),
        ({"permissionMode": "root"}, "options.permissionMode"),
        ({"thinking": {"type": "loud"}}, "options.thinking"),
    ],
)
def test_a_wrong_option_is_named(options: Any, path: str) -> None:
    with pytest.raises(ClientMistake) as raised:
        asked(**options)
    assert raised.value.code == -32602
    assert raised.value.data is not None
    assert raised.value.data["path"] == path
    assert path in raised.value.message


def test_what_has_no_effect_is_told_once() -> None:
    assert asked(bogus=1, canUseTool={}).notices == (
        "These options of the client have no effect here: bogus, canUseTool.",
    )
    (notice,) = asked(hooks={"Stop": []}, foo=1, extraArgs={"resume": "1"}).notices
    assert "hooks" in notice
    assert "no effect here: foo." in notice
    assert "left out: resume." in notice


def test_flags_of_the_adapter_cannot_be_set() -> None:
    options = asked(extraArgs={"output-format": "text", "--resume": "1", "x": None})
    assert options.flags == {"x": None}
    (notice,) = options.notices
    assert "--resume, output-format" in notice


@pytest.mark.parametrize(
    ("environment", "thinking"),
    [
        ({}, None),
        ({"MAX_THINKING_TOKENS": ""}, None),
        ({"MAX_THINKING_TOKENS": "0"}, {"type": "disabled"}),
        ({"MAX_THINKING_TOKENS": "8000"}, {"type": "enabled", "budget_tokens": 8000}),
        ({"CLAUDE_CODE_THINKING_DISPLAY": "summarized"}, {"type": "adaptive", "display": "summarized"}),
        (
            {"MAX_THINKING_TOKENS": "8000", "CLAUDE_CODE_THINKING_DISPLAY": "omitted"},
            {"type": "enabled", "budget_tokens": 8000, "display": "omitted"},
        ),
        ({"MAX_THINKING_TOKENS": "0", "CLAUDE_CODE_THINKING_DISPLAY": "omitted"}, {"type": "disabled"}),
    ],
)
def test_the_environment_says_how_much_to_think(environment: dict[str, str], thinking: Any) -> None:
    options = with_variables(ClientOptions(), environment)
    assert options.fields.get("thinking") == thinking
    assert options.notices == ()


@pytest.mark.parametrize("value", ["abc", "-5", "1.5", "\u00b2"])
def test_a_bad_number_of_tokens_is_told_and_left_out(value: str) -> None:
    options = variables(MAX_THINKING_TOKENS=value)
    assert options.fields == {}
    (notice,) = options.notices
    assert "MAX_THINKING_TOKENS" in notice


def test_a_bad_display_is_told_and_left_out() -> None:
    options = variables(CLAUDE_CODE_THINKING_DISPLAY="loud")
    assert options.fields == {}
    (notice,) = options.notices
    assert "summarized or omitted" in notice


@pytest.mark.parametrize("own", [{"thinking": {"type": "adaptive"}}, {"maxThinkingTokens": 5}])
def test_the_client_goes_before_the_environment(own: Any) -> None:
    options = asked(**own)
    assert with_variables(options, {"MAX_THINKING_TOKENS": "abc"}) == options


def test_the_deployment_says_which_models_there_are() -> None:
    text = '{"availableModels": ["opus"], "modelOverrides": {"a": "b"}, "other": 1}'
    assert variables(CLAUDE_MODEL_CONFIG=text).settings == {"modelOverrides": {"a": "b"}, "availableModels": ["opus"]}
    assert variables(CLAUDE_MODEL_CONFIG="{}").settings is None


@pytest.mark.parametrize("settings", [{"model": "opus"}, {}, "/etc/x.json"])
def test_settings_of_the_client_replace_those_of_the_deployment(settings: Any) -> None:
    assert variables(asked(settings=settings), CLAUDE_MODEL_CONFIG="{bad").settings == settings


@pytest.mark.parametrize("text", ["{bad", "[]", "5"])
def test_a_malformed_model_configuration_starts_no_session(text: str) -> None:
    with pytest.raises(ClaudeFailure) as raised:
        variables(CLAUDE_MODEL_CONFIG=text)
    assert raised.value.kind == "start_failed"
    assert raised.value.data == {"variable": "CLAUDE_MODEL_CONFIG"}
