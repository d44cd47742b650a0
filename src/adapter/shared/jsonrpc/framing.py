"""Newline framing: chunks of bytes in, whole lines out, with a bound on the length of one line."""

from __future__ import annotations

MAX_LINE_BYTES = 64 * 1024 * 1024


class OverlongLine:
    """Stands in the output of `LineFramer.push` where a line was dropped because it was longer than the limit."""


OVERLONG = OverlongLine()


class LineFramer:
    """Splits a byte stream at newlines in time linear in its length.

    Args:
        limit: The longest line, in bytes without its newline. A longer one is discarded as it comes and reported once.
    """

    def __init__(self, limit: int = MAX_LINE_BYTES) -> None:
        self._limit = limit
        self._parts: list[bytes] = []
        self._size = 0
        self._skipping = False

    def push(self, chunk: bytes) -> list[bytes | OverlongLine]:
        """Take the next chunk; return the lines that it completed, in order, without their newlines."""
        pieces = chunk.split(b"\n")
        rest = pieces.pop()
        lines: list[bytes | OverlongLine] = []
        if pieces:
            self._keep(pieces[0])
            lines.append(self._take())
            lines.extend(piece if len(piece) <= self._limit else OVERLONG for piece in pieces[1:])
        if rest:
            self._keep(rest)
        return lines

    def flush(self) -> bytes | OverlongLine | None:
        """The unterminated last line of a stream that has ended, if any."""
        return self._take() if self._parts or self._skipping else None

    def _keep(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size > self._limit:
            self._parts.clear()
            self._skipping = True
        elif piece:
            self._parts.append(piece)

    def _take(self) -> bytes | OverlongLine:
        line: bytes | OverlongLine = OVERLONG if self._skipping else b"".join(self._parts)
        self._parts.clear()
        self._size = 0
        self._skipping = False
        return line
