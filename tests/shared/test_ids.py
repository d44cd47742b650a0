"""Ids are fresh UUIDs; times are in UTC, as the protocol writes them."""

from __future__ import annotations

import re
import uuid
from datetime import UTC, datetime

from adapter.shared.ids import Sources, fresh_uuid, now_text


def test_ids_are_random_uuids() -> None:
    first, second = fresh_uuid(), fresh_uuid()
    assert first != second
    assert uuid.UUID(first).version == 4
    assert str(uuid.UUID(first)) == first


def test_a_time_has_milliseconds_and_a_z() -> None:
    text = now_text()
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", text)
    assert abs((datetime.now(UTC) - datetime.fromisoformat(text)).total_seconds()) < 60


def test_the_sources_of_a_connection_are_those() -> None:
    assert Sources() == Sources(uuid=fresh_uuid, now=now_text)
