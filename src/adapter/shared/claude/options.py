"""How a session's Claude Code is started: its options, its MCP configuration, its environment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from adapter.shared.claude.client_options import ClientOptions
from adapter.shared.claude.transport import make_options, sdk_version
from adapter.shared.elicitation.refusal import DIALOG_KIND

if TYPE_CHECKING:
    from claude_agent_sdk.types import ClaudeAgentOptions

OUTER_SESSION_MARKERS = frozenset(
    {
        "AI_AGENT",
        "CLAUDECODE",
        "CLAUDE_AGENT_SDK_VERSION",
        "CLAUDE_CODE_CHILD_NOTES_DIR",
        "CLAUDE_CODE_CHILD_SESSION",
        "CLAUDE_CODE_ENTRYPOINT",
        "CLAUDE_CODE_EXECPATH",
        "CLAUDE_CODE_MESSAGING_SOCKET",
        "CLAUDE_CODE_MESSAGING_TOKEN",
        "CLAUDE_CODE_SESSION_ATTENDED",
        "CLAUDE_CODE_SESSION_ID",
        "CLAUDE_CODE_SSE_PORT",
        "CLAUDE_EFFORT",
        "CLAUDE_PID",
    }
)
"""What Claude Code sets for the commands that it runs. An editor may itself have been started by such a command."""

HOST_VARIABLES = {
    "CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS": "1",
    "CLAUDE_CODE_SDK_READS_SESSION_STATE": "1",
    "CLAUDE_CODE_STARTUP_FAILURE_RESULTS": "1",
    "CLAUDE_CODE_ENTRYPOINT": "sdk-py",
}

COMPACTED = {"hookCallbackIds": ["compacted"], "timeout": 5, "onFailure": "continue"}
TOOL_DONE = {"hookCallbackIds": ["tool-done"], "timeout": 5, "onFailure": "continue"}
INITIALIZE: dict[str, Any] = {
    "subtype": "initialize",
    "hooks": {"PostToolUse": [TOOL_DONE], "PostCompact": [COMPACTED]},
    "perTaskStopAffordance": True,
}
SUBAGENT_TOLD = {"hookCallbackIds": ["subagent-told"], "timeout": 5, "onFailure": "continue"}
TELL_SUBAGENTS: dict[str, Any] = {
    "hooks": {
        **INITIALIZE["hooks"],
        **{event: [SUBAGENT_TOLD] for event in ("SubagentStart", "PreToolUse", "SubagentStop")},
    },
    "forwardSubagentText": True,
}
"""What is asked for where subagents are shown as sessions. A hook costs a round trip for each call."""
PROMPT_FIELDS = frozenset({"systemPrompt", "appendSystemPrompt"})


@dataclass(frozen=True, slots=True)
class SessionSpec:
    """What a client asked a session to be.

    Attributes:
        session_id: A UUID; Claude Code's session has the same.
        cwd: Absolute path of the working directory.
        additional_directories: Absolute paths of further workspace roots.
        mcp_servers: Claude Code's configuration by server name.
        client_servers: The client's ids of those among them that it provides itself, by name.
        cli_path: Another CLI than the bundled one.
        may_bypass: Whether the session may switch to `bypassPermissions`.
        tells_subagents: Claude Code is to tell what subagents say and run with.
        shows_forms: The client shows forms, which the questions of `AskUserQuestion` need.
        suggests_prompts: Whether the client shows what could be asked next.
        options: What else the client wants of Claude Code.
    """

    session_id: str
    cwd: str
    additional_directories: tuple[str, ...] = ()
    mcp_servers: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    client_servers: Mapping[str, str] = field(default_factory=dict)
    cli_path: str | None = None
    may_bypass: bool = False
    tells_subagents: bool = False
    shows_forms: bool = False
    suggests_prompts: bool = False
    options: ClientOptions = field(default_factory=ClientOptions)

    @property
    def place(self) -> tuple[str, ...]:
        """The working directory and the further workspace roots."""
        return (self.cwd, *self.additional_directories)

    @property
    def servers(self) -> dict[str, dict[str, Any]]:
        """Claude Code's configuration of all servers that the client names, in whichever way."""
        return {**self.options.mcp_servers, **self.mcp_servers}

    def of(self, session_id: str) -> SessionSpec:
        """The same for another session."""
        return replace(self, session_id=session_id)


@dataclass(frozen=True, slots=True)
class PrivateFiles:
    """Files that only we can read: what they hold may be secret or long, so it does not go on the command line.

    Attributes:
        mcp: The MCP configuration; `None` for none.
        settings: Claude Code's settings for this session alone; `None` for none.
    """

    mcp: str | None = None
    settings: str | None = None


def claude_options(
    spec: SessionSpec, *, resume: bool, permission_mode: str | None, files: PrivateFiles = PrivateFiles()
) -> ClaudeAgentOptions:
    """The SDK's options for a session.

    Args:
        spec: The session.
        resume: Continue its transcript instead of starting it.
        permission_mode: The mode to start in; `None` leaves it to the user's settings.
        files: See there.
    """
    options = spec.options
    extra: dict[str, str | None] = {"replay-user-messages": None, **options.flags}
    if spec.may_bypass:
        extra["allow-dangerously-skip-permissions"] = None
    if options.agent:
        extra["agent"] = options.agent
    fields: dict[str, Any] = {
        "setting_sources": ["user", "project", "local"],
        "tools": {"type": "preset", "preset": "claude_code"},
        **options.fields,
    }
    return make_options(
        cwd=spec.cwd,
        cli_path=spec.cli_path,
        session_id=None if resume else spec.session_id,
        resume=spec.session_id if resume else None,
        add_dirs=[*spec.additional_directories, *options.additional_directories],
        mcp_servers=files.mcp or {},
        settings=files.settings or (options.settings if isinstance(options.settings, str) else None),
        permission_mode=permission_mode,
        permission_prompt_tool_name="stdio",
        include_partial_messages=True,
        # A system prompt of the client's own goes into the `initialize` request.
        system_prompt={"type": "preset", "preset": "claude_code"},
        disallowed_tools=[*options.disallowed_tools, *([] if spec.shows_forms else ["AskUserQuestion"])],
        extra_args=extra,
        **fields,
    )


def initialize_request(spec: SessionSpec, *, resume: bool) -> dict[str, Any]:
    """The request that greets Claude Code.

    It records a conversation's system prompt and reuses it when the conversation is resumed, whatever it is given then.
    So it is told not to where the client, or the agent that it chose, has a prompt of its own.
    """
    wanted = dict(spec.options.initialize)
    own_prompt = spec.options.agent or not PROMPT_FIELDS.isdisjoint(wanted)
    if resume and own_prompt:
        wanted.setdefault("systemPromptSnapshot", False)
    told = TELL_SUBAGENTS if spec.tells_subagents else {}
    dialogs = {"supportedDialogKinds": [DIALOG_KIND]} if spec.shows_forms else {}
    # Suggestions cost a call of the model each, so they are asked for only where they are shown.
    suggestions = {"promptSuggestions": True} if spec.suggests_prompts else {}
    return {**INITIALIZE, **told, **dialogs, **suggestions, **wanted}


def child_environment(
    inherited: Mapping[str, str], cwd: str, changes: Mapping[str, str | None] = MappingProxyType({})
) -> dict[str, str]:
    """Claude Code's environment: ours, without the marks of an outer session, with what a client and a host set.

    Args:
        inherited: Ours.
        cwd: The session's folder.
        changes: The client's; `None` takes a variable away.
    """
    kept = {name: value for name, value in inherited.items() if name not in OUTER_SESSION_MARKERS}
    changed = {name: value for name, value in {**kept, **changes}.items() if value is not None}
    return {**changed, **HOST_VARIABLES, "CLAUDE_AGENT_SDK_VERSION": sdk_version(), "PWD": cwd}


def may_bypass_permissions(inherited: Mapping[str, str], user_id: int | None) -> bool:
    """Whether Claude Code starts with the bypass flag: it refuses it to root outside a sandbox."""
    return user_id != 0 or inherited.get("IS_SANDBOX") == "1"
