"""Neutral tool content and locations as ACP's content blocks; the parts that v1 and v2 share."""

from __future__ import annotations

from collections.abc import Iterable

from adapter.shared.tools.facts import Json, Location
from adapter.shared.tools.text import string


def text_block(text: str) -> Json:
    """An ACP text block."""
    return {"type": "text", "text": text}


def content_block(block: Json) -> Json:
    """A content block of Claude's or of an MCP server's as one of ACP's.

    A kind that ACP lacks becomes a line of text that names it.
    """
    source = block.get("source")
    if block.get("type") == "image" and isinstance(source, dict):
        if source.get("type") == "base64":
            return {
                "type": "image",
                "data": string(source.get("data")),
                "mimeType": string(source.get("media_type")) or "image/png",
            }
        return text_block(f"[image: {string(source.get('url')) or 'a file'}]")
    if block.get("type") == "text":
        return text_block(string(block.get("text")))
    if block.get("type") == "document" and isinstance(source, dict):
        return text_block(_document(string(block.get("title")), source))
    return _mcp_block(block) or text_block(f"[{string(block.get('type')) or 'unknown content'}]")


def _document(title: str, source: Json) -> str:
    named = f'document "{title}"' if title else "document"
    data, media_type = string(source.get("data")), string(source.get("media_type")) or "unknown type"
    if source.get("type") != "base64":
        return f"[{named}: {media_type}]"
    size = len(data) * 3 // 4 - data.count("=", -2)
    return f"[{named}: {media_type}, {size} B]"


def _mcp_block(block: Json) -> Json | None:
    """MCP's content blocks are ACP's, if they have what ACP demands."""
    kind, mime_type = block.get("type"), string(block.get("mimeType"))
    data = string(block.get("data"))
    if kind in {"image", "audio"} and data and mime_type:
        return {"type": kind, "data": data, "mimeType": mime_type}
    if kind == "resource_link" and string(block.get("uri")):
        uri = string(block.get("uri"))
        return {
            "type": "resource_link",
            "uri": uri,
            "name": string(block.get("name")) or uri,
            **({"mimeType": mime_type} if mime_type else {}),
        }
    resource = block.get("resource")
    if kind == "resource" and isinstance(resource, dict) and string(resource.get("uri")):
        return _embedded(resource)
    return None


def _embedded(resource: Json) -> Json | None:
    body = "text" if isinstance(resource.get("text"), str) else "blob"
    if not isinstance(resource.get(body), str):
        return None
    mime_type = string(resource.get("mimeType"))
    shown = {"uri": resource["uri"], body: resource[body], **({"mimeType": mime_type} if mime_type else {})}
    return {"type": "resource", "resource": shown}


def locations(places: Iterable[Location]) -> list[Json]:
    """ACP's `ToolCallLocation`s."""
    return [{"path": place.path, **({"line": place.line} if place.line else {})} for place in places]
