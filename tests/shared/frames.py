"""Frames of Claude Code: recorded ones, and short ones of each kind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

Frame = dict[str, Any]

RECORDED = Path(__file__).parents[1] / "data" / "frames"


def recorded(name: str) -> list[Frame]:
    """The frames of a recorded session of Claude Code 2.1.332, without its greeting and its `init` frames."""
    return [json.loads(line) for line in (RECORDED / f"{name}.jsonl").read_text("utf-8").splitlines()]


def stream(kind: str, **event: Any) -> Frame:
    """A `stream_event` frame."""
    return {"type": "stream_event", "event": {"type": kind, **event}, "parent_tool_use_id": None}


def delta(kind: str, index: int = 0, **content: Any) -> Frame:
    """A `content_block_delta`."""
    return stream("content_block_delta", index=index, delta={"type": f"{kind}_delta", **content})


def begins(message_id: str = "msg", **usage: int) -> Frame:
    """A `message_start`."""
    return stream("message_start", message={"id": message_id, "model": "opus", "usage": usage})


def block(content: Any, index: int = 0) -> Frame:
    """A `content_block_start`."""
    return stream("content_block_start", index=index, content_block=content)


def assistant(*content: Any, message_id: str = "msg", parent: str | None = None, **more: Any) -> Frame:
    """An `assistant` frame."""
    message = {"id": message_id, "content": list(content)}
    return {"type": "assistant", "message": message, "parent_tool_use_id": parent, **more}


def user(*content: Any, **more: Any) -> Frame:
    """A `user` frame."""
    return {"type": "user", "message": {"role": "user", "content": list(content)}, **more}


def system(subtype: Any, **more: Any) -> Frame:
    """A `system` frame."""
    return {"type": "system", "subtype": subtype, **more}


def text(words: Any) -> Frame:
    """A text block."""
    return {"type": "text", "text": words}


def tool_use(call_id: Any = "c", name: Any = "Bash", **tool_input: Any) -> Frame:
    """A `tool_use` block."""
    return {"type": "tool_use", "id": call_id, "name": name, "input": tool_input}


def tool_result(call_id: Any = "c", content: Any = "ok", **more: Any) -> Frame:
    """A `tool_result` block."""
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}
