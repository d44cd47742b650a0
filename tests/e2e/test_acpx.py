"""A prompt through acpx, a command-line client on npm."""

from __future__ import annotations

import shlex
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from adapter.scripted.model import ScriptedModel
from support.npm import NODE, npm_packages
from support.place import ADAPTER, Place

if TYPE_CHECKING:
    from pathlib import Path

RUN_TIMEOUT = 60
MODEL: dict[str, Any] = {
    "b": [
        {
            "blocks": [
                {"text": "I make the file."},
                {"tool": "Bash", "input": {"command": "echo content > made.txt", "description": "Make a file"}},
            ]
        },
        {"blocks": [{"text": "The file is made."}]},
    ]
}


@pytest.mark.npm
def test_acpx_gets_an_answer_and_a_file(tmp_path: Path) -> None:
    place = Place.make(tmp_path)
    acpx = npm_packages() / "node_modules" / "acpx" / "dist" / "cli.js"
    options = ["--agent", shlex.join(ADAPTER), "--cwd", str(place.workspace), "--approve-all"]
    with ScriptedModel(MODEL) as model:
        done = subprocess.run(
            [str(NODE), str(acpx), *options, "exec", "[[b]] make the file"],
            env=place.environment(model.port),
            cwd=place.workspace,
            capture_output=True,
            text=True,
            timeout=RUN_TIMEOUT,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert "I make the file." in done.stdout
    assert "echo content > made.txt" in done.stdout
    assert "The file is made." in done.stdout
    assert (place.workspace / "made.txt").read_text() == "content\n"
