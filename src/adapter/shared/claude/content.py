"""A prompt's ACP content blocks as Claude's."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any
from urllib.parse import unquote, urlsplit

from adapter.shared.claude.images import check_pdf, image_type
from adapter.shared.commands import as_typed
from adapter.shared.jsonrpc.errors import invalid_field
from adapter.shared.tools.facts import Json

IMAGE_TYPES = frozenset({"image/jpg", "image/jpeg", "image/png", "image/gif", "image/webp"})
KNOWN_IMAGES = "image/gif, image/jpeg, image/png, image/webp"
PDF = "application/pdf"
TEXT_TYPES = ("text/", "application/json", "application/xml", "application/yaml", "application/toml")


def claude_content(blocks: Sequence[Json]) -> tuple[Json, ...]:
    """The content of Claude's user message.

    Raises:
        ClientMistake: A block cannot be sent; `data.path` names it.
    """
    content = tuple(item for index, block in enumerate(blocks) for item in _claude_blocks(block, f"prompt.{index}"))
    if not content:
        raise invalid_field("prompt", "at least one content block is needed", "the prompt is empty")
    first = content[0]
    return ({**first, "text": as_typed(first["text"])}, *content[1:]) if first["type"] == "text" else content


def prompt_text(blocks: Sequence[Json]) -> str:
    """The text of a prompt's text blocks, for a title."""
    return "\n".join(block["text"] for block in blocks if block["type"] == "text")


def unsent_attachments(blocks: Sequence[Json]) -> tuple[str, ...]:
    """What of a prompt Claude gets by name only, each in a sentence for the person who attached it."""
    resources = [block["resource"] for block in blocks if block["type"] == "resource"]
    return tuple(
        f"The content of {_file_name(resource['uri']) or resource['uri']} was not sent: "
        f"Claude cannot read {_media_type(resource)} here."
        for resource in resources
        if not isinstance(resource.get("text"), str) and not _is_readable(_media_type(resource))
    )


def _claude_blocks(block: Json, path: str) -> list[Json]:
    kind = block["type"]
    if kind == "text":
        return [_text(block["text"])]
    if kind == "image":
        return [_image(block, path)]
    if kind == "resource_link":
        return [_text(_mention(block["uri"], block.get("name")))]
    if kind == "resource":
        return _resource(block["resource"], path)
    raise invalid_field(f"{path}.type", f"{kind} is not supported", f"this agent takes no content of type {kind}")


def _text(text: str) -> Json:
    return {"type": "text", "text": text}


def _image(block: Json, path: str) -> Json:
    if not block.get("data") and isinstance(block.get("uri"), str):
        if not block["uri"].startswith(("http://", "https://")):
            message = "an image without data needs an http or https uri"
            raise invalid_field(f"{path}.uri", message, f"{path}.uri: {message}")
        return {"type": "image", "source": {"type": "url", "url": block["uri"]}}
    if block["mimeType"].lower() not in IMAGE_TYPES:
        message = f"{block['mimeType']} is none of {KNOWN_IMAGES}"
        raise invalid_field(f"{path}.mimeType", message, f"an image of type {block['mimeType']} cannot be sent")
    return _base64_image(block["data"], f"{path}.data")


def _base64_image(data: str, path: str) -> Json:
    media_type = image_type(_bytes(data, path), path)
    return {"type": "image", "source": {"type": "base64", "media_type": media_type, "data": data}}


def _bytes(data: str, path: str) -> bytes:
    try:
        decoded = base64.b64decode(data, validate=True)
    except ValueError:
        decoded = b""
    if not decoded:
        message = "must be base64, and not empty"
        raise invalid_field(path, message, f"{path}: {message}")
    return decoded


def _resource(resource: Json, path: str) -> list[Json]:
    uri = resource["uri"]
    if isinstance(resource.get("text"), str):
        return _embedded_text(uri, resource["text"])
    bare = _media_type(resource)
    if bare in IMAGE_TYPES:
        return [_text(_mention(uri, None)), _base64_image(resource["blob"], f"{path}.resource.blob")]
    if bare == PDF:
        check_pdf(_bytes(resource["blob"], f"{path}.resource.blob"), f"{path}.resource.blob")
        source = {"type": "base64", "media_type": bare, "data": resource["blob"]}
        return [_text(_mention(uri, None)), {"type": "document", "source": source}]
    if bare.startswith(TEXT_TYPES):
        return _embedded_text(uri, _decoded(resource["blob"], str(resource["mimeType"]), path))
    return [_text(f"{_mention(uri, None)} (its content, of type {bare}, cannot be read here and was not sent)")]


def _media_type(resource: Json) -> str:
    """Its type without parameters; one that says nothing may be anything."""
    return str(resource.get("mimeType") or "application/octet-stream").split(";", 1)[0].strip().lower()


def _is_readable(media_type: str) -> bool:
    return media_type in IMAGE_TYPES or media_type == PDF or media_type.startswith(TEXT_TYPES)


def _embedded_text(uri: str, text: str) -> list[Json]:
    return [_text(_mention(uri, None)), _text(f'<context ref="{uri}">\n{text}\n</context>')]


def _decoded(blob: str, mime_type: str, path: str) -> str:
    charset = "utf-8"
    for parameter in mime_type.split(";")[1:]:
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "charset":
            charset = value.strip(" \"'")
    try:
        return base64.b64decode(blob, validate=True).decode(charset, "replace")
    except (ValueError, LookupError) as error:
        raise invalid_field(path, str(error), f"the resource cannot be decoded: {error}") from None


def _mention(uri: str, name: Any) -> str:
    """A file as a Markdown link, which Claude reads as a reference; any other URI as it is."""
    if not uri.startswith("file://"):
        return uri
    return f"[@{name or _file_name(uri) or uri}]({uri})"


def _file_name(uri: str) -> str:
    try:
        return unquote(urlsplit(uri).path).rstrip("/").rpartition("/")[2]
    except ValueError:
        return ""
