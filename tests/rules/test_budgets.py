"""Rule 3: modules, functions, nesting and complexity have a size at which one reader still holds them.

It measures the tests and scripts too. Complexity is ruff's to measure (C901); here we see that nothing turns it off.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from .exemptions import BUDGETS
from .source import PROJECT, Finding, Module, plant, read, report, scoped, unneeded

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

MODULE_LINES = 400
FUNCTION_LINES = 60
NESTING = 4
COMPLEXITY = 10
MEASURED = ("src", "tests", "scripts")

Function = ast.FunctionDef | ast.AsyncFunctionDef


def budgets(root: Path, exemptions: Mapping[str, str]) -> list[Finding]:
    """Modules and functions over a budget, and exemptions that nothing needs; paths are relative to ``root``."""
    needed = set()
    findings = []
    for directory in MEASURED:
        if not any((root / directory).rglob("*.py")):
            continue
        for module in read(root / directory):
            for key, finding in _over_budget(module, f"{directory}/{module.path}"):
                needed.add(key)
                if key not in exemptions:
                    findings.append(finding)
    return findings + unneeded(exemptions, needed)


def _over_budget(module: Module, path: str) -> Iterator[tuple[str, Finding]]:
    lines = len(module.text.splitlines())
    if lines > MODULE_LINES:
        yield path, Finding(path, 1, f"{lines} lines, {MODULE_LINES} allowed")
    for scope, node in scoped(module.tree):
        if isinstance(node, Function):
            name = f"{scope}.{node.name}" if scope else node.name
            for message in _function_faults(node):
                yield f"{path}::{name}", Finding(path, node.lineno, f"{name} {message}")


def _function_faults(function: Function) -> Iterator[str]:
    lines = function_lines(function)
    if lines > FUNCTION_LINES:
        yield f"has {lines} lines, {FUNCTION_LINES} allowed"
    depth = nesting(function.body)
    if depth > NESTING:
        yield f"nests {depth} deep, {NESTING} allowed"


def function_lines(function: Function) -> int:
    """Lines from ``def`` to the end without the docstring."""
    lines = (function.end_lineno or function.lineno) - function.lineno + 1
    match function.body[0]:
        case ast.Expr(value=ast.Constant(value=str()) as docstring):
            lines -= (docstring.end_lineno or docstring.lineno) - docstring.lineno + 1
    return lines


def nesting(statements: Sequence[ast.stmt]) -> int:
    """The depth of blocks: an ``elif`` is as deep as its ``if``, an inner function is a block itself."""
    return max((_depth(statement) for statement in statements), default=0)


def _depth(statement: ast.stmt) -> int:
    match statement:
        case ast.If(body=body, orelse=[ast.If() as other]) if other.col_offset == statement.col_offset:
            return max(1 + nesting(body), _depth(other))
        case ast.Match(cases=cases):
            return 1 + max(nesting(case.body) for case in cases)
        case ast.Try() | ast.TryStar():
            handlers = [inner for handler in statement.handlers for inner in handler.body]
            return 1 + nesting([*statement.body, *handlers, *statement.orelse, *statement.finalbody])
        case ast.If() | ast.For() | ast.AsyncFor() | ast.While():
            return 1 + nesting([*statement.body, *statement.orelse])
        case ast.With() | ast.AsyncWith() | ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return 1 + nesting(statement.body)
        case _:
            return 0


def silenced_complexity(root: Path) -> list[Finding]:
    """Comments that keep ruff from measuring complexity: by its code, or by naming no code at all."""
    mark = "no" + "qa"
    findings = []
    for module in read(root):
        for number, line in enumerate(module.text.splitlines(), 1):
            _, found, codes = line.partition(f"# {mark}")
            blanket = not codes.strip().startswith(":")
            if (found and (blanket or "C90" in codes)) or f"# ruff: {mark}" in line:
                findings.append(module.finding(number, "silences the complexity check"))
    return findings


def complexity_findings(text: str, filename: str) -> str:
    """What ruff, with the configuration of the project, says about a text as if it stood in that file."""
    command = [sys.executable, "-m", "ruff", "check", "--no-cache", "--force-exclude", "--output-format", "concise"]
    answer = subprocess.run(
        [*command, "--stdin-filename", filename, "-"],
        input=text,
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode in {0, 1}, answer.stderr
    return "\n".join(line for line in answer.stdout.splitlines() if "C901" in line)


def test_project_keeps_the_budgets() -> None:
    assert report(budgets(PROJECT, BUDGETS)) == ""


@pytest.mark.parametrize("directory", MEASURED)
def test_nothing_silences_the_complexity_check(directory: str) -> None:
    assert report(silenced_complexity(PROJECT / directory)) == ""


@pytest.mark.parametrize("filename", ["src/adapter/v1/turns.py", "src/adapter/demo/x.py", "tests/x.py", "scripts/x.py"])
def test_ruff_measures_complexity_everywhere(filename: str) -> None:
    def branches(count: int) -> str:
        return "def f(x):\n" + "".join(f"    if x == {number}:\n        x += 1\n" for number in range(count))

    assert complexity_findings(branches(COMPLEXITY - 1), filename) == ""
    assert "C901" in complexity_findings(branches(COMPLEXITY), filename)


def statements(count: int) -> str:
    return "".join(f"    x = {number}\n" for number in range(count))


def nested(depth: int) -> str:
    blocks = "".join(f"{'    ' * level}for x{level} in y:\n" for level in range(1, depth + 1))
    return f"def f(y):\n{blocks}{'    ' * (depth + 1)}pass\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\n" * (MODULE_LINES + 1), "src/adapter/x.py:1: 401 lines"),
        (f"def f():\n{statements(FUNCTION_LINES)}", "f has 61 lines"),
        (f"class C:\n    async def m(self):\n{statements(FUNCTION_LINES).replace('    x', '        x')}", "C.m has 61"),
        (nested(NESTING + 1), "f nests 5 deep"),
    ],
)
def test_budgets_complain(tmp_path: Path, text: str, message: str) -> None:
    plant(tmp_path / "src", {"x.py": text})
    assert message in report(budgets(tmp_path, {}))


@pytest.mark.parametrize(
    "text",
    [
        "x = 1\n" * MODULE_LINES,
        f'def f():\n    """One.\n\n    Two.\n    """\n{statements(FUNCTION_LINES - 1)}',
        nested(NESTING),
        "def f(x):\n    if x:\n        pass\n" + "    elif x:\n        pass\n" * NESTING,
    ],
)
def test_budgets_allow_what_is_within(tmp_path: Path, text: str) -> None:
    plant(tmp_path / "src", {"x.py": text})
    assert budgets(tmp_path, {}) == []


def test_nesting_looks_into_every_kind_of_block() -> None:
    text = (
        "with a:\n"
        "    try:\n        pass\n"
        "    except E:\n"
        "        match x:\n"
        "            case 1:\n"
        "                while y:\n"
        "                    def inner():\n"
        "                        if z:\n"
        "                            pass\n"
    )
    assert nesting(ast.parse(text).body) == 6


def test_exemptions_spare_what_they_name_and_must_be_needed(tmp_path: Path) -> None:
    plant(tmp_path / "tests", {"x.py": f"def f():\n{statements(FUNCTION_LINES)}"})
    assert budgets(tmp_path, {"tests/adapter/x.py::f": "a reason"}) == []
    found = report(budgets(tmp_path, {"tests/adapter/x.py::f": "a reason", "tests/adapter/x.py::g": "a reason"}))
    assert found == "tests/adapter/x.py::g:1: needs no exemption any more"


@pytest.mark.parametrize(
    "comment", ["# no" + "qa: C901", "# no" + "qa", "# ruff: no" + "qa: C901", "# no" + "qa: E501, C90"]
)
def test_silenced_complexity_complains(tmp_path: Path, comment: str) -> None:
    root = plant(tmp_path, {"x.py": f"x = 1  {comment}\n", "y.py": "x = 1  # no" + "qa: E501\n"})
    assert report(silenced_complexity(root)) == "adapter/x.py:1: silences the complexity check"
