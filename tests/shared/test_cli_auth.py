"""Claude Code's own commands about logins."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from adapter.shared.cli_auth import CliAuth
from adapter.shared.jsonrpc.errors import ClaudeFailure

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio


def cli(folder: Path, script: str) -> CliAuth:
    """Commands of a program that runs a script."""
    program = folder / "claude"
    program.write_text(f"#!{sys.executable} -IS\nimport os, sys\n{script}\n")
    program.chmod(0o755)
    return CliAuth(str(program), {"MARK": "m", "CLAUDECODE": "1"})


async def test_the_status_is_what_the_program_prints(tmp_path: Path) -> None:
    script = "import json\nprint(json.dumps([sys.argv[1:], os.environ.get('MARK'), os.environ.get('CLAUDECODE')]))"
    assert await cli(tmp_path, script).status() == {}
    asked = cli(tmp_path, "import json\nprint(json.dumps(dict(argv=sys.argv[1:], mark=os.environ['MARK'])))")
    assert await asked.status() == {"argv": ["auth", "status", "--json"], "mark": "m"}


async def test_a_status_that_cannot_be_read_is_none(tmp_path: Path) -> None:
    assert await cli(tmp_path, "print('who knows')").status() == {}


async def test_a_logout_ends_well_or_says_why(tmp_path: Path) -> None:
    await cli(tmp_path, "assert sys.argv[1:] == ['auth', 'logout']").logout()
    with pytest.raises(ClaudeFailure) as raised:
        await cli(tmp_path, "sys.exit('no keychain')").logout()
    assert (raised.value.kind, raised.value.message) == (
        "logout_failed",
        "Claude Code could not sign out: no keychain",
    )


async def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ClaudeFailure) as raised:
        await CliAuth(str(tmp_path / "none"), {}).status()
    assert raised.value.kind == "start_failed"
