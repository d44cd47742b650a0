"""The environment, read once. No other module of the adapter looks at it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

PROTOCOLS = ("", "auto", "v1", "v2")
SWITCHES = ("", "0", "1")
V2_CORES = ("", "bridge", "native")
LONGEST_NUMBER = 9
LOG_LEVELS = ("", "debug", "info", "warning", "error")


class SettingsError(Exception):
    """A variable has a value that it cannot have; the message names the variable and the values it can have."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How this process serves.

    Attributes:
        protocol: `CLAUDE_AGENT_ACP_PROTOCOL`: "", "auto", "v1" or "v2".
        experimental_v2: `CLAUDE_AGENT_ACP_EXPERIMENTAL_V2`.
        v2_core: `CLAUDE_AGENT_ACP_V2_CORE`: "bridge" or "native".
        claude_executable: `CLAUDE_CODE_EXECUTABLE`: another CLI than the bundled one; empty for that.
        log_level: `CLAUDE_ACP_LOG_LEVEL`: debug, info, warning (default) or error.
        log_file: `CLAUDE_ACP_LOG_FILE`: a file that gets the log as well; empty for none.
        record_to: `CLAUDE_ACP_RECORD`: an existing folder that gets a recording of each session; empty for none.
        idle_compact_minutes: `CLAUDE_ACP_IDLE_COMPACT_MINUTES`: when an idle session is compacted; 0 for never.
        idle_compact_tokens: `CLAUDE_ACP_IDLE_COMPACT_TOKENS`: how much it must hold for that; 100,000 by default.
        hide_claude_auth: `--hide-claude-auth`: accounts of claude.ai are neither offered nor used.
        idle_seconds: `CLAUDE_ACP_IDLE_SECONDS`: after so long without work, Claude Code is ended; 0 for never.
        idle_keep: `CLAUDE_ACP_IDLE_KEEP`: how many sessions keep theirs all the same.
        environment: The whole environment, for the processes that we start.
    """

    protocol: str = ""
    experimental_v2: bool = False
    v2_core: str = "bridge"
    claude_executable: str = ""
    log_level: str = "warning"
    log_file: str = ""
    record_to: str = ""
    idle_compact_minutes: int = 0
    idle_compact_tokens: int = 100_000
    hide_claude_auth: bool = False
    idle_seconds: int = 0
    idle_keep: int = 0
    environment: Mapping[str, str] = field(default_factory=dict)


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Read the adapter's variables.

    Raises:
        SettingsError: One of them has an unknown value: a typo must not silently choose a default.
    """
    return Settings(
        protocol=_one_of(environment, "CLAUDE_AGENT_ACP_PROTOCOL", PROTOCOLS),
        experimental_v2=_one_of(environment, "CLAUDE_AGENT_ACP_EXPERIMENTAL_V2", SWITCHES) == "1",
        v2_core=_one_of(environment, "CLAUDE_AGENT_ACP_V2_CORE", V2_CORES) or "bridge",
        claude_executable=environment.get("CLAUDE_CODE_EXECUTABLE", ""),
        log_level=_one_of(environment, "CLAUDE_ACP_LOG_LEVEL", LOG_LEVELS) or "warning",
        log_file=environment.get("CLAUDE_ACP_LOG_FILE", ""),
        record_to=_folder(environment, "CLAUDE_ACP_RECORD"),
        idle_compact_minutes=_whole_number(environment, "CLAUDE_ACP_IDLE_COMPACT_MINUTES"),
        idle_compact_tokens=_whole_number(environment, "CLAUDE_ACP_IDLE_COMPACT_TOKENS", 100_000),
        idle_seconds=_whole_number(environment, "CLAUDE_ACP_IDLE_SECONDS"),
        idle_keep=_whole_number(environment, "CLAUDE_ACP_IDLE_KEEP"),
        environment=dict(environment),
    )


def settings_of_process() -> Settings:
    """The settings that this process was started with."""
    return read_settings(os.environ)


def _one_of(environment: Mapping[str, str], name: str, values: tuple[str, ...]) -> str:
    value = environment.get(name, "")
    if value not in values:
        known = ", ".join(known for known in values if known)
        raise SettingsError(f"{name} is {value!r}; it takes {known}, or nothing")
    return value


def _whole_number(environment: Mapping[str, str], name: str, default: int = 0) -> int:
    value = environment.get(name, "")
    if value and not (value.isascii() and value.isdigit() and len(value) <= LONGEST_NUMBER):
        raise SettingsError(f"{name} is {value!r}; it takes a whole number, or nothing")
    return int(value) if value else default


def _folder(environment: Mapping[str, str], name: str) -> str:
    path = environment.get(name, "")
    if path and not Path(path).is_dir():
        raise SettingsError(f"{name} is {path!r}, which is no folder")
    return path
