"""Read: the path with its lines, and what came back."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.tools.facts import Block, InputFacts, Location, ResultFacts, Text, ToolKind
from adapter.shared.tools.families import family_of
from shared.tools.contexts import FIELDS, PLAIN, failed, ran

READ = family_of("Read")
IMAGE = {"type": "image", "source": {"type": "base64", "data": "AA==", "media_type": "image/png"}}


@pytest.mark.parametrize("tool_input", [{}, {"file_path": None}, {"file_path": "", "offset": 3}])
def test_a_file_that_is_not_known_yet(tool_input: dict[str, Any]) -> None:
    assert READ.describe("Read", tool_input, PLAIN) == InputFacts("Read File", ToolKind.READ, locations=())


@pytest.mark.parametrize(
    ("lines", "shown", "line"),
    [
        ({}, "", 1),
        ({"offset": 1}, "", 1),
        ({"offset": 5}, " (from line 5)", 5),
        ({"limit": 10}, " (1 - 10)", 1),
        ({"offset": 2, "limit": 4}, " (2 - 5)", 2),
        ({"offset": 0, "limit": 4}, " (1 - 4)", 1),
        ({"offset": 7, "limit": 1}, " (7 - 7)", 7),
        ({"limit": 0}, "", 1),
        ({"offset": "5", "limit": "x"}, "", 1),
        ({"offset": True, "limit": False}, "", 1),
        ({"offset": -3}, "", 1),
    ],
)
def test_the_lines_that_are_read(lines: dict[str, Any], shown: str, line: int) -> None:
    facts = READ.describe("Read", {"file_path": "/w/a/b.py", **lines}, PLAIN)
    assert facts == InputFacts(f"Read a/b.py{shown}", ToolKind.READ, locations=(Location("/w/a/b.py", line),))


def test_a_path_elsewhere_is_whole() -> None:
    assert READ.describe("Read", {"file_path": "/etc/hosts"}, PLAIN).title == "Read /etc/hosts"


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        ("     1\ta\n     2\tb", "```\n     1\ta\n     2\tb\n```"),
        ("     1\ta\n     2\t", "```\n     1\ta\n```"),
        ("     1\t```\n     2\tx", "```\n     1\t```\n     2\tx\n```"),
        ("```\nfence\n```", "````\n```\nfence\n```\n````"),
        (None, "```\n\n```"),
        ([{"type": "text", "text": "a"}], "```\na\n```"),
        ([{"type": "text"}], "```\n\n```"),
    ],
)
def test_a_text_is_a_code_block_without_the_empty_last_line(content: Any, shown: str) -> None:
    assert READ.read_result("Read", {}, ran(content), PLAIN) == ResultFacts(content=(Text(shown),))


def test_pictures_are_shown_as_they_are() -> None:
    content = [IMAGE, {"type": "text", "text": "a"}, "text", None]
    assert READ.read_result("Read", {}, ran(content), PLAIN).content == (Block(IMAGE), Text("```\na\n```"))


@pytest.mark.parametrize("context", [PLAIN, FIELDS])
def test_a_failure_is_a_code_block(context: Any) -> None:
    facts = READ.read_result("Read", {}, failed("File does not exist."), context)
    assert facts == ResultFacts(content=(Text("```\nFile does not exist.\n```"),))


def test_a_client_that_gets_each_fact_once_gets_pictures_only() -> None:
    facts = READ.read_result("Read", {}, ran([IMAGE, {"type": "text", "text": "a"}]), FIELDS)
    assert facts == ResultFacts(content=(Block(IMAGE),), raw=False)
    assert READ.read_result("Read", {}, ran("text"), FIELDS) == ResultFacts(raw=False)


def test_a_document_is_named_and_is_no_picture() -> None:
    document = {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "AAAA"}}
    content = [{"type": "text", "text": "PDF file read"}, document]
    facts = READ.read_result("Read", {}, ran(content), PLAIN)
    assert facts.content == (Text("```\nPDF file read\n```"), Block(document))
    assert READ.read_result("Read", {}, ran(content), FIELDS) == ResultFacts(raw=False)
