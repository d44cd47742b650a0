"""The client of tests: it also checks every message against the schema of its version."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adapter.conformance.client import AcpClient as Client
from adapter.conformance.exchange import ClientError, Exchange
from support.schemas import SchemaChecker

if TYPE_CHECKING:
    from adapter.conformance.traffic import Message

__all__ = ["AcpClient", "ClientError", "Exchange"]


class AcpClient(Client):
    """A client that takes no invalid message; its arguments are those of its base."""

    strict = True

    def __init__(self, *arguments: Any, version: int = 1, **options: Any) -> None:
        self._checker = SchemaChecker(version)
        super().__init__(*arguments, version=version, **options)

    def check_sent(self, message: Message) -> None:
        """Tells the checker what an answer will be about."""
        self._checker.client_sent(message)

    def check_received(self, message: Message) -> str | None:
        """What the schema says against a message."""
        try:
            self._checker.agent_sent(message)
        except AssertionError as error:
            return str(error)
        return None
