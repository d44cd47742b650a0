"""One module reads the environment: what a setting does is found there, and the rest is told values."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest

from .exemptions import ENVIRONMENT
from .source import SOURCE, Finding, Module, dotted, imports, plant, read, report, unneeded

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

ENVIRONMENT_NAMES = frozenset(
    {"os.environ", "os.environb", "os.getenv", "os.getenvb", "os.putenv", "os.path.expandvars"}
)


def environment(root: Path, allowed: Mapping[str, str]) -> list[Finding]:
    """Uses of the environment by modules that are not listed, and listed modules that do not use it."""
    uses = [(module, line, name) for module in read(root) for line, name in _uses(module)]
    findings = [module.finding(line, f"uses {name}") for module, line, name in uses if not module.matches(*allowed)]
    return findings + unneeded(allowed, [module.place for module, _, _ in uses])


def _uses(module: Module) -> list[tuple[int, str]]:
    names = {(found.line, found.target) for found in imports(module)}
    names |= {(node.lineno, dotted(node)) for node in ast.walk(module.tree) if isinstance(node, ast.Attribute)}
    return sorted(use for use in names if use[1] in ENVIRONMENT_NAMES)


def test_one_module_reads_the_environment() -> None:
    assert report(environment(SOURCE, ENVIRONMENT)) == ""


@pytest.mark.parametrize(
    "text",
    [
        "import os\nhome = os.environ['HOME']",
        "import os\ndef f():\n    return os.getenv('HOME')",
        "from os import environ",
        "import os\nx = dict(os.environ)",
    ],
)
def test_environment_complains(tmp_path: Path, text: str) -> None:
    root = plant(tmp_path, {"shared/claude/process.py": text, "settings.py": text, "demo/show.py": text})
    found = environment(root, {"settings.py": "a reason", "demo/*": "a reason"})
    assert [finding.path for finding in found] == ["adapter/shared/claude/process.py"]
