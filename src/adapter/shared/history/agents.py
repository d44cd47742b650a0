"""What a history says of the subagents in it: who launched each, what each was told, and how it ended."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from adapter.shared.history.branch import MESSAGES, Json, blocks_of
from adapter.shared.history.summary import prompt_texts
from adapter.shared.tools.text import string

SYNTHETIC = "<synthetic>"
INTERRUPTED = "[Request interrupted"
NOTIFICATION = re.compile(r"<task-id>(.*?)</task-id>.*?<status>(.*?)</status>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class PastAgent:
    """A subagent that has a transcript of its own, beside that of its session.

    Attributes:
        agent_id: Claude Code's id.
        launch_id: The tool call that launched it first.
        title: What it was launched for.
        agent_type: Claude Code's `subagent_type`.
        entries: Its conversation.
        in_background: Who launched it did not wait for it.
    """

    agent_id: str
    launch_id: str
    title: str
    agent_type: str
    entries: list[Json]
    in_background: bool = False

    @property
    def model(self) -> str:
        """The model that answered last; empty if none has."""
        models = (entry["message"].get("model") for entry in reversed(self.entries) if _is_answer(entry))
        return next((model for model in models if isinstance(model, str) and model != SYNTHETIC), "")

    def delegations(self) -> Iterator[tuple[Json, bool]]:
        """The entries with further messages for it, each with whether it was at rest and began to work anew."""
        rests = False
        for entry in self.entries:
            if is_delegation(entry):
                yield entry, rests
            if entry["type"] in MESSAGES:
                rests = _is_rest(entry)

    def end(self, status: str) -> tuple[str, str]:
        """How its last run ended, in Claude Code's words, with what is said of a failure; empty if it never did.

        Args:
            status: That of the last notification of its end; empty if there is none.
        """
        last = next((entry for entry in reversed(self.entries) if entry["type"] in MESSAGES), None)
        texts = prompt_texts(last) if last is not None else []
        if last is None or (last["type"] == "user" and any(text.startswith(INTERRUPTED) for text in texts)):
            return ("" if last is None else "stopped"), ""
        if last.get("isApiErrorMessage"):
            return "failed", "\n".join(texts)
        return status or ("completed" if _is_rest(last) else ""), ""


@dataclass(frozen=True, slots=True)
class PastCall:
    """A tool call of a history; `agent_id` is that of the subagent that made it, empty for the main conversation."""

    call_id: str
    name: str
    tool_input: Json
    agent_id: str

    def said(self, name: str) -> str:
        """A text of the input; empty if it has none of that name."""
        return string(self.tool_input.get(name))


def is_delegation(entry: Json) -> bool:
    """Whether an entry of a subagent is a message that was sent to it after its launch."""
    origin = entry.get("origin")
    return entry["type"] == "user" and isinstance(origin, dict) and origin.get("kind") == "coordinator"


def calls_of(conversations: Iterable[tuple[str, list[Json]]], names: frozenset[str]) -> dict[str, PastCall]:
    """The calls of these tools, by their ids, in conversations that are each given with its subagent's id."""
    found = (
        PastCall(string(block.get("id")), string(block.get("name")), block["input"], agent_id)
        for agent_id, entries in conversations
        for entry in entries
        if entry["type"] == "assistant"
        for block in blocks_of(entry)
        if block.get("type") == "tool_use" and isinstance(block.get("input"), dict)
    )
    return {call.call_id: call for call in found if call.name in names}


def ends_of(conversations: Iterable[tuple[str, list[Json]]]) -> dict[str, str]:
    """The status of each subagent's end, as the last notification of it says."""
    return {
        found[1]: found[2]
        for _, entries in conversations
        for entry in entries
        for text in _told(entry)
        if "<task-notification>" in text and (found := NOTIFICATION.search(text)) is not None
    }


def _told(entry: Json) -> list[str]:
    attachment: Any = entry.get("attachment")
    if entry["type"] == "user":
        return prompt_texts(entry)
    prompt = attachment.get("prompt") if isinstance(attachment, dict) else None
    return [prompt] if isinstance(prompt, str) else []


def _is_answer(entry: Json) -> bool:
    return entry["type"] == "assistant" and isinstance(entry.get("message"), dict)


def _is_rest(entry: Json) -> bool:
    """Whether the conversation rests here: an answer that calls nothing."""
    return entry["type"] == "assistant" and all(block.get("type") != "tool_use" for block in blocks_of(entry))
