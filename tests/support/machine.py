"""A session's core in memory: its inputs, short to write, and its effects, short to read or as they go out.

    core = v1_core()
    handle(core, prompt(1), started(1))
    assert answers(handle(core, result(1))) == {1: "end_turn"}

Prompt number n has the request id n and the uuid ``pn``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from adapter.shared.client_capabilities import ClientCapabilities, SubagentForm, TerminalChannel
from adapter.shared.config_options.settings import SessionConfig
from adapter.shared.conversation import Conversation
from adapter.shared.effects import (
    AskPermission,
    Fail,
    Respond,
    RespondConfig,
    RespondOutcome,
    SendControl,
    SendPrompt,
    StartTimer,
    StopTimer,
)
from adapter.shared.inputs import (
    CancelReceived,
    ClientAnswered,
    ConfigRequested,
    ControlAnswered,
    ProcessEnded,
    PromptReceived,
    TimerFired,
)
from adapter.shared.jsonrpc.errors import ClaudeFailure, error_object
from adapter.shared.opening import add_parts, call_context
from adapter.shared.tools.facts import ToolReport
from adapter.shared.updates import Command
from adapter.shared.v2.encode import V2Encoder
from adapter.shared.v2.session import V2Session
from adapter.shared.work_updates import StateChanged
from adapter.v1.encode import V1Encoder
from adapter.v1.session import V1Session
from adapter.v2_bridge.session import BridgeSession
from adapter.v2_native.session import NativeSession

if TYPE_CHECKING:
    from adapter.shared.core import SessionCore
    from adapter.shared.effects import Effects
    from adapter.shared.inputs import Input
    from adapter.shared.jsonrpc.messages import RequestId

Json = dict[str, Any]
V2Core = TypeVar("V2Core", NativeSession, BridgeSession)
NewCore = Callable[..., V2Session]
"""`native_core` or `bridge_core`."""

V1_CLIENT = ClientCapabilities(1, TerminalChannel.NONE, exact_patches=False)
V2_CLIENT = ClientCapabilities(2, TerminalChannel.DISPLAY, exact_patches=True, subagents=SubagentForm.SESSIONS)
NOW = "2026-11-30T12:00:00.000Z"
MODEL = "claude-opus-5-5"
MODELS: tuple[Json, ...] = (
    {
        "value": "default",
        "resolvedModel": MODEL,
        "displayName": "Default",
        "description": "The best",
        "supportsEffort": True,
        "supportedEffortLevels": ["low", "high"],
        "supportsFastMode": True,
        "supportsAutoMode": True,
    },
    {"value": "haiku", "resolvedModel": "claude-haiku-5-5", "displayName": "Haiku", "description": "Fast"},
)
COMMANDS = (Command("compact", "Shorten the conversation", "what to keep"),)
USAGE: Json = {"input_tokens": 100, "output_tokens": 20, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0}
DEAD = ClaudeFailure("process_exited", "Claude Code exited with status 1", {"exitStatus": 1})
TOO_OLD = ClaudeFailure("cli_too_old", "Claude Code is too old")
CANCEL = CancelReceived()
FIRED = TimerFired("cancel")
INTERRUPT = SendControl("interrupt", {"subtype": "interrupt", "cancel_queued": True})
BOUND = StartTimer("cancel", 10.0)
UNBOUND = StopTimer("cancel")
BASH: Json = {"command": "touch x", "description": "Touch"}


def v1_core(
    *, mode: str = "default", elicits: tuple[str, ...] = (), subagents: SubagentForm = SubagentForm.CALLS
) -> V1Session:
    """A session of ACP v1 whose Claude Code runs and is idle."""
    client = replace(V1_CLIENT, elicitation=frozenset(elicits), subagents=subagents)
    told = subagents is not SubagentForm.CALLS
    conversation = Conversation(call_context("/workspace", client), subagent_text=told)
    core = V1Session(conversation, session_config(mode), COMMANDS)
    add_parts(core, "session", "/workspace", client)
    return core


def native_core(*, mode: str = "default", elicits: tuple[str, ...] = ()) -> NativeSession:
    """A session of the native v2 core whose Claude Code runs and is idle."""
    return _v2_core(NativeSession, mode, elicits)


def bridge_core(*, mode: str = "default", elicits: tuple[str, ...] = ()) -> BridgeSession:
    """A session of the bridged v2 core whose Claude Code runs and is idle."""
    return _v2_core(BridgeSession, mode, elicits)


def _v2_core(kind: type[V2Core], mode: str, elicits: tuple[str, ...]) -> V2Core:
    client = replace(V2_CLIENT, elicitation=frozenset(elicits))
    conversation = Conversation(call_context("/workspace", client), subagent_text=True)
    core = kind(conversation, session_config(mode), COMMANDS)
    add_parts(core, "session", "/workspace", client)
    return core


def session_config(mode: str = "default") -> SessionConfig:
    """What the session runs with."""
    return SessionConfig(MODELS, mode, {"applied": {"ultracodeAvailable": True}}, may_bypass=True)


def v1_encoder(terminal: TerminalChannel = TerminalChannel.NONE) -> V1Encoder:
    """The encoder for a client of v1; the time stands still."""
    return V1Encoder(replace(V1_CLIENT, terminal=terminal), lambda: NOW)


def v2_encoder() -> V2Encoder:
    """The encoder for a client of v2; the time stands still."""
    return V2Encoder(lambda: NOW)


def handle(core: SessionCore, *events: Input) -> Effects:
    """Hands inputs to a core, one after the other, and returns all effects."""
    return [effect for event in events for effect in core.handle(event)]


# Inputs of the client.


def prompt(number: int, text: str = "Go") -> PromptReceived:
    """A prompt. Its text is too short to ask for a title, even with the answer."""
    block = {"type": "text", "text": text}
    return PromptReceived(number, f"p{number}", (block,), (block,), text)


def configure(request: int, option: str, value: str, *, as_mode: bool = False) -> ConfigRequested:
    """A change of configuration."""
    return ConfigRequested(request, option, value, as_mode)


def answer(key: str, option: str = "allow-once") -> ClientAnswered:
    """The client's choice of an option of a permission question."""
    return ClientAnswered(key, {"outcome": {"outcome": "selected", "optionId": option}})


# What Claude Code says.


def lifecycle(number: int, state: str) -> Json:
    """The state of a prompt."""
    return {"type": "command_lifecycle", "command_uuid": f"p{number}", "state": state}


def started(number: int) -> Json:
    """Claude Code has taken a prompt in."""
    return lifecycle(number, "started")


def completed(number: int) -> Json:
    """Claude Code has done with a prompt."""
    return lifecycle(number, "completed")


def dropped(number: int) -> Json:
    """Claude Code has cancelled a prompt."""
    return lifecycle(number, "cancelled")


def echo(number: int) -> Json:
    """The echo of a prompt."""
    return {**user([{"type": "text", "text": "Go"}]), "uuid": f"p{number}", "isReplay": True}


def user(content: list[Json], **fields: Any) -> Json:
    """A user frame."""
    message = {"role": "user", "content": content}
    return {"type": "user", "message": message, "parent_tool_use_id": None, **fields}


def stream(event: Json) -> Json:
    """A stream event of the main conversation."""
    return {"type": "stream_event", "event": event, "parent_tool_use_id": None}


def message_start(message_id: str = "m1") -> Json:
    """A message of Claude's begins."""
    return stream({"type": "message_start", "message": {"id": message_id, "model": MODEL, "usage": USAGE}})


def delta(text: str) -> Json:
    """A piece of text of the message that has begun."""
    return stream({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}})


def assistant(*content: Json, message_id: str = "m1", parent: str | None = None, **fields: Any) -> Json:
    """Finished blocks of a message."""
    message = {"id": message_id, "model": MODEL, "role": "assistant", "content": list(content)}
    return {"type": "assistant", "message": message, "parent_tool_use_id": parent, **fields}


def says(text: str, message_id: str = "m1", **fields: Any) -> Json:
    """A text that was not streamed, such as an error of the API."""
    return assistant({"type": "text", "text": text}, message_id=message_id, **fields)


def calls(call_id: str, tool: str = "Bash", tool_input: Json | None = None, parent: str | None = None) -> Json:
    """A tool call with its whole input."""
    block = {"type": "tool_use", "id": call_id, "name": tool, "input": BASH if tool_input is None else tool_input}
    return assistant(block, parent=parent)


def returns(call_id: str, text: str = "done", *, kind: str = "", **fields: Any) -> Json:
    """The result of a tool call; ``kind`` says why it did not run, ``fields`` are those of its block."""
    block = {"type": "tool_result", "tool_use_id": call_id, "content": text, "is_error": bool(kind), **fields}
    meta = [{"id": call_id, "non_execution_kind": kind}] if kind else []
    return user([block], tool_result_meta=meta)


def asks(key: str, call_id: str = "t1", tool: str = "Bash", tool_input: Json | None = None, **fields: Any) -> Json:
    """The question whether a tool may run."""
    given = BASH if tool_input is None else tool_input
    request = {"subtype": "can_use_tool", "tool_name": tool, "input": given, "tool_use_id": call_id, **fields}
    return {"type": "control_request", "request_id": key, "request": request}


def elicits(key: str, **fields: Any) -> Json:
    """An MCP server wants a form filled in."""
    schema = {"type": "object", "properties": {"name": {"type": "string"}}}
    request = {"subtype": "elicitation", "message": "Who?", "mode": "form", "requested_schema": schema, **fields}
    return {"type": "control_request", "request_id": key, "request": request}


def withdraws(key: str) -> Json:
    """Claude Code needs the answer to a question no more."""
    return {"type": "control_cancel_request", "request_id": key}


def returns_data(call_id: str, data: Json, text: str = "done") -> Json:
    """The result of a tool call with its structured form."""
    return {**returns(call_id, text), "tool_use_result": data}


def result(*numbers: int, **fields: Any) -> Json:
    """The result of the turn of prompts; ``fields`` replace those of a turn that went well."""
    return {
        "type": "result",
        "subtype": "success",
        "is_error": False,
        "num_turns": 1,
        "result": "OK.",
        "stop_reason": "end_turn",
        "terminal_reason": "completed",
        "usage": USAGE,
        "modelUsage": {MODEL: {"inputTokens": 100, "outputTokens": 20, "contextWindow": 1000000}},
        "total_cost_usd": 0.01,
        "origin": {"kind": "human"},
        "user_message_uuids": [f"p{number}" for number in numbers],
        **fields,
    }


def aborted(*numbers: int) -> Json:
    """The result of a turn that an interrupt has stopped."""
    fields: Json = {"subtype": "error_during_execution", "is_error": True, "errors": ["[ede_diagnostic]"]}
    return result(*numbers, **fields, terminal_reason="aborted_streaming", stop_reason=None, result="")


def notification_result(**fields: Any) -> Json:
    """The result of a turn that Claude Code began itself to tell of a background task."""
    return result(origin={"kind": "task-notification"}, **fields)


def system(subtype: str, **fields: Any) -> Json:
    """A system frame."""
    return {"type": "system", "subtype": subtype, **fields}


def task_started(
    agent: str = "a1", call_id: str = "agent", *, background: bool = True, kind: str = "local_agent", **fields: Any
) -> Json:
    """A subagent, or another task, was set to work."""
    about = {"task_type": kind, "subagent_type": "general-purpose", "description": "Look", "prompt": "look around"}
    run = {"task_id": agent, "run_id": f"run-{call_id}", "tool_use_id": call_id, "is_backgrounded": background}
    return system("task_started", **{**about, **run, **fields})


def task_ended(agent: str = "a1", call_id: str = "agent", status: str = "completed", **fields: Any) -> Json:
    """A subagent, or another task, has ended."""
    return system("task_notification", task_id=agent, tool_use_id=call_id, status=status, summary="Report", **fields)


def idle() -> Json:
    """Claude Code has nothing to do."""
    return system("session_state_changed", state="idle")


def interrupt_answered(**response: Any) -> ControlAnswered:
    """Claude Code has answered an interrupt."""
    return ControlAnswered("interrupt", {"still_queued": [], **response})


def withdrawn(number: int, *, cancelled: bool) -> ControlAnswered:
    """Claude Code's answer to the withdrawal of a prompt."""
    return ControlAnswered(f"withdraw p{number}", {"cancelled": cancelled})


def dies(failure: ClaudeFailure = DEAD) -> ProcessEnded:
    """Claude Code has died, or could not be started."""
    return ProcessEnded(failure)


# Effects.


def of(effects: Effects, *kinds: type) -> Effects:
    """The effects of some types."""
    return [effect for effect in effects if isinstance(effect, kinds)]


def answers(effects: Effects) -> dict[RequestId, str]:
    """How requests are answered, in order: a stop reason, ``ok``, ``options``, or an error's kind or code.

    Raises:
        AssertionError: One is answered twice.
    """
    found: dict[RequestId, str] = {}
    for effect in of(effects, Respond, RespondConfig, RespondOutcome, Fail):
        assert effect.request not in found
        found[effect.request] = _answer(effect)
    return found


def _answer(effect: Respond | RespondConfig | RespondOutcome | Fail) -> str:
    match effect:
        case Respond():
            return "ok"
        case RespondConfig():
            return "options"
        case RespondOutcome():
            return effect.outcome.stop.value
        case Fail():
            error = error_object(effect.error)
            return str(error.get("data", {}).get("errorKind") or error["code"])


def written(effects: Effects) -> list[str]:
    """The prompts that go to Claude Code."""
    return [effect.uuid for effect in of(effects, SendPrompt)]


def asked(effects: Effects) -> list[str]:
    """The keys of the questions to the client."""
    return [effect.question.key for effect in of(effects, AskPermission)]


def told(effects: Effects) -> list[str]:
    """The work states that a client of v2 is told, an idle one with its stop reason or its error's kind."""
    return [_state(change) for change in of(effects, StateChanged)]


def _state(change: StateChanged) -> str:
    if change.outcome is None:
        return change.state.value
    failure = change.outcome.failure
    return f"{change.state.value}: {failure.kind if failure else change.outcome.stop.value}"


def statuses(effects: Effects) -> list[tuple[str, str]]:
    """The states of tool calls that are told, each with the call's id."""
    reports = of(effects, ToolReport)
    return [(report.call_id, report.fields["status"].value) for report in reports if "status" in report.fields]


def names(effects: Effects) -> list[str]:
    """The types of the effects."""
    return [type(effect).__name__ for effect in effects]
