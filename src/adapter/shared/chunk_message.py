"""A text chunk on its way to the client; what waits together is sent together."""

from __future__ import annotations

from adapter.shared.core import Encoder
from adapter.shared.jsonrpc.messages import encode, notification_message
from adapter.shared.jsonrpc.stdio import Mergeable
from adapter.shared.updates import TextChunk

LARGEST_MERGED = 1024 * 1024
"""Characters in one message; far below what a line may hold, whatever they need in JSON."""


class ChunkMessage:
    """A text chunk on its way out; chunks of the same message that wait together become one."""

    __slots__ = ("_encoder", "_texts", "chunk", "session_id", "size")

    def __init__(self, session_id: str, encoder: Encoder, chunk: TextChunk) -> None:
        self.session_id = session_id
        self._encoder = encoder
        self.chunk = chunk
        self._texts: list[str] | None = None
        self.size = len(chunk.text)

    def merge(self, later: Mergeable) -> bool:
        """Take in a later chunk of the same speaker, message and session."""
        if not isinstance(later, ChunkMessage) or later.session_id != self.session_id:
            return False
        mine, other = self.chunk, later.chunk
        if self.size + later.size > LARGEST_MERGED:
            return False
        if mine.message_id != other.message_id or mine.speaker is not other.speaker:
            return False
        if self._texts is None:
            self._texts = [mine.text]
        self._texts.append(other.text)
        self.size += later.size
        return True

    def encode(self) -> bytes:
        """The notification."""
        chunk = self.chunk
        if self._texts is not None:
            chunk = TextChunk(chunk.speaker, chunk.message_id, "".join(self._texts))
        params = {"sessionId": self.session_id, "update": self._encoder.chunk(chunk)}
        return encode(notification_message("session/update", params))
