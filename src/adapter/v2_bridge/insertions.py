"""Held prompts as v2 wants them: answered when Claude Code takes them in.

What the v1 core answers later is told by states, or is the error of a prompt that was never taken in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adapter.shared.claude.frames import Frame
from adapter.shared.claude.lifecycle import lifecycle_event, named_prompts
from adapter.shared.effects import Effects, Fail, RespondOutcome
from adapter.shared.inputs import PromptReceived
from adapter.shared.jsonrpc.errors import request_cancelled
from adapter.shared.outcome import StopReason
from adapter.shared.session_part import SessionPart
from adapter.shared.tools.text import string
from adapter.shared.v2.session import inserted


class Insertions(SessionPart):
    """The prompts of one session.

    Args:
        inserted: Called with the uuid of a prompt that was taken in; says what the client is told then.
    """

    def __init__(self, inserted: Callable[[str], Effects]) -> None:
        self._inserted = inserted
        self._waiting: dict[str, PromptReceived] = {}
        self._failing: set[Any] = set()
        self._answered: set[Any] = set()
        self.early_frames = {"command_lifecycle": self._lifecycle, "user": self._echo, "result": self._named}

    def add(self, prompt: PromptReceived) -> None:
        """A prompt has come."""
        self._waiting[prompt.uuid] = prompt

    def waits(self, request: Any) -> bool:
        """Whether the prompt of a request is not taken in yet."""
        return any(prompt.request == request for prompt in self._waiting.values())

    def drop_all(self) -> Effects:
        """The client has cancelled: what is not taken in fails at once, and whatever becomes of it is not told."""
        dropped, self._waiting = self._waiting, {}
        self._failing |= {prompt.request for prompt in dropped.values()}
        return [Fail(prompt.request, request_cancelled()) for prompt in dropped.values()]

    def rewrite(self, effects: Effects) -> Effects:
        """Drop the later answers of prompts that were taken in; one that never was is cancelled, or done."""
        return [rewritten for effect in effects for rewritten in self._rewritten(effect)]

    def _rewritten(self, effect: Any) -> Effects:
        if not isinstance(effect, RespondOutcome | Fail):
            return [effect]
        if effect.request in self._failing:
            self._failing.discard(effect.request)
            self._answered.add(effect.request)
            return [effect]
        if effect.request in self._answered:
            self._answered.discard(effect.request)
            return []
        prompts = [prompt for prompt in self._waiting.values() if prompt.request == effect.request]
        self._waiting = {uuid: one for uuid, one in self._waiting.items() if one not in prompts}
        if isinstance(effect, Fail):
            return [effect]
        if effect.outcome.stop is StopReason.CANCELLED:
            return [Fail(effect.request, request_cancelled())]
        return [told for prompt in prompts for told in inserted(prompt)]

    def _lifecycle(self, frame: Frame) -> Effects:
        uuid, state = lifecycle_event(frame)
        return self._take(uuid) if state == "started" else []

    def _echo(self, frame: Frame) -> Effects:
        """An echo inserts its prompt, should its lifecycle frame not have done so."""
        return self._take(string(frame.get("uuid"))) if frame.get("isReplay") is True else []

    def _named(self, frame: Frame) -> Effects:
        """A result inserts the prompts that it names, should nothing else have done so."""
        return [effect for uuid in named_prompts(frame) for effect in self._take(uuid)]

    def _take(self, uuid: str) -> Effects:
        prompt = self._waiting.pop(uuid, None)
        if prompt is None:
            return []
        self._answered.add(prompt.request)
        return [*inserted(prompt), *self._inserted(uuid)]
