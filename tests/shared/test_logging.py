"""The log goes to stderr, and to a file if asked; never to stdout."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import pytest

from adapter.shared.logging import configure_logging

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(autouse=True)
def own_root() -> Iterator[None]:
    """Leave the root logger as it was."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    root.handlers.clear()
    yield
    for handler in root.handlers:
        handler.close()
    root.handlers[:] = handlers
    root.setLevel(level)


def test_records_go_to_stderr_from_the_level_on(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("warning", "")
    logging.getLogger("a.b").info("not shown")
    logging.getLogger("a.b").warning("shown")
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.endswith(" WARNING a.b: shown\n")
    assert "not shown" not in captured.err


@pytest.mark.parametrize("level", ["debug", "info", "warning", "error"])
def test_every_level_has_a_name(level: str) -> None:
    configure_logging(level, "")
    assert logging.getLogger().level == getattr(logging, level.upper())


def test_a_file_gets_the_log_as_well_and_keeps_what_it_had(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "log"
    file.write_text("before\n")
    configure_logging("info", str(file))
    logging.getLogger("a").info("grün")
    assert "INFO a: grün" in capsys.readouterr().err
    first, second = file.read_text("utf-8").splitlines()
    assert (first, second[-12:]) == ("before", "INFO a: grün")


def test_a_file_that_cannot_be_opened_is_reported_and_done_without(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "no folder" / "log"
    configure_logging("error", str(path))
    logging.getLogger("a").error("shown")
    assert "ERROR a: shown" in capsys.readouterr().err
    configure_logging("warning", str(path))
    assert f"cannot log to {path}: No such file or directory" in capsys.readouterr().err
