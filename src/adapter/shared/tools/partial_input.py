"""A tool's input while it streams: what is complete of it so far, found without reading it all again at each piece."""

from __future__ import annotations

from typing import Any

from pydantic_core import from_json

EAGER_BYTES = 4096
GROWTH = 1.5


class PartialInput:
    """The JSON text of one tool input as it arrives.

    While the text is short it is parsed at each piece, then only after it has grown by half: the work stays linear.
    """

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._size = 0
        self._next_parse = 0
        self._known: dict[str, Any] = {}

    def push(self, piece: str) -> dict[str, Any] | None:
        """Add a piece; return the complete top-level values if there are more than at the last call."""
        self._pieces.append(piece)
        self._size += len(piece)
        if self._size < self._next_parse:
            return None
        if self._size > EAGER_BYTES:
            self._next_parse = int(self._size * GROWTH)
        text = "".join(self._pieces)
        self._pieces = [text]
        complete = _complete_values(text)
        if len(complete) <= len(self._known):
            return None
        self._known = complete
        return complete


def _complete_values(text: str) -> dict[str, Any]:
    try:
        value = from_json(text, allow_partial=True)
    except ValueError:
        return {}
    if not isinstance(value, dict):
        return {}
    last = next(reversed(value), None)
    # A partial parse drops an unfinished string; a number, a list or an object may grow until the next key begins.
    if last is not None and not isinstance(value[last], str) and not _is_whole(text):
        del value[last]
    return value


def _is_whole(text: str) -> bool:
    if not text.rstrip().endswith("}"):
        return False
    try:
        from_json(text)
    except ValueError:
        return False
    return True
