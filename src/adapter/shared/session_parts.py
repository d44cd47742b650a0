"""All parts of one session: who takes what, in the order in which they were added."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from adapter.shared.claude.frames import Frame
from adapter.shared.effects import Effects, Fail
from adapter.shared.inputs import (
    ChildCancelled,
    ClientAnswered,
    ControlAnswered,
    Input,
    MethodCalled,
    SessionOpened,
)
from adapter.shared.jsonrpc.errors import method_not_found
from adapter.shared.session_part import SessionPart, first_word, frame_kinds
from adapter.shared.tools.facts import Json
from adapter.shared.tools.text import string

FrameHandlers = dict[str, list[Callable[[Frame], Effects]]]


class SessionParts:
    """The parts, none at first."""

    def __init__(self) -> None:
        self._parts: list[SessionPart] = []
        self._watching: list[SessionPart] = []
        self._early: FrameHandlers = {}
        self._late: FrameHandlers = {}
        self._answers: dict[str, Callable[[ControlAnswered], Effects]] = {}
        self._client_answers: dict[str, Callable[[ClientAnswered], Effects]] = {}
        self._controls: dict[str, Callable[[str, Json], Effects]] = {}
        self._inputs: dict[type, Callable[[Any], Effects]] = {}

    def add(self, *parts: SessionPart) -> None:
        """Let parts take their inputs and rewrite effects, after those that are there."""
        for part in parts:
            self._parts.append(part)
            if type(part).see is not SessionPart.see:
                self._watching.append(part)
            for kind, handler in part.early_frames.items():
                self._early.setdefault(kind, []).append(handler)
            for kind, handler in part.frames.items():
                self._late.setdefault(kind, []).append(handler)
            self._answers |= part.answers
            self._client_answers |= part.client_answers
            self._controls |= part.controls
            self._inputs |= part.inputs

    def handle_answers(self, handlers: Mapping[str, Callable[[ControlAnswered], Effects]]) -> None:
        """The session itself takes answers to control requests, by the first word of the key."""
        self._answers |= handlers

    def frame(self, frame: Frame, handle: Callable[[Frame], Effects]) -> Effects:
        """A frame of Claude Code's, which the session handles by `handle`."""
        kinds = frame_kinds(frame)
        early = [effect for kind in kinds for take in self._early.get(kind, ()) for effect in take(frame)]
        own = handle(frame)
        late = [effect for kind in kinds for take in self._late.get(kind, ()) for effect in take(frame)]
        return [*early, *own, *late] if early or late else own

    def control_handler(self, frame: Frame) -> Callable[[], Effects] | None:
        """Who serves a control request of Claude Code's; `None` if no part does."""
        request = frame.get("request")
        if not isinstance(request, dict):
            return None
        handler = self._controls.get(string(request.get("subtype")))
        return None if handler is None else partial(handler, string(frame.get("request_id")), request)

    def taken(self, event: Any) -> Effects:
        """An input that is for one part alone; nothing where the session has no such part."""
        handler = self._inputs.get(type(event))
        return [] if handler is None else handler(event)

    def see(self, event: Input) -> None:
        """See `SessionPart.see`."""
        for part in self._watching:
            part.see(event)

    def rewrite(self, effects: Effects) -> Effects:
        """See `SessionPart.rewrite`."""
        for part in self._parts:
            effects = part.rewrite(effects)
        return effects

    def answered(self, event: ControlAnswered) -> Effects:
        """Claude Code's answer to a control request; one that nobody waits for leads to nothing."""
        handler = self._answers.get(first_word(event.key))
        return [] if handler is None else handler(event)

    def client_handler(self, event: ClientAnswered) -> Callable[[ClientAnswered], Effects] | None:
        """Who takes the client's answer to a question; `None` if no part has asked it."""
        return self._client_answers.get(first_word(event.key))

    def called(self, event: MethodCalled) -> Effects:
        """A request of the client's."""
        handlers = (part.methods.get(event.method) for part in self._parts)
        handler = next((handler for handler in handlers if handler is not None), None)
        return [Fail(event.request, method_not_found(event.method))] if handler is None else handler(event)

    def prompt_received(self) -> Effects:
        """The client has sent a prompt."""
        return [effect for part in self._parts for effect in part.prompt_received()]

    def has_session(self, session_id: str) -> bool:
        """Whether a session of the client's stands for a part."""
        return any(part.has_session(session_id) for part in self._parts)

    def working_sessions(self) -> frozenset[str]:
        """The sessions of the client's that stand for parts and work now."""
        return frozenset().union(*(part.working_sessions() for part in self._parts))

    def opened(self, event: SessionOpened) -> Effects:
        """The client knows the session."""
        return [effect for part in self._parts for effect in part.opened(event)]

    def child_cancelled(self, event: ChildCancelled) -> Effects:
        """The client wants the work of such a session ended."""
        return [effect for part in self._parts for effect in part.child_cancelled(event.session_id)]

    def timer_fired(self, name: str) -> Effects:
        """A timer has run out that is not the session's own."""
        return [effect for part in self._parts for effect in part.timer_fired(name)]

    def process_started(self) -> Effects:
        """Claude Code was started again."""
        return [effect for part in self._parts for effect in part.process_started()]

    def process_gone(self) -> Effects:
        """Claude Code has died or was stopped."""
        return [effect for part in self._parts for effect in part.process_gone()]

    def session_over(self) -> Effects:
        """The session is being closed."""
        return [effect for part in self._parts for effect in part.session_over()]
