"""Open requests, in both directions, so that each gets exactly one answer by structure."""

from __future__ import annotations

from typing import Generic, TypeVar

from adapter.shared.jsonrpc.errors import AdapterBug
from adapter.shared.jsonrpc.messages import RequestId

Entry = TypeVar("Entry")


class PendingRequests(Generic[Entry]):
    """A table of open requests. An entry is consumed by its answer; a second answer finds none."""

    def __init__(self) -> None:
        self._entries: dict[RequestId, Entry] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, identity: RequestId) -> bool:
        return identity in self._entries

    def open(self, identity: RequestId, entry: Entry) -> None:
        """Record a request.

        Raises:
            AdapterBug: The id is open already.
        """
        if identity in self._entries:
            raise AdapterBug(f"request {identity!r} is open already")
        self._entries[identity] = entry

    def get(self, identity: RequestId) -> Entry | None:
        """The entry of an open request, which stays open."""
        return self._entries.get(identity)

    def consume(self, identity: RequestId) -> Entry | None:
        """Close a request and return its entry; `None` if it is not open (answered before, or never made)."""
        return self._entries.pop(identity, None)

    def drain(self) -> list[tuple[RequestId, Entry]]:
        """Close all, oldest first."""
        entries = list(self._entries.items())
        self._entries.clear()
        return entries
