"""docs/turn-states.md says what the state machines do: it is rendered from them, and it is up to date."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from adapter.shared.work_state import Work
from adapter.v1.turns import TurnState

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "scripts" / "render_state_tables.py"
DOCUMENT = ROOT / "docs" / "turn-states.md"


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, text=True, check=False)


def test_the_document_is_up_to_date() -> None:
    checked = run("--check")
    assert checked.returncode == 0, checked.stderr


def test_a_document_that_is_out_of_date_is_found(tmp_path: Path) -> None:
    old = tmp_path / "old.md"
    old.write_text(DOCUMENT.read_text(encoding="utf-8").replace("Cancelling", "Stopping"), encoding="utf-8")
    checked = run("--check", "--output", old)
    assert checked.returncode == 1
    assert f"{old} is out of date" in checked.stderr


def test_a_missing_document_is_found(tmp_path: Path) -> None:
    assert run("--check", "--output", tmp_path / "none.md").returncode == 1


def test_what_is_written_passes_the_check(tmp_path: Path) -> None:
    new = tmp_path / "new.md"
    assert run("--output", new).returncode == 0
    assert run("--check", "--output", new).returncode == 0


@pytest.mark.parametrize("union", [TurnState, Work])
def test_every_state_can_be_reached(union: object) -> None:
    document = DOCUMENT.read_text(encoding="utf-8")
    assert [state.__name__ for state in get_args(union) if f"- **{state.__name__}**: " not in document] == []
