"""The command line, as a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import adapter

SOURCE = str(Path(adapter.__file__).parents[1])


def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """A run whose stdin has ended."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CLAUDE")}
    return subprocess.run(
        [sys.executable, "-m", "adapter", *arguments],
        env={**kept, "PYTHONPATH": SOURCE, **variables},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_the_version_is_printed(option: str) -> None:
    done = run(option)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"claude-acp {adapter.__version__}\n", "")


@pytest.mark.parametrize("option", ["--help", "-h"])
def test_the_help_names_every_command(option: str) -> None:
    done = run(option)
    assert (done.returncode, done.stderr) == (0, "")
    for command in (
        "claude-acp demo",
        "claude-acp conformance",
        "claude-acp --version",
        "claude-acp --help",
        "--hide-claude-auth",
        "--cli",
    ):
        assert command in done.stdout


def test_the_commands_are_loaded_only_if_they_are_used() -> None:
    text = (
        "import adapter.serve, adapter.cli, sys; print([n for n in sys.modules if 'conformance' in n or 'rich' in n])"
    )
    done = subprocess.run(
        [sys.executable, "-c", text],
        env={**os.environ, "PYTHONPATH": SOURCE},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"


def test_the_conformance_command_gets_its_arguments() -> None:
    done = run("conformance", "run", "hello", "--", "/no/such/agent")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "claude-acp conformance: the agent cannot be started: no program /no/such/agent\n"


@pytest.mark.parametrize("argument", ["serve", "--stdio", ""])
def test_an_unknown_argument_is_named_and_nothing_is_served(argument: str) -> None:
    done = run(argument)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"claude-acp: unknown argument {argument!r}\nusage: claude-acp ")


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("CLAUDE_AGENT_ACP_PROTOCOL", "v3"),
        ("CLAUDE_AGENT_ACP_EXPERIMENTAL_V2", "yes"),
        ("CLAUDE_AGENT_ACP_V2_CORE", "fast"),
        ("CLAUDE_ACP_LOG_LEVEL", "loud"),
        ("CLAUDE_ACP_RECORD", "/no/such/folder"),
    ],
)
def test_a_wrong_variable_ends_the_adapter_at_its_start(variable: str, value: str) -> None:
    done = run(**{variable: value})
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"claude-acp: {variable} is {value!r}")
    assert done.stderr.count("\n") == 1


def test_a_client_that_is_gone_at_the_start_is_the_end() -> None:
    done = run()
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_wrong_variable_matters_to_the_adapter_only() -> None:
    assert run("--version", CLAUDE_AGENT_ACP_PROTOCOL="v3").returncode == 0


def test_claude_codes_own_command_line_is_passed_through(tmp_path: Path) -> None:
    program = tmp_path / "claude"
    program.write_text('#!/bin/sh\nread line\necho "$@ $line $CLAUDECODE"\nexit 7\n')
    program.chmod(0o755)
    done = subprocess.run(
        [sys.executable, "-m", "adapter", "--cli", "auth", "login", "--claudeai"],
        env={**os.environ, "PYTHONPATH": SOURCE, "CLAUDE_CODE_EXECUTABLE": str(program), "CLAUDECODE": "1"},
        input="code\n",
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (7, "auth login --claudeai code \n", "")


def test_a_command_line_that_is_not_there_is_named() -> None:
    done = run("--cli", "auth", "status", CLAUDE_CODE_EXECUTABLE="/no/such/claude")
    assert (done.returncode, done.stdout) == (127, "")
    assert "/no/such/claude" in done.stderr


def test_accounts_of_claude_ai_can_be_hidden() -> None:
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize"}
    params = {"protocolVersion": 1, "clientCapabilities": {"_meta": {"terminal-auth": True}}}
    done = subprocess.run(
        [sys.executable, "-m", "adapter", "--hide-claude-auth"],
        env={**os.environ, "PYTHONPATH": SOURCE},
        input=json.dumps({**hello, "params": params}) + "\n",
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    (method,) = json.loads(done.stdout.splitlines()[0])["result"]["authMethods"]
    assert method["id"] == "console-login"
    assert method["_meta"]["terminal-auth"]["args"] == ["-m", "adapter", *method["args"]]
