"""Prompts on their way into Claude Code: each is answered when it is inserted, or when it never will be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from adapter.shared.inputs import PromptReceived


@dataclass(frozen=True, slots=True)
class Held:
    """Not written yet: Claude Code is being started, or an interrupt is on its way.

    Attributes:
        lost: It was written to a Claude Code that died before its insertion.
    """

    prompt: PromptReceived
    lost: bool = False


@dataclass(frozen=True, slots=True)
class Written:
    """Written, and not inserted yet.

    Attributes:
        again: For the second time. A prompt that no Claude Code outlives must not be written for ever.
    """

    prompt: PromptReceived
    again: bool = False


Waiting = Held | Written


class Insertions:
    """The prompts of a session that have no answer yet, oldest first.

    Attributes:
        last: The prompt that was inserted last; `None` before the first one.
    """

    def __init__(self) -> None:
        self._waiting: dict[str, Waiting] = {}
        self._dropped: set[str] = set()
        self.last: PromptReceived | None = None

    def add(self, prompt: PromptReceived) -> None:
        """A prompt has come."""
        self._waiting[prompt.uuid] = Held(prompt)

    def held(self) -> list[PromptReceived]:
        """The prompts that wait to be written."""
        return [entry.prompt for entry in self._waiting.values() if isinstance(entry, Held)]

    def written(self, uuid: str) -> None:
        """A prompt went to Claude Code."""
        entry = self._waiting[uuid]
        self._waiting[uuid] = Written(entry.prompt, again=isinstance(entry, Held) and entry.lost)

    def by_request(self, request: Any) -> PromptReceived | None:
        """The prompt of a request, if it waits."""
        return next((entry.prompt for entry in self._waiting.values() if entry.prompt.request == request), None)

    def waits(self, uuid: str) -> bool:
        """Whether the prompt waits."""
        return uuid in self._waiting

    def insert(self, uuid: str) -> PromptReceived | None:
        """The prompt is in the conversation now, and answered. `None` if it does not wait."""
        prompt = self.take(uuid)
        self.last = prompt or self.last
        return prompt

    def rewind(self) -> None:
        """What was written went to a conversation that is over: it has to be written again."""
        self._waiting = {uuid: Held(entry.prompt) for uuid, entry in self._waiting.items()}
        self._dropped.clear()

    def take(self, uuid: str) -> PromptReceived | None:
        """The prompt is answered now: forget it. `None` if it does not wait."""
        entry = self._waiting.pop(uuid, None)
        return entry.prompt if entry is not None else None

    def drop_all(self) -> list[PromptReceived]:
        """A cancel ends all of them. Claude Code may still run one that it has: it will be known as dropped."""
        entries = list(self._waiting.values())
        self._waiting.clear()
        self._dropped.update(entry.prompt.uuid for entry in entries if isinstance(entry, Written))
        return [entry.prompt for entry in entries]

    def process_gone(self) -> list[PromptReceived]:
        """Claude Code has died: what it had goes to the next one, unless it was lost before; that is answered now."""
        self._dropped.clear()
        failed = [entry.prompt for entry in self._waiting.values() if isinstance(entry, Written) and entry.again]
        for prompt in failed:
            del self._waiting[prompt.uuid]
        for uuid, entry in self._waiting.items():
            if isinstance(entry, Written):
                self._waiting[uuid] = Held(entry.prompt, lost=True)
        return failed

    def was_dropped(self, uuid: str) -> bool:
        """Whether a cancel ended the prompt before its insertion."""
        return uuid in self._dropped

    def forget(self, uuid: str) -> None:
        """Claude Code has done with a dropped prompt."""
        self._dropped.discard(uuid)
