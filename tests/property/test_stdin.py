"""Random bytes on the adapter's stdin: it lives on and serves the client."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.client import AcpClient
from support.place import ADAPTER, Place

if TYPE_CHECKING:
    from collections.abc import Callable

    Connect = Callable[[], AcpClient]

EXAMPLES = 6

fragments = st.sampled_from(
    [b"{", b"}", b"[", b"]", b"null", b'"', b"\\ud800", b"\0", b"\xff", b'{"jsonrpc":"2.0"', b',"id":', b'"method":"x"']
)
lines = st.lists(st.binary(max_size=40) | st.lists(fragments, max_size=8).map(b"".join), max_size=20)


@pytest.fixture(scope="module")
def connect(tmp_path_factory: pytest.TempPathFactory) -> Connect:
    place = Place.make(tmp_path_factory.mktemp("stdin"))
    environment = place.environment(1)
    return lambda: AcpClient(ADAPTER, env=environment, cwd=place.workspace)


@settings(max_examples=EXAMPLES)
@given(sent=lines)
def test_the_adapter_survives_any_bytes(connect: Connect, sent: list[bytes]) -> None:
    with connect() as client:
        for line in sent:
            client.send_raw(line)
        assert client.call("initialize", {"protocolVersion": 1, "clientCapabilities": {}})["protocolVersion"] == 1
        assert client.close() == 0
