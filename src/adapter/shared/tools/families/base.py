"""What a family is: two functions, from a call's input and from its result to facts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from adapter.shared.tools.facts import Block, CallContext, Content, InputFacts, Json, ResultFacts, Text, ToolResult
from adapter.shared.tools.text import fenced, plain_text, unwrapped

Describe = Callable[[str, Json, CallContext], InputFacts]
ReadResult = Callable[[str, Json, ToolResult, CallContext], ResultFacts]


@dataclass(frozen=True, slots=True)
class Family:
    """How a group of tools is shown.

    Attributes:
        describe: Facts of a tool's (name, input), where the input may be incomplete.
        read_result: Facts of its result, given (name, input, result).
        runs_commands: Its output goes to a terminal where the client has one.
    """

    describe: Describe
    read_result: ReadResult
    runs_commands: bool = False


def failure_content(result: ToolResult) -> tuple[Content, ...]:
    """A failed result as a code block, and what it has beside its text."""
    blocks = result.content if isinstance(result.content, list) else []
    others = [block for block in blocks if isinstance(block, dict) and block.get("type") != "text"]
    return (Text(fenced(plain_text(result.content))), *block_content(others))


def block_content(content: Any) -> tuple[Content, ...]:
    """A result's own blocks: text as it is, images, references to tools by name."""
    if isinstance(content, str):
        return (Text(unwrapped(content)),) if content else ()
    blocks = content if isinstance(content, list) else []
    return tuple(_block(block) for block in blocks if isinstance(block, dict))


def _block(block: Json) -> Content:
    if block.get("type") == "text":
        return Text(unwrapped(str(block.get("text", ""))))
    if block.get("type") == "tool_reference":
        return Text(f"Tool: {block.get('tool_name', '')}")
    return Block(block)
