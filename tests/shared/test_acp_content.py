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
