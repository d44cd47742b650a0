"""The options that a client may send, as they come."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.jsonrpc.errors import ClientMistake
from adapter.shared.wire.claude_options import ClaudeOptions, SystemPrompt, read_claude_options, read_system_prompt


def test_nothing_is_sent() -> None:
    assert read_claude_options(None, "o") == (ClaudeOptions(), [])
    assert read_claude_options({"model": None, "tools": None}, "o") == (ClaudeOptions(), [])


def test_names_are_those_of_the_typescript_sdk() -> None:
    sent, unknown = read_claude_options({"maxTurns": 2, "max_turns": 3, "zeta": 1, "alpha": None}, "o")
    assert sent.max_turns == 2
    assert unknown == ["max_turns", "zeta"]


@pytest.mark.parametrize(
    ("options", "path"),
    [
        ("x", "o"),
        ({"env": {"A": 1}}, "o.env"),
        ({"allowedTools": "Read"}, "o.allowedTools"),
        ({"maxTurns": 0}, "o.maxTurns"),
        ({"maxTurns": True}, "o.maxTurns"),
        ({"effort": "enormous"}, "o.effort"),
        ({"plugins": [{"type": "remote", "path": "x"}]}, "o.plugins"),
    ],
)
def test_a_wrong_type_is_the_clients_mistake(options: Any, path: str) -> None:
    with pytest.raises(ClientMistake) as raised:
        read_claude_options(options, "o")
    assert raised.value.data is not None
    assert raised.value.data["path"] == path


def test_a_system_prompt_is_a_text_or_an_object() -> None:
    assert read_system_prompt(None, "m.systemPrompt") is None
    assert read_system_prompt("x", "m.systemPrompt") == "x"
    assert read_system_prompt({"append": "x"}, "m.systemPrompt") == SystemPrompt(append="x")
    with pytest.raises(ClientMistake) as raised:
        read_system_prompt(5, "m.systemPrompt")
    assert raised.value.data is not None
    assert raised.value.data["path"] == "m.systemPrompt"
