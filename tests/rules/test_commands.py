"""``./check`` and ``.ci/run``: what they run, and that they fail when they should.

The interpreter is a stub that writes down what it is asked to run.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from .source import PROJECT

if TYPE_CHECKING:
    from pathlib import Path

STUB = """#!/usr/bin/env bash
echo "$*" >>"$STUB_LOG"
echo "${STUB_SAYS:-}"
[[ -z ${STUB_FAILS:-} || "$*" != *"$STUB_FAILS"* ]]
"""
READ_ONLY_STAGES = [
    "-m ruff format --check .",
    "-m ruff check .",
    "-m mypy",
    "-m pytest --quiet tests/rules",
    "-m pytest --quiet -n 2 --ignore=tests/rules -m not cli and not npm and not live",
]
REAL_CLI_STAGE = "-m pytest --quiet -n 2 -m cli or npm"


class Stub:
    """A directory with the stub interpreter and its log."""

    def __init__(self, directory: Path) -> None:
        self.interpreter = directory / "python"
        self.interpreter.write_text(STUB, encoding="utf-8")
        self.interpreter.chmod(0o755)
        self._log = directory / "log"

    def check(self, *options: str, **stub: str) -> subprocess.CompletedProcess[str]:
        """Runs ``./check`` on the stub; ``says`` and ``fails`` tell it what to print and which command to fail."""
        variables = {f"STUB_{name.upper()}": value for name, value in stub.items()}
        environment = {**os.environ, **variables, "PYTHON": str(self.interpreter), "STUB_LOG": str(self._log)}
        command = [str(PROJECT / "check"), *options]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    def ran(self) -> list[str]:
        """The arguments of each run, in order."""
        return self._log.read_text(encoding="utf-8").splitlines() if self._log.exists() else []


@pytest.fixture
def stub(tmp_path: Path) -> Stub:
    return Stub(tmp_path)


def test_check_runs_every_stage_and_says_how_long_it_took(stub: Stub) -> None:
    answer = stub.check()
    assert answer.returncode == 0
    assert stub.ran() == READ_ONLY_STAGES
    stages = [line.split() for line in answer.stdout.splitlines() if line.startswith("ok ")]
    assert [stage[1] for stage in stages] == ["format", "lint", "types", "rules", "tests"]
    assert all(stage[2].isdigit() and stage[3] == "s" for stage in stages)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--all"], [*READ_ONLY_STAGES, REAL_CLI_STAGE]),
        (["--fix"], ["-m ruff check --quiet --fix .", "-m ruff format .", *READ_ONLY_STAGES[1:]]),
        (
            ["--update-golden"],
            [
                *READ_ONLY_STAGES[:4],
                "-m pytest --quiet --snapshot-update --ignore=tests/rules -m not cli and not npm and not live",
            ],
        ),
    ],
)
def test_check_takes_options(stub: Stub, options: list[str], expected: list[str]) -> None:
    assert stub.check(*options).returncode == 0
    assert stub.ran() == expected


@pytest.mark.parametrize("number", range(len(READ_ONLY_STAGES)))
def test_check_stops_at_the_first_failure_and_shows_it(stub: Stub, number: int) -> None:
    answer = stub.check("--all", fails=READ_ONLY_STAGES[number], says="this is why")
    assert answer.returncode == 1
    assert stub.ran() == READ_ONLY_STAGES[: number + 1]
    assert "this is why" in answer.stdout
    assert answer.stdout.splitlines()[-1].startswith("FAILED")


def test_check_fails_when_the_last_stage_does(stub: Stub) -> None:
    assert stub.check("--all", fails=REAL_CLI_STAGE).returncode == 1


def test_check_counts_a_skipped_test_as_a_failure_only_where_everything_must_run(stub: Stub) -> None:
    assert stub.check(says="SKIPPED [1] tests/e2e/test_npm.py:1: no Node").returncode == 0
    answer = stub.check("--all", says="SKIPPED [1] tests/e2e/test_npm.py:1: no Node")
    assert answer.returncode == 1
    assert "no Node" in answer.stdout


def test_check_refuses_an_unknown_option(stub: Stub) -> None:
    answer = stub.check("--quick")
    assert (answer.returncode, stub.ran()) == (2, [])
    assert "./check --all" in answer.stderr


def run_ci(directory: Path, readme: str) -> subprocess.CompletedProcess[str]:
    (directory / ".ci").mkdir()
    (directory / "README.md").write_text(readme, encoding="utf-8")
    script = shutil.copy(PROJECT / ".ci" / "run", directory / ".ci" / "run")
    return subprocess.run([script], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("status", [0, 3])
def test_ci_runs_the_test_command_of_the_readme(tmp_path: Path, status: int) -> None:
    check = tmp_path / "check"
    check.write_text(f'#!/usr/bin/env bash\necho "checked $*"\nexit {status}\n', encoding="utf-8")
    check.chmod(0o755)
    answer = run_ci(tmp_path, "# A title\n\n```\npython3 demo\npython3 -c 'print(1)' && ./check --all\n```\n")
    assert answer.returncode == status
    assert answer.stdout.splitlines() == ["+ python3 -c 'print(1)' && ./check --all", "1", "checked --all"]


def test_ci_fails_without_a_test_command(tmp_path: Path) -> None:
    answer = run_ci(tmp_path, "Run ./check --all some time.\n")
    assert answer.returncode == 1
    assert "README.md has no line" in answer.stderr


def test_readme_has_the_test_command() -> None:
    lines = (PROJECT / "README.md").read_text(encoding="utf-8").splitlines()
    commands = [line.strip() for line in lines if line.endswith("./check --all")]
    assert commands == ["python3 -m venv .venv && .venv/bin/pip install -q -e '.[dev]' && ./check --all"]
