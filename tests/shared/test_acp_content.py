"""Claude's content blocks as ACP's: nothing is dropped without a word."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.acp_content import content_block, locations, text_block
from adapter.shared.tools.facts import Location


@pytest.mark.parametrize(
    ("block", "shown"),
    [
        ({"type": "text", "text": "a", "citations": []}, {"type": "text", "text": "a"}),
        ({"type": "text"}, {"type": "text", "text": ""}),
        (
            {"type": "image", "source": {"type": "base64", "data": "AA==", "media_type": "image/gif"}},
            {"type": "image", "data": "AA==", "mimeType": "image/gif"},
        ),
        (
            {"type": "image", "source": {"type": "base64", "data": "AA=="}},
            {"type": "image", "data": "AA==", "mimeType": "image/png"},
        ),
        (
            {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}},
            {"type": "text", "text": "[image: https://example.org/a.png]"},
        ),
        ({"type": "image", "source": {"type": "file"}}, {"type": "text", "text": "[image: a file]"}),
        ({"type": "image"}, {"type": "text", "text": "[image]"}),
        (
            {
                "type": "document",
                "title": "a",
                "source": {"type": "base64", "media_type": "application/pdf", "data": "AAA="},
            },
            {"type": "text", "text": '[document "a": application/pdf, 2 B]'},
        ),
        (
            {"type": "document", "source": {"type": "url", "url": "https://example.org"}},
            {"type": "text", "text": "[document: unknown type]"},
        ),
        ({"type": "document"}, {"type": "text", "text": "[document]"}),
        (
            {"type": "image", "data": "AA==", "mimeType": "image/png"},
            {"type": "image", "data": "AA==", "mimeType": "image/png"},
        ),
        (
            {"type": "audio", "data": "AA==", "mimeType": "audio/wav", "x": 1},
            {"type": "audio", "data": "AA==", "mimeType": "audio/wav"},
        ),
        ({"type": "audio", "data": "AA=="}, {"type": "text", "text": "[audio]"}),
        (
            {"type": "resource_link", "uri": "file:///a", "mimeType": "text/plain"},
            {"type": "resource_link", "uri": "file:///a", "name": "file:///a", "mimeType": "text/plain"},
        ),
        (
            {"type": "resource_link", "uri": "file:///a", "name": "a"},
            {"type": "resource_link", "uri": "file:///a", "name": "a"},
        ),
        ({"type": "resource_link"}, {"type": "text", "text": "[resource_link]"}),
        (
            {"type": "resource", "resource": {"uri": "file:///a", "text": "", "mimeType": "text/plain"}},
            {"type": "resource", "resource": {"uri": "file:///a", "text": "", "mimeType": "text/plain"}},
        ),
        (
            {"type": "resource", "resource": {"uri": "file:///a", "blob": "AA=="}},
            {"type": "resource", "resource": {"uri": "file:///a", "blob": "AA=="}},
        ),
        ({"type": "resource", "resource": {"uri": "file:///a"}}, {"type": "text", "text": "[resource]"}),
        ({"type": "resource", "resource": {}}, {"type": "text", "text": "[resource]"}),
        ({"type": "search_result", "text": "x"}, {"type": "text", "text": "[search_result]"}),
        ({"type": 1}, {"type": "text", "text": "[unknown content]"}),
        ({}, {"type": "text", "text": "[unknown content]"}),
    ],
)
def test_a_block_is_shown_or_named(block: dict[str, Any], shown: dict[str, Any]) -> None:
    assert content_block(block) == shown


def test_a_text_is_a_block() -> None:
    assert text_block("a") == {"type": "text", "text": "a"}


def test_a_location_has_its_line_if_there_is_one() -> None:
    assert locations([Location("/a", 3), Location("/b")]) == [{"path": "/a", "line": 3}, {"path": "/b"}]
