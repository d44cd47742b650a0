"""Agent (called Task in older versions): what it is sent to do, and its report."""

from __future__ import annotations

import re

from adapter.shared.tools.facts import CallContext, Content, InputFacts, Json, ResultFacts, Text, ToolKind, ToolResult
from adapter.shared.tools.families.base import Family, block_content, failure_content
from adapter.shared.tools.text import string

TRAILER = re.compile(r"\s*^agentId: .*\Z", re.MULTILINE | re.DOTALL)
"""What Claude Code adds to a report for the model: how to go on with the agent, and counts."""
HAND_BACK = re.compile(r"^\[Subagent hand-back\].*\n", re.MULTILINE)
"""What it tells the model before the report, whose lines are then indented."""
INDENT = "  "


def describe(_name: str, tool_input: Json, context: CallContext) -> InputFacts:
    """The short description is the title; the prompt is shown with it."""
    prompt = string(tool_input.get("prompt"))
    content: tuple[Content, ...] = (Text(prompt),) if prompt and context.copies_input else ()
    title = string(tool_input.get("description")) or "Task"
    return InputFacts(title=title, kind=ToolKind.THINK, content=content, hints={"subagent": True})


def read_result(_name: str, _input: Json, result: ToolResult, _context: CallContext) -> ResultFacts:
    """The report itself. The result's text wraps it for the model, with an id and counts that are not for people."""
    if result.failed:
        return ResultFacts(content=failure_content(result))
    report = result.structured.get("content") if isinstance(result.structured, dict) else None
    if isinstance(report, list):
        return ResultFacts(content=block_content(report))
    shown = tuple(_unwrapped(item) for item in block_content(result.content))
    return ResultFacts(content=tuple(item for item in shown if item != Text("")))


def _unwrapped(item: Content) -> Content:
    if not isinstance(item, Text):
        return item
    text = TRAILER.sub("", item.text).rstrip()
    report = HAND_BACK.sub("", text)
    return Text(text if report == text else "\n".join(line.removeprefix(INDENT) for line in report.split("\n")))


FAMILY = Family(describe, read_result)
