"""Glob, Grep and LS: what is searched for is the title, what was found is the content."""

from __future__ import annotations

import re
from typing import Any

from adapter.shared.tools.facts import CallContext, InputFacts, Json, Location, ResultFacts, ToolKind, ToolResult
from adapter.shared.tools.families.base import Family, block_content, failure_content
from adapter.shared.tools.text import short_path, string

SWITCHES = (("-i", "-i"), ("-n", "-n"), ("multiline", "-P"))
COUNTS = ("-A", "-B", "-C")
SPECIAL = re.compile(r'["`]|\$(?=[\w({])')
"""What a shell reads in double quotes."""
OUTPUT_MODES = {"files_with_matches": "-l", "count": "-c"}


def describe_glob(_name: str, tool_input: Json, context: CallContext) -> InputFacts:
    """``Find `src` `**/*.py` ``."""
    pattern, path = string(tool_input.get("pattern")), string(tool_input.get("path"))
    named = [f"`{text}`" for text in (short_path(path, context.cwd) if path else "", pattern) if text]
    return _facts(" ".join(["Find", *named]), path)


def describe_grep(_name: str, tool_input: Json, context: CallContext) -> InputFacts:
    """The grep command line that would find the same."""
    pattern, path = string(tool_input.get("pattern")), string(tool_input.get("path"))
    words = ["grep", *_flags(tool_input), *([_quoted(pattern)] if pattern else [])]
    words += [short_path(path, context.cwd)] if path else []
    limit = tool_input.get("head_limit")
    words += [f"| head -{limit}"] if isinstance(limit, int) and limit > 0 and pattern else []
    return InputFacts(title=" ".join(words), kind=ToolKind.SEARCH)


def describe_list(_name: str, tool_input: Json, context: CallContext) -> InputFacts:
    """`List src`."""
    path = string(tool_input.get("path"))
    return _facts(f"List {short_path(path, context.cwd)}" if path else "List the current directory", path)


def read_result(_name: str, _input: Json, result: ToolResult, _context: CallContext) -> ResultFacts:
    """What was found, as Claude saw it."""
    return ResultFacts(content=failure_content(result) if result.failed else block_content(result.content))


def _facts(title: str, path: str) -> InputFacts:
    return InputFacts(title=title, kind=ToolKind.SEARCH, locations=(Location(path),) if path else ())


def _quoted(text: str) -> str:
    escaped = SPECIAL.sub(r"\\\g<0>", text)
    return f'"{escaped}"'


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
            flags.append(f"{option}={value if key == 'type' else _quoted(value)}")
    return flags


GLOB = Family(describe_glob, read_result)
GREP = Family(describe_grep, read_result)
LIST = Family(describe_list, read_result)
