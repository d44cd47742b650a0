"""Scripts of the scripted model: what each model call of a prompt answers, as typed data.

A script is a list of steps, one a model call, counted from 0 as in the ids that the model gives out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

from pydantic import ConfigDict, Discriminator, Tag, TypeAdapter, ValidationError

_BLOCK_KINDS = ("text", "thinking", "tool", "given")
_STRICT_KEYS = ConfigDict(extra="forbid")


class ScriptError(ValueError):
    """A script does not follow the format; the message names the script, the step and the field."""


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A text that is streamed word by word."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT_KEYS
    text: str


@dataclass(frozen=True, slots=True)
class ThinkingBlock:
    """A thought, streamed in one piece with a dummy signature."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT_KEYS
    thinking: str


@dataclass(frozen=True, slots=True)
class ToolBlock:
    """A tool call. Without an id of its own it gets ``toolu_{script}_{step}_{block}``."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT_KEYS
    tool: str
    input: dict[str, Any]
    id: str | None = None


@dataclass(frozen=True, slots=True)
class GivenBlock:
    """A content block as the API writes it, for kinds that have no short form: what the model's servers did."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT_KEYS
    given: dict[str, Any]


def _kind_of_block(value: object) -> str | None:
    keys = value.keys() if isinstance(value, Mapping) else getattr(value, "__slots__", ())
    return next((key for key in _BLOCK_KINDS if key in keys), None)


Block = Annotated[
    Annotated[TextBlock, Tag("text")]
    | Annotated[ThinkingBlock, Tag("thinking")]
    | Annotated[ToolBlock, Tag("tool")]
    | Annotated[GivenBlock, Tag("given")],
    Discriminator(
        _kind_of_block,
        custom_error_type="block_kind",
        custom_error_message="A block is one of text, thinking, tool, given",
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """The answer to one model call.

    Attributes:
        blocks: The content of the message.
        delay: Seconds before the answer begins.
        chunk_delay: Seconds after each word of a text.
        error: Instead of a message: the ``error`` object of an API error.
        status: The HTTP status of that error.
        stop: The stop reason; without one it follows from the blocks (``tool_use`` or ``end_turn``).
        usage: Fields that replace the usual usage of the message (tokens).
        output_tokens: Output tokens at the end of the message.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT_KEYS
    blocks: tuple[Block, ...] = ()
    delay: float = 0
    chunk_delay: float = 0
    error: dict[str, Any] | None = None
    status: int = 500
    stop: str | None = None
    usage: dict[str, Any] = field(default_factory=dict)
    output_tokens: int = 20

    def __post_init__(self) -> None:
        if not self.blocks and self.error is None:
            raise ValueError("A step needs blocks or an error")


Scripts = Mapping[str, tuple[Step, ...]]
STEP: TypeAdapter[Step] = TypeAdapter(Step)
_SCRIPTS: TypeAdapter[dict[str, tuple[Step, ...]]] = TypeAdapter(dict[str, tuple[Step, ...]])


def parse_scripts(value: Mapping[str, Any]) -> Scripts:
    """Parses scripts by name from JSON values.

    Raises:
        ScriptError: A script does not follow the format.
    """
    try:
        return _SCRIPTS.validate_python(value)
    except ValidationError as error:
        raise ScriptError("; ".join(_describe(e["loc"], e["msg"]) for e in error.errors())) from error


def _describe(place: tuple[int | str, ...], problem: str) -> str:
    names = [f"script {place[0]!r}"] if place else ["scripts"]
    if len(place) > 1:
        names.append(f"step {place[1]}")
    if len(place) > 2:
        names.append(".".join(str(part) for part in place[2:]))
    return f"{', '.join(names)}: {problem.removeprefix('Value error, ')}"
