"""ReportFindings: what a review found."""

from __future__ import annotations

from adapter.shared.tools.facts import (
    CallContext,
    Content,
    InputFacts,
    Json,
    Location,
    ResultFacts,
    Text,
    ToolKind,
    ToolResult,
)
from adapter.shared.tools.families.base import Family, block_content, failure_content
from adapter.shared.tools.text import integer, string


def describe(_name: str, tool_input: Json, context: CallContext) -> InputFacts:
    """How many there are, and each with its place."""
    given = tool_input.get("findings")
    findings = [finding for finding in given if isinstance(finding, dict)] if isinstance(given, list) else []
    count = len(findings)
    title = f"Report {count} finding{'' if count == 1 else 's'}" if count else "Report findings: none found"
    shown = "\n".join(_line(finding) for finding in findings)
    content: tuple[Content, ...] = (Text(shown),) if shown and context.copies_input else ()
    return InputFacts(title=title, kind=ToolKind.THINK, content=content)


def read_result(_name: str, _input: Json, result: ToolResult, _context: CallContext) -> ResultFacts:
    """That they were reported."""
    return ResultFacts(content=failure_content(result) if result.failed else block_content(result.content))


def _line(finding: Json) -> str:
    place = Location(string(finding.get("file")), integer(finding.get("line"), 0))
    where = f"{place.path}:{place.line}" if place.line else place.path
    return f"**{where}** — {string(finding.get('summary'))}"


FAMILY = Family(describe, read_result)
