"""What can happen to a session, one value an event. A frame of Claude Code (a dict) is an input as it is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from adapter.shared.jsonrpc.errors import ClaudeFailure
from adapter.shared.jsonrpc.messages import RequestId
from adapter.shared.tools.facts import FileSnapshot, Json


@dataclass(frozen=True, slots=True)
class SessionOpened:
    """The client has the answer that tells it the session's id.

    Attributes:
        notices: What it should know of the start.
        title: The title that the session has from before; empty if it has none.
        tasks: Its tasks from before, as `Conversation.tasks` gives them.
        has_limits: The account has a plan, whose limits Claude Code can be asked for.
        idle_seconds: After how long it is compacted on our own account; 0 for never.
        idle_tokens: How much it must hold for that.
        subagents: Its subagents from before, as `PastSubagents.recalled` gives them.
    """

    notices: tuple[str, ...] = ()
    title: str = ""
    tasks: Json = field(default_factory=dict)
    has_limits: bool = False
    idle_seconds: float = 0.0
    idle_tokens: int = 0
    subagents: tuple[Json, ...] = ()


@dataclass(frozen=True, slots=True)
class PromptReceived:
    """`session/prompt`.

    Attributes:
        request: The request that the prompt must answer.
        uuid: Fresh; Claude Code names the prompt by it.
        content: Claude's content blocks.
        blocks: ACP's content blocks, as the client sent them.
        text: The prompt's text, for a title.
        notices: What of it was not sent, for the person.
        steers: It goes into a running turn at once (ACP v2, `_meta.claudeAcp.steer`).
        bare: Its request is answered by an empty result when its turn is over, not by how that ended.
        report_id: The client's id for a report of the files that the prompt changes; empty for no report.
    """

    request: RequestId
    uuid: str
    content: tuple[Json, ...]
    blocks: tuple[Json, ...]
    text: str
    notices: tuple[str, ...] = ()
    steers: bool = False
    bare: bool = False
    report_id: str = ""


@dataclass(frozen=True, slots=True)
class SteerReceived:
    """`_session/steering`, or `_session/goal` if `goal`; the other fields are as in `PromptReceived`."""

    request: RequestId
    uuid: str
    content: tuple[Json, ...]
    blocks: tuple[Json, ...]
    text: str
    notices: tuple[str, ...] = ()
    goal: bool = False


@dataclass(frozen=True, slots=True)
class CancelReceived:
    """`session/cancel`."""


@dataclass(frozen=True, slots=True)
class ChildCancelled:
    """`session/cancel` for a session that stands for a part of this one."""

    session_id: str


@dataclass(frozen=True, slots=True)
class RequestCancelled:
    """`$/cancel_request` for an open request of this session."""

    request: RequestId


@dataclass(frozen=True, slots=True)
class ConfigRequested:
    """`session/set_config_option`, or `session/set_mode` if `as_mode`."""

    request: RequestId
    option: str
    value: str
    as_mode: bool = False


@dataclass(frozen=True, slots=True)
class MethodCalled:
    """A request of the client's that a part of the session serves; `params` are checked."""

    request: RequestId
    method: str
    params: Json


@dataclass(frozen=True, slots=True)
class RestartWanted:
    """What Claude Code was started with has changed: its route or its login."""


@dataclass(frozen=True, slots=True)
class CloseRequested:
    """`session/close`."""

    request: RequestId


@dataclass(frozen=True, slots=True)
class ShutDown:
    """The adapter is going to end."""


@dataclass(frozen=True, slots=True)
class ClientAnswered:
    """The client answered the question with this key: `result`, or `error` (an error object) if it failed.

    `feedback` are the user's own words with a refusal.
    """

    key: str
    result: Any
    error: Json | None = None
    feedback: str = ""


@dataclass(frozen=True, slots=True)
class ControlAnswered:
    """Claude Code answered the control request with this key; `error` is its text, empty if there was none."""

    key: str
    response: Json
    error: str = ""


@dataclass(frozen=True, slots=True)
class PermissionAsked:
    """A `can_use_tool` frame for a tool that changes a file, with the file as it is now."""

    frame: Json
    before: FileSnapshot


@dataclass(frozen=True, slots=True)
class FileChanged:
    """A `user` frame with the result of a tool that changed a file, with the file as it is now."""

    frame: Json
    after: FileSnapshot


@dataclass(frozen=True, slots=True)
class OutputGrew:
    """A command that is followed has printed more."""

    call_id: str
    text: str


@dataclass(frozen=True, slots=True)
class CommandFilesChanged:
    """A file of a slash command or of a skill came, went or was written."""


@dataclass(frozen=True, slots=True)
class ServersProvided:
    """The client provides these MCP servers from now on: its ids of them, by name."""

    servers: dict[str, str]


@dataclass(frozen=True, slots=True)
class ServerTold:
    """`mcp/message` as a notification: word of such a server about a request that it works on."""

    server_id: str
    request_id: str
    method: str
    params: Json | None = None


@dataclass(frozen=True, slots=True)
class ProcessStarted:
    """Claude Code was started again.

    Attributes:
        permission_mode: The one that it runs with.
        served: The models that its provider lists, by id; `None` for one without a list.
    """

    permission_mode: str
    served: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class ProcessEnded:
    """Claude Code has died, or could not be started again."""

    failure: ClaudeFailure


@dataclass(frozen=True, slots=True)
class TimerFired:
    """A timer that the core started has run out."""

    name: str


Input = (
    dict[str, Any]
    | SessionOpened
    | PromptReceived
    | SteerReceived
    | CancelReceived
    | ChildCancelled
    | RequestCancelled
    | ConfigRequested
    | MethodCalled
    | RestartWanted
    | CloseRequested
    | ShutDown
    | ClientAnswered
    | ControlAnswered
    | PermissionAsked
    | FileChanged
    | OutputGrew
    | CommandFilesChanged
    | ServersProvided
    | ServerTold
    | ProcessStarted
    | ProcessEnded
    | TimerFired
)
