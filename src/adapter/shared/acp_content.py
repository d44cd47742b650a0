"""Neutral tool content and locations as ACP's content blocks; the parts that v1 and v2 share."""

from __future__ import annotations

from collections.abc import Iterable

from adapter.shared.tools.facts import Json, Location
from adapter.shared.tools.text import string


def text_block(text: str) -> Json:
    """An ACP text block."""
    return {"type": "text", "text": text}


def content_block(block: Json) -> Json:
    """A content block of Claude's as one of ACP's; a kind that ACP lacks becomes a line of text that names it."""
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
    return text_block(f"[{string(block.get('type')) or 'unknown content'}]")


def locations(places: Iterable[Location]) -> list[Json]:
    """ACP's `ToolCallLocation`s."""
    return [{"path": place.path, **({"line": place.line} if place.line else {})} for place in places]
