"""One module reads the environment: what a setting does is found there, and the rest is told values."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest

from .exemptions import ENVIRONMENT
from .source import SOURCE, Finding, dotted, imports, plant, read, report

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

ENVIRONMENT_NAMES = frozenset(
    {"os.environ", "os.environb", "os.getenv", "os.getenvb", "os.putenv", "os.path.expandvars"}
)


def environment(root: Path, allowed: Mapping[str, str]) -> list[Finding]:
    """Uses of the environment by modules that are not listed."""
    findings = []
    for module in read(root):
        if module.matches(*allowed):
            continue
        used = {(found.line, found.target) for found in imports(module)}
        used |= {(node.lineno, dotted(node)) for node in ast.walk(module.tree) if isinstance(node, ast.Attribute)}
        findings += [module.finding(line, f"uses {name}") for line, name in sorted(used) if name in ENVIRONMENT_NAMES]
    return findings


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
