"""When a session's Claude Code is started anew although it runs: because its route or its login has changed.

That waits until nothing runs in it: no prompt that it was given, no turn of its own, nothing in the background. New
prompts wait for it, so that they go the new way.
"""

from __future__ import annotations

from collections.abc import Callable

from adapter.shared.claude.frames import Frame
from adapter.shared.claude.lifecycle import lifecycle_event
from adapter.shared.effects import Effects
from adapter.shared.jsonrpc.errors import AUTH_ERROR_KINDS
from adapter.shared.session_part import SessionPart
from adapter.shared.tools.text import string

BEGUN = frozenset({"queued", "started"})


class Restarts(SessionPart):
    """The restarts of one session.

    Args:
        is_settled: Whether no cancel waits for Claude Code.
        restart: Starts Claude Code anew on its transcript.
        resume_work: Writes the prompts that wait, or brings Claude Code up for them.
    """

    def __init__(
        self, is_settled: Callable[[], bool], restart: Callable[[], Effects], resume_work: Callable[[], Effects]
    ) -> None:
        self._is_settled = is_settled
        self._restart = restart
        self._resume_work = resume_work
        self._written: set[str] = set()
        self._works = False
        self._background = False
        self._due = False
        self._login_refused = False
        self.frames = {
            "assistant": self._said,
            "command_lifecycle": self._lifecycle,
            "system/session_state_changed": self._state,
            "system/background_tasks_changed": self._tasks,
        }

    @property
    def owed(self) -> bool:
        """Whether no prompt may be written before a restart."""
        return self._due or self._login_refused

    def written(self, uuid: str) -> None:
        """A prompt went to Claude Code."""
        self._written.add(uuid)

    def wanted(self, *, is_up: bool) -> Effects:
        """Restart as soon as nothing runs; one that only comes up runs until it is up."""
        self._due = True
        return self.when_quiet() if is_up else []

    def before_prompt(self) -> Effects:
        """A prompt waits for the restart."""
        return self._begin() if self.owed and self.is_quiet() else []

    def began(self) -> None:
        """Claude Code is started, with what counts now."""
        self._due = self._login_refused = self._works = self._background = False
        self._written.clear()

    def process_gone(self) -> Effects:
        """The next start has what counts then."""
        self.began()
        return []

    def _begin(self) -> Effects:
        self.began()
        return self._restart()

    def is_quiet(self) -> bool:
        """Whether Claude Code does nothing and has nothing to do."""
        return self._is_settled() and not (self._written or self._works or self._background)

    def when_quiet(self) -> Effects:
        """Restart, if that is owed and nothing runs."""
        if not self.is_quiet() or not self.owed:
            return []
        # After a refused login nothing has changed yet: a restart helps when somebody asks for something.
        return self._begin() if self._due else self._resume_work()

    def _said(self, frame: Frame) -> Effects:
        self._login_refused = self._login_refused or string(frame.get("error")) in AUTH_ERROR_KINDS
        return []

    def _lifecycle(self, frame: Frame) -> Effects:
        uuid, state = lifecycle_event(frame)
        if state not in BEGUN:
            self._written.discard(uuid)
        return self.when_quiet()

    def _state(self, frame: Frame) -> Effects:
        self._works = frame.get("state") != "idle"
        return self.when_quiet()

    def _tasks(self, frame: Frame) -> Effects:
        self._background = bool(frame.get("tasks"))
        return self.when_quiet()
