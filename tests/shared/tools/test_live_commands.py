"""Commands whose output is told while they run: every byte once, before the end."""

from __future__ import annotations

import pytest

from adapter.shared.tools.facts import CommandOutput, TerminalChange, ToolReport, ToolStatus
from adapter.shared.tools.families.shell import CUT, unsent
from adapter.shared.tools.tracker import ToolCalls
from shared.tools.contexts import PLAIN, TERMINAL, ran

LAUNCH = ran("Started.", {"stdout": "", "stderr": "", "backgroundTaskId": "b1"})


def running(context: object = TERMINAL) -> ToolCalls:
    calls = ToolCalls(context)  # type: ignore[arg-type]
    calls.open("c", "Bash")
    calls.refine("c", {"command": "make"})
    return calls


def terminals(reports: list[ToolReport]) -> list[TerminalChange]:
    return [report.terminal for report in reports if report.terminal is not None]


def test_a_command_runs_where_there_is_a_terminal() -> None:
    assert running().runs_command("c")
    assert not running(PLAIN).runs_command("c")
    assert not running().runs_command("unknown")


def test_what_it_prints_is_told_and_the_end_adds_what_is_missing() -> None:
    calls = running()
    assert terminals(calls.printed("c", "one\n")) == [TerminalChange("c", data="one")]
    (end,) = terminals(calls.finish("c", ran("one\ntwo", {"stdout": "one\ntwo", "stderr": ""})))
    assert end.output == CommandOutput("\ntwo", 0, continued=True)
    assert not calls.runs_command("c")


def test_newlines_at_the_end_are_told_with_what_follows_them() -> None:
    calls = running()
    assert terminals(calls.printed("c", "\none\n")) == [TerminalChange("c", data="\none")]
    assert calls.printed("c", "\n") == []
    assert terminals(calls.printed("c", "two\n")) == [TerminalChange("c", data="\n\ntwo")]
    (end,) = terminals(calls.finish("c", ran("one\n\ntwo", {"stdout": "one\n\ntwo", "stderr": ""})))
    assert end.output == CommandOutput("", 0, continued=True)


def test_a_command_that_is_stopped_ends_without_more() -> None:
    calls = running()
    calls.printed("c", "one\n")
    (end,) = terminals(calls.close(ToolStatus.CANCELLED))
    assert end.output == CommandOutput("", continued=True)


def test_a_command_in_the_background_goes_on_after_its_call() -> None:
    calls = running()
    (launch,) = terminals(calls.finish("c", LAUNCH))
    assert launch.output == CommandOutput("Started.", 0, goes_on=True)
    assert calls.runs_command("c")
    assert terminals(calls.printed("c", "one\n")) == [TerminalChange("c", data="\none")]
    assert terminals(calls.printed("c", "two\n")) == [TerminalChange("c", data="\ntwo")]
    assert calls.printed("c", "\n[exited with code 0]\n") == []
    ended = TerminalChange("c", output=CommandOutput("", continued=True), was_in_background=True)
    assert terminals(calls.command_ended("c")) == [ended]
    assert calls.command_ended("c") == []
    assert calls.printed("c", "late") == []


def test_a_turn_leaves_the_background_alone_and_a_death_does_not() -> None:
    calls = running()
    calls.finish("c", LAUNCH)
    assert calls.close(ToolStatus.CANCELLED, main_only=True) == []
    assert len(terminals(calls.close(ToolStatus.FAILED))) == 1
    assert not calls.runs_command("c")


@pytest.mark.parametrize(
    ("text", "printed", "rest"),
    [
        ("all", "", "all"),
        ("one\ntwo", "one\n", "\ntwo"),
        ("one\ntwo", "one\ntwo\n", ""),
        ("Exit code 3\nout", "out\n", ""),
        ("Exit code 3\nout\nerr", "out\n", "\nerr"),
        ("  indented", "indented\n", ""),
        ("a" * 1000 + " [cut]", "a" * 5000, ""),
        ("something else", "one\n", "\nsomething else"),
        ("one\ntwo", "\n\none\n", "\ntwo"),
        ("one\ntwo", "\n \none\n", "\ntwo"),
        ("one", "\n\none\n", ""),
        ("one", "\n\n", "\n\none"),
    ],
)
def test_only_what_was_not_sent_is_sent(text: str, printed: str, rest: str) -> None:
    assert unsent(CommandOutput(text, 3), printed).text == rest


WHOLE = "[This is the beginning of 3 bytes. The whole output is in /t/o]"
REMARK = "[Stopped]"


@pytest.mark.parametrize(
    ("printed", "text"),
    [
        ("", f"one\n{WHOLE}\n{REMARK}"),
        ("one\ntwo\n", f"\n{REMARK}"),
        ("one\ntwo\n" + CUT, f"\n{WHOLE}\n{REMARK}"),
    ],
)
def test_where_the_whole_output_is_is_said_to_those_who_lack_it(printed: str, text: str) -> None:
    output = unsent(CommandOutput("one", whole=WHOLE, remark=REMARK), printed)
    assert output == CommandOutput(text, continued=bool(printed))


def test_a_long_output_ends_with_the_place_of_all_of_it() -> None:
    calls = running()
    calls.printed("c", "one\n")
    calls.printed("c", "more" + CUT)
    kept = {"persistedOutputPath": "/t/o", "persistedOutputSize": 9}
    (end,) = terminals(calls.finish("c", ran("x", {"stdout": "one\n", "stderr": "", **kept})))
    assert end.output is not None
    assert end.output.text == "\n[This is the beginning of 9 bytes. The whole output is in /t/o]"


def test_the_words_on_a_launch_are_always_sent() -> None:
    assert unsent(CommandOutput("Started.", goes_on=True), "Started.\n").text == "\nStarted."
