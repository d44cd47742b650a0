"""AskUserQuestion: the questions. They are put to the person in another way; this is the card of the call."""

from __future__ import annotations

from adapter.shared.tools.facts import CallContext, Content, InputFacts, Json, ResultFacts, Text, ToolResult
from adapter.shared.tools.families.base import Family, block_content, failure_content
from adapter.shared.tools.text import string


def describe(_name: str, tool_input: Json, context: CallContext) -> InputFacts:
    """A single question is the title."""
    asked = tool_input.get("questions")
    questions = [question for question in asked if isinstance(question, dict)] if isinstance(asked, list) else []
    content: tuple[Content, ...] = ()
    if context.copies_input:
        content = tuple(Text(_shown(question)) for question in questions)
    title = "Asking for your input"
    if len(questions) == 1 and not context.one_field:
        title = string(questions[0].get("question")) or title
    return InputFacts(title=title, content=content)


def read_result(_name: str, _input: Json, result: ToolResult, _context: CallContext) -> ResultFacts:
    """The answers as the model got them."""
    return ResultFacts(content=failure_content(result) if result.failed else block_content(result.content))


def _shown(question: Json) -> str:
    options = question.get("options")
    labels = (
        [string(option.get("label")) for option in options if isinstance(option, dict)]
        if isinstance(options, list)
        else []
    )
    return "\n".join([string(question.get("question")), *(f"- {label}" for label in labels if label)])


FAMILY = Family(describe, read_result)
