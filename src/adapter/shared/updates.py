"""Session updates in neutral form: what a core tells its client, before a protocol version gives it a shape.

Tool calls are `shared.tools.facts.ToolReport`. An encoder (`v1/encode.py`, `v2_native/encode.py`) is a total function
over `Update`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from adapter.shared.jsonrpc.errors import ClaudeFailure
from adapter.shared.tools.facts import Json, ToolReport


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
    """

    used: int
    size: int
    cost: float
    model: str
    origin: Json | None


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
    """A remark of Claude Code or of ours for the person; `level` is info, notice, suggestion or warning."""

    level: str
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


class WorkState(StrEnum):
    """Whether a session works (ACP v2)."""

    RUNNING = "running"
    REQUIRES_ACTION = "requires_action"
    IDLE = "idle"


class StopReason(StrEnum):
    """Why a turn ended (ACP `StopReason`)."""

    END_TURN = "end_turn"
    MAX_TOKENS = "max_tokens"
    MAX_TURN_REQUESTS = "max_turn_requests"
    REFUSAL = "refusal"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class TokenCount:
    """Tokens by kind."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.input + self.output + self.cache_read + self.cache_write

    def plus(self, other: TokenCount) -> TokenCount:
        """The sum, kind by kind."""
        return TokenCount(
            self.input + other.input,
            self.output + other.output,
            self.cache_read + other.cache_read,
            self.cache_write + other.cache_write,
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a turn ended and what it used.

    Attributes:
        stop: Why it ended; meaningless if it failed.
        failure: What went wrong; `None` if nothing did.
        usage: Tokens of the main conversation in this turn.
        by_model: Tokens of everything since the last result, by model id.
        measured: Claude Code reported this usage; `False` where a turn ended without a result.
    """

    stop: StopReason
    failure: ClaudeFailure | None = None
    usage: TokenCount = TokenCount()
    by_model: tuple[tuple[str, TokenCount], ...] = ()
    measured: bool = True


class BackgroundKind(StrEnum):
    """What an item of the background list is (ACP v2 `BackgroundWork`)."""

    TERMINAL = "terminal"
    TOOL_CALL = "tool_call"
    SUBAGENT = "subagent"


@dataclass(frozen=True, slots=True)
class BackgroundItem:
    """One piece of background work; `id` names its terminal, tool call or session, `task_id` is Claude Code's."""

    kind: BackgroundKind
    id: str
    task_id: str


@dataclass(frozen=True, slots=True)
class StateChanged:
    """The session's work state (ACP v2).

    Attributes:
        state: The state.
        outcome: How an idle session's turn ended; `None` if that was told before, or is not known.
        background: What works in the background.
    """

    state: WorkState
    outcome: Outcome | None = None
    background: tuple[BackgroundItem, ...] = ()


@dataclass(frozen=True, slots=True)
class TerminalAbility:
    """A command in a terminal runs on in the background, and can be ended (ACP v2)."""

    terminal_id: str
    command: str


@dataclass(frozen=True, slots=True)
class SubagentIdentity:
    """How a subagent's session is announced.

    Attributes:
        title: What it was launched for.
        agent_type: Claude Code's `subagent_type`.
        prompt: What it is to do; empty if that is not known.
    """

    title: str
    agent_type: str
    prompt: str


@dataclass(frozen=True, slots=True)
class SubagentChanged:
    """News of a subagent's session, for the session that launched it.

    Attributes:
        session_id: The subagent's session.
        state: Its new work state; `None` if that did not change.
        identity: Who it is, when it is announced.
        cwd: Its working folder, where it is another one than its parent's; empty if that did not change.
    """

    session_id: str
    state: StateChanged | None
    identity: SubagentIdentity | None = None
    cwd: str = ""


class MessageView(StrEnum):
    """In whose transcript a message between sessions stands; UNLINKED: in one only."""

    OUTGOING = "recipientMessageId"
    INCOMING = "senderMessageId"
    UNLINKED = ""


@dataclass(frozen=True, slots=True)
class SessionMessage:
    """A message from one session to another; `content` holds ACP content blocks."""

    message_id: str
    sender: str
    recipient: str
    content: tuple[Json, ...]
    view: MessageView


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
