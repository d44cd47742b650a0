"""Another agent for the session: Claude Code is started again with it, on the same conversation, when nothing runs."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from adapter.shared.claude.frames import Frame
from adapter.shared.claude.lifecycle import lifecycle_event
from adapter.shared.config_options.changes import GET_SETTINGS, ConfigChanges
from adapter.shared.config_options.settings import SessionConfig
from adapter.shared.config_options.watch import KEY
from adapter.shared.effects import Effects, Fail, SendControl
from adapter.shared.inputs import ConfigRequested
from adapter.shared.jsonrpc.errors import ClientMistake, request_cancelled
from adapter.shared.session_part import SessionPart


class AgentSwitch(SessionPart):
    """Requests for another agent.

    Args:
        config: What the session runs with.
        changes: Other changes, which must be answered before a restart.
        restart: Starts Claude Code again, if that can be done now; `None` if it cannot.
        tell: Says what the client is to be told of a change that went through.
    """

    def __init__(
        self,
        config: SessionConfig,
        changes: ConfigChanges,
        restart: Callable[[], Effects | None],
        tell: Callable[[ConfigRequested], Effects],
    ) -> None:
        self._config = config
        self._changes = changes
        self._restart = restart
        self._tell = tell
        self._waiting: deque[ConfigRequested] = deque()
        self._current: ConfigRequested | None = None
        self._before = config.agent
        self._works = False
        self._prompts: set[str] = set()
        self.frames = {"system/session_state_changed": self._state, "command_lifecycle": self._lifecycle}

    def request(self, event: ConfigRequested) -> Effects:
        """The client wants another agent; it gets its answer when that one leads."""
        try:
            self._config.resolve("agent", event.value)
        except ClientMistake as mistake:
            return [Fail(event.request, mistake)]
        self._waiting.append(event)
        return self.go_on()

    def prompt_written(self, uuid: str) -> None:
        """Claude Code gets a prompt: it works from now on."""
        self._prompts.add(uuid)

    def go_on(self) -> Effects:
        """Serve the next request, if nothing runs."""
        if not self._waiting or self._current is not None:
            return []
        if self._waiting[0].value == self._config.agent:
            return [*self._tell(self._waiting.popleft()), *self.go_on()]
        if self._works or self._prompts or self._changes.any_open():
            return []
        restarted = self._restart()
        if restarted is None:
            return []
        self._current = self._waiting.popleft()
        self._before = self._config.agent
        self._config.changed("agent", self._current.value)
        return restarted

    def process_started(self) -> Effects:
        """The agent leads; it may have brought its own model with it."""
        self._works = False
        self._prompts.clear()
        served, self._current = self._current, None
        if served is None:
            return self.go_on()
        return [SendControl(KEY, GET_SETTINGS), *self._tell(served), *self.go_on()]

    def process_gone(self, error: Exception | None = None) -> Effects:
        """Without the process nothing runs; a start that failed leaves the agent that led before."""
        self._works = False
        self._prompts.clear()
        failed, self._current = self._current, None
        if failed is None:
            return []
        self._config.changed("agent", self._before)
        return [Fail(failed.request, error or request_cancelled())]

    def session_over(self) -> Effects:
        """Nobody will lead."""
        left = [*([self._current] if self._current else []), *self._waiting]
        self._current = None
        self._waiting.clear()
        return [Fail(event.request, request_cancelled("the session is closed")) for event in left]

    def _state(self, frame: Frame) -> Effects:
        self._works = frame.get("state") != "idle"
        return []

    def _lifecycle(self, frame: Frame) -> Effects:
        uuid, state = lifecycle_event(frame)
        if state in ("completed", "cancelled"):
            self._prompts.discard(uuid)
        return []
