"""Requests to change a session's configuration, from the client's wish to what Claude Code runs with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from adapter.shared.config_options.settings import SessionConfig
from adapter.shared.effects import Effects, Fail, SendControl
from adapter.shared.inputs import ConfigRequested, ControlAnswered
from adapter.shared.jsonrpc.errors import ClaudeFailure, ClientMistake, invalid_params
from adapter.shared.tools.facts import Json

GET_SETTINGS: Json = {"subtype": "get_settings"}
CHECKED = frozenset({"model", "effort", "ultracode"})
"""Options of which Claude Code accepts more than it follows, so that it is asked what it runs with."""


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
        self._accepted: set[str] = set()
        self._deferred: list[ConfigRequested] = []
        self._count = 0

    def is_open(self, option: str, value: str) -> bool:
        """Whether the client has asked for this value and has no answer yet."""
        return any(change.option == option and change.value == value for change in self._open.values())

    def any_open(self) -> bool:
        """Whether Claude Code still has a change to answer."""
        return bool(self._open)

    def request(self, event: ConfigRequested) -> Effects:
        """Ask Claude Code for a change; one that cannot be is refused."""
        try:
            change = replace(event, value=self._config.resolve(event.option, event.value))
        except ClientMistake as mistake:
            return [_refused(event, mistake)]
        self._count += 1
        key = f"config {self._count}"
        self._open[key] = change
        return [SendControl(key, self._config.change(change.option, change.value))]

    def defer(self, event: ConfigRequested) -> Effects:
        """Keep a change until Claude Code is up; one that cannot be is refused at once."""
        try:
            self._config.resolve(event.option, event.value)
        except ClientMistake as mistake:
            return [_refused(event, mistake)]
        self._deferred.append(event)
        return []

    def resume(self) -> Effects:
        """Claude Code is up: ask for what was kept."""
        deferred, self._deferred = self._deferred, []
        return [effect for change in deferred for effect in self.request(change)]

    def answered(self, event: ControlAnswered) -> Effects:
        """Claude Code's answer to `request`, or, after that, what it runs with."""
        change = self._open.get(event.key)
        if change is None:
            return []
        if event.key in self._accepted:
            return self._checked(event, change)
        if event.error:
            del self._open[event.key]
            return [Fail(change.request, ClaudeFailure("control_failed", event.error))]
        if change.option in CHECKED:
            self._accepted.add(event.key)
            return [SendControl(event.key, GET_SETTINGS)]
        del self._open[event.key]
        self._config.changed(change.option, change.value)
        return self._tell(change)

    def fail_all(self, error: Exception) -> Effects:
        """None of them will be answered by Claude Code."""
        changes = [*self._deferred, *self._open.values()]
        self._deferred.clear()
        self._open.clear()
        self._accepted.clear()
        return [Fail(change.request, error) for change in changes]

    def _checked(self, event: ControlAnswered, change: ConfigRequested) -> Effects:
        is_last = event.key == next(reversed(self._open))
        del self._open[event.key]
        self._accepted.discard(event.key)
        if event.error or not is_last:
            # A later change may have been taken already, so what runs now says nothing of this one.
            self._config.changed(change.option, change.value)
            return self._tell(change)
        refusal = self._config.take(change.option, change.value, event.response)
        return [Fail(change.request, ClaudeFailure("control_failed", refusal))] if refusal else self._tell(change)


def _refused(event: ConfigRequested, mistake: ClientMistake) -> Fail:
    if event.as_mode:
        mistake = invalid_params(f"Invalid Mode: {event.value}")
    return Fail(event.request, mistake)
