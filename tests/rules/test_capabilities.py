"""Rule 6: one module reads capabilities and ``_meta`` into a frozen object; encoders write them."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

import pytest

from .exemptions import META
from .source import SOURCE, Finding, Module, plant, read, report, unneeded

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

META_WORD = re.compile(r"(?<!\w)_meta(?!\w)")


def meta(root: Path, allowed: Mapping[str, str]) -> list[Finding]:
    """Strings with ``_meta`` where it is not allowed, docstrings apart, and files that are allowed for nothing."""
    uses = [(module, line) for module in read(root) for line in meta_lines(module)]
    findings = [module.finding(line, "says _meta") for module, line in uses if not module.matches(*allowed)]
    return findings + unneeded(allowed, [module.place for module, _ in uses])


def meta_lines(module: Module) -> list[int]:
    """The lines of the strings with ``_meta`` that the module works with."""
    prose = {id(node.value) for node in ast.walk(module.tree) if isinstance(node, ast.Expr)}
    return [
        node.lineno
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Constant) and id(node) not in prose and META_WORD.search(str(node.value))
    ]


def test_meta_stays_where_it_belongs() -> None:
    assert report(meta(SOURCE, META)) == ""


@pytest.mark.parametrize("text", ["x = p['_meta']", "def f(p):\n    return p.get('_meta')", "x = f'{p}._meta.y'"])
def test_meta_complains(tmp_path: Path, text: str) -> None:
    assert "says _meta" in report(meta(plant(tmp_path, {"v1/session.py": text}), {}))


def test_meta_allows_listed_files_and_prose(tmp_path: Path) -> None:
    files = {
        "v1/session.py": '"""What ``_meta`` is for."""\n',
        "v1/extensions/air.py": "x = '_meta'",
        "shared/render.py": "x = '_meta'",
        "shared/tracker.py": "x = 'my_meta'",
    }
    assert meta(plant(tmp_path, files), {"v1/extensions/*": "a reason", "shared/render.py": "a reason"}) == []


def test_meta_complains_about_an_allowed_file_that_does_not_use_it(tmp_path: Path) -> None:
    root = plant(tmp_path, {"shared/render.py": "x = 1"})
    found = report(meta(root, {"shared/render.py": "a reason", "v1/extensions/*": "a reason"}))
    assert found == "shared/render.py:1: needs no exemption any more"
