"""What the repository may not hold: leftovers, paths of one machine, modules that do not say what they own."""

from __future__ import annotations

import ast
import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from .source import PROJECT, SOURCE, Finding, plant, read, report

if TYPE_CHECKING:
    from pathlib import Path

LEFTOVERS = {
    "unfinished work": re.compile(r"\b(?:TODO|FIXME|XXX|NotImplementedError)\b"),
    "a path of one machine": re.compile(r"(?<![\w.})\]*~-])/(?:work|root)(?=[/\"'`\s\\]|$)", re.MULTILINE),
    "a path outside the repository": re.compile(r"\.\./shared\b"),
}
THIS_FILE = "tests/rules/test_repository.py"


def files(root: Path) -> list[str]:
    """The files that are or would be tracked, relative to the root."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    answer = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    return sorted(path for path in answer.stdout.split("\0") if (root / path).is_file())


def leftovers(root: Path) -> list[Finding]:
    """Words and paths that nobody should meet in a file of the repository; this file has to name them."""
    findings = []
    for path in files(root):
        if path == THIS_FILE:
            continue
        text = (root / path).read_text(encoding="utf-8", errors="replace")
        for name, pattern in LEFTOVERS.items():
            for found in pattern.finditer(text):
                line = text.count("\n", 0, found.start()) + 1
                findings.append(Finding(path, line, f"{name}: {found.group()}"))
    return findings


def undocumented(root: Path) -> list[Finding]:
    """Modules without a docstring of at least one sentence."""
    sentence = re.compile(r"\w.*[.:](?:\s|$)", re.DOTALL)
    return [
        module.finding(1, "does not say in a sentence what it owns")
        for module in read(root)
        if not sentence.search(ast.get_docstring(module.tree) or "")
    ]


def test_repository_holds_no_leftovers() -> None:
    assert report(leftovers(PROJECT)) == ""


def test_every_module_says_what_it_owns() -> None:
    assert report(undocumented(SOURCE)) == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\n# TODO: more", "notes.txt:2: unfinished work: TODO"),
        ("raise NotImplementedError", "unfinished work"),
        ('"/root/.claude"', "a path of one machine: /root"),
        ("cwd=/work/main", "a path of one machine: /work"),
        ("file:///root/x", "a path of one machine: /root"),
        ('HOME="/root"', "a path of one machine: /root"),
        ("see ../shared/design.md", "a path outside the repository"),
    ],
)
def test_leftovers_complains(tmp_path: Path, text: str, message: str) -> None:
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    (tmp_path / "notes.txt").write_text(text, encoding="utf-8")
    assert message in report(leftovers(tmp_path))


def test_leftovers_passes_over_ignored_files_and_harmless_words(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    (tmp_path / ".gitignore").write_text("build/\n", encoding="utf-8")
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "x").write_text("TODO", encoding="utf-8")
    (tmp_path / "x.md").write_text("TodoWrite, ${HOME}/work/x, https://example.org/work/, /workspace", encoding="utf-8")
    assert files(tmp_path) == [".gitignore", "x.md"]
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize("text", ["", "x = 1", '"""words"""', "# A comment."])
def test_undocumented_complains(tmp_path: Path, text: str) -> None:
    root = plant(tmp_path, {"a.py": text, "b.py": '"""Owns the pending requests."""'})
    assert report(undocumented(root)) == "adapter/a.py:1: does not say in a sentence what it owns"
