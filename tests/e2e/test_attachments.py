"""What is attached to a prompt reaches the model in a form that it takes, or does no harm to the session."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import pytest

from support.images import png, png_size
from support.scenario import run_scenario

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.cli

LARGEST = 5 * 1024 * 1024
"""Bytes of base64 that the API takes for an image."""
WIDEST = 2000
"""Pixels that it takes where a conversation has many images."""


def image(data: bytes, label: str = "image/png") -> dict[str, Any]:
    return {"type": "image", "data": base64.b64encode(data).decode(), "mimeType": label}


def prompt(name: str, *blocks: dict[str, Any]) -> dict[str, Any]:
    return {"do": "prompt", "blocks": [{"type": "text", "text": f"[[{name}]] look"}, *blocks]}


def test_no_image_ruins_a_session(tmp_path: Path) -> None:
    large, wide = png(2000, 3100, noise=True), png(5000, 100)
    assert len(large) > 6_000_000
    refusal = {"type": "invalid_request_error", "message": "Could not process image"}
    scenario = {
        "model": {
            "fine": [{"blocks": [{"text": "Seen."}]}],
            "refuses": [{"error": refusal, "status": 400}] * 2,
            "text": [{"blocks": [{"text": "Still here."}]}],
        },
        "steps": [
            {"do": "new"},
            prompt("fine", image(large), image(wide), image(png(), "image/jpeg")),
            prompt("fine", image(large[:-100])),
            prompt("refuses", image(png())),
            prompt("text"),
        ],
    }
    outcome = run_scenario(scenario, "plain", tmp_path)
    seen, cut, refused, after = outcome.traffic.responses("session/prompt")
    assert [seen["result"]["stopReason"], after["result"]["stopReason"]] == ["end_turn"] * 2
    assert (cut["error"]["code"], cut["error"]["data"]["path"]) == (-32602, "prompt.1.data")
    assert refused["error"]["data"]["errorKind"] == "invalid_request"
    assert outcome.traffic.text().endswith("Still here.")
    asked = [request.body["messages"] for request in outcome.model_requests if request.body.get("tools")]
    sent = [_images(messages) for messages in asked]
    first = sent[0]
    assert len(first) == 3
    assert all(len(source["data"]) <= LARGEST for source in first)
    assert max(png_size(base64.b64decode(first[1]["data"]))) <= WIDEST
    assert first[2]["media_type"] == "image/png"
    assert len(sent[-1]) == 3


def _images(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    blocks = [block for message in messages if isinstance(message["content"], list) for block in message["content"]]
    return [block["source"] for block in blocks if block["type"] == "image"]
