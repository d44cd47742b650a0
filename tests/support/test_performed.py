"""The form of effects in tests."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.updates import Notice
from adapter.shared.v2.encode import V2Encoder
from support.machine import NOW
from support.performed import wire

TEXT = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "x"}}


class Saying:
    """An encoder that says one thing."""

    def updates(self, _update: Any) -> list[dict[str, Any]]:
        """A message without an id, which only v1 knows."""
        return [TEXT]


class SayingOnV2(Saying, V2Encoder):
    """The same of v2."""


def test_what_the_client_would_get_is_checked_in_the_version_of_the_encoder() -> None:
    assert wire(Notice("info", "x"), Saying()) == [{"update": TEXT}]  # type: ignore[arg-type]
    with pytest.raises(AssertionError, match="not a v2 SessionUpdate"):
        wire(Notice("info", "x"), SayingOnV2(lambda: NOW))
