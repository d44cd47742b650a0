"""The table of checks names tests that exist, and no check without a test lacks its reason."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).parents[1]
CHECKS: dict[str, dict[str, Any]] = tomllib.loads((TESTS / "users" / "checks.toml").read_text())
SIZES = {"A": 6, "B": 11, "C": 7, "D": 5, "E": 3, "F": 8, "G": 4, "H": 5, "I": 5, "J": 5, "K": 4, "L": 6}
"""How many checks each group of the list has."""


def functions(file: str) -> set[str]:
    """The functions of a file under `tests/`."""
    tree = ast.parse((TESTS / file).read_text())
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


@pytest.mark.parametrize("name", CHECKS)
def test_a_check_has_tests_that_exist_or_a_reason(name: str) -> None:
    check = CHECKS[name]
    assert check.keys() <= {"about", "tests", "reason"}
    assert check["about"]
    assert check.get("tests") or check.get("reason")
    for test in check.get("tests", ()):
        file, _, function = test.partition("::")
        assert function.startswith("test_")
        assert function in functions(file), test


def test_every_check_of_every_group_is_there() -> None:
    groups: dict[str, list[int]] = {}
    for name in CHECKS:
        match = re.fullmatch(r"([A-L])(\d+)", name)
        assert match is not None
        groups.setdefault(match[1], []).append(int(match[2]))
    assert groups == {group: list(range(1, size + 1)) for group, size in SIZES.items()}
