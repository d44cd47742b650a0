"""Effects in the shape in which they are performed. What of it goes to the client is checked against the schema."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from adapter.shared.effects import (
    AnswerControl,
    AskElicitation,
    AskPermission,
    CompleteElicitation,
    DropProcess,
    EndSession,
    Fail,
    FollowOutput,
    ForgetOutput,
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
from adapter.shared.session_updates import of_subagent
from adapter.shared.updates import ToSession
from adapter.shared.v2.encode import V2Encoder
from support.schemas import document

if TYPE_CHECKING:
    from adapter.shared.core import Encoder

Json = dict[str, Any]

Driven = FollowOutput | ForgetOutput | StartTimer | StopTimer | StartProcess | DropProcess | CompleteElicitation


def wire(effect: Any, encoder: Encoder, session_id: str = "session") -> list[Json]:
    """An effect in the shape in which it is performed: one object for each thing that is sent or done.

    Raises:
        AssertionError: What the client would get is invalid in the version of the encoder.
    """
    match effect:
        case Respond() | RespondOutcome() | RespondConfig() | Fail():
            return [{"respond": effect.request, **_answer(effect, encoder)}]
        case AskPermission():
            asker = effect.question.session_id or session_id
            params = _valid(encoder, "RequestPermissionRequest", encoder.permission(asker, effect.question))
            return [{"ask": effect.question.key, "params": params}]
        case AskElicitation():
            asker = effect.question.session_id or session_id
            params = _valid(encoder, "CreateElicitationRequest", encoder.elicitation(asker, effect.question))
            return [{"elicit": effect.question.key, "params": params}]
        case ToSession():
            return _to_session(effect, encoder)
        case EndSession():
            return [{"end": effect.request}]
        case WithdrawQuestion() | SendPrompt() | SendControl() | AnswerControl() | RefuseControl():
            return [_to_claude(effect)]
        case _ if isinstance(effect, Driven):
            return [_to_driver(effect)]
        case _:
            return [{"update": _valid(encoder, "SessionUpdate", update)} for update in encoder.updates(effect)]


def _valid(encoder: Encoder, name: str, value: Json) -> Json:
    version = 2 if isinstance(encoder, V2Encoder) else 1
    problem = _problem(version, name, json.dumps(value))
    assert problem == "", f"not a v{version} {name}: {problem}: {value}"
    return value


@lru_cache(maxsize=100_000)
def _problem(version: int, name: str, text: str) -> str:
    """What is wrong with a value, as JSON text: random tests send the same thousands of times."""
    error = document(version).error(name, json.loads(text))
    return "" if error is None else f"{error.json_path}: {error.message}"


def _answer(effect: Respond | RespondOutcome | RespondConfig | Fail, encoder: Encoder) -> Json:
    match effect:
        case Respond():
            return {"result": effect.result}
        case RespondOutcome():
            return {"result": _valid(encoder, "PromptResponse", encoder.prompt_result(effect.outcome))}
        case RespondConfig():
            result = encoder.config_result(effect.options)
            return {"result": _valid(encoder, "SetSessionConfigOptionResponse", result)}
        case Fail():
            return {"error": error_object(effect.error)}


def _to_session(effect: ToSession, encoder: Encoder) -> list[Json]:
    updates = encoder.updates(effect.update)
    told = [of_subagent(update, effect.call_id) if effect.call_id else update for update in updates]
    return [{"session": effect.session_id, "update": _valid(encoder, "SessionUpdate", update)} for update in told]


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


def _to_driver(effect: Any) -> Json:
    match effect:
        case FollowOutput() | ForgetOutput():
            return {"follow": effect.call_id, "on": isinstance(effect, FollowOutput)}
        case CompleteElicitation():
            return {"complete": effect.elicitation_id}
        case StartTimer():
            return {"start_timer": effect.name, "seconds": effect.seconds}
        case StopTimer():
            return {"stop_timer": effect.name}
        case StartProcess():
            return {"start_process": True}
        case DropProcess():
            return {"drop_process": True}
        case _:
            raise AssertionError(f"{effect} is not the driver's")
