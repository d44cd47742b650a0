"""One v1 session as a pure state machine: held prompts over what all sessions share."""

from __future__ import annotations

from dataclasses import replace

from adapter.shared.claude.frames import Frame
from adapter.shared.claude.lifecycle import NEVER_TAKEN, begun_by_host, is_placeholder, lifecycle_event, named_prompts
from adapter.shared.config_options.settings import SessionConfig
from adapter.shared.conversation import Conversation
from adapter.shared.effects import Effects, Fail, Respond, RespondConfig, RespondOutcome
from adapter.shared.inputs import (
    CancelReceived,
    ClientAnswered,
    ConfigRequested,
    PromptReceived,
    RequestCancelled,
    SteerReceived,
)
from adapter.shared.jsonrpc.errors import ClaudeFailure, not_taken
from adapter.shared.outcome import Outcome, StopReason
from adapter.shared.permissions.options import chosen_option
from adapter.shared.plan_handoff import PlanHandoff
from adapter.shared.session_base import SessionBase
from adapter.shared.turn_outcome import UNMEASURED
from adapter.shared.updates import Command, ConfigChanged, ModeChanged
from adapter.v1.steering import Steering, is_steered_away
from adapter.v1.turns import Answer, Settlement, TurnEvent, TurnTable


class V1Session(SessionBase):
    """The v1 core of one session.

    Attributes:
        turns: Its prompts, until they are answered.
        turn_outcome: How the turn ended that the last result was of; None, if the turn goes on after that result.
    """

    def __init__(self, conversation: Conversation, config: SessionConfig, commands: tuple[Command, ...]) -> None:
        super().__init__(conversation, config, commands)
        self.turns = TurnTable()
        self._handoff = PlanHandoff()
        self._outcomes: dict[str, Outcome] = {}
        self._steering = Steering()
        self.turn_outcome: Outcome | None = None
        self.parts.add(self._steering)

    def prompt_received(self, event: PromptReceived) -> Effects:
        """Hold the prompt; Claude Code queues it if a turn runs."""
        self.turns.add(event)
        return self.resume_work()

    def prompt_served(self, event: PromptReceived, updates: Effects) -> Effects:
        """Its turn is over at once, whatever turn runs."""
        return [*updates, RespondOutcome(event.request, UNMEASURED)]

    def steer_received(self, event: SteerReceived) -> Effects:
        """It goes into the turn that runs, or begins one; a goal that begins one holds its request until the end."""
        runs = (self.turns.any_open() or self._steering.turn_open) and not self._is_stopping()
        if event.goal and not runs:
            held = PromptReceived(event.request, event.uuid, event.content, event.blocks, event.text, bare=True)
            return self.prompt_received(held)
        self._steering.add(event)
        outcome = {"outcome": "injected" if runs else "startedNewTurn"}
        return [Respond(event.request, {} if event.goal else outcome), *self.resume_work()]

    def cancel_received(self, _event: CancelReceived) -> Effects:
        """End what was sent before. Later prompts wait until the interrupt has done its work."""
        for prompt in self.turns.queued():
            if self._handoff.continues(prompt):
                self._outcomes[prompt.uuid] = self._handoff.complete(UNMEASURED)
        self._handoff.withdraw()
        self._steering.drop()
        # A held prompt is answered at once, so what Claude Code does in a turn of its own meanwhile ends before that.
        moot = self.close_calls() if self.turns.held() and not self.turns.has_owner() else []
        settled = self._settle(self.turns.apply_all(TurnEvent.CANCEL))
        return moot + settled + self.interrupt()

    def request_cancelled(self, event: RequestCancelled) -> Effects:
        """A prompt that runs can only be stopped with its whole turn; one that waits ends alone."""
        prompt = self.turns.by_request(event.request)
        if prompt is None:
            return []
        if prompt in (*self.turns.queued(), *self.turns.held()):
            return self._settle(self.turns.apply(TurnEvent.CANCEL, prompt.uuid))
        if self.turns.waits(prompt.uuid) and self.may_write():
            return self.withdraw_prompt(prompt.uuid)
        return self.cancel_received(CancelReceived())

    def prompt_withdrawn(self, uuid: str, *, cancelled: bool) -> Effects:
        """If Claude Code had begun with it, its turn is stopped."""
        if cancelled:
            return self._settle(self.turns.apply(TurnEvent.DROPPED, uuid))
        return self.cancel_received(CancelReceived()) if self.turns.is_open(uuid) else []

    def lifecycle(self, frame: Frame) -> Effects:
        """Follow the prompt that the frame names."""
        uuid, state = lifecycle_event(frame)
        if state == "started":
            if self._steering.began(uuid):
                self.turns.rename_owner(uuid)
            return self._settle(self.turns.started(uuid))
        if state == "cancelled":
            self._steering.ended(uuid)
            return self._settle(self.turns.apply(TurnEvent.DROPPED, uuid))
        if state in NEVER_TAKEN:
            return self._settle(self.turns.apply(TurnEvent.REFUSED, uuid), failure=not_taken(state))
        return []

    def result(self, frame: Frame) -> Effects:
        """Answer the prompt whose turn this ends; a turn that Claude Code began itself answers none."""
        self.turn_outcome = None
        if is_placeholder(frame):
            return []
        if self._handoff.mode:
            return self._hand_over(frame)
        if is_steered_away(frame) and self._steering.successor() and not self._is_stopping():
            self.turns.rename_owner(self._steering.successor())
            self._steering.spend(self.conversation.outcomes.read(frame, cancelled=False))
            return self.turn_ended(frame)
        of_host = begun_by_host(frame)
        holds = self.tasks.holds_turn() and frame.get("is_error") is not True
        settlements = self.turns.result(named_prompts(frame), of_host=of_host, holds=holds)
        cancelled = any(settlement.cancelled for settlement in settlements)
        outcome = self._steering.complete(self.conversation.outcomes.read(frame, cancelled=cancelled))
        self.turn_outcome = outcome = self._handoff.complete(outcome)
        for prompt in self.turns.held():
            self._outcomes.setdefault(prompt.uuid, outcome)
        released = [] if of_host or self.tasks.owes_turn() else self.turns.apply_all(TurnEvent.RELEASED)
        return (
            self.turn_ended(frame)
            + self._settle(settlements, outcome)
            + self._settle(released)
            + self.title_after_turn(frame, cancelled=cancelled)
        )

    def idle(self) -> Effects:
        """End what no result has ended."""
        return self._settle(self.turns.idle(interrupt_open=self.interrupts.any_open()))

    def settled_interrupt(self) -> Effects:
        """Go on with the prompts that came after the cancel."""
        return self._go_on()

    def given_up(self) -> Effects:
        """The cancelled prompts are answered all the same."""
        self._handoff.withdraw()
        return self._settle(self.turns.apply_all(TurnEvent.GIVEN_UP)) + self.resume_work()

    def client_answered(self, event: ClientAnswered) -> Effects:
        """A plan may be approved for a fresh context: its call has then ended well for the client."""
        question = self.dialogs.question(event.key)
        chosen = chosen_option(question, event.result) if question is not None else None
        effects = super().client_answered(event)
        if question is None or chosen is None or not chosen.clears or not self.may_clear_context():
            return effects
        self._handoff.agree(question, chosen)
        return [*effects, *self.conversation.calls.conclude(question.call_id)]

    def may_clear_context(self) -> bool:
        """Only the turn of a prompt that runs can go on elsewhere."""
        return self.turns.has_owner() and not self.turns.cancelling() and not self.interrupts.any_open()

    def lost(self, failure: ClaudeFailure, *, never_started: bool) -> Effects:
        """The prompt that ran fails; those that waited go to the next Claude Code, unless its start failed."""
        self._handoff.withdraw()
        effects = self._settle(self.turns.apply_all(TurnEvent.LOST), failure=failure)
        if never_started:
            return effects + self._settle(self.turns.fail_queued(), failure=failure)
        return effects + self.resume_work()

    def stopped(self) -> Effects:
        """Answer every prompt as cancelled."""
        settlements = self.turns.apply_all(TurnEvent.CANCEL) + self.turns.apply_all(TurnEvent.GIVEN_UP)
        return self._settle(settlements)

    def resume_work(self) -> Effects:
        """Write the prompts that wait, if that can be done now; start Claude Code for them if it is down."""
        waiting = self.turns.queued()
        if not waiting and not self._steering.waits:
            return []
        if not self.may_write() or self.turns.cancelling():
            return self.bring_up()
        effects: Effects = []
        # At once, a steer would take back a question that is open; in line, it is taken in after the answer.
        at_once = not self.dialogs.any_open
        for prompt in waiting:
            self.turns.apply(TurnEvent.WRITTEN, prompt.uuid)
            effects += self.write_prompt(prompt, steers=prompt.steers and at_once)
        for steer in self._steering.take():
            effects += self.write_prompt(steer, steers=at_once)
        return effects

    def config_changed(self, change: ConfigRequested) -> Effects:
        """`session/set_mode` tells the options by an update, `session/set_config_option` in its answer."""
        options = self.config.options()
        if change.as_mode:
            return [ConfigChanged(options), Respond(change.request, {})]
        told: Effects = [ModeChanged(change.value)] if change.option == "mode" else []
        return [*told, RespondConfig(change.request, options)]

    def mode_changed(self, mode: str) -> Effects:
        """Both forms: some clients read the mode, others the option."""
        return [ModeChanged(mode), ConfigChanged(self.config.options())]

    def _hand_over(self, frame: Frame) -> Effects:
        """The conversation that made the plan is over; its prompt, and those behind it, go to a fresh one."""
        ended = self.conversation_ended(frame)
        mode = self._handoff.take(self.conversation.outcomes.read(frame, cancelled=False))
        ended += self._settle(self.turns.hand_over(self._handoff.continued))
        return [*ended, *self.start_afresh(mode)]

    def _is_stopping(self) -> bool:
        return self.turns.cancelling() or self.interrupts.any_open()

    def _go_on(self) -> Effects:
        if self._is_stopping():
            return []
        return self.interrupts.stop_timer() + self.resume_work()

    def _settle(
        self, settlements: list[Settlement], outcome: Outcome = UNMEASURED, failure: ClaudeFailure | None = None
    ) -> Effects:
        effects: Effects = []
        if any(settlement.ends_turn or self._handoff.continues(settlement.prompt) for settlement in settlements):
            self._handoff.withdraw()
        if any(settlement.ends_turn for settlement in settlements):
            effects += self.close_calls()
        for settlement in settlements:
            effects.append(_answer(settlement, self._outcomes.pop(settlement.prompt.uuid, outcome), failure))
        return effects + self._go_on() if any(settlement.cancelled for settlement in settlements) else effects


def _answer(settlement: Settlement, outcome: Outcome, failure: ClaudeFailure | None) -> Fail | RespondOutcome | Respond:
    answer = _answer_to_prompt(settlement, outcome, failure)
    return Respond(answer.request, {}) if settlement.prompt.bare and isinstance(answer, RespondOutcome) else answer


def _answer_to_prompt(settlement: Settlement, outcome: Outcome, failure: ClaudeFailure | None) -> Fail | RespondOutcome:
    request = settlement.prompt.request
    match settlement.answer:
        case Answer.BY_RESULT if outcome.failure is not None:
            return Fail(request, outcome.failure, outcome)
        case Answer.BY_RESULT:
            return RespondOutcome(request, outcome)
        case Answer.FAILED:
            return Fail(request, failure or ClaudeFailure("process_exited", "Claude Code is gone"), UNMEASURED)
        case Answer.CANCELLED:
            return RespondOutcome(request, replace(outcome, stop=StopReason.CANCELLED, failure=None))
        case Answer.ENDED:
            return RespondOutcome(request, UNMEASURED)
