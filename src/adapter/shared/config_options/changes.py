"""Requests to change a session's configuration, from the client's wish to Claude Code's answer."""

from __future__ import annotations

from collections.abc import Callable

from adapter.shared.config_options.settings import SessionConfig
from adapter.shared.effects import Effects, Fail, SendControl
from adapter.shared.inputs import ConfigRequested, ControlAnswered
from adapter.shared.jsonrpc.errors import ClaudeFailure, ClientMistake


class ConfigChanges:
    """The configuration requests of one session that are not answered yet.

    Args:
        config: What the session runs with.
        tell: Says what the client is to be told of a change that went through.
    """

    def __init__(self, config: SessionConfig, tell: Callable[[ConfigRequested], Effects]) -> None:
        self._config = config
        self._tell = tell
        self._open: dict[str, ConfigRequested] = {}
        self._deferred: list[ConfigRequested] = []
        self._count = 0

    def is_open(self, option: str, value: str) -> bool:
        """Whether the client has asked for this value and has no answer yet."""
        return any(change.option == option and change.value == value for change in self._open.values())

    def request(self, event: ConfigRequested) -> Effects:
        """Ask Claude Code for a change; one that cannot be is refused."""
        try:
            request = self._config.change(event.option, event.value)
        except ClientMistake as mistake:
            return [Fail(event.request, mistake)]
        self._count += 1
        key = f"config {self._count}"
        self._open[key] = event
        return [SendControl(key, request)]

    def defer(self, event: ConfigRequested) -> Effects:
        """Keep a change until Claude Code is up; one that cannot be is refused at once."""
        try:
            self._config.change(event.option, event.value)
        except ClientMistake as mistake:
            return [Fail(event.request, mistake)]
        self._deferred.append(event)
        return []

    def resume(self) -> Effects:
        """Claude Code is up: ask for what was kept."""
        deferred, self._deferred = self._deferred, []
        return [effect for change in deferred for effect in self.request(change)]

    def answered(self, event: ControlAnswered) -> Effects:
        """Claude Code's answer to `request`."""
        change = self._open.pop(event.key, None)
        if change is None:
            return []
        if event.error:
            return [Fail(change.request, ClaudeFailure("control_failed", event.error))]
        self._config.changed(change.option, change.value)
        return self._tell(change)

    def fail_all(self, error: Exception) -> Effects:
        """None of them will be answered by Claude Code."""
        changes = [*self._deferred, *self._open.values()]
        self._deferred.clear()
        self._open.clear()
        return [Fail(change.request, error) for change in changes]
