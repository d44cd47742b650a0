"""Recordings are written and read back, and what is no recording is named."""

from __future__ import annotations

import json

import pytest

from adapter.conformance.recording import Entry, Recording, RecordingError, introduced, parse_recording

from .samples import answered, asked, recording, said


def test_a_recording_is_read_back_as_it_was() -> None:
    entries = (asked(1, "initialize"), Entry(0.5, ">raw", "{"), said("ä"))
    made = recording(*entries, failed="it broke", exit_status=None, files={"a": "b"}, agent={"name": "x"})
    assert parse_recording(made.text(), "x") == made
    assert made.name == "hello.plain"


def test_the_header_and_the_lines_have_the_documented_form() -> None:
    lines = [json.loads(line) for line in recording(Entry(0.12345, "<", {"id": 1, "result": {}})).text().splitlines()]
    header = {"format": 1, "scenario": "hello", "profile": "plain", "agent": {}, "failed": None, "exit": 0, "files": {}}
    assert lines == [header, [0.123, "<", {"id": 1, "result": {}}]]


def test_a_header_without_a_format_is_of_the_first() -> None:
    read = parse_recording('{"scenario": "hello", "profile": "v2", "failed": null, "exit": 0}\n', "x")
    assert read == Recording("hello", "v2", ())


@pytest.mark.parametrize("text", ["", "{", "[]", '{"scenario": "a"}', '{"scenario": "a", "profile": "b"}\n[1, 2]'])
def test_what_is_no_recording_is_named(text: str) -> None:
    with pytest.raises(RecordingError, match=r"x\.jsonl is no recording"):
        parse_recording(text, "x.jsonl")


def test_a_later_format_is_refused() -> None:
    with pytest.raises(RecordingError, match="format 2"):
        parse_recording('{"format": 2, "scenario": "a", "profile": "b"}', "x")


def test_an_agent_is_known_by_its_introduction() -> None:
    hello = answered(1, agentInfo={"name": "x", "version": "2", "title": "X"})
    assert introduced((asked(1, "initialize"), hello)) == {"name": "x", "version": "2"}
    assert introduced((answered(1, info={"name": "y"}),)) == {"name": "y"}
    assert introduced((Entry(0, ">raw", "{"), answered(1))) == {}
