"""Errors by party, and the one function that turns any of them into a JSON-RPC error object.

This is the only module that knows numeric codes (ACP schema, `ErrorCode`; JSON-RPC 2.0, section 5.1).
"""

from __future__ import annotations

from typing import Any

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
AUTH_REQUIRED = -32000
RESOURCE_NOT_FOUND = -32002
UNSUPPORTED_PROTOCOL_VERSION = -32022
REQUEST_CANCELLED = -32800

RESUME_FAILED = "resume_failed"
AUTH_ERROR_KINDS = frozenset({"authentication_failed", "oauth_org_not_allowed"})


class ClientMistake(Exception):
    """The client sent something that cannot be served; the message says what to change.

    Args:
        code: A JSON-RPC error code.
        message: One sentence for a person.
        data: Machine-readable details, sent as the error's `data`.
    """

    def __init__(self, code: int, message: str, data: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ClientMistake) and error_object(self) == error_object(other)

    __hash__ = Exception.__hash__


class ClaudeFailure(Exception):
    """Claude Code or its API failed; `kind` is sent as `data.errorKind`.

    Args:
        kind: One of Claude Code's `assistant.error` values (protocol: authentication_failed, billing_error, rate_limit,
            overloaded, invalid_request, model_not_found, server_error, max_output_tokens, unknown …), or one of ours:
            `process_exited`, `start_failed`, `resume_failed`, `cli_too_old`, `control_failed`.
        message: The text that Claude Code gave, or ours if it gave none.
        data: Further details beside `errorKind`.
    """

    def __init__(self, kind: str, message: str, data: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.data = data or {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ClaudeFailure) and error_object(self) == error_object(other)

    __hash__ = Exception.__hash__


class AdapterBug(Exception):
    """Something that cannot happen did; the log has the traceback, the wire a plain sentence."""


def resume_failed(session_id: str, why: ClaudeFailure) -> ClaudeFailure:
    """Claude Code could not be started again on a session's transcript; `data.cause` is the kind of the failure."""
    message = f"the session {session_id} cannot be resumed: {why.message}"
    return ClaudeFailure(RESUME_FAILED, message, {**why.data, "cause": why.kind, "sessionId": session_id})


def not_taken(state: str) -> ClaudeFailure:
    """A prompt that Claude Code has not taken in and will not, with the state that it gave it."""
    return ClaudeFailure("unknown", f"Claude Code did not take the prompt: {state}")


def error_object(error: BaseException) -> dict[str, Any]:
    """The JSON-RPC error object `{code, message, data?}` for any exception."""
    if isinstance(error, ClientMistake):
        return {"code": error.code, "message": error.message, **({"data": error.data} if error.data else {})}
    if isinstance(error, ClaudeFailure):
        data = {"errorKind": error.kind, **error.data}
        if error.kind in AUTH_ERROR_KINDS:
            return {"code": AUTH_REQUIRED, "message": f"Authentication required: {error.message}", "data": data}
        if error.kind == RESUME_FAILED:
            return {"code": RESOURCE_NOT_FOUND, "message": f"Resource not found: {error.message}", "data": data}
        return {"code": INTERNAL_ERROR, "message": f"Internal error: {error.message}", "data": data}
    return {
        "code": INTERNAL_ERROR,
        "message": "Internal error: a fault in the adapter; its log on stderr has the details",
    }


def parse_error(reason: str) -> ClientMistake:
    """The line is not JSON, not UTF-8, or too long."""
    return ClientMistake(PARSE_ERROR, "Parse error", {"message": reason})


def invalid_request(message: str) -> ClientMistake:
    """JSON, but not a JSON-RPC message, or not one that may come now."""
    return ClientMistake(INVALID_REQUEST, f"Invalid request: {message}")


def method_not_found(method: str) -> ClientMistake:
    """A method that this agent does not serve."""
    return ClientMistake(METHOD_NOT_FOUND, f'"Method not found": {method}', {"method": method})


def invalid_params(message: str, data: dict[str, Any] | None = None) -> ClientMistake:
    """Parameters of the wrong shape or value."""
    return ClientMistake(INVALID_PARAMS, f"Invalid params: {message}" if message else "Invalid params", data)


def invalid_field(path: str, message: str, summary: str = "") -> ClientMistake:
    """-32602 for one field, which `data.path` names; `summary` is the error's own text, if it is not `message`."""
    return invalid_params(summary or message, {"path": path, "message": message})


def unknown_session(session_id: str) -> ClientMistake:
    """A session id that this connection does not know."""
    return ClientMistake(RESOURCE_NOT_FOUND, "Resource not found", {"sessionId": session_id})


def unsupported_version(requested: object, supported: list[int]) -> ClientMistake:
    """No common protocol version."""
    data = {"requested": requested, "supported": supported}
    return ClientMistake(UNSUPPORTED_PROTOCOL_VERSION, "Unsupported protocol version", data)


def request_cancelled(message: str = "Request cancelled") -> ClientMistake:
    """The request was cancelled before it was served."""
    return ClientMistake(REQUEST_CANCELLED, message)
