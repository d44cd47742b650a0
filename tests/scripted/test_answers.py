from __future__ import annotations

from typing import Any

import pytest

from adapter.scripted.answers import Answer, choose_answer
from adapter.scripted.script import Step, TextBlock, ToolBlock, parse_scripts

Message = dict[str, Any]
SCRIPTS = parse_scripts(
    {
        "one": [{"blocks": [{"text": "first"}]}, {"blocks": [{"text": "second"}]}],
        "two": [{"blocks": [{"text": "other"}]}],
    }
)


def user(content: str | list[Message]) -> Message:
    return {"role": "user", "content": content}


def assistant() -> Message:
    return {"role": "assistant", "content": [{"type": "text", "text": "[[two]] is not named by the user"}]}


def ask(*messages: Message, tools: bool = True, **fields: Any) -> Answer:
    return choose_answer({"messages": list(messages), "tools": [{"name": "Bash"}] if tools else [], **fields}, SCRIPTS)


def text_of(answer: Answer) -> str:
    (block,) = answer.step.blocks
    assert isinstance(block, TextBlock)
    return block.text


@pytest.mark.parametrize(
    ("messages", "tag", "text"),
    [
        ([user("[[one]] go")], "one_0", "first"),
        ([user([{"type": "image"}, {"type": "text", "text": "please [[one]]"}])], "one_0", "first"),
        ([user("[[one]] go"), assistant(), user([{"type": "tool_result", "content": "[[two]]"}])], "one_1", "second"),
        ([user("[[one]] go"), assistant(), user("no name"), assistant(), user("still none")], "one_2", "Done."),
        ([user("[[one]]"), assistant(), user("[[two]]")], "two_0", "other"),
        ([user("[[one]] and [[two]]")], "two_0", "other"),
        ([user("[[three]]")], "three_0", "no script three"),
        ([user("[[three]]"), assistant()], "three_1", "Done."),
        ([user("no name at all")], "plain", "Understood."),
        (
            [user("write a summary of the conversation")],
            "summary",
            "<summary>The user asked for scripted work.</summary>",
        ),
        ([user("[[one]]"), user("[SUGGESTION MODE: what next?]")], "suggest", "run the tests"),
    ],
)
def test_finds_the_step_of_the_latest_named_prompt(messages: list[Message], tag: str, text: str) -> None:
    answer = ask(*messages)
    assert (answer.tag, text_of(answer)) == (tag, text)


def test_a_request_without_tools_gets_a_title() -> None:
    answer = ask(user("[[one]] go"), tools=False)
    assert (answer.tag, text_of(answer)) == ("title", '{"title": "A scripted title", "isNewTopic": true}')


@pytest.mark.parametrize(
    "request_fields", [{"system": "Summarise this"}, {"system": [{"type": "text", "text": "summary"}]}]
)
def test_a_request_without_tools_for_a_summary_gets_one(request_fields: dict[str, Any]) -> None:
    assert ask(user("[[one]]"), tools=False, **request_fields).tag == "summary"


@pytest.mark.parametrize(
    ("placeholder", "said", "filled"),
    [
        (
            "@PLANFILE@",
            'write /a/.claude/plans/old.md\n\nor "/h e/.claude/plans/calm-fox.md"',
            "/.claude/plans/calm-fox.md",
        ),
        ("@PLANFILE@", "nothing", "/nowhere/plan.md"),
        ("@AGENT@", "agentId: a0123456789abcdef, then\na00000000000000ff", "a00000000000000ff"),
        ("@AGENT@", "nothing", "none"),
    ],
)
def test_fills_in_what_the_conversation_names(placeholder: str, said: str, filled: str) -> None:
    scripts = parse_scripts({"p": [{"blocks": [{"tool": "Write", "input": {"to": [placeholder]}}], "delay": 2}]})
    messages = [user("[[p]]"), user([{"type": "tool_result", "content": said}])]
    answer = choose_answer({"messages": messages, "tools": [{}]}, scripts)
    assert answer.step == Step(blocks=(ToolBlock("Write", {"to": [filled]}),), delay=2)


def test_the_plan_file_may_stand_in_the_system_prompt() -> None:
    scripts = parse_scripts({"p": [{"blocks": [{"text": "see @PLANFILE@"}]}]})
    system = [{"type": "text", "text": "The plan file is /home/é/.claude/plans/new.md."}]
    answer = choose_answer({"messages": [user("[[p]]")], "tools": [{}], "system": system}, scripts)
    assert text_of(answer) == "see /home/é/.claude/plans/new.md"
