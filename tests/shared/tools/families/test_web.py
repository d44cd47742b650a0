"""WebFetch and WebSearch: the address or the query, and what came back."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.tools.facts import InputFacts, ResultFacts, Text, ToolKind
from adapter.shared.tools.families import family_of
from shared.tools.contexts import FIELDS, PLAIN, failed, ran


def test_a_fetch_shows_its_address_and_what_is_asked() -> None:
    fetch = family_of("WebFetch")
    tool_input = {"url": "https://example.org/a", "prompt": "What is it?"}
    facts = fetch.describe("WebFetch", tool_input, PLAIN)
    assert facts == InputFacts("Fetch https://example.org/a", ToolKind.FETCH, (Text("What is it?"),))
    assert fetch.describe("WebFetch", tool_input, FIELDS).content == ()
    assert fetch.describe("WebFetch", {}, PLAIN) == InputFacts("Fetch", ToolKind.FETCH)


@pytest.mark.parametrize(
    ("tool_input", "title"),
    [
        ({}, "Web search"),
        ({"query": 'say "hi"'}, 'Search "say "hi""'),
        ({"query": "x", "allowed_domains": ["a.org"]}, 'Search "x"'),
    ],
)
def test_a_search_shows_its_query(tool_input: dict[str, Any], title: str) -> None:
    facts = family_of("WebSearch").describe("WebSearch", tool_input, PLAIN)
    assert facts == InputFacts(title, ToolKind.FETCH)


@pytest.mark.parametrize("tool", ["WebFetch", "WebSearch"])
def test_the_answer_is_the_content(tool: str) -> None:
    family = family_of(tool)
    assert family.read_result(tool, {}, ran("It is an example."), PLAIN).content == (Text("It is an example."),)
    assert family.read_result(tool, {}, failed("403"), PLAIN) == ResultFacts(content=(Text("```\n403\n```"),))


@pytest.mark.parametrize(
    ("structured", "shown"),
    [
        (
            {
                "results": [
                    {"tool_use_id": "s1", "content": [{"title": "A", "url": "https://a.org"}, {"title": "no address"}]},
                    "and so on",
                    7,
                    {"content": "text"},
                ]
            },
            "A (https://a.org)\nand so on",
        ),
        ({"results": []}, "for the model"),
        ({"results": "text"}, "for the model"),
        ("text", "for the model"),
    ],
)
def test_the_hits_are_shown_without_the_words_to_the_model(structured: Any, shown: str) -> None:
    facts = family_of("WebSearch").read_result("WebSearch", {}, ran("for the model", structured), PLAIN)
    assert facts == ResultFacts(content=(Text(shown),))
