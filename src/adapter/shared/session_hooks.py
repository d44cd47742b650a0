"""What a core adds to the session that all cores share."""

from __future__ import annotations

from abc import ABC, abstractmethod

from adapter.shared.claude.frames import Frame
from adapter.shared.effects import Effects
from adapter.shared.inputs import CancelReceived, ConfigRequested, PromptReceived, RequestCancelled
from adapter.shared.jsonrpc.errors import ClaudeFailure


class CoreHooks(ABC):
    """How a prompt lives, and what state the client is told of."""

    @abstractmethod
    def prompt_received(self, event: PromptReceived) -> Effects:
        """A prompt has come."""

    @abstractmethod
    def prompt_served(self, event: PromptReceived, updates: Effects) -> Effects:
        """A prompt was served here, and goes to no model: tell the client `updates`, and answer it."""

    @abstractmethod
    def cancel_received(self, event: CancelReceived) -> Effects:
        """The client wants the session's work ended."""

    @abstractmethod
    def request_cancelled(self, event: RequestCancelled) -> Effects:
        """The client wants one request ended."""

    @abstractmethod
    def lifecycle(self, frame: Frame) -> Effects:
        """A `command_lifecycle` frame."""

    @abstractmethod
    def result(self, frame: Frame) -> Effects:
        """A `result` frame."""

    @abstractmethod
    def idle(self) -> Effects:
        """Claude Code has nothing to do."""

    @abstractmethod
    def settled_interrupt(self) -> Effects:
        """Claude Code has answered an interrupt; what waited for that may go on."""

    @abstractmethod
    def prompt_withdrawn(self, uuid: str, *, cancelled: bool) -> Effects:
        """Claude Code was to forget a prompt; `cancelled`: it had not begun with it, and never will."""

    @abstractmethod
    def given_up(self) -> Effects:
        """Claude Code did not react to an interrupt and is being killed: end what it was to end."""

    @abstractmethod
    def lost(self, failure: ClaudeFailure, *, never_started: bool) -> Effects:
        """Claude Code is gone, or could not be started: end what depended on it."""

    @abstractmethod
    def stopped(self) -> Effects:
        """The session is being closed: end everything as cancelled."""

    @abstractmethod
    def resume_work(self) -> Effects:
        """Claude Code is up: write what waits."""

    @abstractmethod
    def config_changed(self, change: ConfigRequested) -> Effects:
        """A configuration request went through: tell the client."""

    @abstractmethod
    def mode_changed(self, mode: str) -> Effects:
        """The mode has changed by another cause: tell the client."""
