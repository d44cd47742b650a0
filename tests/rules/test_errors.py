"""Rule 8: one module knows the numeric error codes, and only the ends of loops catch everything."""

from __future__ import annotations

import ast
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from .exemptions import BROAD_EXCEPT, ERROR_CODES
from .source import SOURCE, Finding, dotted, line_of, plant, read, report, scoped, unneeded

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

CODES_FILE = "shared/jsonrpc/errors.py"
CODES = frozenset({32700, 32600, 32601, 32602, 32603, 32002, 32000, 32800, 32022})
"""The codes without their sign."""

BROAD = frozenset({"Exception", "BaseException"})


def codes(root: Path, allowed: Mapping[str, str]) -> list[Finding]:
    """JSON-RPC error codes outside the modules that may write them, and modules that may and do not."""
    findings = []
    used = set()
    for module in read(root):
        for node in ast.walk(module.tree):
            match node:
                case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(number))) if number in CODES:
                    used.add(module.place)
                    if module.place not in allowed:
                        findings.append(module.finding(node.lineno, f"writes the error code -{number}"))
    return findings + unneeded(allowed, used)


def broad_excepts(root: Path, allowed: Mapping[str, str]) -> list[Finding]:
    """Handlers of every exception: in a function that is not listed, a second one in a listed one, and idle entries."""
    findings = []
    seen: Counter[str] = Counter()
    for module in read(root):
        for scope, node in scoped(module.tree):
            if not any(_is_broad(caught) for caught in _caught(node)):
                continue
            key = f"{module.place}::{scope}"
            seen[key] += 1
            if key not in allowed or seen[key] > 1:
                findings.append(module.finding(line_of(node), f"catches everything in {scope or 'a module'}"))
    return findings + unneeded(allowed, seen)


def _caught(node: ast.AST) -> Iterator[ast.expr | None]:
    match node:
        case ast.ExceptHandler(type=ast.Tuple(elts=elements)):
            yield from elements
        case ast.ExceptHandler(type=caught):
            yield caught
        case ast.Call(func=function, args=arguments) if dotted(function).rpartition(".")[2] == "suppress":
            yield from arguments


def _is_broad(caught: ast.expr | None) -> bool:
    return caught is None or dotted(caught).rpartition(".")[2] in BROAD


def test_one_module_knows_the_error_codes() -> None:
    assert report(codes(SOURCE, ERROR_CODES)) == ""


def test_that_module_knows_them_all() -> None:
    module = next(module for module in read(SOURCE) if module.place == CODES_FILE)
    assert {node.value for node in ast.walk(module.tree) if isinstance(node, ast.Constant)} >= CODES


def test_only_listed_functions_catch_everything() -> None:
    assert report(broad_excepts(SOURCE, BROAD_EXCEPT)) == ""


@pytest.mark.parametrize("code", sorted(CODES))
def test_codes_complains(tmp_path: Path, code: int) -> None:
    root = plant(tmp_path, {"serve.py": f"def f():\n    fail(code=-{code})", CODES_FILE: f"X = -{code}"})
    assert report(codes(root, {CODES_FILE: "a reason"})) == f"adapter/serve.py:2: writes the error code -{code}"


def test_codes_complains_about_a_module_that_writes_none(tmp_path: Path) -> None:
    root = plant(tmp_path, {CODES_FILE: "X = 32600"})
    assert report(codes(root, {CODES_FILE: "a reason"})) == f"{CODES_FILE}:1: needs no exemption any more"


@pytest.mark.parametrize(
    "handler",
    [
        "try:\n        x()\n    except Exception:\n        pass",
        "try:\n        x()\n    except BaseException as error:\n        raise",
        "try:\n        x()\n    except:\n        pass",
        "try:\n        x()\n    except (OSError, Exception):\n        pass",
        "try:\n        x()\n    except* Exception:\n        pass",
        "with contextlib.suppress(Exception):\n        x()",
    ],
)
def test_broad_excepts_complains(tmp_path: Path, handler: str) -> None:
    root = plant(tmp_path, {"serve.py": f"def f():\n    {handler}\n"})
    assert "catches everything in f" in report(broad_excepts(root, {}))
    assert broad_excepts(root, {"serve.py::f": "a reason"}) == []


def test_broad_excepts_allows_one_in_each_place(tmp_path: Path) -> None:
    handler = "    try:\n        x()\n    except Exception:\n        pass\n"
    root = plant(tmp_path, {"serve.py": f"def f():\n{handler}{handler}"})
    assert report(broad_excepts(root, {"serve.py::f": "a reason"})) == "adapter/serve.py:8: catches everything in f"


def test_broad_excepts_allows_named_exceptions(tmp_path: Path) -> None:
    text = "try:\n    x()\nexcept (OSError, ValueError):\n    pass\nwith suppress(OSError):\n    x()\n"
    assert broad_excepts(plant(tmp_path, {"serve.py": text}), {}) == []


def test_broad_excepts_complains_about_an_idle_entry(tmp_path: Path) -> None:
    root = plant(tmp_path, {"serve.py": "x = 1"})
    assert report(broad_excepts(root, {"serve.py::f": "a reason"})) == "serve.py::f:1: needs no exemption any more"
