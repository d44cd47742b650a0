"""An open request is consumed by its answer, once."""

from __future__ import annotations

import pytest

from adapter.shared.jsonrpc.errors import AdapterBug
from adapter.shared.jsonrpc.pending import PendingRequests


@pytest.fixture
def pending() -> PendingRequests[str]:
    requests: PendingRequests[str] = PendingRequests()
    requests.open(1, "one")
    requests.open("1", "text one")
    return requests


def test_an_entry_is_consumed_once(pending: PendingRequests[str]) -> None:
    assert pending.consume(1) == "one"
    assert pending.consume(1) is None
    assert pending.consume("1") == "text one"
    assert len(pending) == 0


def test_an_entry_can_be_looked_at(pending: PendingRequests[str]) -> None:
    assert pending.get(1) == "one"
    assert pending.get(2) is None
    assert 1 in pending
    assert 2 not in pending
    assert len(pending) == 2


def test_an_open_id_cannot_be_opened_again(pending: PendingRequests[str]) -> None:
    with pytest.raises(AdapterBug, match=r"^request 1 is open already$"):
        pending.open(1, "again")
    assert pending.consume(1) == "one"
    pending.open(1, "again")
    assert pending.consume(1) == "again"


def test_all_are_closed_oldest_first(pending: PendingRequests[str]) -> None:
    pending.open(None, "none")
    assert pending.drain() == [(1, "one"), ("1", "text one"), (None, "none")]
    assert pending.drain() == []
