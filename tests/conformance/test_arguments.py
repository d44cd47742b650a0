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
