"""The extensions for JetBrains AIR stand beside the v1 core: without their folder, it passes its own tests."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

from .source import PACKAGE, PROJECT, SOURCE

if TYPE_CHECKING:
    from pathlib import Path

TESTS = PROJECT / "tests"
LEFT_OUT = shutil.ignore_patterns("extensions", "__pycache__")


def test_the_v1_core_passes_its_tests_without_them(tmp_path: Path) -> None:
    shutil.copytree(SOURCE, tmp_path / "src", ignore=LEFT_OUT)
    shutil.copytree(PROJECT / "schemas", tmp_path / "schemas")
    for folder in ("v1", "support"):
        shutil.copytree(TESTS / folder, tmp_path / "tests" / folder, ignore=LEFT_OUT)
    shutil.copy(PROJECT / "pyproject.toml", tmp_path)
    assert not (tmp_path / "src" / PACKAGE / "v1" / "extensions").exists()
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "tests/v1"],
        cwd=tmp_path,
        env={**environment, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:]
    assert " passed" in done.stdout
