"""What a core wants done, beside the updates that it wants sent (`shared.updates`); both are performed in order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from adapter.shared.elicitation.requests import Elicitation
from adapter.shared.jsonrpc.messages import RequestId
from adapter.shared.outcome import Outcome
from adapter.shared.permissions.options import PermissionQuestion
from adapter.shared.tools.facts import Json
from adapter.shared.updates import ConfigOption, ToSession, Update


@dataclass(frozen=True, slots=True)
class Respond:
    """Answer a client's request with a result that has the same shape in every protocol version."""

    request: RequestId
    result: Json


@dataclass(frozen=True, slots=True)
class RespondOutcome:
    """Answer a held prompt: how its turn ended."""

    request: RequestId
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class RespondConfig:
    """Answer a configuration request with all options as they are now."""

    request: RequestId
    options: tuple[ConfigOption, ...]


@dataclass(frozen=True, slots=True)
class Fail:
    """Answer a client's request with an error.

    Attributes:
        request: The request.
        error: What went wrong.
        outcome: How its turn ended, where the request is a prompt that has failed with it.
    """

    request: RequestId
    error: Exception
    outcome: Outcome | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class AskPermission:
    """Ask the client; its answer comes back as `ClientAnswered` with the question's key."""

    question: PermissionQuestion


@dataclass(frozen=True, slots=True)
class AskElicitation:
    """Have the client show a form or a page; its answer comes back as `ClientAnswered` with the elicitation's key."""

    question: Elicitation


@dataclass(frozen=True, slots=True)
class AskServer:
    """Send a request to an MCP server of the client's; the answer comes back as `ClientAnswered` with this key.

    Attributes:
        key: See there.
        server_id: The client's id of the server.
        message_id: What the request is known by, to both sides.
        method: MCP's method.
        params: Its parameters; `None` for none.
    """

    key: str
    server_id: str
    message_id: str
    method: str
    params: Json | None = None


@dataclass(frozen=True, slots=True)
class CompleteElicitation:
    """Tell the client that what was to be done on a page is done."""

    elicitation_id: str


@dataclass(frozen=True, slots=True)
class WithdrawQuestion:
    """The question with this key needs no answer any more."""

    key: str


@dataclass(frozen=True, slots=True)
class SendPrompt:
    """Write a prompt to Claude Code.

    One that `steers` goes before all others and into the turn that runs. One of our own has an empty `uuid`, and no
    frame names it.
    """

    uuid: str
    content: tuple[Json, ...]
    steers: bool = False


@dataclass(frozen=True, slots=True)
class SendControl:
    """Send Claude Code a control request; its answer comes back as `ControlAnswered` with this key."""

    key: str
    request: Json


@dataclass(frozen=True, slots=True)
class AnswerControl:
    """Answer a control request of Claude Code."""

    request_id: str
    response: Json


@dataclass(frozen=True, slots=True)
class RefuseControl:
    """Answer a control request of Claude Code with an error."""

    request_id: str
    error: str


@dataclass(frozen=True, slots=True)
class StartTimer:
    """Fire `TimerFired(name)` after `seconds`; a running timer of that name starts again."""

    name: str
    seconds: float


@dataclass(frozen=True, slots=True)
class StopTimer:
    """The timer is not needed any more."""

    name: str


@dataclass(frozen=True, slots=True)
class StartProcess:
    """Start Claude Code again; `ProcessStarted` or `ProcessEnded` follows.

    Attributes:
        afresh: With an empty conversation, in place of the process that runs, instead of on the session's transcript.
        replaces: On the session's transcript, after the process that runs has been ended.
    """

    afresh: bool = False
    replaces: bool = False


@dataclass(frozen=True, slots=True)
class DropProcess:
    """Kill a Claude Code that does not react, or end it `gently`. No `ProcessEnded` follows."""

    gently: bool = False


@dataclass(frozen=True, slots=True)
class FollowOutput:
    """Follow what a command prints; it comes as `OutputGrew`.

    Attributes:
        call_id: The call that runs it.
        session_id: Claude Code's id of its session.
        task_id: Claude Code's id of the command.
    """

    call_id: str
    session_id: str
    task_id: str


@dataclass(frozen=True, slots=True)
class ForgetOutput:
    """The command of this call has ended."""

    call_id: str


@dataclass(frozen=True, slots=True)
class EndSession:
    """Stop Claude Code with all that it started, then answer the request that asked for it, and forget the session."""

    request: RequestId


Effect = (
    Update
    | ToSession
    | Respond
    | RespondOutcome
    | RespondConfig
    | Fail
    | AskPermission
    | AskElicitation
    | AskServer
    | CompleteElicitation
    | WithdrawQuestion
    | SendPrompt
    | SendControl
    | AnswerControl
    | RefuseControl
    | StartTimer
    | StopTimer
    | StartProcess
    | DropProcess
    | FollowOutput
    | ForgetOutput
    | EndSession
)

Effects = list[Any]
"""A list of `Effect`, in the order in which they are to be performed."""
