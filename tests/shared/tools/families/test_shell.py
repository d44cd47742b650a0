"""Commands: the whole command is the title, both streams are the output."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.tools.facts import Block, CommandOutput, InputFacts, ResultFacts, Text, ToolKind, ToolResult
from adapter.shared.tools.families import family_of
from adapter.shared.tools.families.shell import exit_code, printed_text
from shared.tools.contexts import FIELDS, PLAIN, TERMINAL, failed, ran

SHELL = family_of("Bash")
STREAMS = {"stdout": "out", "stderr": "err", "interrupted": False}
REFUSAL = "The user doesn't want to proceed"


def describe(context: Any = PLAIN, **tool_input: Any) -> InputFacts:
    return SHELL.describe("Bash", tool_input, context)


def read(result: ToolResult, context: Any = PLAIN) -> ResultFacts:
    return SHELL.read_result("Bash", {"command": "ls"}, result, context)


def test_both_shells_are_shells() -> None:
    assert family_of("PowerShell") is SHELL
    assert SHELL.runs_commands


def test_a_command_that_is_not_known_yet_is_a_terminal() -> None:
    assert describe() == InputFacts("Terminal", ToolKind.EXECUTE)


def test_a_command_is_shown_whole_with_its_description() -> None:
    command = "for f in *; do\n  echo `$f`\ndone"
    facts = describe(command=command, description="List files")
    assert (facts.title, facts.kind, facts.command) == (command, ToolKind.EXECUTE, command)
    assert facts.content == (Text("List files"),)
    assert facts.locations is None
    assert facts.hints == {"commandTitle": "List files"}


@pytest.mark.parametrize("context", [TERMINAL, FIELDS])
def test_a_terminal_needs_no_description(context: Any) -> None:
    facts = describe(context, command="ls", description="List files")
    assert facts.content == ()
    assert facts.hints == {"commandTitle": "List files"}


@pytest.mark.parametrize("tool_input", [{"command": None}, {"command": ["ls"]}, {"description": 7}])
def test_an_input_of_another_form_is_passed_over(tool_input: dict[str, Any]) -> None:
    assert describe(**tool_input) == InputFacts("Terminal", ToolKind.EXECUTE)


@pytest.mark.parametrize(
    ("streams", "printed"),
    [
        (STREAMS, "out\nerr"),
        ({"stdout": "out", "stderr": ""}, "out"),
        ({"stdout": "", "stderr": "err"}, "err"),
        ({"stdout": "", "stderr": ""}, ""),
        ({"stdout": None, "stderr": 7}, ""),
        ({}, ""),
    ],
)
def test_both_streams_are_printed(streams: dict[str, Any], printed: str) -> None:
    assert printed_text(ran("for the model", streams)) == printed


@pytest.mark.parametrize(
    ("result", "printed"),
    [
        (ran("no streams"), "no streams"),
        (ran([{"type": "text", "text": "a"}], "text"), "a"),
        (
            ran("Command running in background with ID: b1", {**STREAMS, "backgroundTaskId": "b1"}),
            "Command running in background with ID: b1",
        ),
        (failed("Exit code 2\nno such file", structured=STREAMS), "Exit code 2\nno such file"),
        (failed(REFUSAL, "user-rejected"), REFUSAL),
    ],
)
def test_a_command_without_streams_prints_what_the_result_says(result: ToolResult, printed: str) -> None:
    assert printed_text(result) == printed


@pytest.mark.parametrize(
    ("result", "code"),
    [
        (ran("ok"), 0),
        (ran("Exit code 3"), 0),
        (failed("Exit code 2\nno such file"), 2),
        (failed([{"type": "text", "text": "Exit code 127\nx"}]), 127),
        (failed("a\nExit code 2"), -1),
        (failed(REFUSAL, "permission-rule"), -1),
        (failed(None), -1),
    ],
)
def test_the_exit_code_of_a_command(result: ToolResult, code: int) -> None:
    assert exit_code(result) == code


def test_the_output_is_a_console_block() -> None:
    assert read(ran("x", STREAMS)) == ResultFacts(content=(Text("```console\nout\nerr\n```"),))


def test_an_output_with_fences_has_a_longer_fence() -> None:
    assert read(ran("x", {"stdout": "```\na\n```", "stderr": ""})).content == (Text("````console\n```\na\n```\n````"),)


def test_a_command_that_prints_nothing_leaves_what_is_shown() -> None:
    assert read(ran("", {"stdout": "", "stderr": ""})) == ResultFacts()


def test_a_failure_is_a_code_block() -> None:
    assert read(failed("Exit code 1\noops", structured="Error: x")).content == (Text("```\nExit code 1\noops\n```"),)
    assert read(failed(REFUSAL, "user-rejected")).content == (Text(f"```\n{REFUSAL}\n```"),)


@pytest.mark.parametrize(
    ("result", "output"),
    [
        (ran("x", STREAMS), CommandOutput("out\nerr", 0)),
        (ran("x", {"stdout": "", "stderr": ""}), CommandOutput("", 0)),
        (failed("Exit code 1\noops"), CommandOutput("Exit code 1\noops", 1)),
        (failed(REFUSAL, "user-rejected"), CommandOutput(REFUSAL, -1)),
    ],
)
def test_a_terminal_gets_the_output_and_the_exit_code(result: ToolResult, output: CommandOutput) -> None:
    assert read(result, TERMINAL) == ResultFacts(output=output)


def test_an_image_that_a_command_printed_is_an_image() -> None:
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AA=="}}
    result = ran([picture], {**STREAMS, "stdout": "data:image/png;base64,AA==", "isImage": True})
    assert read(result) == ResultFacts(content=(Block(picture),), raw=True)
    ended = CommandOutput("", 0, continued=True)
    assert read(result, TERMINAL) == ResultFacts(content=(Block(picture),), output=ended, raw=True)
    assert read(result, FIELDS) == ResultFacts(content=(Block(picture),), output=ended)


def test_an_output_that_was_cut_says_where_all_of_it_is() -> None:
    kept = {"persistedOutputPath": "/t/out.txt", "persistedOutputSize": 90_000}
    result = ran("<persisted-output>\nlong\n</persisted-output>", {"stdout": "1\n2", "stderr": "", **kept})
    note = "[This is the beginning of 90000 bytes. The whole output is in /t/out.txt]"
    assert read(result).content == (Text(f"```console\n1\n2\n{note}\n```"),)
    assert read(result, TERMINAL).output == CommandOutput("1\n2", 0, whole=note)


def test_a_command_that_was_stopped_says_so_and_has_no_exit_code() -> None:
    result = ran("1", {**STREAMS, "stdout": "1", "stderr": "", "interrupted": True})
    remark = "[The command was stopped before its end]"
    assert read(result).content == (Text(f"```console\n1\n{remark}\n```"),)
    assert read(result, TERMINAL).output == CommandOutput("1", remark=remark)
    assert exit_code(result) == -1


def test_an_output_without_its_details_is_shown_without_the_tags_around_it() -> None:
    assert printed_text(ran("<persisted-output>\nlong\n</persisted-output>")) == "long"


@pytest.mark.parametrize("shell", ["Bash", "PowerShell"])
def test_what_the_model_is_told_of_no_output_is_not_shown(shell: str) -> None:
    said = f"({shell} completed with no output)"
    assert read(ran(said)).content is None
    assert read(ran(said), TERMINAL).output == CommandOutput("", 0)
    assert printed_text(ran(said, {**STREAMS, "stdout": said, "stderr": ""})) == said, "a command has printed it"
