"""A prompt's content blocks become Claude's, or are refused with the path of the block."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from adapter.shared.claude.content import claude_content, prompt_text, unsent_attachments
from adapter.shared.jsonrpc.errors import ClientMistake
from support.images import gif, jpeg, png, webp

PNG = base64.b64encode(png()).decode()


def text(value: str) -> dict[str, Any]:
    return {"type": "text", "text": value}


def blob(mime_type: str | None, data: bytes | str, uri: str = "file:///w/a%20b.bin") -> dict[str, Any]:
    encoded = data if isinstance(data, str) else base64.b64encode(data).decode()
    kind = {} if mime_type is None else {"mimeType": mime_type}
    return {"type": "resource", "resource": {"uri": uri, "blob": encoded, **kind}}


def refusal(*blocks: dict[str, Any]) -> tuple[int, str, dict[str, Any]]:
    """The code, the message and the data of the error for a prompt."""
    with pytest.raises(ClientMistake) as raised:
        claude_content(blocks)
    assert raised.value.data is not None
    return raised.value.code, raised.value.message, raised.value.data


def test_blocks_keep_their_order() -> None:
    blocks = [text("a"), {"type": "image", "data": PNG, "mimeType": "image/png"}, text("b")]
    source = {"type": "base64", "media_type": "image/png", "data": PNG}
    assert claude_content(blocks) == (text("a"), {"type": "image", "source": source}, text("b"))


@pytest.mark.parametrize("label", ["image/png", "image/jpeg", "image/jpg", "IMAGE/JPG", "image/gif", "image/webp"])
@pytest.mark.parametrize(
    ("data", "media_type"),
    [(png(), "image/png"), (jpeg(), "image/jpeg"), (gif(), "image/gif"), (webp(), "image/webp")],
)
def test_an_image_is_sent_as_what_it_is_whatever_its_label(label: str, data: bytes, media_type: str) -> None:
    encoded = base64.b64encode(data).decode()
    (block,) = claude_content([{"type": "image", "data": encoded, "mimeType": label}])
    assert block["source"] == {"type": "base64", "media_type": media_type, "data": encoded}


def test_a_broken_image_is_refused_with_its_path() -> None:
    cut = base64.b64encode(png()[:-5]).decode()
    message = "is cut off: the end of the image/png image is missing"
    assert refusal(text("a"), {"type": "image", "data": cut, "mimeType": "image/png"}) == (
        -32602,
        f"Invalid params: prompt.1.data {message}",
        {"path": "prompt.1.data", "message": message},
    )
    assert refusal(blob("image/png", cut))[2]["path"] == "prompt.0.resource.blob"


def test_a_broken_document_is_refused_with_its_path() -> None:
    assert refusal(blob("application/pdf", b"PK"))[2] == {
        "path": "prompt.0.resource.blob",
        "message": "is no PDF document",
    }
    assert refusal(blob("application/pdf", ""))[2]["message"] == "must be base64, and not empty"


def test_what_is_not_sent_is_told_to_the_person() -> None:
    blocks = [
        text("a"),
        blob("application/zip", b"PK", "file:///w/a%20b.zip"),
        blob(None, b"x", "urn:x"),
        blob("image/png", PNG),
        blob("application/pdf", b"%PDF-1.4"),
        blob("text/plain; charset=latin-1", b"x"),
        {"type": "resource", "resource": {"uri": "file:///w/b.zip", "text": "x", "mimeType": "application/zip"}},
    ]
    assert unsent_attachments(blocks) == (
        "The content of a b.zip was not sent: Claude cannot read application/zip here.",
        "The content of x was not sent: Claude cannot read application/octet-stream here.",
    )


def test_an_image_of_another_type_is_refused_with_its_path() -> None:
    message = "image/tiff is none of image/gif, image/jpeg, image/png, image/webp"
    assert refusal(text("a"), {"type": "image", "data": PNG, "mimeType": "image/tiff"}) == (
        -32602,
        "Invalid params: an image of type image/tiff cannot be sent",
        {"path": "prompt.1.mimeType", "message": message},
    )


def test_an_image_may_be_a_link() -> None:
    block = {"type": "image", "data": "", "mimeType": "image/png", "uri": "https://example.org/a.png"}
    assert claude_content([block]) == (
        {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}},
    )


def test_the_data_of_an_image_wins_over_its_link() -> None:
    block = {"type": "image", "data": PNG, "mimeType": "image/png", "uri": "https://example.org/a.png"}
    assert claude_content([block])[0]["source"]["data"] == PNG


@pytest.mark.parametrize(
    ("uri", "name", "mention"),
    [
        ("file:///w/a.py", "the file", "[@the file](file:///w/a.py)"),
        ("file:///w/a%20b.py", "", "[@a b.py](file:///w/a%20b.py)"),
        ("file:///w/%C3%BC.txt#L3-5", "", "[@ü.txt](file:///w/%C3%BC.txt#L3-5)"),
        ("file:///C:/a%20b/%C3%BC.txt#L3-5", "", "[@ü.txt](file:///C:/a%20b/%C3%BC.txt#L3-5)"),
        ("file:///w/folder/", "", "[@folder](file:///w/folder/)"),
        ("file:///", "", "[@file:///](file:///)"),
        ("file://[oops", "", "[@file://[oops](file://[oops)"),
        ("https://example.org/x", "page", "https://example.org/x"),
        ("zed:///agent/symbol/x", "", "zed:///agent/symbol/x"),
    ],
)
def test_a_link_is_a_mention(uri: str, name: str, mention: str) -> None:
    assert claude_content([{"type": "resource_link", "uri": uri, "name": name}]) == (text(mention),)


def test_an_embedded_text_is_a_mention_and_its_text() -> None:
    block = {"type": "resource", "resource": {"uri": "file:///w/a.py", "text": "x = 1\n", "mimeType": "text/x-python"}}
    context = '<context ref="file:///w/a.py">\nx = 1\n\n</context>'
    assert claude_content([block]) == (text("[@a.py](file:///w/a.py)"), text(context))


@pytest.mark.parametrize("mime_type", ["application/pdf", "Application/PDF; version=1.7"])
def test_a_pdf_is_a_document(mime_type: str) -> None:
    mention, document = claude_content([blob(mime_type, b"%PDF-1.4", "file:///w/a.pdf")])
    source = {"type": "base64", "media_type": "application/pdf", "data": base64.b64encode(b"%PDF-1.4").decode()}
    assert (mention, document) == (text("[@a.pdf](file:///w/a.pdf)"), {"type": "document", "source": source})


def test_an_image_blob_is_an_image() -> None:
    mention, image = claude_content([blob("image/jpg", PNG, "file:///w/a.jpg")])
    source = {"type": "base64", "media_type": "image/png", "data": PNG}
    assert (mention, image) == (text("[@a.jpg](file:///w/a.jpg)"), {"type": "image", "source": source})


@pytest.mark.parametrize(
    ("mime_type", "data"),
    [
        ("text/plain", "grün".encode()),
        ("text/plain; charset=utf-8", "grün".encode()),
        ("text/plain; charset=iso-8859-1", "grün".encode("latin-1")),
        ('text/csv; header=present; Charset="UTF-16"', "grün".encode("utf-16")),
        ("TEXT/Markdown;charset='latin-1'", "grün".encode("latin-1")),
        ("application/json", "grün".encode()),
        ("application/xml", "grün".encode()),
        ("application/yaml", "grün".encode()),
        ("application/toml", "grün".encode()),
    ],
)
def test_a_text_blob_is_decoded_in_its_charset(mime_type: str, data: bytes) -> None:
    _, context = claude_content([blob(mime_type, data, "file:///w/a")])
    assert context == text('<context ref="file:///w/a">\ngrün\n</context>')


def test_a_text_blob_with_wrong_bytes_is_sent_as_far_as_it_can_be_read() -> None:
    _, context = claude_content([blob("text/plain", b"a\xffb", "u:a")])
    assert context == text('<context ref="u:a">\na\ufffdb\n</context>')


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        (blob("text/plain; charset=klingon", b"x"), "unknown encoding: klingon"),
        (blob("text/plain; charset=hex", b"x"), "is not a text encoding"),
        (blob("text/plain", "no base64!"), "Only base64 data is allowed"),
        (blob("text/plain", "YQ"), "padding"),
    ],
)
def test_a_text_blob_that_cannot_be_decoded_is_refused(block: dict[str, Any], reason: str) -> None:
    code, message, data = refusal(text("a"), block)
    assert (code, data["path"]) == (-32602, "prompt.1")
    assert reason in data["message"]
    assert reason in message


@pytest.mark.parametrize(
    "block",
    [
        blob("text/plain", "é"),
        blob("text/plain; charset=undefined", b"x"),
        blob("text/plain; charset=idna", b"\xff"),
        blob("text/plain; charset=a\0b", b"x"),
    ],
)
def test_a_resource_that_cannot_be_read_is_the_clients_mistake(block: dict[str, Any]) -> None:
    code, _, data = refusal(block)
    assert (code, data["path"][:8]) == (-32602, "prompt.0")


@pytest.mark.parametrize(
    ("mime_type", "shown"), [("application/zip", "application/zip"), (None, "application/octet-stream")]
)
def test_a_blob_that_claude_cannot_read_is_named(mime_type: str | None, shown: str) -> None:
    note = f"(its content, of type {shown}, cannot be read here and was not sent)"
    assert claude_content([blob(mime_type, b"PK")]) == (text(f"[@a b.bin](file:///w/a%20b.bin) {note}"),)


def test_audio_is_refused_with_its_path() -> None:
    assert refusal(text("a"), {"type": "audio", "data": "", "mimeType": "audio/wav"}) == (
        -32602,
        "Invalid params: this agent takes no content of type audio",
        {"path": "prompt.1.type", "message": "audio is not supported"},
    )


def test_an_empty_prompt_is_refused() -> None:
    data = {"path": "prompt", "message": "at least one content block is needed"}
    assert refusal() == (-32602, "Invalid params: the prompt is empty", data)


def test_the_text_of_a_prompt_is_that_of_its_text_blocks() -> None:
    link = {"type": "resource_link", "uri": "file:///a", "name": "a"}
    assert prompt_text([text("one"), link, text("two")]) == "one\ntwo"
    assert prompt_text([link]) == ""


@pytest.mark.parametrize("data", ["", "!!!", "YQ", "Y Q=="])
def test_an_image_needs_data(data: str) -> None:
    with pytest.raises(ClientMistake) as raised:
        claude_content([{"type": "image", "data": data, "mimeType": "image/png"}])
    assert (raised.value.data or {})["path"] == "prompt.0.data"


@pytest.mark.parametrize("uri", ["file:///etc/hostname", "ftp://host/a.png", "/a.png"])
def test_a_link_to_an_image_is_one_that_claude_can_open(uri: str) -> None:
    with pytest.raises(ClientMistake) as raised:
        claude_content([{"type": "image", "data": "", "uri": uri, "mimeType": "image/png"}])
    assert (raised.value.data or {})["path"] == "prompt.0.uri"


def test_a_command_of_an_mcp_server_goes_by_claude_codes_name() -> None:
    blocks = [{"type": "text", "text": "/mcp:lab:greet Ada"}, {"type": "text", "text": "/mcp:lab:greet"}]
    assert claude_content(blocks) == (text("/lab:greet (MCP) Ada"), text("/mcp:lab:greet"))
