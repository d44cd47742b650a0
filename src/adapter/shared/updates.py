"""Session updates in neutral form: what a core tells its client, before a protocol version gives it a shape.

Tool calls are `shared.tools.facts.ToolReport`. An encoder (`v1/encode.py`, `shared/v2/encode.py`) is a total function
over `Update`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from adapter.shared.tools.facts import Json, ToolReport, ToolStatus
from adapter.shared.work_updates import SessionMessage, StateChanged, SubagentChanged, TerminalAbility


class Speaker(StrEnum):
    """Whose text a chunk is."""

    AGENT = "agent_message_chunk"
    THOUGHT = "agent_thought_chunk"
    USER = "user_message_chunk"


class TextChunk(NamedTuple):
    """A piece of a message. The hot path makes one of these a delta, so it is a tuple."""

    speaker: Speaker
    message_id: str
    text: str


@dataclass(frozen=True, slots=True)
class MessageCleared:
    """A message that the client may have begins anew: its chunks follow."""

    speaker: Speaker
    message_id: str


@dataclass(frozen=True, slots=True)
class ImageChunk:
    """An image in a message of Claude's, as its content block."""

    speaker: Speaker
    message_id: str
    block: Json


@dataclass(frozen=True, slots=True)
class PlanEntry:
    """One step of a plan; `status` is pending, in_progress or completed."""

    content: str
    status: str


@dataclass(frozen=True, slots=True)
class PlanChanged:
    """The whole plan as it is now."""

    entries: tuple[PlanEntry, ...]


@dataclass(frozen=True, slots=True)
class UsageChanged:
    """Tokens in the context window, its size, and at a turn's end the session's cost.

    Attributes:
        used: Tokens.
        size: Tokens.
        cost: US dollars since the session began; negative if it is not known now.
        model: The model's id; empty if unknown.
        origin: Claude Code's `origin` of the turn; `None` in mid-turn.
        rate_limit: Claude Code's `rate_limit_info`, if that is what changed.
        windows: What is known of each window of a plan's limits, if one of them changed: `{window, used, resetsAt}`.
    """

    used: int
    size: int
    cost: float
    model: str
    origin: Json | None
    rate_limit: Json | None = None
    windows: tuple[Json, ...] = ()


@dataclass(frozen=True, slots=True)
class TitleChanged:
    """The session has a title."""

    title: str


@dataclass(frozen=True, slots=True)
class Command:
    """A slash command. `hint` describes its argument; empty if it takes none."""

    name: str
    description: str
    hint: str


@dataclass(frozen=True, slots=True)
class CommandsChanged:
    """All slash commands as they are now."""

    commands: tuple[Command, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of a configuration option."""

    value: str
    name: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class ConfigOption:
    """A session configuration option. `toggle` marks one whose values are `on` and `off`; `category` may be empty."""

    id: str
    name: str
    description: str
    category: str
    current: str
    choices: tuple[Choice, ...]
    toggle: bool = False


@dataclass(frozen=True, slots=True)
class ConfigChanged:
    """All configuration options as they are now."""

    options: tuple[ConfigOption, ...]


@dataclass(frozen=True, slots=True)
class ModeChanged:
    """The permission mode has changed by another cause than a request for it."""

    mode: str


@dataclass(frozen=True, slots=True)
class Notice:
    """A remark of Claude Code or of ours for the person.

    Attributes:
        level: info, notice, suggestion or warning.
        text: The remark.
        heading: What goes before it where it is shown as text, instead of its level.
    """

    level: str
    text: str
    heading: str = ""


@dataclass(frozen=True, slots=True)
class CompactionChanged:
    """The conversation is being compacted, or has been.

    Attributes:
        compaction_id: Stays the same from its begin to its end.
        status: In progress, completed, failed or cancelled.
        opened: It begins.
        summary: The text that replaces the conversation, unless `CompactionChunk`s have brought it.
        error: Why it failed.
        facts: Its sizes, after its end: `trigger`, `preTokens`, `postTokens`, `durationMs`.
    """

    compaction_id: str
    status: ToolStatus
    opened: bool = False
    summary: str = ""
    error: str = ""
    facts: Json | None = None


@dataclass(frozen=True, slots=True)
class CompactionChunk:
    """A piece of a compaction's summary."""

    compaction_id: str
    text: str


@dataclass(frozen=True, slots=True)
class MemoryRecalled:
    """Claude Code has looked into its memory.

    Attributes:
        recall_id: Unique in the session.
        mode: `select` (whole files) or `synthesize` (one text made of many).
        paths: The files, in select mode.
        text: What it recalled, in synthesize mode.
    """

    recall_id: str
    mode: str
    paths: tuple[str, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class PromptSuggested:
    """What the person could ask next."""

    text: str


@dataclass(frozen=True, slots=True)
class PlanApproved:
    """The person has approved a plan, which is Markdown (ACP v2)."""

    text: str


@dataclass(frozen=True, slots=True)
class ServerNotice:
    """An MCP server did not come up; `status` is Claude Code's: failed or needs-auth."""

    server: str
    status: str

    @property
    def title(self) -> str:
        """What happened."""
        happened = "needs authentication" if self.status == "needs-auth" else "failed to start"
        return f'MCP server "{self.server}" {happened}'

    @property
    def description(self) -> str:
        """What it means, and what can be done."""
        if self.status == "needs-auth":
            return (
                "Its tools are unavailable until the server is authenticated. "
                "Run `claude` in a terminal and sign in with its /mcp."
            )
        return "Its tools are unavailable in this session. Run /mcp for the error."


@dataclass(frozen=True, slots=True)
class UserMessage:
    """A prompt was taken in (ACP v2); `content` holds ACP content blocks as the client sent them."""

    message_id: str
    content: tuple[Json, ...]


Update = (
    TextChunk
    | MessageCleared
    | ImageChunk
    | ToolReport
    | PlanChanged
    | UsageChanged
    | TitleChanged
    | CommandsChanged
    | ConfigChanged
    | ModeChanged
    | Notice
    | ServerNotice
    | CompactionChanged
    | CompactionChunk
    | MemoryRecalled
    | PromptSuggested
    | PlanApproved
    | UserMessage
    | StateChanged
    | TerminalAbility
    | SubagentChanged
    | SessionMessage
)


@dataclass(frozen=True, slots=True)
class ToSession:
    """An update of another session than the core's: of a subagent's.

    Attributes:
        session_id: The session; empty while the subagent has none of its own, for the core's.
        call_id: The call that launched the subagent, where the update is to name it; empty where not.
        update: The update.
    """

    session_id: str
    call_id: str
    update: Update
