"""The seam: what the driver expects of a core's session, and of the encoder of a protocol version."""

from __future__ import annotations

from typing import Protocol

from adapter.shared.effects import Effects
from adapter.shared.elicitation.requests import Elicitation
from adapter.shared.inputs import Input
from adapter.shared.outcome import Outcome
from adapter.shared.permissions.options import PermissionQuestion
from adapter.shared.tools.facts import Json
from adapter.shared.updates import ConfigOption, TextChunk, Update


class SessionCore(Protocol):
    """One session as a state machine: synchronous, without clock, files, environment or ids of its own."""

    def handle(self, event: Input) -> Effects:
        """Take one input; say what is to be done."""
        ...

    def snapshot(self) -> list[Update]:
        """What a client that opens a known session has to be told of its work."""
        ...


class Encoder(Protocol):
    """Gives neutral values the shape of one protocol version."""

    def updates(self, update: Update) -> list[Json]:
        """The `update` objects of the `session/update` notifications for one neutral update."""
        ...

    def chunk(self, chunk: TextChunk) -> Json:
        """The `update` object of a text chunk; the hot path calls this one directly."""
        ...

    def permission(self, session_id: str, question: PermissionQuestion) -> Json:
        """The parameters of `session/request_permission`."""
        ...

    def elicitation(self, session_id: str, question: Elicitation) -> Json:
        """The parameters of `elicitation/create`."""
        ...

    def prompt_result(self, outcome: Outcome) -> Json:
        """The result of a held `session/prompt`."""
        ...

    def config_result(self, options: tuple[ConfigOption, ...]) -> Json:
        """The result of `session/set_config_option`."""
        ...
