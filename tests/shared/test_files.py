"""The file behind an edit is read whole, or not at all."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from adapter.shared import files
from adapter.shared.files import find_skills, read_snapshot
from adapter.shared.tools.diff import LARGEST_PREVIEW_BYTES
from adapter.shared.tools.facts import FileSnapshot

if TYPE_CHECKING:
    from pathlib import Path

OPAQUE = FileSnapshot("opaque")


@pytest.mark.parametrize("text", ["", "a\n", "grün ohne Ende", "\ufeffwith a mark\n", "\x0b\u2028"])
def test_a_text_is_read_exactly(tmp_path: Path, text: str) -> None:
    file = tmp_path / "a"
    file.write_bytes(text.encode())
    assert read_snapshot(str(file)) == FileSnapshot("text", text)


def test_a_missing_file_is_missing(tmp_path: Path) -> None:
    assert read_snapshot(str(tmp_path / "a")) == FileSnapshot("missing")
    assert read_snapshot(str(tmp_path / "no folder" / "a")) == FileSnapshot("missing")


@pytest.mark.parametrize("data", [b"a\r\nb\r\n", b"a\rb", b"a\0b", b"caf\xe9\n", "utf-16".encode("utf-16"), b"\xff"])
def test_a_file_that_has_no_exact_text_diff_is_opaque(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "a"
    file.write_bytes(data)
    assert read_snapshot(str(file)) == OPAQUE


def test_a_file_that_is_too_large_is_opaque(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LARGEST_PREVIEW_BYTES", 10)
    file = tmp_path / "a"
    file.write_text("0123456789")
    assert read_snapshot(str(file)) == FileSnapshot("text", "0123456789")
    file.write_text("0123456789x")
    assert read_snapshot(str(file)) == OPAQUE


def test_a_preview_may_be_of_a_mebibyte() -> None:
    assert LARGEST_PREVIEW_BYTES == 1024 * 1024


@pytest.mark.timeout(20)
def test_a_pipe_is_opaque_and_blocks_nothing(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert read_snapshot(str(pipe)) == OPAQUE


@pytest.mark.timeout(20)
def test_a_link_to_a_device_is_opaque_and_blocks_nothing(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to("/dev/zero")
    assert read_snapshot(str(link)) == OPAQUE


def test_a_folder_is_opaque(tmp_path: Path) -> None:
    assert read_snapshot(str(tmp_path)) == OPAQUE


def test_a_file_that_cannot_be_read_is_opaque(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object, **_options: object) -> object:
        raise PermissionError(13, "Permission denied")

    file = tmp_path / "a"
    file.write_text("a")
    monkeypatch.setattr(type(file), "open", refuse)
    assert read_snapshot(str(file)) == OPAQUE


@pytest.mark.parametrize("path", ["a\0b", "x" * 5000])
def test_a_path_that_cannot_exist_is_no_text(path: str) -> None:
    assert read_snapshot(path).state != "text"


def test_skills_are_found_by_name_and_the_projects_win(tmp_path: Path) -> None:
    def skill(*parts: str) -> str:
        file = tmp_path.joinpath(*parts, "SKILL.md")
        file.parent.mkdir(parents=True)
        file.write_text("A skill.")
        return str(file)

    skill("user", "skills", "greet")
    mine = skill("user", "skills", "mine")
    greet = skill("w", ".claude", "skills", "greet")
    found = find_skills({"CLAUDE_CONFIG_DIR": str(tmp_path / "user")}, str(tmp_path / "w"))
    assert found == {"greet": greet, "mine": mine}
    assert find_skills({"HOME": str(tmp_path / "nobody")}, "/no/such/folder") == {}
