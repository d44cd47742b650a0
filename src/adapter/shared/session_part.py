"""A capability of a session beside its turns: an object with its own small state, which takes its own inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from adapter.shared.claude.frames import Frame
from adapter.shared.effects import Effects
from adapter.shared.inputs import ClientAnswered, ControlAnswered, Input, MethodCalled, SessionOpened
from adapter.shared.tools.facts import Json

NONE: Mapping[str, Callable[[Any], Effects]] = MappingProxyType({})


class SessionPart:
    """What a session hands on to a part of it. Each table is empty unless the part fills it.

    Attributes:
        frames: Handlers of Claude Code's frames, by type, or by `system/` and subtype. They come after the session's
            own, and several parts may handle the same frame.
        early_frames: The same for handlers that come before the session's own.
        methods: Handlers of the client's requests, by method. Each answers its request exactly once.
        answers: Handlers of Claude Code's answers to `SendControl`, by the first word of the effect's key.
        client_answers: Handlers of the client's answers, by the first word of the question's key.
        controls: Handlers of Claude Code's control requests, by subtype; called with the request's id and the request.
        inputs: Handlers of inputs that are for this part alone, by type.
    """

    frames: Mapping[str, Callable[[Frame], Effects]] = NONE
    early_frames: Mapping[str, Callable[[Frame], Effects]] = NONE
    methods: Mapping[str, Callable[[MethodCalled], Effects]] = NONE
    answers: Mapping[str, Callable[[ControlAnswered], Effects]] = NONE
    client_answers: Mapping[str, Callable[[ClientAnswered], Effects]] = NONE
    controls: Mapping[str, Callable[[str, Json], Effects]] = MappingProxyType({})
    inputs: Mapping[type, Callable[[Any], Effects]] = MappingProxyType({})

    def see(self, event: Input) -> None:
        """Any input, before the session takes it. A part that does not need them leaves this method as it is."""

    def has_session(self, _session_id: str) -> bool:
        """Whether the part stands for this other session of the client's."""
        return False

    def working_sessions(self) -> frozenset[str]:
        """Those of such sessions that work."""
        return frozenset()

    def child_cancelled(self, _session_id: str) -> Effects:
        """The client wants the work of such a session ended."""
        return []

    def opened(self, _event: SessionOpened) -> Effects:
        """The client knows the session, and what it is of a history."""
        return []

    def rewrite(self, effects: Effects) -> Effects:
        """See all effects of the session before they are performed; add to them or change them."""
        return effects

    def prompt_received(self) -> Effects:
        """The client has sent a prompt."""
        return []

    def timer_fired(self, _name: str) -> Effects:
        """A timer has run out that is not the session's own; it may be another part's."""
        return []

    def process_started(self) -> Effects:
        """Claude Code runs: the client knows the session now, or it was started again."""
        return []

    def process_gone(self) -> Effects:
        """Claude Code has died or was stopped: what depended on it ends."""
        return []

    def session_over(self) -> Effects:
        """The session is being closed: whatever is open ends and gets its answer."""
        return []


def frame_kinds(frame: Frame) -> tuple[str, ...]:
    """The names under which a part may handle a frame."""
    kind = frame["type"]
    return (kind, f"system/{frame.get('subtype')}") if kind == "system" else (kind,)


def first_word(key: str) -> str:
    """The part of a control key that names its handler."""
    return key.split(" ", 1)[0]
