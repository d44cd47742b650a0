"""A tool's input while it streams: what is complete of it so far, found without reading it all again at each piece."""

from __future__ import annotations

import re
from typing import Any

from pydantic_core import from_json

EAGER_BYTES = 4096
GROWTH = 1.5
WORK = 8
"""How many times the size of a long input is parsed at most, all parses together."""
ESCAPE = re.compile(r"\\.", re.DOTALL)


class PartialInput:
    """The JSON text of one tool input as it arrives.

    While the text is short it is parsed at each piece. Later it is parsed after it has grown by half, and where a piece
    begins or ends a string, because a value may be complete there: that only within `WORK`, so the work stays linear.
    """

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._size = 0
        self._next_parse = 0
        self._parsed = 0
        self._escapes = False
        self._known: dict[str, Any] = {}

    def push(self, piece: str) -> dict[str, Any] | None:
        """Add a piece; return the complete top-level values if there are more than at the last call."""
        self._pieces.append(piece)
        self._size += len(piece)
        quoted = self._has_quote(piece)
        affordable = self._parsed + self._size <= WORK * self._size
        if self._size < self._next_parse and not (quoted and affordable):
            return None
        if self._size > EAGER_BYTES:
            self._parsed += self._size
            self._next_parse = int(self._size * GROWTH)
        text = "".join(self._pieces)
        self._pieces = [text]
        complete = _complete_values(text)
        if len(complete) <= len(self._known):
            return None
        self._known = complete
        return complete

    def _has_quote(self, piece: str) -> bool:
        """Whether a piece has a quote that no backslash escapes; inside of a string there is none."""
        bare = ESCAPE.sub("", "\\" + piece if self._escapes else piece)
        self._escapes = bare.endswith("\\")
        return '"' in bare


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
