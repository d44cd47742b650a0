"""The demo shows a whole conversation and leaves nothing behind."""

from __future__ import annotations

import os
import re
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from adapter.conformance import processes
from support.place import ADAPTER, SOURCE

if TYPE_CHECKING:
    from pathlib import Path

BOUND = 60.0


@pytest.mark.cli
def test_the_demo_shows_a_conversation(tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    env = {**os.environ, "PYTHONPATH": str(SOURCE), "TMPDIR": str(temporary), "COLUMNS": "250"}
    started = time.monotonic()
    done = subprocess.run(
        [*ADAPTER, "demo", "--yes"],
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=2 * BOUND,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert time.monotonic() - started < BOUND
    for shown in (
        "I will look at the code first, then fix it, then run it.",
        "greeting.py Ada | tee output.txt",
        'return "Hello, {name}!"',
        'return f"Hello, {name}!"',
        "Hello, Ada!",
    ):
        assert shown in done.stdout
    assert re.search(r"Tokens: [1-9]\d* in, [1-9]\d* out", done.stdout)
    assert list(temporary.iterdir()) == []
    assert processes.wait_until_gone(lambda: processes.marked("TMPDIR", str(temporary)), BOUND / 4) == []
