"""The command line, as a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

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


def pass_through(tmp_path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A run in which Claude Code is a program that tells what it was given, and ends with status 7."""
    program = tmp_path / "claude"
    program.write_text('#!/bin/sh\nread line\necho "$@ $line $CLAUDECODE"\nexit 7\n')
    program.chmod(0o755)
    return subprocess.run(
        [sys.executable, "-m", "adapter", *arguments],
        env={**os.environ, "PYTHONPATH": SOURCE, "CLAUDE_CODE_EXECUTABLE": str(program), "CLAUDECODE": "1"},
        input="code\n",
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def login_methods(capabilities: dict[str, Any], *arguments: str) -> list[dict[str, Any]]:
    """The logins that `initialize` offers a client which starts the adapter with these arguments."""
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize"}
    done = subprocess.run(
        [sys.executable, "-m", "adapter", *arguments],
        env={**os.environ, "PYTHONPATH": SOURCE},
        input=json.dumps({**hello, "params": {"protocolVersion": 1, "clientCapabilities": capabilities}}) + "\n",
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    methods: list[dict[str, Any]] = json.loads(done.stdout.splitlines()[0])["result"]["authMethods"]
    return methods


def test_claude_codes_own_command_line_is_passed_through(tmp_path: Path) -> None:
    done = pass_through(tmp_path, "--cli", "auth", "login", "--claudeai")
    assert (done.returncode, done.stdout, done.stderr) == (7, "auth login --claudeai code \n", "")


@pytest.mark.parametrize(
    ("started_with", "logins"), [([], ["--claudeai", "--console"]), (["--hide-claude-auth"], ["--console"])]
)
def test_a_login_that_is_offered_starts_behind_the_clients_own_arguments(
    tmp_path: Path, started_with: list[str], logins: list[str]
) -> None:
    methods = login_methods({"auth": {"terminal": True}}, *started_with)
    done = [pass_through(tmp_path, *started_with, *method["args"]) for method in methods]
    said = [(one.returncode, one.stdout) for one in done]
    assert said == [(7, f"auth login {login} code \n") for login in logins]


def test_a_command_line_that_is_not_there_is_named() -> None:
    done = run("--cli", "auth", "status", CLAUDE_CODE_EXECUTABLE="/no/such/claude")
    assert (done.returncode, done.stdout) == (127, "")
    assert "/no/such/claude" in done.stderr


def test_accounts_of_claude_ai_can_be_hidden() -> None:
    (method,) = login_methods({"_meta": {"terminal-auth": True}}, "--hide-claude-auth")
    assert method["id"] == "console-login"
    assert method["_meta"]["terminal-auth"]["args"] == ["-m", "adapter", *method["args"]]
