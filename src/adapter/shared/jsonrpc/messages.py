"""JSON-RPC 2.0 messages: telling requests, notifications and responses apart, and building them."""

from __future__ import annotations

import contextlib
import json
import re
from dataclasses import dataclass
from typing import Any

import orjson

from adapter.shared.jsonrpc.errors import ClientMistake, error_object, invalid_request, parse_error
from adapter.shared.jsonrpc.framing import MAX_LINE_BYTES

Json = dict[str, Any]
RequestId = str | int | None

SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
"""The escape of one half of a character."""


@dataclass(frozen=True, slots=True)
class Request:
    """A call that wants exactly one response. `params` is what the client sent, of any shape."""

    id: RequestId
    method: str
    params: Any


@dataclass(frozen=True, slots=True)
class Notification:
    """A call that wants no response."""

    method: str
    params: Any


@dataclass(frozen=True, slots=True)
class Response:
    """An answer to a request of ours: `error` is the error object, or `None` if it went well."""

    id: RequestId
    result: Any
    error: Json | None


@dataclass(frozen=True, slots=True)
class Malformed:
    """Something that is no message.

    Attributes:
        id: What the error response must carry.
        error: What is wrong with it.
        answers: The request of ours that it tries to answer; `None` if it is no answer.
    """

    id: RequestId
    error: ClientMistake
    answers: RequestId = None


Message = Request | Notification | Response | Malformed


def decode(line: bytes) -> Any:
    """Parse one line. A lone surrogate, which a client makes by cutting a text in mid-character, becomes U+FFFD.

    Raises:
        ClientMistake: -32700 with the reason; invalid UTF-8 included.
    """
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError as error:
        if SURROGATE.search(line):
            with contextlib.suppress(ValueError, RecursionError):
                return without_surrogates(json.loads(line, parse_constant=_no_constant))
        raise parse_error(str(error)) from None


def _no_constant(name: str) -> None:
    """JSON has no NaN and no Infinity, which Python's parser takes."""
    raise ValueError(name)


def classify(value: Any) -> Message:
    """Tell what a decoded JSON value is (JSON-RPC 2.0, sections 4 and 5)."""
    if not isinstance(value, dict):
        return Malformed(None, invalid_request("a message is a JSON object"))
    identity = value.get("id")
    if not _is_id(identity):
        return Malformed(None, invalid_request("`id` must be a string, an integer or null"))
    if value.get("jsonrpc") != "2.0":
        return Malformed(identity, invalid_request('`jsonrpc` must be "2.0"'))
    method = value.get("method")
    if isinstance(method, str):
        params = value.get("params")
        return Request(identity, method, params) if "id" in value else Notification(method, params)
    if "method" in value:
        return Malformed(identity, invalid_request("`method` must be a string"))
    return _answer(identity, value)


def _answer(identity: RequestId, value: Json) -> Message:
    """What a message without a method is. An `error` that is null counts as absent: some clients send both."""
    error = value.get("error")
    if "id" in value and isinstance(error, dict) and "result" not in value:
        return Response(identity, None, error)
    if "id" in value and error is None and "result" in value:
        return Response(identity, value["result"], None)
    reason = invalid_request("a message has a `method`, or an `id` with either a `result` or an `error` object")
    return Malformed(None, reason, answers=identity)


def _is_id(identity: object) -> bool:
    return identity is None or (isinstance(identity, str | int) and not isinstance(identity, bool))


def result_message(identity: RequestId, result: Any) -> Json:
    """A successful response."""
    return {"jsonrpc": "2.0", "id": identity, "result": result}


def error_message(identity: RequestId, error: BaseException) -> Json:
    """An error response."""
    return {"jsonrpc": "2.0", "id": identity, "error": error_object(error)}


def notification_message(method: str, params: Json) -> Json:
    """A notification."""
    return {"jsonrpc": "2.0", "method": method, "params": params}


def request_message(identity: RequestId, method: str, params: Json) -> Json:
    """A request."""
    return {"jsonrpc": "2.0", "id": identity, "method": method, "params": params}


def encode(message: Any) -> bytes:
    """One line, newline included. A lone surrogate in a text becomes U+FFFD, since UTF-8 has no form for it.

    Raises:
        TypeError: A part of it has no form in JSON.
        ValueError: It is longer than a line may be.
    """
    try:
        line = orjson.dumps(message, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError:
        # It also has a limit to the depth, which what Claude Code sends may exceed.
        line = _encode_deep(message)
    if len(line) > MAX_LINE_BYTES:
        raise ValueError(f"a message of {len(line)} bytes is longer than a line may be ({MAX_LINE_BYTES} bytes)")
    return line


def _encode_deep(message: Any) -> bytes:
    try:
        return json.dumps(without_surrogates(message), ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    except RecursionError:
        raise TypeError("a message is nested too deeply") from None


def without_surrogates(value: Any) -> Any:
    """A copy of a JSON value in which each lone surrogate is U+FFFD."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [without_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {without_surrogates(key): without_surrogates(item) for key, item in value.items()}
    return value
