"""Glob, Grep and LS: what is searched for is the title, what was found is the content."""

from __future__ import annotations

import shlex
from typing import Any

from adapter.shared.tools.facts import CallContext, InputFacts, Json, Location, ResultFacts, ToolKind, ToolResult
from adapter.shared.tools.families.base import Family, block_content, failure_content
from adapter.shared.tools.text import short_path, string

SWITCHES = (("-i", "-i"), ("-n", "-n"), ("multiline", "-U"))
COUNTS = ("-A", "-B", "-C")
OUTPUT_MODES = {"files_with_matches": "-l", "count": "-c"}


def describe_glob(_name: str, tool_input: Json, context: CallContext) -> InputFacts:
    """`Find **/*.py in src`."""
    pattern, path = string(tool_input.get("pattern")), string(tool_input.get("path"))
    if not pattern:
        return _facts("Find", path)
    return _facts(f"Find {pattern}{_where(path, context)}", path)


def describe_grep(_name: str, tool_input: Json, context: CallContext) -> InputFacts:
    """The grep command line that would find the same."""
    pattern, path = string(tool_input.get("pattern")), string(tool_input.get("path"))
    if not pattern:
        return _facts("grep", path)
    words = ["grep", *_flags(tool_input), shlex.quote(pattern)]
    return _facts(" ".join([*words, short_path(path, context.cwd)] if path else words), path)


def describe_list(_name: str, tool_input: Json, context: CallContext) -> InputFacts:
    """`List src`."""
    path = string(tool_input.get("path"))
    return _facts(f"List {short_path(path, context.cwd)}" if path else "List the current directory", path)


def read_result(_name: str, _input: Json, result: ToolResult, _context: CallContext) -> ResultFacts:
    """What was found, as Claude saw it."""
    return ResultFacts(content=failure_content(result) if result.failed else block_content(result.content))


def _facts(title: str, path: str) -> InputFacts:
    return InputFacts(title=title, kind=ToolKind.SEARCH, locations=(Location(path),) if path else ())


def _where(path: str, context: CallContext) -> str:
    return f" in {short_path(path, context.cwd)}" if path else ""


def _flags(tool_input: Json) -> list[str]:
    flags = [flag for key, flag in SWITCHES if tool_input.get(key) is True]
    for key in COUNTS:
        count: Any = tool_input.get(key)
        if isinstance(count, int) and not isinstance(count, bool):
            flags += [key, str(count)]
    mode = OUTPUT_MODES.get(string(tool_input.get("output_mode")))
    flags += [mode] if mode else []
    for key, option in (("glob", "--include"), ("type", "--type")):
        if value := string(tool_input.get(key)):
            flags.append(f"{option}={shlex.quote(value)}")
    return flags


GLOB = Family(describe_glob, read_result)
GREP = Family(describe_grep, read_result)
LIST = Family(describe_list, read_result)
