"""What the Claude Code double answers when a test does not say otherwise, after the answers of Claude Code 2.1.332."""

from __future__ import annotations

from typing import Any

Frame = dict[str, Any]

MODEL = "claude-opus-5-5"
USAGE: Frame = {
    "input_tokens": 100,
    "cache_creation_input_tokens": 0,
    "cache_read_input_tokens": 0,
    "output_tokens": 20,
}
MODEL_USAGE: Frame = {
    MODEL: {
        "inputTokens": 100,
        "outputTokens": 20,
        "cacheReadInputTokens": 0,
        "cacheCreationInputTokens": 0,
        "webSearchRequests": 0,
        "costUSD": 0.0008,
        "contextWindow": 1000000,
        "maxOutputTokens": 128000,
    }
}
_EFFORT: Frame = {"supportsEffort": True, "supportedEffortLevels": ["low", "medium", "high", "xhigh", "max"]}
MODELS: list[Frame] = [
    {
        "value": "default",
        "resolvedModel": MODEL,
        "displayName": "Default (recommended)",
        "description": "Use the default model",
        "supportsAdaptiveThinking": True,
        "supportsFastMode": True,
        "supportsAutoMode": True,
        "supportsThinkingOff": False,
        **_EFFORT,
    },
    {"value": "sonnet", "resolvedModel": "claude-sonnet-5-5", "displayName": "Sonnet", "description": "", **_EFFORT},
    {"value": "haiku", "resolvedModel": "claude-haiku-5-5", "displayName": "Haiku", "description": ""},
]
DEFAULT_CONTROLS: Frame = {
    "initialize": {
        "commands": [
            {"name": "compact", "description": "Compact the conversation", "argumentHint": "", "builtin": True},
            {"name": "say-hello", "description": "Say hello", "argumentHint": "[name]"},
        ],
        "agents": [{"name": "general-purpose", "description": "General agent"}],
        "output_style": "default",
        "available_output_styles": ["default", "Explanatory"],
        "models": MODELS,
        "account": {"tokenSource": "none", "apiKeySource": "ANTHROPIC_API_KEY", "apiProvider": "firstParty"},
        "claude_code_version": "",
        "current_permission_mode": "default",
        "session_state": "idle",
        "hooks_applied": True,
        "fast_mode_state": "off",
        "capabilities": [],
    },
    "get_settings": {"effective": {}, "sources": [], "applied": {"model": MODEL, "effort": "medium"}},
    "get_context_usage": {"categories": [], "totalTokens": 1000, "maxTokens": 1000000, "rawMaxTokens": 1000000},
    "interrupt": {"still_queued": []},
    "list_models": {"models": MODELS},
    "mcp_status": {"mcpServers": []},
    "list_permission_rules": {"state": {"rules": [], "workspaceDirectories": []}},
    "generate_session_title": {"title": "A scripted title"},
    "cancel_async_message": {"cancelled": False},
    "rewind_files": {"canRewind": False, "error": "No file checkpoint found for this message."},
    "background_tasks": {"backgrounded": False},
    "apply_flag_settings": {},
    "rename_session": {},
    "set_max_thinking_tokens": {},
    "stop_task": {},
}
