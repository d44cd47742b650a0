"""A client that writes what is no message: a clear error, and the connection goes on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from support.cores import Core, all_cores, v2_cores, versions

from .raw import RawClient

if TYPE_CHECKING:
    from pathlib import Path

LIMIT = 64 * 1024 * 1024
UNKNOWN = {"code": -32002, "message": "Resource not found", "data": {"sessionId": "nobody"}}
CANCEL = b'{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"nobody"}}'


def prompt(number: Any, text: str = "Go") -> bytes:
    """A prompt to a session that does not exist: the agent answers it at once."""
    params = {"sessionId": "nobody", "prompt": [{"type": "text", "text": text}]}
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": "session/prompt", "params": params}).encode()


def check_goes_on(client: RawClient) -> None:
    client.write(prompt(7))
    assert client.read() == {"jsonrpc": "2.0", "id": 7, "error": UNKNOWN}


BAD: dict[str, tuple[bytes, int]] = {
    "a NUL": (prompt(1, "@").replace(b"@", b"\0"), -32700),
    "no JSON": (b"{", -32700),
    "bytes that are no text": (b'"\xff"', -32700),
    "a line over the limit": (b'"' + b"x" * LIMIT + b'"', -32700),
    "nested too deep": (b"[" * 100_000, -32700),
    "an empty batch": (b"[]", -32600),
    "another version": (b'{"jsonrpc":"1.0"}', -32600),
    "no version": (b'{"id":null,"method":"session/prompt"}', -32600),
    "a number": (b"5", -32600),
    "a method that is a number": (b'{"jsonrpc":"2.0","id":null,"method":5}', -32600),
    "an id that is an object": (b'{"jsonrpc":"2.0","id":{},"method":"x"}', -32600),
    "neither a call nor an answer": (b'{"jsonrpc":"2.0","id":null}', -32600),
}


@versions
@pytest.mark.parametrize("what", BAD)
def test_bad_input(tmp_path: Path, core: Core, what: str) -> None:
    line, code = BAD[what]
    with RawClient(tmp_path, core) as client:
        client.write(line)
        answer = client.read()
        assert (answer["id"], answer["error"]["code"]) == (None, code)
        assert answer["error"]["message"]
        check_goes_on(client)


@versions
def test_a_line_of_ten_megabytes_is_served(tmp_path: Path, core: Core) -> None:
    with RawClient(tmp_path, core) as client:
        client.write(prompt(1, "x" * 10_000_000))
        assert client.read()["error"] == UNKNOWN


@versions
def test_half_a_character_does_not_keep_a_request_from_its_answer(tmp_path: Path, core: Core) -> None:
    with RawClient(tmp_path, core) as client:
        client.write(prompt(1, "@").replace(b"@", b"\\ud83d"))
        assert client.read() == {"jsonrpc": "2.0", "id": 1, "error": UNKNOWN}


@versions
def test_what_needs_no_answer_gets_none(tmp_path: Path, core: Core) -> None:
    with RawClient(tmp_path, core) as client:
        client.write(b"")
        client.write(b"   ")
        client.write(b'{"jsonrpc":"2.0","method":"never/seen"}')
        client.write(b'{"jsonrpc":"2.0","method":"session/cancel","params":5}')
        client.write(b'{"jsonrpc":"2.0","id":99,"result":{}}')
        check_goes_on(client)


@all_cores
def test_an_unknown_method_is_named(tmp_path: Path, core: Core) -> None:
    with RawClient(tmp_path, core) as client:
        client.write(b'{"jsonrpc":"2.0","id":"a","method":"never/seen"}')
        answer = client.read()
        assert (answer["id"], answer["error"]["code"]) == ("a", -32601)
        assert answer["error"]["data"] == {"method": "never/seen"}


@versions
def test_an_id_that_is_open_cannot_be_used_again(tmp_path: Path, core: Core) -> None:
    with RawClient(tmp_path, core) as client:
        new = {"jsonrpc": "2.0", "id": 1, "method": "session/new", "params": {"cwd": str(tmp_path), "mcpServers": []}}
        twice = json.dumps(new).encode()
        client.write(
            twice + b"\n" + twice + b"\n" + b'{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":1}}'
        )
        codes = [client.read()["error"]["code"] for _ in range(2)]
        assert codes == [-32600, -32800]


def test_batches_are_refused_on_v1(tmp_path: Path) -> None:
    with RawClient(tmp_path, Core.V1) as client:
        client.write(b"[" + prompt(1) + b"]")
        answer = client.read()
        assert (answer["id"], answer["error"]["code"]) == (None, -32600)
        check_goes_on(client)


@v2_cores
def test_batches_are_served_on_v2(tmp_path: Path, core: Core) -> None:
    entries = [
        prompt(1),
        b'{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"nobody"}}',
        b"5",
        prompt(2),
    ]
    with RawClient(tmp_path, core) as client:
        client.write(b"[" + b",".join(entries) + b"]")
        answers = client.read()
        assert {answer["id"]: answer["error"]["code"] for answer in answers} == {1: -32002, 2: -32002, None: -32600}
        check_goes_on(client)


@v2_cores
def test_a_batch_without_requests_has_no_answer_on_v2(tmp_path: Path, core: Core) -> None:
    with RawClient(tmp_path, core) as client:
        client.write(b"[" + CANCEL + b"]")
        check_goes_on(client)
