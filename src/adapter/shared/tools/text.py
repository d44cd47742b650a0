"""Text helpers of tool rendering."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Any

WRAPPER = re.compile(r"\s*<persisted-output>\n?(.*?)\n?</persisted-output>\s*", re.DOTALL)
FENCE = re.compile(r"^`{3,}", re.MULTILINE)


def fenced(text: str, language: str = "") -> str:
    """`text` as a Markdown code block whose fence is longer than any fence in it."""
    longest = max((len(match[0]) for match in FENCE.finditer(text)), default=2) if "```" in text else 2
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def short_path(path: str, cwd: str) -> str:
    """`path` relative to `cwd` where it lies in it, else as it is."""
    try:
        return str(PurePath(path).relative_to(cwd))
    except ValueError:
        return path


def plain_text(content: Any) -> str:
    """The text of a tool result's content: a string, or the text blocks of a list, one a line."""
    if isinstance(content, str):
        return unwrapped(content)
    if not isinstance(content, list):
        return ""
    blocks = (block for block in content if isinstance(block, dict))
    return "\n".join(unwrapped(str(block.get("text", ""))) for block in blocks if block.get("type") == "text")


def unwrapped(text: str) -> str:
    """A result without the tags that Claude Code puts around one that it has cut; they are for the model."""
    wrapped = WRAPPER.fullmatch(text)
    return text if wrapped is None else wrapped[1]


def string(value: Any) -> str:
    """`value` if it is a string, else the empty string: tool inputs come from a model and may hold anything."""
    return value if isinstance(value, str) else ""


def integer(value: Any, default: int) -> int:
    """`value` if it is a whole number, else `default`."""
    return value if isinstance(value, int) and not isinstance(value, bool) else default
