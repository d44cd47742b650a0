"""Claude Code's own commands about logins: who is signed in, and a logout. Each is a process of its own."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Mapping
from typing import Any

import anyio
import orjson

from adapter.shared.claude.options import child_environment
from adapter.shared.claude.transport import command_line, make_options
from adapter.shared.jsonrpc.errors import ClaudeFailure
from adapter.shared.tools.facts import Json

SECONDS = 20.0


class CliAuth:
    """The commands of one connection.

    Args:
        executable: Another CLI than the bundled one; empty for that.
        environment: The adapter's own environment.
    """

    def __init__(self, executable: str, environment: Mapping[str, str]) -> None:
        self._executable = executable
        self._environment = environment

    async def status(self) -> Json:
        """What `auth status --json` says; empty if it says nothing that can be read."""
        _, output = await self._run("auth", "status", "--json")
        parsed: Any = None
        with contextlib.suppress(orjson.JSONDecodeError):
            parsed = orjson.loads(output)
        return parsed if isinstance(parsed, dict) else {}

    async def logout(self) -> None:
        """Forget the credentials.

        Raises:
            ClaudeFailure: `logout_failed`, with what Claude Code said.
        """
        status, output = await self._run("auth", "logout")
        if status != 0:
            said = output.decode(errors="replace").strip()
            raise ClaudeFailure("logout_failed", f"Claude Code could not sign out: {said or f'exit status {status}'}")

    async def _run(self, *arguments: str) -> tuple[int, bytes]:
        try:
            command = command_line(make_options(cli_path=self._executable or None))[0]
            with anyio.fail_after(SECONDS):
                done = await anyio.run_process(
                    [command, *arguments],
                    stdin=subprocess.DEVNULL,
                    stderr=subprocess.STDOUT,
                    check=False,
                    env=child_environment(self._environment, "."),
                )
        except (OSError, TimeoutError) as error:
            text = f"Claude Code could not be asked about its login: {str(error) or 'it does not answer'}"
            raise ClaudeFailure("start_failed", text) from None
        return done.returncode, done.stdout
