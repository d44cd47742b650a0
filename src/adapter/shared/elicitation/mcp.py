"""Forms and pages of MCP servers: Claude Code's `elicitation` control request, and the sign-in at a server."""

from __future__ import annotations

from typing import Any

from adapter.shared.elicitation.requests import Asker, Elicitation, accepted_content, is_declined
from adapter.shared.tools.facts import Json
from adapter.shared.tools.text import string

DECLINED: Json = {"action": "decline"}
CANCELLED: Json = {"action": "cancel"}


def server_request(key: str, request: Json, modes: frozenset[str]) -> Elicitation | None:
    """What an MCP server asks.

    Args:
        key: The control request's id.
        request: `{mcp_server_name, message, mode: "form", requested_schema, property_order?}` or `{mode: "url", url,
            elicitation_id}`.
        modes: What the client can show: form, url.

    Returns:
        `None` if the client cannot show it.
    """
    mode = string(request.get("mode")) or "form"
    message = string(request.get("message")) or f"{string(request.get('mcp_server_name'))} asks for your input"
    if mode not in modes:
        return None
    if mode == "url":
        url, identity = string(request.get("url")), string(request.get("elicitation_id"))
        if not url or not identity:
            return None
        return Elicitation(key, Asker.MCP_SERVER, message, url=url, elicitation_id=identity)
    schema = _form_schema(request.get("requested_schema"), request.get("property_order"))
    return Elicitation(key, Asker.MCP_SERVER, message, schema=schema) if schema is not None else None


def server_answer(result: Any, *, failed: bool) -> Json:
    """The `elicitation` response for what the client said; an answer that is none counts as cancelled."""
    content = None if failed else accepted_content(result)
    if content is not None:
        return {"action": "accept", **({"content": content} if content else {})}
    return DECLINED if not failed and is_declined(result) else CANCELLED


def sign_in_page(key: str, elicitation_id: str, server: str, url: str) -> Elicitation:
    """The page on which the person signs in at an MCP server."""
    message = f"Authenticate with MCP server {server}"
    return Elicitation(key, Asker.SIGN_IN, message, url=url, elicitation_id=elicitation_id, asked={"server": server})


def _form_schema(schema: Any, order: Any) -> Json | None:
    """The server's schema as ACP's, which has the same form; its fields in the order that the server gave them."""
    if not isinstance(schema, dict) or not isinstance(schema.get("properties"), dict):
        return None
    properties: Json = schema["properties"]
    names = [name for name in order if name in properties] if isinstance(order, list) else []
    names += [name for name in properties if name not in names]
    shown = {name: properties[name] for name in names if _is_field(properties[name])}
    required = schema.get("required")
    needed = [name for name in required if isinstance(name, str)] if isinstance(required, list) else []
    if any(name not in shown for name in needed):
        return None
    texts = {name: schema[name] for name in ("title", "description") if isinstance(schema.get(name), str)}
    return {"type": "object", **texts, "properties": shown, **({"required": needed} if needed else {})}


def _is_field(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("type"), str)
