from __future__ import annotations

from typing import Any

import pytest

from adapter.scripted.script import GivenBlock, ScriptError, Step, TextBlock, ThinkingBlock, ToolBlock, parse_scripts


def test_parses_every_kind_of_block() -> None:
    blocks = [
        {"thinking": "hm"},
        {"text": "yes"},
        {"tool": "Bash", "input": {"command": "ls"}, "id": "toolu_x"},
        {"given": {"type": "x"}},
    ]
    scripts = parse_scripts({"a": [{"blocks": blocks}]})
    assert scripts["a"][0].blocks == (
        ThinkingBlock("hm"),
        TextBlock("yes"),
        ToolBlock("Bash", {"command": "ls"}, "toolu_x"),
        GivenBlock({"type": "x"}),
    )


def test_parses_every_field_of_a_step() -> None:
    values: dict[str, Any] = {
        "delay": 1.5,
        "chunk_delay": 0.1,
        "error": {"type": "overloaded_error"},
        "status": 529,
        "stop": "refusal",
        "usage": {"input_tokens": 7},
        "output_tokens": 3,
    }
    assert parse_scripts({"a": [values]})["a"] == (Step(**values),)


@pytest.mark.parametrize(
    ("scripts", "message"),
    [
        ({"a": [{"blocks": [{"text": "x"}]}, {}]}, "script 'a', step 1: A step needs blocks or an error"),
        ({"a": [{"bloks": []}]}, "script 'a', step 0, bloks: Unexpected"),
        ({"a": [{"blocks": [{"text": "x"}, {"image": 1}]}]}, "script 'a', step 0, blocks.1: A block is one of"),
        ({"a": [{"blocks": [{"tool": "Bash"}]}]}, "script 'a', step 0, blocks.0.tool.input: Field required"),
        ({"a": [{"blocks": [{"text": "x", "extra": 1}]}]}, "script 'a', step 0, blocks.0.text.extra: Unexpected"),
        ({"a": [{"blocks": [{"text": "x"}], "delay": "soon"}]}, "script 'a', step 0, delay: "),
        ({"b": {"blocks": []}}, "script 'b': "),
        ([], "scripts: "),
    ],
)
def test_names_the_place_of_a_mistake(scripts: Any, message: str) -> None:
    with pytest.raises(ScriptError) as raised:
        parse_scripts(scripts)
    assert str(raised.value).startswith(message)


def test_names_every_mistake() -> None:
    with pytest.raises(ScriptError, match=r"script 'a', step 0.*; script 'b', step 1"):
        parse_scripts({"a": [{}], "b": [{"error": {}}, {}]})
