"""Updates in neutral form about what works: a session's state, its background, its subagents."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from adapter.shared.outcome import Outcome
from adapter.shared.tools.facts import Json


class WorkState(StrEnum):
    """Whether a session works (ACP v2)."""

    RUNNING = "running"
    REQUIRES_ACTION = "requires_action"
    IDLE = "idle"


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
        can_cancel: The client may end its work.
    """

    title: str
    agent_type: str
    prompt: str
    can_cancel: bool = True


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
