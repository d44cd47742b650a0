"""The file of a running command's output: where it is looked for, and how it is read while it grows."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from adapter.shared.claude.task_output import LARGEST_BYTES, READ_BYTES, TaskOutput, output_paths
from adapter.shared.tools.families.shell import CUT


def opened(path: Path) -> TaskOutput:
    output = TaskOutput.open(iter([str(path)]))
    assert output is not None
    return output


def drained(output: TaskOutput) -> str:
    return "".join(iter(output.read, ""))


def test_the_places_of_the_environment_come_first(tmp_path: Path) -> None:
    folder = tmp_path / "a b"
    folder.mkdir()
    variables = {"CLAUDE_CODE_TMPDIR": "/one", "TMPDIR": "/two"}
    paths = list(output_paths(variables, str(folder), "session-1", "b1"))
    slug = "".join(letter if letter.isalnum() else "-" for letter in str(folder.resolve()))
    assert paths[:2] == [f"{place}/claude-{os.getuid()}/{slug}/session-1/tasks/b1.output" for place in ("/one", "/two")]
    assert len(paths) == len(set(paths))


@pytest.mark.parametrize(("session", "task"), [("../x", "b1"), ("s", "a/b"), ("", "b1"), ("s", "")])
def test_odd_ids_lead_nowhere(session: str, task: str) -> None:
    assert list(output_paths({}, "/", session, task)) == []


def test_the_first_file_that_is_there_is_read(tmp_path: Path) -> None:
    (tmp_path / "there").write_text("text")
    output = TaskOutput.open(iter([str(tmp_path / "missing"), str(tmp_path / "there")]))
    assert output is not None
    assert drained(output) == "text"


def test_only_a_plain_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "there").write_text("text")
    (tmp_path / "link").symlink_to(tmp_path / "there")
    os.mkfifo(tmp_path / "pipe")
    assert TaskOutput.open(iter(str(tmp_path / name) for name in ("link", "pipe", ""))) is None


def test_it_is_read_as_it_grows_and_to_its_end_after_it_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with path.open("wb", buffering=0) as file:
        output = opened(path)
        file.write(b"one\n")
        assert output.read() == "one\n"
        assert output.read() == ""
        file.write(b"two\n")
        path.unlink()
        assert output.read() == "two\n"
    output.close()


def test_a_letter_that_is_cut_waits_for_its_rest(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with path.open("wb", buffering=0) as file:
        output = opened(path)
        file.write(b"gr" + "ü".encode()[:1])
        assert output.read() == "gr"
        file.write("ü".encode()[1:] + b"n")
        assert output.read() == "ün"


def test_bytes_that_are_no_text_are_marked(tmp_path: Path) -> None:
    (tmp_path / "out").write_bytes(b"a\xffb")
    assert drained(opened(tmp_path / "out")) == "a\ufffdb"


def test_one_look_is_bounded(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("x" * (READ_BYTES + 1))
    output = opened(tmp_path / "out")
    assert [len(output.read()), len(output.read())] == [READ_BYTES, 1]


def test_after_the_limit_it_says_that_there_is_more(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("x" * (2 * LARGEST_BYTES))
    text = drained(opened(tmp_path / "out"))
    assert text.endswith(CUT)
    assert LARGEST_BYTES < len(text) <= LARGEST_BYTES + READ_BYTES + len(CUT)
