"""Claude Code's greeting is read once; a version that is too old is refused by name."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.claude.features import MINIMUM_VERSION, ClaudeHello, read_hello, version_tuple
from adapter.shared.jsonrpc.errors import ClaudeFailure

PATH = "/opt/claude"


def greeting(**fields: Any) -> dict[str, Any]:
    return {"claude_code_version": "2.1.332", **fields}


def test_the_greeting_is_read() -> None:
    answer = greeting(
        commands=[{"name": "compact"}],
        models=[{"value": "default"}, {"value": "opus"}],
        account={"apiKeySource": "ANTHROPIC_API_KEY"},
        current_permission_mode="plan",
    )
    assert read_hello(answer, PATH) == ClaudeHello(
        commands=({"name": "compact"},),
        models=({"value": "default"}, {"value": "opus"}),
        account={"apiKeySource": "ANTHROPIC_API_KEY"},
        permission_mode="plan",
        version="2.1.332",
    )


@pytest.mark.parametrize("value", [None, "text", 1, {}, [], [1, "x", None]])
def test_lists_of_another_form_count_as_empty(value: Any) -> None:
    hello = read_hello(greeting(commands=value, models=value), PATH)
    assert (hello.commands, hello.models) == ((), ())


def test_what_is_absent_has_its_default() -> None:
    assert read_hello(greeting(), PATH) == ClaudeHello((), (), {}, "default", "2.1.332")


def test_the_first_version_that_will_do() -> None:
    assert MINIMUM_VERSION == (2, 1, 270)


@pytest.mark.parametrize("version", ["2.1.270", "2.1.1000", "2.2.0", "3.0.0", "10.0.0-beta.1", "2.1.270 (Claude Code)"])
def test_a_version_that_will_do(version: str) -> None:
    assert read_hello(greeting(claude_code_version=version), PATH).version == version


@pytest.mark.parametrize(
    ("version", "shown"),
    [
        ("2.1.269", "2.1.269"),
        ("2.0.999", "2.0.999"),
        ("1.9.9", "1.9.9"),
        (None, "unknown"),
        ("", "unknown"),
        ("x", "x"),
    ],
)
def test_a_version_that_is_too_old_is_refused_with_the_path_and_the_one_needed(version: Any, shown: str) -> None:
    with pytest.raises(ClaudeFailure) as raised:
        read_hello(greeting(claude_code_version=version), PATH)
    text = f"Claude Code at /opt/claude is version {shown}; this adapter needs 2.1.270 or later"
    data = {"path": PATH, "version": shown, "needed": "2.1.270"}
    assert raised.value == ClaudeFailure("cli_too_old", text, data)


def test_a_greeting_without_a_version_is_too_old() -> None:
    with pytest.raises(ClaudeFailure, match="is version unknown"):
        read_hello({}, PATH)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("2.1.332", (2, 1, 332)), ("2.1.332-rc", (2, 1, 332)), ("2.1", (0, 0, 0)), ("v2.1.3", (0, 0, 0)), ("", (0, 0, 0))],
)
def test_a_version_is_three_numbers(text: str, numbers: tuple[int, int, int]) -> None:
    assert version_tuple(text) == numbers
