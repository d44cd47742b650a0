"""Inputs of a session as JSON lines, so that a session can be replayed byte for byte without Claude Code or a client.

The first line says what the session was made with; each further one is an input. It holds everything that was said.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from adapter.shared import inputs
from adapter.shared.inputs import (
    FileChanged,
    Input,
    PermissionAsked,
    ProcessEnded,
    ProcessStarted,
    PromptReceived,
    SessionOpened,
    SteerReceived,
)
from adapter.shared.jsonrpc.errors import AdapterBug, ClaudeFailure
from adapter.shared.tools.facts import FileSnapshot, Json

INPUT_TYPES: dict[str, type[Any]] = {
    name: value
    for name, value in vars(inputs).items()
    if isinstance(value, type) and dataclasses.is_dataclass(value) and value.__module__ == inputs.__name__
}


def input_to_json(event: Input) -> Json:
    """An input as a JSON object: `{"frame": …}` or `{"input": its type, …its fields}`."""
    if isinstance(event, dict):
        return {"frame": event}
    fields = {field.name: _to_json(getattr(event, field.name)) for field in dataclasses.fields(event)}
    return {"input": type(event).__name__, **fields}


def input_from_json(line: Json) -> Input:
    """The input that `input_to_json` gave.

    Raises:
        AdapterBug: The line is of a type that this version does not know.
    """
    if "input" not in line:
        frame: Json = line["frame"]
        return frame
    fields = {name: value for name, value in line.items() if name != "input"}
    kind = INPUT_TYPES.get(line["input"])
    if kind is None:
        raise AdapterBug(f"a recording with the unknown input {line['input']}")
    restore = RESTORERS.get(kind)
    event: Input = kind(**(restore(fields) if restore is not None else fields))
    return event


def _to_json(value: Any) -> Any:
    if isinstance(value, ClaudeFailure):
        return {"kind": value.kind, "message": value.message, "data": value.data}
    if isinstance(value, FileSnapshot):
        return {"state": value.state, "text": value.text}
    return list(value) if isinstance(value, tuple) else value


def _restore_prompt(fields: Json) -> Json:
    return {**fields, **{name: tuple(fields.get(name, ())) for name in ("content", "blocks", "notices")}}


def _restore_opening(fields: Json) -> Json:
    return {**fields, "notices": tuple(fields["notices"]), "subagents": tuple(fields.get("subagents", ()))}


def _restore_question(fields: Json) -> Json:
    return {**fields, "before": FileSnapshot(**fields["before"])}


def _restore_change(fields: Json) -> Json:
    return {**fields, "after": FileSnapshot(**fields["after"])}


def _restore_start(fields: Json) -> Json:
    served = fields.get("served")
    return {**fields, "served": None if served is None else tuple(served)}


def _restore_end(fields: Json) -> Json:
    return {"failure": ClaudeFailure(**fields["failure"])}


RESTORERS: dict[type[Any], Callable[[Json], Json]] = {
    SessionOpened: _restore_opening,
    PromptReceived: _restore_prompt,
    SteerReceived: _restore_prompt,
    FileChanged: _restore_change,
    PermissionAsked: _restore_question,
    ProcessStarted: _restore_start,
    ProcessEnded: _restore_end,
}
