"""Where an agent runs, and what of this machine it gets to see."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from adapter.conformance.place import SOURCE, Place, bundled_cli

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_a_place_has_a_home_with_settings_and_a_workspace(tmp_path: Path) -> None:
    place = Place.make(tmp_path, {"a": 1}, {"sub/x.txt": "a\r\n"}, {"y.txt": "b"})
    assert (place.home / ".claude" / "settings.json").read_text() == '{"a": 1}'
    assert (place.home / "y.txt").read_text() == "b"
    assert place.files() == {"sub/x.txt": "a\r\n"}


def test_this_adapter_is_found_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", f"lib{os.pathsep}{os.pathsep}/opt/x")
    monkeypatch.setenv("ANTHROPIC_MODEL", "mine")
    env = Place.make(tmp_path).environment(4711)
    assert env["PYTHONPATH"].split(os.pathsep) == [str(SOURCE), str(tmp_path.resolve() / "lib"), "/opt/x"]
    assert (SOURCE / "adapter" / "__main__.py").exists()
    assert env["HOME"] == str(tmp_path.resolve() / "home")
    assert "ANTHROPIC_MODEL" not in env


def test_the_bundled_claude_code_is_known() -> None:
    cli = bundled_cli()
    assert cli is not None
    assert os.access(cli, os.X_OK)
