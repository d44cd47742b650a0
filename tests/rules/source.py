"""What the rules read: the modules under a source root, what they import, and how a finding looks.

A rule is a function from a source root (the directory that holds the package ``adapter``) to findings, so that it runs
on the real tree and on a small bad one, which shows that it can fail.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
SOURCE = PROJECT / "src"
PACKAGE = "adapter"

TYPING_ONLY = ("TYPE_CHECKING", "typing.TYPE_CHECKING")
"""The conditions of blocks that only a type checker reads."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One place that breaks a rule; ``path`` is relative to the root that was read, with slashes."""

    path: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


Rule = Callable[[Path], list[Finding]]
"""A rule without tables of its own: it takes a source root."""


@dataclass(frozen=True, slots=True)
class Import:
    """One imported name, absolute and dotted: ``from a import b`` is ``a.b``, whether ``b`` is a module or not."""

    target: str
    line: int
    typing_only: bool

    def is_within(self, package: str) -> bool:
        """Whether the name is ``package`` or lies below it."""
        return self.target == package or self.target.startswith(f"{package}.")


@dataclass(frozen=True, slots=True)
class Module:
    """One parsed file; ``path`` is relative to the root, ``name`` is what an import says."""

    path: str
    name: str
    text: str
    tree: ast.Module

    @property
    def place(self) -> str:
        """The path inside the package: ``shared/driver.py``."""
        return self.path.removeprefix(f"{PACKAGE}/")

    def finding(self, line: int, message: str) -> Finding:
        """A finding in this module."""
        return Finding(self.path, line, message)

    def matches(self, *globs: str) -> bool:
        """Whether the place matches one of the globs, in which ``*`` crosses slashes."""
        return any(fnmatchcase(self.place, glob) for glob in globs)


def read(root: Path) -> list[Module]:
    """All modules below the root, sorted by path.

    Raises:
        AssertionError: There is none: a rule that reads nothing would pass for the wrong reason.
    """
    modules = []
    for file in sorted(root.rglob("*.py")):
        if "node_modules" in file.parts:
            continue
        path = file.relative_to(root)
        parts = path.with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        text = file.read_text(encoding="utf-8")
        modules.append(Module(path.as_posix(), name, text, ast.parse(text, filename=str(file))))
    assert modules, f"no Python file under {root}"
    return modules


def imports(module: Module) -> list[Import]:
    """Every import of the module: at any depth, typing-only ones, and ``import_module`` with a literal name."""
    collector = _ImportCollector(module)
    collector.visit(module.tree)
    return collector.found


def is_import_call(node: ast.Call) -> bool:
    """Whether the call imports a module by its name."""
    return dotted(node.func) in {"import_module", "importlib.import_module", "__import__"} and bool(node.args)


class _ImportCollector(ast.NodeVisitor):
    def __init__(self, module: Module) -> None:
        package = module.name if module.path.endswith("__init__.py") else module.name.rpartition(".")[0]
        self._package = package.split(".")
        self._typing_only = False
        self.found: list[Import] = []

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._add(alias.name, node.lineno)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        base = [] if node.level == 0 else self._package[: len(self._package) - node.level + 1]
        prefix = ".".join([*base, *([node.module] if node.module else [])])
        for alias in node.names:
            self._add(f"{prefix}.{alias.name}", node.lineno)

    def visit_Call(self, node: ast.Call) -> None:
        match node.args:
            case [ast.Constant(value=str(target)), *_] if is_import_call(node):
                self._add(target, node.lineno)
        self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        before = self._typing_only
        self._typing_only = before or ast.unparse(node.test) in TYPING_ONLY
        for statement in node.body:
            self.visit(statement)
        self._typing_only = before
        self.visit(node.test)
        for statement in node.orelse:
            self.visit(statement)

    def _add(self, target: str, line: int) -> None:
        self.found.append(Import(target, line, self._typing_only))


def own_module(target: str, names: Mapping[str, Module]) -> str | None:
    """The module of the tree that an imported name comes from, or ``None`` for what is not ours."""
    while target and target not in names:
        target = target.rpartition(".")[0]
    return target or None


def dotted(node: ast.expr) -> str:
    """The source of a name or an attribute chain (``sys.stdout``), or an empty string for anything else."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attribute):
            prefix = dotted(value)
            return f"{prefix}.{attribute}" if prefix else ""
        case _:
            return ""


def line_of(node: ast.AST) -> int:
    """The line that a node starts at; a comprehension, which has none of its own, starts where its target does."""
    return line_of(node.target) if isinstance(node, ast.comprehension) else getattr(node, "lineno", 1)


def scoped(tree: ast.Module) -> Iterator[tuple[str, ast.AST]]:
    """Every node in the order of the text, with the name of the function or class around it (empty at the top)."""
    stack: list[tuple[str, ast.AST]] = [("", tree)]
    while stack:
        scope, node = stack.pop()
        yield scope, node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            scope = f"{scope}.{node.name}" if scope else node.name
        stack.extend((scope, child) for child in reversed(list(ast.iter_child_nodes(node))))


def unneeded(allowed: Iterable[str], used: Iterable[str]) -> list[Finding]:
    """A finding for each exemption that is no glob and that nothing used."""
    places = set(used)
    return [Finding(key, 1, "needs no exemption any more") for key in allowed if "*" not in key and key not in places]


def report(findings: list[Finding]) -> str:
    """The findings, one a line, in the order of the files: what a failing test prints."""
    return "\n".join(str(finding) for finding in sorted(findings, key=lambda found: (found.path, found.line)))


def plant(root: Path, files: Mapping[str, str]) -> Path:
    """Writes a small package for a rule to judge (keys are places inside it) and returns its source root."""
    for place, text in files.items():
        file = root / PACKAGE / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return root
