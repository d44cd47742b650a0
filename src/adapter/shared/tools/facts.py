"""The neutral vocabulary of tool calls: what a family says about a call, and what a client is told of it.

No wire format is known here. Enums carry what either protocol version can say; an encoder maps what its version cannot.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

Json = dict[str, Any]


class ToolKind(StrEnum):
    """What a tool does, for an icon (ACP `ToolKind`)."""

    READ = "read"
    EDIT = "edit"
    DELETE = "delete"
    MOVE = "move"
    SEARCH = "search"
    EXECUTE = "execute"
    THINK = "think"
    FETCH = "fetch"
    SWITCH_MODE = "switch_mode"
    OTHER = "other"


class ToolStatus(StrEnum):
    """Where a call stands. `CANCELLED` is ACP v2's; v1 says failed."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Location:
    """A file that a call touches. `line` counts from 1; 0 stands for no line."""

    path: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Block:
    """A content block of Claude's (text, image, …) to show as it is."""

    block: Json


@dataclass(frozen=True, slots=True)
class Text:
    """Markdown to show."""

    text: str


@dataclass(frozen=True, slots=True)
class Diff:
    """A change of one text file by fragments; `old` is `None` for a file that did not exist."""

    path: str
    old: str | None
    new: str


@dataclass(frozen=True, slots=True)
class Patch:
    """A change of one text file as an exact unified diff without file headers."""

    path: str
    hunks: str
    created: bool


@dataclass(frozen=True, slots=True)
class TerminalRef:
    """The output of the command whose terminal has this id."""

    terminal_id: str


Content = Block | Text | Diff | Patch | TerminalRef


@dataclass(frozen=True, slots=True)
class CommandOutput:
    """What a command printed.

    Attributes:
        text: The text, or what the client does not have of it.
        exit_code: -1 where none is known, for example because it never ran.
        continued: The client has a part of it already, to which the text is appended.
        goes_on: The command runs on in the background: this is not its end.
        whole: Says where the whole output is, if the text is its beginning only.
        remark: Says how the command ended, if that was not by itself.
    """

    text: str
    exit_code: int = -1
    continued: bool = False
    goes_on: bool = False
    whole: str = ""
    remark: str = ""


@dataclass(frozen=True, slots=True)
class FileSnapshot:
    """The text of a file before a change, read by the I/O layer; `text` is empty unless `state` is "text".

    `state`: "text"; "missing"; "opaque" for a file that has no exact text diff (too large, binary, not UTF-8, with CR).
    """

    state: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class CallContext:
    """What a family may know beside the call's own data.

    Attributes:
        cwd: The session's working directory, for short titles.
        exact_patches: The client takes a change as an exact patch.
        terminal: The client shows command output in a terminal, so a command's description is not shown as content.
        snippets: A change is shown as its input has it until it is known exactly.
        copies_input: Input that a person reads (a prompt, a plan, questions) is copied into the content.
        one_field: Each fact goes into exactly one field: no partial input, no text of a file in it, no raw result where
            another field has it, and no repeated plan. Otherwise the fields repeat each other, as clients expect.
        plan_file: The client opens the file of a plan itself.
        skills: The files of the skills, by name, for clients that open them.
        elicitation: What the client can show beside permission questions, of form and url.
        adapter: How a person starts this adapter in a terminal.
    """

    cwd: str
    exact_patches: bool
    terminal: bool
    snippets: bool = True
    copies_input: bool = True
    one_field: bool = False
    plan_file: bool = False
    skills: Mapping[str, str] = field(default_factory=dict)
    elicitation: frozenset[str] = frozenset()
    adapter: str = "claude-acp"


@dataclass(frozen=True, slots=True)
class InputFacts:
    """What a call's input says; the input may be incomplete."""

    title: str
    kind: ToolKind = ToolKind.OTHER
    content: tuple[Content, ...] = ()
    locations: tuple[Location, ...] | None = None
    command: str = ""
    carried: frozenset[str] = frozenset()
    """Keys of the input whose text the content carries, for a client that gets each fact once."""
    hints: Json = field(default_factory=dict)
    """Further facts for clients that present them: commandTitle, subagent, skill, mcp."""


@dataclass(frozen=True, slots=True)
class ResultFacts:
    """What a call's result says. `None` leaves what the call shows already.

    `raw` says whether the raw result is shown: always, never, or (`None`) where no other field carries it. `named` is
    what the input would have named, had it been known then.
    """

    content: tuple[Content, ...] | None = None
    locations: tuple[Location, ...] | None = None
    title: str = ""
    output: CommandOutput | None = None
    raw: bool | None = None
    named: Json | None = None


@dataclass(frozen=True, slots=True)
class ToolResult:
    """A `tool_result` block with what Claude Code says beside it.

    Attributes:
        content: The block's content: a string or a list of blocks.
        failed: Its `is_error`.
        structured: `tool_use_result`, of a shape that depends on the tool; `None` if absent.
        non_execution_kind: Why the tool did not run (`user-rejected`, `permission-rule`, …); empty if it ran.
        after: The file that it changed, as it is now; `None` if it was not read.
        before: The file that it changed, as it was when the user was asked; `None` if it was not read.
    """

    content: Any
    failed: bool
    structured: Any = None
    non_execution_kind: str = ""
    after: FileSnapshot | None = None
    before: FileSnapshot | None = None


@dataclass(frozen=True, slots=True)
class ToolReport:
    """What a client is told of a call: only what is new since the last report.

    Attributes:
        call_id: Claude's tool use id.
        tool_name: Claude's name of the tool.
        opened: The first report of the call.
        fields: ACP field name to neutral value, for the fields that changed: name, title, kind (`ToolKind`), status
            (`ToolStatus`), content (tuple of `Content`), locations (tuple of `Location`), rawInput, rawOutput.
        parent_id: The Agent call that this call was made in; empty for the main conversation.
        terminal: Changes of the call's terminal.
        response: The structured result, sent once.
        hints: Those of `InputFacts.hints` that are new.
        non_execution_kind: Why the tool did not run.
        progress: What a call that works on says of itself: elapsedTimeSeconds, subagentType, subagentRetry.
    """

    call_id: str
    tool_name: str
    opened: bool
    fields: dict[str, Any]
    parent_id: str = ""
    terminal: TerminalChange | None = None
    response: Any = None
    hints: Json = field(default_factory=dict)
    non_execution_kind: str = ""
    progress: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TerminalChange:
    """Something new about a command's terminal: that it exists, its command, `data` that it printed, or its end.

    `was_in_background`: the command that ends had been working in the background.
    """

    terminal_id: str
    opened: bool = False
    command: str = ""
    data: str = ""
    output: CommandOutput | None = field(default=None)
    was_in_background: bool = False
