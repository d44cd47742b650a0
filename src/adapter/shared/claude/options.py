"""How a session's Claude Code is started: its options, its MCP configuration, its environment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.shared.claude.transport import make_options, sdk_version

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


@dataclass(frozen=True, slots=True)
class SessionSpec:
    """What a client asked a session to be.

    Attributes:
        session_id: A UUID; Claude Code's session has the same.
        cwd: Absolute path of the working directory.
        additional_directories: Absolute paths of further workspace roots.
        mcp_servers: Claude Code's configuration by server name.
        cli_path: Another CLI than the bundled one.
        may_bypass: Whether the session may switch to `bypassPermissions`.
        suggests_prompts: Whether the client shows what could be asked next.
    """

    session_id: str
    cwd: str
    additional_directories: tuple[str, ...] = ()
    mcp_servers: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    cli_path: str | None = None
    may_bypass: bool = False
    suggests_prompts: bool = False


def claude_options(
    spec: SessionSpec, *, resume: bool, permission_mode: str | None, mcp_file: str | None
) -> ClaudeAgentOptions:
    """The SDK's options for a session.

    Args:
        spec: The session.
        resume: Continue its transcript instead of starting it.
        permission_mode: The mode to start in; `None` leaves it to the user's settings.
        mcp_file: A file with the MCP configuration, which may hold secrets and so does not go on the command line.
    """
    extra: dict[str, str | None] = {"replay-user-messages": None}
    if spec.may_bypass:
        extra["allow-dangerously-skip-permissions"] = None
    return make_options(
        cwd=spec.cwd,
        cli_path=spec.cli_path,
        session_id=None if resume else spec.session_id,
        resume=spec.session_id if resume else None,
        add_dirs=list(spec.additional_directories),
        mcp_servers=mcp_file or {},
        permission_mode=permission_mode,
        permission_prompt_tool_name="stdio",
        include_partial_messages=True,
        setting_sources=["user", "project", "local"],
        system_prompt={"type": "preset", "preset": "claude_code"},
        tools={"type": "preset", "preset": "claude_code"},
        # Its questions need form elicitation, which this core does not offer to clients.
        disallowed_tools=["AskUserQuestion"],
        extra_args=extra,
    )


def child_environment(inherited: Mapping[str, str], cwd: str) -> dict[str, str]:
    """Claude Code's environment: ours, without the marks of an outer session, with what a host sets."""
    kept = {name: value for name, value in inherited.items() if name not in OUTER_SESSION_MARKERS}
    return {**kept, **HOST_VARIABLES, "CLAUDE_AGENT_SDK_VERSION": sdk_version(), "PWD": cwd}


def may_bypass_permissions(inherited: Mapping[str, str], user_id: int | None) -> bool:
    """Whether Claude Code starts with the bypass flag: it refuses it to root outside a sandbox."""
    return user_id != 0 or inherited.get("IS_SANDBOX") == "1"
