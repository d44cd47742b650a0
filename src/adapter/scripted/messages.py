"""An answer as the Messages API writes it: one message, or the server-sent events that stream it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from adapter.scripted.script import GivenBlock, TextBlock, ThinkingBlock, ToolBlock

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.scripted.answers import Answer

_WORDS = re.compile(r"\S+\s*|\s+")
_JSON_PIECE = 24
_SIGNATURE = "c2ln"


class Event(NamedTuple):
    """A server-sent event, and the seconds to wait after it."""

    name: str
    data: dict[str, Any]
    pause: float = 0


def message(answer: Answer, model: str | None) -> dict[str, Any]:
    """The whole message, for a request that does not stream."""
    content = _content(answer)
    usage = {**_usage(answer), "output_tokens": answer.step.output_tokens}
    return _envelope(answer, model, content=content, stop_reason=_stop_reason(answer), usage=usage)


def events(answer: Answer, model: str | None) -> Iterator[Event]:
    """The events that stream the message: texts word by word, tool inputs in pieces."""
    opening = _envelope(answer, model, content=[], stop_reason=None, usage=_usage(answer))
    yield Event("message_start", {"message": opening})
    for index, block in enumerate(_content(answer)):
        empty, deltas = _pieces(block)
        yield Event("content_block_start", {"index": index, "content_block": empty})
        pause = answer.step.chunk_delay if block["type"] == "text" else 0
        for delta in deltas:
            yield Event("content_block_delta", {"index": index, "delta": delta}, pause)
        yield Event("content_block_stop", {"index": index})
    end = {"stop_reason": _stop_reason(answer), "stop_sequence": None}
    yield Event("message_delta", {"delta": end, "usage": {"output_tokens": answer.step.output_tokens}})
    yield Event("message_stop", {})


def _envelope(answer: Answer, model: str | None, **fields: Any) -> dict[str, Any]:
    ids = {"id": f"msg_{answer.tag}", "type": "message", "role": "assistant", "model": model}
    return {**ids, "stop_sequence": None, **fields}


def _content(answer: Answer) -> list[dict[str, Any]]:
    content: list[dict[str, Any]] = []
    for index, block in enumerate(answer.step.blocks):
        match block:
            case TextBlock(text):
                content.append({"type": "text", "text": text})
            case ThinkingBlock(thinking):
                content.append({"type": "thinking", "thinking": thinking, "signature": _SIGNATURE})
            case ToolBlock(tool, tool_input, own_id):
                tool_id = own_id or f"toolu_{answer.tag}_{index}"
                content.append({"type": "tool_use", "id": tool_id, "name": tool, "input": tool_input})
            case GivenBlock(given):
                content.append(given)
    return content


def _pieces(block: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The empty block that opens the stream of a block, and the deltas that fill it."""
    if block["type"] == "text":
        words = [{"type": "text_delta", "text": word} for word in _WORDS.findall(block["text"])]
        return {"type": "text", "text": ""}, words
    if block["type"] == "thinking":
        thought = {"type": "thinking_delta", "thinking": block["thinking"]}
        signature = {"type": "signature_delta", "signature": block["signature"]}
        return {"type": "thinking", "thinking": "", "signature": ""}, [thought, signature]
    if "input" not in block:
        return block, []
    text = json.dumps(block["input"])
    starts = range(0, len(text), _JSON_PIECE)
    deltas = [{"type": "input_json_delta", "partial_json": text[start : start + _JSON_PIECE]} for start in starts]
    return {**block, "input": {}}, deltas


def _usage(answer: Answer) -> dict[str, Any]:
    usual = {"input_tokens": 100, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 1}
    return {**usual, **answer.step.usage}


def _stop_reason(answer: Answer) -> str:
    uses_tools = any(isinstance(block, ToolBlock) for block in answer.step.blocks)
    return answer.step.stop or ("tool_use" if uses_tools else "end_turn")
