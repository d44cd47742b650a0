"""The conformance command with the real Claude Code: this adapter does what its recordings say."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from adapter.conformance.library import GOLDEN
from support.place import ADAPTER, SOURCE

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.cli


def conformance(folder: Path, *arguments: str, seconds: float = 100) -> subprocess.CompletedProcess[str]:
    """A run with an empty folder for temporary files, in which it leaves nothing."""
    temporary = folder / "temporary"
    temporary.mkdir()
    done = subprocess.run(
        [*ADAPTER, "conformance", "run", *arguments],
        env={**os.environ, "PYTHONPATH": str(SOURCE), "TMPDIR": str(temporary), "COLUMNS": "120"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
    assert list(temporary.iterdir()) == []
    return done


@pytest.mark.parametrize("core", ["v1", "bridge", "native"])
def test_this_adapter_agrees_with_its_recordings(tmp_path: Path, core: str) -> None:
    done = conformance(tmp_path, "hello", "bash_allow", "--core", core)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "100.00 %" in done.stdout


@pytest.mark.extended
@pytest.mark.timeout(600)
@pytest.mark.parametrize("core", ["v1", "bridge", "native"])
def test_this_adapter_agrees_with_all_of_its_recordings(tmp_path: Path, core: str) -> None:
    done = conformance(tmp_path, "--core", core, seconds=550)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_recording_that_says_something_else_is_a_difference(tmp_path: Path) -> None:
    recordings = tmp_path / "recordings"
    recordings.mkdir()
    copy = recordings / "hello.plain.jsonl"
    shutil.copy(GOLDEN / copy.name, copy)
    copy.write_text(copy.read_text().replace(json.dumps("Hello "), json.dumps("Goodbye ")))
    done = conformance(tmp_path, "--against", str(recordings), "--show", "1")
    assert done.returncode == 1, done.stdout + done.stderr
    assert 'recording: "Goodbye there,' in done.stdout
    assert 'agent:     "Hello there,' in done.stdout
