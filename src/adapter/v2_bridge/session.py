"""A v1 session that speaks v2: its turns are the v1 core's; what a client of v2 is told of them is here."""

from __future__ import annotations

from adapter.shared.claude.frames import Frame
from adapter.shared.claude.lifecycle import lifecycle_event
from adapter.shared.config_options.settings import SessionConfig
from adapter.shared.conversation import Conversation
from adapter.shared.effects import Effects, Fail, RespondOutcome
from adapter.shared.inputs import CancelReceived, PromptReceived, RequestCancelled, SteerReceived
from adapter.shared.jsonrpc.errors import ClaudeFailure, method_not_found
from adapter.shared.outcome import Outcome, StopReason
from adapter.shared.turn_outcome import CANCELLED_UNMEASURED, UNMEASURED
from adapter.shared.updates import Command, Update
from adapter.shared.v2.session import V2Session, inserted
from adapter.v1.session import V1Session
from adapter.v2_bridge.insertions import Insertions
from adapter.v2_bridge.states import States


class BridgeSession(V2Session, V1Session):
    """The v2 face of one v1 session."""

    def __init__(self, conversation: Conversation, config: SessionConfig, commands: tuple[Command, ...]) -> None:
        super().__init__(conversation, config, commands)
        self._states = States(lambda: self.turns.cancelling() or self.interrupts.any_open())
        self._insertions = Insertions(self._states.began)
        self._idle_owed = False
        self.parts.add(self._insertions, self._states)

    def snapshot(self) -> list[Update]:
        """What a client that opens the session has to know of its work."""
        return [self._states.now()]

    def prompt_received(self, event: PromptReceived) -> Effects:
        """It is answered when Claude Code takes it in."""
        self._insertions.add(event)
        return super().prompt_received(event)

    def steer_received(self, event: SteerReceived) -> Effects:
        """Steering is a form of `session/prompt` in v2; v1's method is not."""
        return [Fail(event.request, method_not_found("_session/steering"))]

    def prompt_served(self, event: PromptReceived, updates: Effects) -> Effects:
        """It is inserted at once; where no turn runs, it is a turn of its own."""
        if self._states.turn_open or self.dialogs.any_open:
            return [*inserted(event), *updates]
        return [*inserted(event), *self._states.began(), *updates, *self._states.ended(UNMEASURED)]

    def cancel_received(self, event: CancelReceived) -> Effects:
        """Prompts that are not taken in fail before the turn is stopped."""
        # A plan on its way to a fresh conversation: no Claude Code works on it, so none would say that it has stopped.
        between = [prompt.request for prompt in self.turns.queued() if self._states.of_turn(prompt.uuid)]
        effects = [*self._insertions.drop_all(), *super().cancel_received(event)]
        for answer in [effect for effect in effects if isinstance(effect, RespondOutcome)]:
            if answer.request in between:
                effects += self._states.ended(answer.outcome)
        return effects

    def request_cancelled(self, event: RequestCancelled) -> Effects:
        """A prompt that was taken in has its answer."""
        return super().request_cancelled(event) if self._insertions.waits(event.request) else []

    def lifecycle(self, frame: Frame) -> Effects:
        """The end of the prompt that began the turn ends a turn that has no result."""
        uuid, state = lifecycle_event(frame)
        outcome = CANCELLED_UNMEASURED if self.turns.cancelling() else UNMEASURED
        effects = super().lifecycle(frame)
        if state not in ("completed", "cancelled") or not self._states.of_turn(uuid):
            return effects
        return [*effects, *self.close_calls(), *self._states.ended(outcome)]

    def turn_ended(self, result: Frame) -> Effects:
        """The client is told at once, unless the turn goes on elsewhere."""
        effects = super().turn_ended(result)
        if self.turn_outcome is None:
            return effects
        self._idle_owed = True
        return [*effects, *self._states.ended(self.turn_outcome)]

    def idle(self) -> Effects:
        """The idle after a result belongs to that result; one without a result ends the turn."""
        owed, self._idle_owed = self._idle_owed, False
        effects = super().idle()
        if owed or self.interrupts.any_open() or not self._states.turn_open:
            return effects
        return [*effects, *self.close_calls(), *self._states.ended(UNMEASURED)]

    def begins_itself(self) -> Effects:
        """The client is told that the session runs; the result ends that."""
        return self._states.began()

    def given_up(self) -> Effects:
        """The turn ends all the same."""
        self._idle_owed = False
        return [*self._states.ended(CANCELLED_UNMEASURED), *super().given_up()]

    def lost(self, failure: ClaudeFailure, *, never_started: bool) -> Effects:
        """The turn ends with the failure, or with its cancel."""
        self._idle_owed = False
        cancelled = self.turns.cancelling()
        outcome = CANCELLED_UNMEASURED if cancelled else Outcome(StopReason.END_TURN, failure, measured=False)
        effects = super().lost(failure, never_started=never_started)
        return [*self._states.ended(outcome), *effects]

    def stopped(self) -> Effects:
        """The turn is cancelled with its session."""
        return [*super().stopped(), *self._states.ended(CANCELLED_UNMEASURED)]
