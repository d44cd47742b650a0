"""The client's pipe: order, batches, merging for a slow reader, and both of its ends, on real pipes."""

from __future__ import annotations

import asyncio
import os
import threading
from typing import TYPE_CHECKING, Any

import anyio
import orjson
import pytest
from anyio.lowlevel import checkpoint

from adapter.shared.jsonrpc import stdio
from adapter.shared.jsonrpc.stdio import Mergeable, StdioLink
from shared.jsonrpc.pipes import FILLER, SECONDS, Client, fall_behind, start

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.anyio


class Piece:
    """A piece of a text; pieces of one text can be merged."""

    def __init__(self, name: str, text: str) -> None:
        self._name = name
        self._text = text
        self.size = len(text)

    def merge(self, later: Mergeable) -> bool:
        if not isinstance(later, Piece) or later._name != self._name:
            return False
        self._text += later._text
        self.size += later.size
        return True

    def encode(self) -> bytes:
        return orjson.dumps([self._name, self._text]) + b"\n"


@pytest.fixture
def client() -> Iterator[Client]:
    client = Client()
    yield client
    client.close()


def parsed(lines: list[bytes]) -> list[Any]:
    return [orjson.loads(line) for line in lines]


async def test_chunks_arrive_in_order_and_the_end_is_told_once(client: Client) -> None:
    _, heard = start(client)
    data = b"".join(b"%d\n" % number for number in range(100_000))
    await client.says(data)
    client.hangs_up()
    await heard.until(lambda: heard.ends)
    assert heard.data == data
    assert (heard.ends, heard.breaks) == (1, 0)


async def test_a_line_of_10_megabytes_passes_both_ways(client: Client) -> None:
    link, heard = start(client)
    line = b"a" * 10_000_000 + b"\n"
    await client.says(line)
    await heard.until(lambda: len(heard.data) == len(line))
    link.send(line)
    assert heard.data == line
    assert await client.reads() == [line]


async def test_messages_leave_in_the_order_of_send(client: Client) -> None:
    link, _ = start(client)
    sent = [b"%d %s\n" % (number, b"x" * (number * 37 % 5000)) for number in range(600)]
    for number, line in enumerate(sent):
        link.send(line)
        if number % 50 == 0:
            await checkpoint()
    assert await client.reads(len(sent)) == sent


async def test_what_waits_goes_out_in_one_write(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    writes: list[bytes] = []
    real_write = os.write

    def write(descriptor: int, data: Any) -> int:
        if descriptor == client.link_writes:
            writes.append(bytes(data))
        return real_write(descriptor, data)

    link, _ = start(client)
    monkeypatch.setattr(os, "write", write)
    for line in (b"1\n", b"2\n", b"3\n"):
        link.send(line)
    await client.reads(3)
    assert writes == [b"1\n2\n3\n"]


async def test_a_message_is_not_held_back_for_others(client: Client) -> None:
    link, _ = start(client)
    for number in range(3):
        link.send(Piece("a", str(number)))
        assert parsed(await client.reads()) == [["a", str(number)]]
        await link.drained()


async def test_messages_of_one_moment_are_not_merged_for_a_reader_that_keeps_up(client: Client) -> None:
    link, _ = start(client)
    link.send(Piece("a", "1"))
    link.send(Piece("a", "2"))
    assert parsed(await client.reads(2)) == [["a", "1"], ["a", "2"]]


async def test_pieces_are_merged_while_the_reader_is_behind_and_the_text_is_whole(client: Client) -> None:
    link, _ = start(client)
    await fall_behind(link)
    text = "".join(chr(0x61 + number % 26) for number in range(5000))
    for letter in text:
        link.send(Piece("a", letter))
    assert await client.reads(2) == [FILLER, orjson.dumps(["a", text]) + b"\n"]


async def test_the_next_pieces_are_not_merged_once_the_reader_has_caught_up(client: Client) -> None:
    link, _ = start(client)
    await fall_behind(link)
    link.send(Piece("a", "1"))
    await client.reads(2)
    await link.drained()
    link.send(Piece("a", "2"))
    link.send(Piece("a", "3"))
    assert parsed(await client.reads(2)) == [["a", "2"], ["a", "3"]]


async def test_only_neighbours_of_one_text_are_merged(client: Client) -> None:
    link, _ = start(client)
    await fall_behind(link)
    link.send(b'"first"\n')
    for name, text in ("a1", "a2", "b1", "a3"):
        link.send(Piece(name, text))
    link.send(b'"between"\n')
    link.send(Piece("a", "4"))
    await client.reads()
    assert parsed(await client.reads(6)) == ["first", ["a", "12"], ["b", "1"], ["a", "3"], "between", ["a", "4"]]


async def test_everything_is_drained_once_it_is_written(client: Client) -> None:
    link, _ = start(client)
    with anyio.fail_after(SECONDS):
        await link.drained()
    await fall_behind(link)
    link.send(b"last\n")
    with anyio.move_on_after(0.05) as waiting:
        await link.drained()
    assert waiting.cancelled_caught
    await client.reads(2)
    with anyio.fail_after(SECONDS):
        await link.drained()


async def test_a_message_is_not_drained_before_it_is_sent(client: Client) -> None:
    link, _ = start(client)
    link.send(b"line\n")
    assert not link._drained.is_set()
    with anyio.fail_after(SECONDS):
        await link.drained()
    assert await client.reads() == [b"line\n"]


async def test_sources_wait_while_too_much_waits_and_go_on_when_it_is_written(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stdio, "CONGESTED_BYTES", 10)
    link, _ = start(client)
    await fall_behind(link)
    link.send(Piece("a", "12345"))
    link.send(b"6789\n")
    with anyio.fail_after(SECONDS):
        await link.relieved()
    link.send(Piece("a", "x"))
    with anyio.move_on_after(0.05) as waiting:
        await link.relieved()
    assert waiting.cancelled_caught
    await client.reads(4)
    with anyio.fail_after(SECONDS):
        await link.relieved()


async def test_a_backlog_that_was_written_counts_no_more(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stdio, "CONGESTED_BYTES", 10)
    link, _ = start(client)
    for _ in range(3):
        await fall_behind(link)
        link.send(b"12345678\n")
        assert link._relieved.is_set()
        await client.reads(2)
        await link.drained()


async def test_merged_pieces_count_into_the_backlog(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stdio, "CONGESTED_BYTES", 10)
    link, _ = start(client)
    await fall_behind(link)
    for _ in range(11):
        link.send(Piece("a", "x"))
    assert not link._relieved.is_set()
    await client.reads(2)


def test_64_mebibytes_may_wait() -> None:
    assert stdio.CONGESTED_BYTES == 64 * 1024 * 1024


async def test_a_client_that_reads_no_more_is_told_once_and_nothing_waits_for_it(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stdio, "CONGESTED_BYTES", 10)
    link, heard = start(client)
    await fall_behind(link)
    link.send(b"more than ten bytes\n")
    client.stops_reading()
    await heard.until(lambda: heard.breaks)
    link.send(b"later\n")
    with anyio.fail_after(SECONDS):
        await link.drained()
        await link.relieved()
    assert (heard.breaks, link._waiting) == (1, [])


async def test_a_pipe_that_cannot_be_read_has_ended(client: Client) -> None:
    heard_ends = asyncio.Event()
    link = StdioLink(client.link_writes, client.link_writes)
    link.start(lambda _chunk: None, heard_ends.set, lambda: None)
    with anyio.fail_after(SECONDS):
        await heard_ends.wait()


def test_a_reader_thread_ends_in_silence_when_the_loop_has_closed(client: Client) -> None:
    async def serve() -> None:
        start(client)

    before = set(threading.enumerate())
    asyncio.run(serve())
    (reader,) = [thread for thread in threading.enumerate() if thread not in before and "reader" in thread.name]
    client.write(b"too late\n")
    client.hangs_up()
    reader.join(SECONDS)
    assert not reader.is_alive()
