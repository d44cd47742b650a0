"""How the client answers the agent's requests.

An answer to a permission request is an option's id, an option's kind, or ``cancelled``; to an elicitation it is
``accept`` (a form is filled in with its first choices), ``decline``, ``cancel``, or a whole result such as
``{"action": "accept", "content": {...}}``. ``hang`` leaves either open; ``{"delay": seconds, "pick": answer}`` waits
before it answers. A message to an MCP server of the client's is answered by ``mcp_echo``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from adapter.conformance import mcp_echo

if TYPE_CHECKING:
    from adapter.conformance.traffic import Message

Answer = str | Mapping[str, Any]

HANG = "hang"
PERMISSION = "session/request_permission"
ELICITATION = "elicitation/create"
MCP = "mcp/message"


class NotOfferedError(ValueError):
    """The agent does not offer what is to be answered.

    Attributes:
        first: The answer with the first of the options that it offers.
    """

    def __init__(self, answer: Answer, options: list[Message]) -> None:
        super().__init__(f"no option {answer!r} among {options!r}")
        self.first: Message = {"outcome": {"outcome": "selected", "optionId": options[0]["optionId"]}}


def split_delay(answer: Answer) -> tuple[Answer, float]:
    """Separates an answer from the seconds to wait before it."""
    if isinstance(answer, Mapping) and "delay" in answer:
        return answer["pick"], answer["delay"]
    return answer, 0.0


def permission_answer(answer: Answer, params: Message) -> Message:
    """The result of a permission request.

    Raises:
        NotOfferedError: No option has the wanted id or kind.
    """
    if answer == "cancelled":
        return {"outcome": {"outcome": "cancelled"}}
    for field in ("optionId", "kind"):
        for option in params["options"]:
            if option[field] == answer:
                return {"outcome": {"outcome": "selected", "optionId": option["optionId"]}}
    raise NotOfferedError(answer, params["options"])


def elicitation_answer(answer: Answer, params: Message) -> Message:
    """The result of an elicitation request."""
    if isinstance(answer, Mapping):
        return dict(answer)
    if answer != "accept" or params.get("mode") != "form":
        return {"action": answer}
    schema = params["requestedSchema"]
    required = schema.get("required", [])
    filled = {name: first_choice(field, name in required) for name, field in schema.get("properties", {}).items()}
    return {"action": "accept", "content": {name: value for name, value in filled.items() if value is not None}}


def server_answer(_answer: Answer, params: Message) -> Message:
    """The result of a request to an MCP server of the client's."""
    return {"result": mcp_echo.result_of(params["method"], params.get("params", {}))}


def first_choice(field: Message, required: bool) -> Any:
    """The first value that a form field allows; None leaves an optional field empty that names no choices."""
    choices = _choices(field)
    if choices:
        return choices[0]
    if field.get("type") == "array":
        return _choices(field["items"])[:1]
    if not required:
        return None
    return {"string": "typed", "boolean": True}.get(field["type"], 1)


def _choices(field: Message) -> list[Any]:
    titled = field.get("oneOf") or field.get("anyOf") or []
    return [choice["const"] for choice in titled] or list(field.get("enum", []))


ANSWERS: dict[str, Callable[[Answer, dict[str, Any]], dict[str, Any]]] = {
    PERMISSION: permission_answer,
    ELICITATION: elicitation_answer,
    MCP: server_answer,
}
