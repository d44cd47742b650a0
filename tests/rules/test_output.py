"""Rule 9: stdout carries the protocol and nothing else, and one module sets up logging, which goes to stderr."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest

from .exemptions import STDOUT
from .source import SOURCE, Finding, Module, dotted, imports, plant, read, report, scoped, unneeded

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

CLI = "cli.py"
PRINTING = frozenset({"print", "pprint", "pprint.pprint", "pprint.pp"})
STDOUT_NAMES = frozenset({"sys.stdout", "sys.__stdout__"})
DESCRIPTOR_CALLS = frozenset({"os.dup", "os.dup2", "os.fdopen", "os.write"})
LOGGING_FILE = "shared/logging.py"
LOGGING_SETUP = frozenset({"basicConfig", "addHandler", "dictConfig", "fileConfig", "StreamHandler", "FileHandler"})


def stdout(root: Path, allowed: Mapping[str, str]) -> list[Finding]:
    """Uses of stdout by modules that are not listed, and idle entries; the command line has one function for help."""
    findings = []
    users = []
    for module in read(root):
        uses = sorted(_stdout_uses(module), key=lambda use: use[0])
        users += [module.place for _ in uses]
        if module.matches(*allowed):
            continue
        helper = uses[0][1] if uses and module.place == CLI else ""
        findings += [module.finding(line, message) for line, scope, message in uses if not scope or scope != helper]
    return findings + unneeded(allowed, users)


def _stdout_uses(module: Module) -> Iterator[tuple[int, str, str]]:
    for used in imports(module):
        if used.target in STDOUT_NAMES:
            yield used.line, "", f"imports {used.target}"
        if used.is_within("rich"):
            yield used.line, "", "imports rich, which writes to stdout"
    for scope, node in scoped(module.tree):
        match node:
            case ast.Name() | ast.Attribute() if dotted(node) in PRINTING | STDOUT_NAMES:
                yield node.lineno, scope, f"uses {dotted(node)}"
            case ast.Call(func=function, args=arguments) if dotted(function) in DESCRIPTOR_CALLS:
                if any(isinstance(argument, ast.Constant) and argument.value == 1 for argument in arguments):
                    yield node.lineno, scope, "uses file descriptor 1"


def logging_setup(root: Path) -> list[Finding]:
    """Handlers of log records made or attached outside the module that does so."""
    findings = []
    for module in read(root):
        if module.place == LOGGING_FILE:
            continue
        lines = {used.line for used in imports(module) if used.target.rpartition(".")[2] in LOGGING_SETUP}
        lines |= {
            node.lineno
            for node in ast.walk(module.tree)
            if isinstance(node, ast.Attribute) and node.attr in LOGGING_SETUP
        }
        findings += [module.finding(line, "sets up logging") for line in sorted(lines)]
    return findings


def test_stdout_belongs_to_the_protocol() -> None:
    assert report(stdout(SOURCE, STDOUT)) == ""


def test_one_module_sets_up_logging() -> None:
    assert report(logging_setup(SOURCE)) == ""


@pytest.mark.parametrize(
    ("place", "text", "message"),
    [
        ("shared/driver.py", "print('x')", "uses print"),
        ("shared/driver.py", "import sys\nsys.stdout.write('x')", "2: uses sys.stdout"),
        ("shared/driver.py", "from sys import stdout", "imports sys.stdout"),
        ("shared/driver.py", "import os\nos.write(1, b'x')", "2: uses file descriptor 1"),
        ("v1/agent.py", "show = print", "uses print"),
        ("v1/agent.py", "from rich.console import Console", "imports rich"),
        (LOGGING_FILE, "import logging, sys\nlogging.StreamHandler(sys.stdout)", "2: uses sys.stdout"),
        (CLI, "def a():\n    print('x')\ndef b():\n    print('y')", "cli.py:4: uses print"),
        (CLI, "print('x')", "cli.py:1: uses print"),
    ],
)
def test_stdout_complains(tmp_path: Path, place: str, text: str, message: str) -> None:
    assert message in report(stdout(plant(tmp_path, {place: text}), {"serve.py": "a reason"}))


def test_stdout_allows_listed_files_and_one_helper_of_the_command_line(tmp_path: Path) -> None:
    files = {
        CLI: "def show(text):\n    print(text)\n    sys.stdout.flush()",
        "serve.py": "import os, sys\nos.dup2(2, 1)\nx = sys.stdout",
        "demo/show.py": "from rich.console import Console",
        "shared/driver.py": "import os, sys\nos.write(2, b'x')\nprinted = sys.stderr",
    }
    assert stdout(plant(tmp_path, files), {"serve.py": "a reason", "demo/*": "a reason"}) == []


@pytest.mark.parametrize(
    "text",
    [
        "import logging\nlogging.basicConfig()",
        "from logging import FileHandler",
        "import logging\nlogging.getLogger().addHandler(x)",
    ],
)
def test_logging_setup_complains(tmp_path: Path, text: str) -> None:
    root = plant(tmp_path, {"serve.py": text, LOGGING_FILE: text})
    assert [finding.path for finding in logging_setup(root)] == ["adapter/serve.py"]
