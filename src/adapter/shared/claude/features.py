"""What the running Claude Code can do, read once from its `initialize` answer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from adapter.shared.jsonrpc.errors import ClaudeFailure

MINIMUM_VERSION = (2, 1, 270)
"""The first version whose lifecycle frames say when a session is idle while background agents work."""


@dataclass(frozen=True, slots=True)
class ClaudeHello:
    """The answer to `initialize`, as it came, with the parts that are read more than once."""

    commands: tuple[dict[str, Any], ...]
    models: tuple[dict[str, Any], ...]
    account: dict[str, Any]
    permission_mode: str
    version: str
    agents: tuple[dict[str, Any], ...] = ()
    fast_mode: str = ""


def read_hello(answer: dict[str, Any], cli_path: str) -> ClaudeHello:
    """Check the version of Claude Code and read its greeting.

    Raises:
        ClaudeFailure: `cli_too_old`, with the CLI's path, its version and the one needed.
    """
    version = str(answer.get("claude_code_version") or "unknown")
    if version_tuple(version) < MINIMUM_VERSION:
        needed = ".".join(map(str, MINIMUM_VERSION))
        raise ClaudeFailure(
            "cli_too_old",
            f"Claude Code at {cli_path} is version {version}; this adapter needs {needed} or later",
            {"path": cli_path, "version": version, "needed": needed},
        )
    return ClaudeHello(
        commands=_objects(answer.get("commands")),
        models=_objects(answer.get("models")),
        account=answer.get("account") or {},
        permission_mode=str(answer.get("current_permission_mode") or "default"),
        version=version,
        agents=_objects(answer.get("agents")),
        fast_mode=str(answer.get("fast_mode_state") or ""),
    )


def version_tuple(text: str) -> tuple[int, int, int]:
    """`2.1.332` as numbers; (0, 0, 0) for anything that is no version."""
    match = re.match(r"(\d+)\.(\d+)\.(\d+)", text)
    return (int(match[1]), int(match[2]), int(match[3])) if match else (0, 0, 0)


def _objects(value: object) -> tuple[dict[str, Any], ...]:
    return tuple(item for item in value if isinstance(item, dict)) if isinstance(value, list) else ()
