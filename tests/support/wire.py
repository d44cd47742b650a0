"""Effects in the shape in which they are performed, for golden files and the property test."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adapter.shared.effects import (
    AnswerControl,
    AskElicitation,
    AskPermission,
    CompleteElicitation,
    ConversationMoved,
    DropProcess,
    EndSession,
    Fail,
    RefuseControl,
    Respond,
    RespondConfig,
    RespondOutcome,
    SendControl,
    SendPrompt,
    StartProcess,
    StartTimer,
    StopTimer,
    WithdrawQuestion,
)
from adapter.shared.jsonrpc.errors import error_object

if TYPE_CHECKING:
    from adapter.shared.core import Encoder

Json = dict[str, Any]


def wire(effect: Any, encoder: Encoder, session_id: str = "session") -> list[Json]:
    """An effect in the shape in which it is performed: one object for each thing that is sent or done."""
    match effect:
        case Respond() | RespondOutcome() | RespondConfig() | Fail():
            return [{"respond": effect.request, **_response(effect, encoder)}]
        case AskPermission():
            return [{"ask": effect.question.key, "params": encoder.permission(session_id, effect.question)}]
        case AskElicitation():
            return [{"elicit": effect.question.key, "params": encoder.elicitation(session_id, effect.question)}]
        case EndSession():
            return [{"end": effect.request}]
        case WithdrawQuestion() | SendPrompt() | SendControl() | AnswerControl() | RefuseControl():
            return [_to_claude(effect)]
        case StartTimer() | StopTimer() | StartProcess() | DropProcess() | ConversationMoved() | CompleteElicitation():
            return [_to_driver(effect)]
        case _:
            return [{"update": update} for update in encoder.updates(effect)]


def _response(effect: Respond | RespondOutcome | RespondConfig | Fail, encoder: Encoder) -> Json:
    match effect:
        case Respond():
            return {"result": effect.result}
        case RespondOutcome():
            return {"result": encoder.prompt_result(effect.outcome)}
        case RespondConfig():
            return {"result": encoder.config_result(effect.options)}
        case Fail():
            return {"error": error_object(effect.error)}


def _to_claude(effect: WithdrawQuestion | SendPrompt | SendControl | AnswerControl | RefuseControl) -> Json:
    match effect:
        case WithdrawQuestion():
            return {"withdraw": effect.key}
        case SendPrompt():
            steers = {"steers": True} if effect.steers else {}
            return {"prompt": effect.uuid, "content": list(effect.content), **steers}
        case SendControl():
            return {"control": effect.key, "request": effect.request}
        case AnswerControl():
            return {"answer": effect.request_id, "response": effect.response}
        case RefuseControl():
            return {"refuse": effect.request_id, "error": effect.error}


Driven = StartTimer | StopTimer | StartProcess | DropProcess | ConversationMoved | CompleteElicitation


def _to_driver(effect: Driven) -> Json:
    match effect:
        case StartTimer():
            return {"start_timer": effect.name, "seconds": effect.seconds}
        case StopTimer():
            return {"stop_timer": effect.name}
        case StartProcess():
            return {"start_process": True}
        case DropProcess():
            return {"drop_process": True}
        case ConversationMoved():
            return {"moved": effect.session_id}
        case CompleteElicitation():
            return {"complete": effect.elicitation_id}
