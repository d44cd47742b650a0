"""The environment in which Claude Code talks to the scripted model and to nobody else."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

# What a program needs to run at all, on POSIX and on Windows; PYTHONPATH, because an adapter may run from its source.
_PASSED_ON = (
    "PATH",
    "PYTHONPATH",
    "TMPDIR",
    "SYSTEMROOT",
    "SYSTEMDRIVE",
    "WINDIR",
    "COMSPEC",
    "PATHEXT",
    "PROGRAMFILES",
    "TEMP",
    "TMP",
    "CLAUDE_CODE_EXECUTABLE",
)


def scripted_environment(home: Path, port: int, base: Mapping[str, str]) -> dict[str, str]:
    """The whole environment of a run without an account.

    Args:
        home: The home folder of the run; Claude Code's own folder is ``.claude`` in it.
        port: The port of the scripted model on 127.0.0.1.
        base: The environment of this process. Only what a program needs to run is taken from it, so no account, no
            model and no proxy of the user gets in; of Claude's variables only ``CLAUDE_CODE_EXECUTABLE``, which names
            the Claude Code to run.
    """
    env = {name: base[name] for name in _PASSED_ON if name in base}
    env |= {
        "HOME": str(home),
        "USERPROFILE": str(home),
        "LANG": "C.UTF-8",
        "CLAUDE_CONFIG_DIR": str(home / ".claude"),
        "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{port}",
        "ANTHROPIC_API_KEY": "sk-test-scripted",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_TELEMETRY": "1",
        "DISABLE_ERROR_REPORTING": "1",
        "DISABLE_AUTOUPDATER": "1",
        "NO_PROXY": "127.0.0.1,localhost",
    }
    if _is_root():
        # Claude Code refuses some permission modes to root, unless it is told that it runs in a sandbox.
        env["IS_SANDBOX"] = "1"
    return env


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0
