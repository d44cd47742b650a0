"""Tools that the model's servers run: what they are given, and what came back."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.tools.facts import Block, InputFacts, ResultFacts, Text, ToolKind, ToolResult
from adapter.shared.tools.families import family_of
from adapter.shared.tools.families.server import server_result
from shared.tools.contexts import FIELDS, PLAIN, ran

HIT = {"type": "web_search_result", "title": "ACP", "url": "https://a.org"}


def read(content: Any, name: str = "code_execution", failed: bool = False) -> ResultFacts:
    return family_of(name).read_result(name, {}, ToolResult(content, failed), PLAIN)


@pytest.mark.parametrize(
    ("name", "tool_input", "title", "kind"),
    [
        ("web_search", {"query": "acp"}, 'Search "acp"', ToolKind.FETCH),
        ("web_fetch", {"url": "https://a.org"}, "Fetch https://a.org", ToolKind.FETCH),
        ("code_execution", {}, "Run code", ToolKind.EXECUTE),
        ("bash_code_execution", {"command": "ls"}, "ls", ToolKind.EXECUTE),
        ("bash_code_execution", {}, "Run a command", ToolKind.EXECUTE),
        ("text_editor_code_execution", {"command": "view", "path": "/a"}, "View /a", ToolKind.READ),
        ("text_editor_code_execution", {"command": "create", "path": "/a"}, "Create /a", ToolKind.EDIT),
        ("text_editor_code_execution", {"command": "str_replace", "path": "/a"}, "Edit /a", ToolKind.EDIT),
        ("text_editor_code_execution", {}, "Edit a file", ToolKind.EDIT),
        ("tool_search_tool_regex", {"pattern": "w.*"}, "Find tools: w.*", ToolKind.SEARCH),
        ("tool_search_tool_bm25", {"query": "weather"}, "Find tools: weather", ToolKind.SEARCH),
        ("tool_search_tool_bm25", {}, "Find tools", ToolKind.SEARCH),
        ("advisor", {}, "Ask the advisor", ToolKind.THINK),
        ("brand_new", {"a": 1}, "brand_new", ToolKind.OTHER),
    ],
)
def test_a_tool_is_shown_by_what_it_is_given(name: str, tool_input: dict[str, Any], title: str, kind: ToolKind) -> None:
    assert family_of(name).describe(name, tool_input, PLAIN) == InputFacts(title, kind)


def test_code_is_shown_where_input_is_copied() -> None:
    describe = family_of("code_execution").describe
    assert describe("code_execution", {"code": "print(1)"}, PLAIN).content == (Text("```\nprint(1)\n```"),)
    assert describe("code_execution", {"code": "print(1)"}, FIELDS).content == ()


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        ([HIT, {**HIT, "title": "B"}], "ACP (https://a.org)\nB (https://a.org)"),
        ([{"type": "text", "text": "echoed"}], "echoed"),
        ({"type": "web_fetch_result", "url": "https://a.org"}, "Fetched: https://a.org"),
        ({"type": "code_execution_result", "stdout": "1\n", "stderr": "w", "return_code": 0}, "```console\n1\nw\n```"),
        ({"type": "bash_code_execution_result", "stdout": "", "return_code": 2}, "```console\nExit code 2\n```"),
        ({"type": "text_editor_code_execution_view_result", "content": "line"}, "```\nline\n```"),
        ({"type": "text_editor_code_execution_create_result", "is_file_update": False}, "File created"),
        ({"type": "text_editor_code_execution_create_result", "is_file_update": True}, "File updated"),
        (
            {"type": "text_editor_code_execution_str_replace_result", "lines": ["-x", "+y"]},
            "```diff\n-x\n+y\n```",
        ),
        (
            {
                "type": "tool_search_tool_search_result",
                "tool_references": [{"type": "tool_reference", "tool_name": "get"}],
            },
            "Tool: get",
        ),
        ({"type": "advisor_result", "text": "Do it."}, "Do it."),
        ({"type": "web_search_tool_result_error", "error_code": "max_uses"}, "```\nError: max_uses\n```"),
        ({"type": "x_error", "error_message": "gone"}, "```\nError: unknown - gone\n```"),
        ({"type": "brand_new", "a": "ü"}, '```json\n{\n  "type": "brand_new",\n  "a": "ü"\n}\n```'),
    ],
)
def test_what_came_back_is_put_in_words(content: Any, shown: str) -> None:
    assert read(content) == ResultFacts(content=(Text(shown),))
    assert read(content, "brand_new") == ResultFacts(content=(Text(shown),))


@pytest.mark.parametrize(
    "content",
    [
        {"type": "code_execution_result", "stdout": "", "stderr": ""},
        {"type": "text_editor_code_execution_str_replace_result"},
        [],
        "",
    ],
)
def test_nothing_that_came_back_is_nothing(content: Any) -> None:
    assert read(content) == ResultFacts(content=())


def test_what_is_for_the_model_only_is_not_shown_raw() -> None:
    facts = read({"type": "advisor_redacted_result", "encrypted_content": "x"}, "advisor")
    assert facts == ResultFacts(
        content=(Text("The advisor has answered; its words are for the model only."),), raw=False
    )


def test_a_failure_of_a_server_is_a_code_block() -> None:
    assert read([{"type": "text", "text": "bad"}], failed=True) == ResultFacts(content=(Text("```\nbad\n```"),))


@pytest.mark.parametrize(
    ("more", "failed"),
    [
        ({"content": [HIT]}, False),
        ({"content": {"type": "web_search_tool_result_error"}}, True),
        ({"content": {"type": "code_execution_result", "return_code": 0}}, False),
        ({"content": {"type": "code_execution_result", "return_code": 1}}, True),
        ({"content": [], "is_error": True}, True),
        ({"content": [], "is_error": None}, False),
    ],
)
def test_a_result_block_of_a_message_says_whether_it_failed(more: dict[str, Any], failed: bool) -> None:
    block = {"type": "web_search_tool_result", "tool_use_id": "s1", **more}
    assert server_result(block) == ToolResult(more["content"], failed)


@pytest.mark.parametrize(
    "block",
    [
        {"type": "text", "tool_use_id": "s1"},
        {"type": "tool_result", "tool_use_id": "s1"},
        {"type": "web_search_tool_result"},
        {"type": "web_search_tool_result", "tool_use_id": 7},
        {"type": None, "tool_use_id": "s1"},
    ],
)
def test_other_blocks_are_no_results(block: dict[str, Any]) -> None:
    assert server_result(block) is None


def test_a_picture_of_a_servers_mcp_tool_is_a_picture() -> None:
    picture = {"type": "image", "source": {"type": "base64", "data": "AA=="}}
    assert family_of("echo").read_result("echo", {}, ran([picture]), PLAIN).content == (Block(picture),)
