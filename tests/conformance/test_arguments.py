"""The arguments of the command."""

from __future__ import annotations

from pathlib import Path

import pytest

from adapter.conformance.arguments import parse
from adapter.conformance.view import PARTS


@pytest.mark.parametrize(
    "line",
    [
        "record out a b --profiles plain,v2 -- agent --flag --",
        "record out --profiles plain,v2 a b -- agent --flag --",
        "record --profiles plain,v2 out a b -- agent --flag --",
        "record out a --profiles plain,v2 b -- agent --flag --",
    ],
)
def test_scenarios_may_stand_before_and_behind_options(line: str) -> None:
    options = parse(line.split())
    assert (options.action, options.out, options.names) == ("record", Path("out"), ["a", "b"])
    assert options.profiles == ["plain", "v2"]
    assert options.command == ["agent", "--flag", "--"]


@pytest.mark.parametrize(("core", "profile"), [("v1", "plain"), ("bridge", "v2"), ("native", "v2_native")])
def test_a_core_is_shown_by_its_client(core: str, profile: str) -> None:
    assert parse(["run", "--core", core]).profiles == [profile]
    assert parse(["run", "--core", core, "--profiles", "zed"]).profiles == ["zed"]


def test_what_is_not_given_has_its_usual_value() -> None:
    options = parse(["run"])
    assert (options.names, options.command, options.profiles) == ([], [], ["plain"])
    assert (options.against, options.allow, options.min, options.save) == (None, None, None, None)
    assert (options.parts, options.scenarios, options.show) == (list(PARTS), [], 5)
    assert options.jobs >= 1


@pytest.mark.parametrize("line", ["--help", "run --help", "record --help", "list --help"])
def test_help_is_given(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parse(line.split())
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("usage: claude-acp conformance")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("run --scenarios /nonexistent hello", "argument --scenarios: no folder /nonexistent"),
        ("list --scenarios /nonexistent", "argument --scenarios: no folder /nonexistent"),
        ("run --show -3", "argument --show: -3 is not at least 0"),
        ("run --show 1.5", "argument --show: 1.5 is no number that fits"),
        ("run --min 200", "argument --min: 200 is not between 0 and 100"),
        ("run --min nan", "argument --min: nan is not between 0 and 100"),
        ("run --jobs 0", "argument --jobs: 0 is not at least 1"),
        ("run hello --", "no agent command follows --"),
        ("record out --", "no agent command follows --"),
        ("list -- agent", "list starts no agent, so nothing follows --"),
        ("record", "the following arguments are required: OUT\n"),
    ],
)
def test_what_is_wrong_is_named(line: str, reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parse(line.split())
    assert ended.value.code == 2
    assert reason in capsys.readouterr().err


def test_bounds_are_allowed(tmp_path: Path) -> None:
    options = parse(["run", "--show", "0", "--min", "100", "--scenarios", str(tmp_path)])
    assert (options.show, options.min, options.scenarios) == (0, 100.0, [tmp_path])
