"""The command line, as a process of its own."""

from __future__ import annotations

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
    for command in ("claude-acp demo", "claude-acp --version", "claude-acp --help"):
        assert command in done.stdout


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


def test_only_v2_without_a_core_for_it_ends_the_adapter_at_its_start() -> None:
    done = run(CLAUDE_AGENT_ACP_PROTOCOL="v2")
    assert (done.returncode, done.stdout) == (2, "")
    assert "CLAUDE_AGENT_ACP_V2_CORE=native" in done.stderr


def test_a_client_that_is_gone_at_the_start_is_the_end() -> None:
    done = run()
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_wrong_variable_matters_to_the_adapter_only() -> None:
    assert run("--version", CLAUDE_AGENT_ACP_PROTOCOL="v3").returncode == 0
