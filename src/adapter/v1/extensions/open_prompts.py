"""Which prompts of a session are not answered yet. Other extensions ask it, so it sees effects after them."""

from __future__ import annotations

from adapter.shared.effects import Effects, Fail, Respond, RespondOutcome
from adapter.shared.inputs import Input, PromptReceived, SteerReceived
from adapter.shared.jsonrpc.messages import RequestId
from adapter.shared.session_part import SessionPart


class OpenPrompts(SessionPart):
    """The open prompts of one session, by request."""

    def __init__(self) -> None:
        self._open: dict[RequestId, PromptReceived | SteerReceived] = {}

    def see(self, event: Input) -> None:
        """A prompt has come."""
        if isinstance(event, PromptReceived | SteerReceived):
            self._open[event.request] = event

    def rewrite(self, effects: Effects) -> Effects:
        """A prompt is being answered."""
        for effect in effects:
            if isinstance(effect, Respond | RespondOutcome | Fail):
                self._open.pop(effect.request, None)
        return effects

    def any_open(self) -> bool:
        """Whether a prompt is not answered yet."""
        return bool(self._open)

    def of(self, request: RequestId) -> PromptReceived | SteerReceived | None:
        """The prompt of a request; `None` if it is no open prompt's."""
        return self._open.get(request)

    def has(self, uuid: str) -> bool:
        """Whether the prompt with this id is open."""
        return any(prompt.uuid == uuid for prompt in self._open.values())
