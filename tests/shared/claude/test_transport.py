"""The SDK is imported without its package's `__init__`, and gives the same classes as a plain import."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from adapter.shared.claude import transport
from adapter.shared.claude.transport import command_line, load_submodule, make_options, sdk_version

if TYPE_CHECKING:
    from collections.abc import Callable

SAME = """
import claude_agent_sdk
from claude_agent_sdk import types as plain_types
from claude_agent_sdk._internal.transport import subprocess_cli as plain_cli
assert lean_types is plain_types
assert lean_cli is plain_cli
assert claude_agent_sdk.ClaudeAgentOptions is lean_types.ClaudeAgentOptions
same = [name for name in claude_agent_sdk.__all__ if hasattr(lean_types, name)]
assert len(same) > 20, same
assert all(getattr(claude_agent_sdk, name) is getattr(lean_types, name) for name in same)
assert claude_agent_sdk.__version__ == transport.sdk_version()
print("same")
"""
LEAN = """
import sys
from adapter.shared.claude import transport
lean_types = transport.load_submodule(transport.TYPES)
lean_cli = transport.load_submodule(transport.CLI_TRANSPORT)
transport.command_line(transport.make_options(cli_path="/opt/claude"))
transport.sdk_version()
"""
NOTHING_ELSE = """
heavy = [name for name in sys.modules if name.partition(".")[0] in ("mcp", "httpx", "starlette", "pydantic")]
assert not heavy, heavy
assert "claude_agent_sdk" not in sys.modules
assert "claude_agent_sdk.query" not in sys.modules
"""


def run(script: str) -> str:
    """What a script prints in an interpreter of its own."""
    source = str(Path(transport.__file__).parents[3])
    environment = {**os.environ, "PYTHONPATH": source}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_lean_import_first_gives_the_same_classes_and_loads_nothing_else() -> None:
    assert run(LEAN + NOTHING_ELSE + SAME) == "same\n"


def test_the_plain_import_first_gives_the_same_classes() -> None:
    assert run("import claude_agent_sdk\n" + LEAN + SAME) == "same\n"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str, str], str]:
    """Makes a package with a submodule `part`, as if it were the SDK; returns the submodule's name."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def make(name: str, init: str, part: str) -> str:
        folder = tmp_path / name
        folder.mkdir()
        (folder / "__init__.py").write_text(init)
        (folder / "part.py").write_text(part)
        importlib.invalidate_caches()
        monkeypatch.setattr(transport, "PACKAGE", name)
        return f"{name}.part"

    return make


def test_a_submodule_is_imported_without_the_init_of_its_package(package: Callable[[str, str, str], str]) -> None:
    part = load_submodule(package("sdk_lean", "raise RuntimeError", "VALUE = 1"))
    assert part.VALUE == 1
    assert "sdk_lean" not in sys.modules
    assert load_submodule("sdk_lean.part") is part


def test_a_submodule_that_needs_the_init_is_imported_with_it(package: Callable[[str, str, str], str]) -> None:
    part = load_submodule(package("sdk_entangled", "VALUE = 2", "from sdk_entangled import VALUE"))
    assert part.VALUE == 2
    assert "sdk_entangled" in sys.modules


def test_a_package_that_was_imported_is_used(package: Callable[[str, str, str], str]) -> None:
    name = package("sdk_imported", "VALUE = 3", "from sdk_imported import VALUE")
    imported = importlib.import_module("sdk_imported")
    assert load_submodule(name).VALUE == 3
    assert sys.modules["sdk_imported"] is imported


def test_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "PACKAGE", "sdk_missing")
    with pytest.raises(ModuleNotFoundError, match="sdk_missing"):
        load_submodule("sdk_missing.part")


def test_the_sdk_says_its_version() -> None:
    assert sdk_version() == "0.2.189"


def test_the_bundled_cli_is_used_unless_another_is_named() -> None:
    bundled = Path(command_line(make_options())[0])
    assert bundled.is_file()
    assert "claude_agent_sdk" in bundled.parts
    assert command_line(make_options(cli_path="/opt/claude"))[0] == "/opt/claude"


def test_a_cli_that_is_nowhere_is_an_error_that_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    module = load_submodule(transport.CLI_TRANSPORT)

    def find(_self: object) -> str:
        raise module.CLINotFoundError("Claude Code not found")

    monkeypatch.setattr(module.SubprocessCLITransport, "_find_cli", find)
    with pytest.raises(FileNotFoundError, match="Claude Code not found"):
        command_line(make_options())
