"""Which step of which script answers a model call."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from adapter.scripted.script import STEP, Scripts, Step, TextBlock

if TYPE_CHECKING:
    from collections.abc import Iterator

_SCRIPT_NAME = re.compile(r"\[\[([\w-]+)\]\]")
_PLAN_FILE = re.compile(r"/[^\s\"'`]+/plans/[\w-]+\.md")
_AGENT_ID = re.compile(r"\b(a[0-9a-f]{16})\b")


@dataclass(frozen=True, slots=True)
class Answer:
    """A step and the tag that its message and tool ids carry (``msg_{tag}``, ``toolu_{tag}_{block}``)."""

    tag: str
    step: Step


def choose_answer(request: dict[str, Any], scripts: Scripts) -> Answer:
    """Finds the answer to the body of a Messages API request.

    Claude Code's own side requests (a title, a summary, a prompt suggestion) get fixed answers. Every other request
    is answered by the script that the latest prompt names as ``[[name]]``; the step is the number of assistant messages
    after that prompt, so a step belongs to a place in the conversation, however often it is asked for.
    """
    messages: list[dict[str, Any]] = request.get("messages", [])
    latest = json.dumps(messages[-1:])
    if not request.get("tools"):
        if "summar" in json.dumps(request.get("system", "")).lower() or "summary" in latest.lower():
            return _summary()
        return _text("title", json.dumps({"title": "A scripted title", "isNewTopic": True}))
    if "[SUGGESTION MODE" in latest:
        return _text("suggest", "run the tests")
    named = _latest_named_prompt(messages)
    if named is not None:
        name, position = named
        index = sum(message["role"] == "assistant" for message in messages[position + 1 :])
        return Answer(f"{name}_{index}", _fill(_step(scripts, name, index), request))
    if "summary" in latest.lower() and "conversation" in latest.lower():
        return _summary()
    return _text("plain", "Understood.")


def _text(tag: str, text: str) -> Answer:
    return Answer(tag, Step(blocks=(TextBlock(text),)))


def _summary() -> Answer:
    return _text("summary", "<summary>The user asked for scripted work.</summary>")


def _latest_named_prompt(messages: list[dict[str, Any]]) -> tuple[str, int] | None:
    for position in range(len(messages) - 1, -1, -1):
        if messages[position]["role"] == "user":
            names = [name for text in _texts(messages[position]["content"]) for name in _SCRIPT_NAME.findall(text)]
            if names:
                return names[-1], position
    return None


def _texts(content: str | list[dict[str, Any]]) -> list[str]:
    if isinstance(content, str):
        return [content]
    return [block.get("text", "") for block in content if block.get("type") == "text"]


def _step(scripts: Scripts, name: str, index: int) -> Step:
    script = scripts.get(name, (Step(blocks=(TextBlock(f"no script {name}"),)),))
    return script[index] if index < len(script) else Step(blocks=(TextBlock("Done."),))


def _fill(step: Step, request: dict[str, Any]) -> Step:
    """Replaces the placeholders of a step by what Claude Code said in the conversation.

    ``@PLANFILE@`` is the plan file that it named last, ``@AGENT@`` the id of the subagent that it launched last.
    """
    text = STEP.dump_json(step).decode()
    messages = request.get("messages", [])
    for placeholder, pattern, source, fallback in (
        ("@PLANFILE@", _PLAN_FILE, [request.get("system"), messages], "/nowhere/plan.md"),
        ("@AGENT@", _AGENT_ID, messages, "none"),
    ):
        if placeholder in text:
            found = [match for string in _strings(source) for match in pattern.findall(string)]
            text = text.replace(placeholder, json.dumps(found[-1] if found else fallback)[1:-1])
    return STEP.validate_json(text)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _strings(item)
