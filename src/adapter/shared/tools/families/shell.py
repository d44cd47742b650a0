"""Bash and PowerShell: the command is the title, the output goes to a terminal or a console block."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from adapter.shared.tools.facts import (
    CallContext,
    CommandOutput,
    InputFacts,
    Json,
    ResultFacts,
    Text,
    ToolKind,
    ToolResult,
)
from adapter.shared.tools.families.base import Family, block_content, failure_content
from adapter.shared.tools.text import fenced, integer, plain_text, string

EXIT_MARK = re.compile(r"\n\[exited with code -?\d+\]\n\Z")
EXIT_LINE = re.compile(r"^Exit code \d+\n")
BLANK_LINES = re.compile(r"\A\s*\n")
CUT = "\n[More was printed than is shown here while it runs.]\n"
"""What a client is told where the output that it gets while a command runs has reached its limit."""
COMPARED = 1000
"""Characters, at the start of two texts, that must agree for them to be of the same command."""
EXIT_CODE = re.compile(r"Exit code (\d+)")
NOTHING_PRINTED = re.compile(r"\(\w+ completed with no output\)")
"""What Claude Code tells the model of a command that has printed nothing."""


def describe(_name: str, tool_input: Json, context: CallContext) -> InputFacts:
    """The command whole, and its description where no terminal shows the call."""
    command = string(tool_input.get("command"))
    description = string(tool_input.get("description"))
    shown = description and context.copies_input and not context.terminal
    return InputFacts(
        title=command or "Terminal",
        kind=ToolKind.EXECUTE,
        content=(Text(description),) if shown else (),
        command=command,
        hints={"commandTitle": description} if description else {},
    )


def read_result(_name: str, _input: Json, result: ToolResult, context: CallContext) -> ResultFacts:
    """What the command printed on both streams, and its exit code."""
    if _is_image(result):
        ended = CommandOutput("", exit_code(result), continued=True)
        return ResultFacts(
            content=block_content(result.content),
            output=ended if context.terminal else None,
            raw=None if context.one_field else True,
        )
    if context.terminal:
        return ResultFacts(output=_output(result, context))
    if result.failed:
        return ResultFacts(content=failure_content(result))
    printed = _joined(printed_text(result), _whole(result), _remark(result))
    return ResultFacts(content=(Text(fenced(printed, "console")),) if printed else None)


def printed_text(result: ToolResult) -> str:
    """Both streams of a command that ran; else the text that says why it did not."""
    streams = _streams(result)
    if streams is None:
        text = plain_text(result.content)
        return "" if NOTHING_PRINTED.fullmatch(text) and not result.failed else text
    return _joined(string(streams.get("stdout")), string(streams.get("stderr")))


def _output(result: ToolResult, context: CallContext) -> CommandOutput:
    return CommandOutput(
        printed_text(result),
        exit_code(result),
        goes_on=is_launch(result.structured) and not context.one_field,
        whole=_whole(result),
        remark=_remark(result),
    )


def _streams(result: ToolResult) -> Json | None:
    """The structured result of a command that ran to its end, or was stopped."""
    streams = result.structured
    return None if result.failed or not isinstance(streams, dict) or is_launch(streams) else streams


def _whole(result: ToolResult) -> str:
    streams = _streams(result) or {}
    path, size = string(streams.get("persistedOutputPath")), integer(streams.get("persistedOutputSize"), 0)
    return f"[This is the beginning of {size} bytes. The whole output is in {path}]" if path else ""


def _remark(result: ToolResult) -> str:
    return "[The command was stopped before its end]" if _streams(result) and _was_stopped(result) else ""


def _joined(*texts: str) -> str:
    return "\n".join(text for text in texts if text)


def _was_stopped(result: ToolResult) -> bool:
    return isinstance(result.structured, dict) and result.structured.get("interrupted") is True


def _is_image(result: ToolResult) -> bool:
    streams = result.structured
    return isinstance(streams, dict) and streams.get("isImage") is True and isinstance(result.content, list)


def is_launch(structured: Any) -> bool:
    """Whether a structured result says that the command runs on in the background."""
    return isinstance(structured, dict) and "backgroundTaskId" in structured


def exit_code(result: ToolResult) -> int:
    """0 for success, the code that a failure names, -1 if there is none."""
    if not result.failed:
        return -1 if _was_stopped(result) else 0
    match = EXIT_CODE.match(plain_text(result.content))
    return int(match[1]) if match else -1


def unsent(output: CommandOutput, printed: str) -> CommandOutput:
    """What a client lacks of an output, when it has had `printed` while the command ran, and what we say of it.

    Claude Code's text is not always what was printed: it is trimmed, shortened when it is long, and begins with the
    exit code of a failure. It is sent whole only where it is about something else. Where the whole output is need not
    be said to a client that has had it.
    """
    if not printed:
        return replace(output, text=_joined(output.text, output.whole, output.remark), whole="", remark="")
    whole = output.whole if printed.endswith(CUT) else ""
    text = _joined(_rest(output, printed), whole, output.remark)
    text = trailing_newlines(printed) + text if text else ""
    return replace(output, text=text, continued=True, whole="", remark="")


def _rest(output: CommandOutput, printed: str) -> str:
    text = EXIT_LINE.sub("", output.text)
    # An output that began with blank lines is without them in the result.
    for shown in (printed, BLANK_LINES.sub("", printed)):
        if text.startswith(shown):
            return text.removeprefix(shown)
    seen = printed.strip()[:COMPARED]
    is_same = text.strip()[:COMPARED].startswith(seen) or seen.startswith(text.strip()[:COMPARED])
    return "" if is_same and not output.goes_on else output.text


def trailing_newlines(printed: str) -> str:
    """The newlines at the end of what was printed: a client gets them when something follows."""
    return printed[len(printed.rstrip("\n")) :]


def without_exit_mark(text: str) -> str:
    """What a command in the background printed, without the line that Claude Code appends to it."""
    return EXIT_MARK.sub("", text)


FAMILY = Family(describe, read_result, runs_commands=True)
