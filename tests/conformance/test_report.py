"""What a person is shown."""

from __future__ import annotations

import io

from rich.console import Console

from adapter.conformance.compare import ABSENT, Difference
from adapter.conformance.report import ProgressReport, says, show_differences, show_summary, show_unused
from adapter.conformance.verdict import Allowance, Result

FOUND = tuple(Difference(f"/timeline/{number}", ABSENT, {"text": "x" * 300}) for number in range(3))
DIFFERS = Result("hello.plain", 10, FOUND)
FAILED = Result("crash.v2", failed="it [red]ended[/red]")


def console(*, terminal: bool = False) -> Console:
    return Console(file=io.StringIO(), width=100, force_terminal=terminal, highlight=False)


def text(out: Console) -> str:
    assert isinstance(out.file, io.StringIO)
    return out.file.getvalue()


def test_a_result_is_told_in_a_few_words() -> None:
    assert says(Result("a.plain", 10)) == "same"
    assert says(Result("a.plain", 10, allowed=2)) == "same (2 allowed)"
    assert says(DIFFERS) == "3 of 10 differ"
    assert says(FAILED) == "failed: it [red]ended[/red]"


def test_the_first_differences_are_shown_with_both_sides() -> None:
    out = console()
    show_differences(out, [DIFFERS], 2)
    lines = text(out).splitlines()
    assert lines[0] == "hello.plain /timeline/0"
    assert lines[1] == "    recording: <absent>"
    assert lines[2].startswith('    agent:     {"text": "xxx')
    assert len(lines[2]) < 200
    assert lines[-1] == "hello.plain … 1 more"
    late = "a" * 300
    long = console()
    show_differences(long, [Result("hello.plain", 1, (Difference("/x", late + "b", late + "c"),))], 1)
    assert text(long).splitlines()[1:] == [f'    recording: …{"a" * 60}b"', f'    agent:     …{"a" * 60}c"']
    silent = console()
    show_differences(silent, [DIFFERS], 0)
    assert text(silent) == ""


def test_the_summary_has_a_row_for_each_client_and_the_failures() -> None:
    out = console()
    show_summary(out, [DIFFERS, Result("hello.v2", 4), FAILED])
    rows = [line.replace("│", " ").split() for line in text(out).splitlines() if "%" in line]
    assert rows == [["plain", "1", "0", "1", "0", "10", "70.00", "%"], ["v2", "2", "1", "0", "1", "4", "100.00", "%"]]
    assert "crash.v2 failed: it [red]ended[/red]" in text(out)


def test_allowances_that_nothing_needs_are_listed() -> None:
    out = console()
    show_unused(out, [Allowance("*.v2", "/x", "a reason")])
    assert text(out) == "not needed: *.v2 /x a reason\n"


def test_progress_is_a_line_a_scenario_where_there_is_no_terminal() -> None:
    out = console()
    with ProgressReport(out, 2) as progress:
        progress.done("hello.plain", "same", "green", 1.23)
        progress.done("crash.plain", "failed: [x]", "red", 2)
    assert [line.split() for line in text(out).splitlines()] == [
        ["hello.plain", "same", "1.2", "s"],
        ["crash.plain", "failed:", "[x]", "2.0", "s"],
    ]


def test_progress_is_a_bar_on_a_terminal_with_what_went_wrong() -> None:
    out = console(terminal=True)
    with ProgressReport(out, 2) as progress:
        progress.done("hello.plain", "same", "green", 1)
        progress.done("crash.plain", "1 of 2 differ", "yellow", 1)
    assert "2/2" in text(out)
    assert "1 of 2 differ" in text(out)
    assert "same" not in text(out)
