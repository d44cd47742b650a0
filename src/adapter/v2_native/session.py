"""One v2 session as a pure state machine that follows Claude Code's own turns.

A prompt is answered at insertion. The state is the session's own turns and open requests, not Claude Code's
`session_state_changed`, which stays running while background agents work.
"""

from __future__ import annotations

from adapter.shared.claude.frames import Frame
from adapter.shared.claude.lifecycle import NEVER_TAKEN, is_placeholder, lifecycle_event, named_prompts
from adapter.shared.config_options.settings import SessionConfig
from adapter.shared.conversation import Conversation
from adapter.shared.effects import AskElicitation, AskPermission, Effects, Fail
from adapter.shared.inputs import (
    CancelReceived,
    ClientAnswered,
    Input,
    PromptReceived,
    RequestCancelled,
)
from adapter.shared.jsonrpc.errors import ClaudeFailure, not_taken, request_cancelled
from adapter.shared.outcome import Outcome, StopReason
from adapter.shared.permissions.options import chosen_option
from adapter.shared.plan_handoff import PlanHandoff
from adapter.shared.tools.facts import FileSnapshot
from adapter.shared.tools.text import string
from adapter.shared.turn_outcome import CANCELLED_UNMEASURED, UNMEASURED
from adapter.shared.updates import Command, Update, UsageChanged
from adapter.shared.v2.session import V2Session, inserted
from adapter.shared.work_state import WorkEvent, WorkTracker
from adapter.v2_native.messages import Insertions

OUTPUT = frozenset({"stream_event", "assistant"})
SHOWN = frozenset({"stream_event", "assistant", "user", "tool_progress"})


class NativeSession(V2Session):
    """The native v2 core of one session."""

    def __init__(self, conversation: Conversation, config: SessionConfig, commands: tuple[Command, ...]) -> None:
        super().__init__(conversation, config, commands)
        self._insertions = Insertions()
        self._work = WorkTracker()
        self._turn_prompt = ""
        self._cancelling = False
        self._dropping = False
        self._idle_owed = False
        self._handoff = PlanHandoff()
        self._continued: PromptReceived | None = None

    def take(self, event: Input) -> Effects:
        """Take one input. Output of work that was cancelled before the client saw it begin is kept from the client."""
        if isinstance(event, dict) and event["type"] in SHOWN:
            echoed = self._echoed(event)
            if self._drops(event):
                return echoed
            began = self._began() if self._is_main_output(event) else []
            return [*echoed, *began, *super().take(event)]
        return super().take(event)

    def snapshot(self) -> list[Update]:
        """What a client that opens the session has to know of its work."""
        return [self._work.now()]

    def file_changed(self, frame: Frame, after: FileSnapshot) -> Effects:
        """Results of dropped work are kept from the client like all its output."""
        return [] if self._drops(frame) else super().file_changed(frame, after)

    def prompt_received(self, event: PromptReceived) -> Effects:
        """Queue the prompt with Claude Code; it is answered when it is inserted."""
        self._insertions.add(event)
        return self.resume_work()

    def prompt_served(self, event: PromptReceived, updates: Effects) -> Effects:
        """It is inserted at once; where no turn runs and nothing is asked, it is a turn of its own."""
        if self._work.turn_open or self.dialogs.any_open:
            return [*inserted(event), *updates]
        began = self._work.tell(WorkEvent.BEGAN)
        return [*inserted(event), *began, *updates, *self._work.tell(WorkEvent.ENDED, UNMEASURED)]

    def cancel_received(self, _event: CancelReceived) -> Effects:
        """Fail every prompt that is not inserted, and stop the turn."""
        dropped = self._insertions.drop_all()
        effects: Effects = [Fail(prompt.request, request_cancelled()) for prompt in dropped]
        if self._continued is not None:
            # No Claude Code works on it yet, so none would say that it has stopped.
            effects += self._end_turn(self._handoff.complete(CANCELLED_UNMEASURED))
        self._handoff.withdraw()
        self._cancelling = self._cancelling or self._work.turn_open
        return effects + self.interrupt()

    def request_cancelled(self, event: RequestCancelled) -> Effects:
        """Cancelling the request of a prompt that waits ends it alone; an inserted one has its answer."""
        prompt = self._insertions.by_request(event.request)
        if prompt is None:
            return []
        if prompt in self._insertions.held():
            self._insertions.take(prompt.uuid)
            return [Fail(prompt.request, request_cancelled())]
        return self.withdraw_prompt(prompt.uuid) if self.may_write() else self.cancel_received(CancelReceived())

    def prompt_withdrawn(self, uuid: str, *, cancelled: bool) -> Effects:
        """Should Claude Code have begun with it unseen, everything is stopped."""
        if not self._insertions.waits(uuid):
            return []
        if not cancelled:
            return self.cancel_received(CancelReceived())
        prompt = self._insertions.take(uuid)
        return [Fail(prompt.request, request_cancelled())] if prompt is not None else []

    def lifecycle(self, frame: Frame) -> Effects:
        """Follow the prompt that the frame names."""
        uuid, state = lifecycle_event(frame)
        if state == "started":
            return self._started(uuid)
        if state in NEVER_TAKEN and (prompt := self._insertions.take(uuid)) is not None:
            return [Fail(prompt.request, not_taken(state))]
        if state == "cancelled" and (prompt := self._insertions.take(uuid)) is not None:
            return [Fail(prompt.request, request_cancelled())]
        if state not in ("completed", "cancelled"):
            return []
        self._insertions.forget(uuid)
        return self._end_turn(self._unmeasured()) if uuid and uuid == self._turn_prompt else []

    def result(self, frame: Frame) -> Effects:
        """End the turn. A placeholder for notifications that another turn answers ends nothing."""
        if is_placeholder(frame):
            return []
        if self._handoff.mode:
            return self._hand_over(frame)
        cancelled = self._cancelling
        outcome = self._handoff.complete(self.conversation.outcomes.read(frame, cancelled=cancelled))
        self._idle_owed = True
        closing = self.turn_ended(frame)
        if self._dropping:
            # Only what the client saw can be closed: the call about which a subagent asked meanwhile.
            self._dropping = False
            return [*(effect for effect in closing if not isinstance(effect, UsageChanged)), *self._rest()]
        # Should neither their lifecycle nor their echo have done so.
        named = [effect for uuid in named_prompts(frame) for effect in self._taken_in(uuid)]
        title = self.title_after_turn(frame, cancelled=outcome.stop is StopReason.CANCELLED)
        return [*named, *closing, *self._end_turn(outcome), *title]

    def idle(self) -> Effects:
        """The idle after a result belongs to that result; one without a result ends the turn."""
        if self._idle_owed:
            self._idle_owed = False
            return []
        if self.interrupts.any_open():
            return []
        self._dropping = False
        return self._end_turn(self._unmeasured())

    def settled_interrupt(self) -> Effects:
        """Go on with the prompts that came after the cancel."""
        return self._rest()

    def given_up(self) -> Effects:
        """The turn ends all the same."""
        self._dropping = self._idle_owed = False
        return self._end_turn(CANCELLED_UNMEASURED) + self.resume_work()

    def lost(self, failure: ClaudeFailure, *, never_started: bool) -> Effects:
        """The turn ends with the failure; prompts that waited go to the next Claude Code, unless its start failed."""
        failed = self._insertions.process_gone()
        if never_started:
            failed += self._insertions.drop_all()
        effects: Effects = [Fail(prompt.request, failure) for prompt in failed]
        outcome = CANCELLED_UNMEASURED if self._cancelling else Outcome(StopReason.END_TURN, failure, measured=False)
        self._dropping = self._idle_owed = False
        effects += self._end_turn(outcome)
        return effects if never_started else effects + self.resume_work()

    def stopped(self) -> Effects:
        """End the turn and every prompt as cancelled."""
        effects: Effects = [Fail(prompt.request, request_cancelled()) for prompt in self._insertions.drop_all()]
        return effects + self._end_turn(CANCELLED_UNMEASURED)

    def resume_work(self) -> Effects:
        """Write the prompts that wait, if that can be done now; start Claude Code for them if it is down."""
        waiting = self._insertions.held()
        if not waiting and self._continued is None:
            return []
        if not self.may_write() or self._cancelling:
            return self.bring_up()
        effects: Effects = [] if self._continued is None else self.write_prompt(self._continued)
        self._continued = None
        for prompt in waiting:
            self._insertions.written(prompt.uuid)
            # At once, it would take back a question that is open; in line, it is taken in after the answer.
            effects += self.write_prompt(prompt, steers=prompt.steers and not self.dialogs.any_open)
        return effects

    def ask(self, frame: Frame, before: FileSnapshot | None = None) -> Effects:
        """A question makes the turn wait for the client; one of dropped work is refused."""
        unseen = self._dropping or (self.interrupts.any_open() and not self._work.turn_open)
        if unseen and not _of_subagent(frame):
            return self.dialogs.refuse(frame)
        effects = super().ask(frame, before)
        if not effects or not isinstance(effects[-1], AskPermission | AskElicitation):
            return effects
        return [*effects[:-1], *self._work.tell(WorkEvent.ASKED), effects[-1]]

    def client_answered(self, event: ClientAnswered) -> Effects:
        """After the last answer the turn runs again."""
        question = self.dialogs.question(event.key)
        chosen = chosen_option(question, event.result) if question is not None else None
        effects = self.dialogs.answered(event)
        runs = self._work.tell(WorkEvent.ANSWERED) if effects and not self.dialogs.any_open else []
        if question is None or chosen is None or not chosen.clears or not self.may_clear_context():
            return [*effects, *runs]
        self._handoff.agree(question, chosen)
        return [*effects, *runs, *self.conversation.calls.conclude(question.call_id)]

    def may_clear_context(self) -> bool:
        """Only the turn of a prompt can go on elsewhere, while nobody wants it stopped."""
        return bool(self._turn_prompt) and not self._cancelling and not self.interrupts.any_open()

    def questions_withdrawn(self, effects: Effects, *, stopping: bool) -> Effects:
        """Questions of work that is being stopped report no running; without that, the turn goes on."""
        if not effects or self.dialogs.any_open:
            return effects
        event = WorkEvent.WITHDRAWN if stopping or self._cancelling else WorkEvent.ANSWERED
        return [*effects, *self._work.tell(event)]

    def begins_itself(self) -> Effects:
        """The client is told that the session runs; the result ends that."""
        return self._began()

    def _started(self, uuid: str) -> Effects:
        if self._insertions.was_dropped(uuid):
            # Folded into a turn that the client sees, it changes nothing; its own turn is kept from the client.
            self._dropping = self._dropping or not self._work.turn_open
            return []
        return [*self._insert(uuid), *self._began(uuid)]

    def _echoed(self, frame: Frame) -> Effects:
        """An echo inserts its prompt, should its lifecycle frame not have done so."""
        uuid = string(frame.get("uuid"))
        if frame.get("isReplay") is not True or not uuid:
            return []
        return self._taken_in(uuid)

    def _taken_in(self, uuid: str) -> Effects:
        taken = self._insert(uuid)
        return [*taken, *self._began(uuid)] if taken else []

    def _insert(self, uuid: str) -> Effects:
        prompt = self._insertions.insert(uuid)
        return inserted(prompt) if prompt is not None else []

    def _drops(self, frame: Frame) -> bool:
        """Whether a frame is of work that a cancel ended before the client saw it."""
        unseen = self.interrupts.any_open() and not self._work.turn_open and self._is_main_output(frame)
        self._dropping = self._dropping or unseen
        parent = string(frame.get("parent_tool_use_id"))
        return self._dropping and not (parent and self.conversation.calls.has_inner(parent))

    def _is_main_output(self, frame: Frame) -> bool:
        return frame["type"] in OUTPUT and not frame.get("parent_tool_use_id")

    def _began(self, prompt: str = "") -> Effects:
        if self._work.turn_open:
            return []
        self._turn_prompt = prompt
        begun = self._work.tell(WorkEvent.BEGAN)
        return [*begun, *(self._work.tell(WorkEvent.ASKED) if self.dialogs.any_open else [])]

    def _hand_over(self, frame: Frame) -> Effects:
        """The conversation that made the plan is over; its turn, and the prompts behind it, go on in a fresh one."""
        ended = self.conversation_ended(frame)
        mode = self._handoff.take(self.conversation.outcomes.read(frame, cancelled=False))
        if self._insertions.last is not None:
            self._continued = self._handoff.continued(self._insertions.last)
            self._turn_prompt = self._continued.uuid
        self._insertions.rewind()
        return [*ended, *self.start_afresh(mode)]

    def _end_turn(self, outcome: Outcome) -> Effects:
        self._handoff.withdraw()
        self._continued = None
        self._turn_prompt = ""
        self._cancelling = False
        closing = self.close_calls() if self._work.turn_open else []
        return [*closing, *self._work.tell(WorkEvent.ENDED, outcome), *self._rest()]

    def _rest(self) -> Effects:
        """After a turn or an interrupt: stop its bound, and write what has waited for it."""
        if self._cancelling or self.interrupts.any_open():
            return []
        return self.interrupts.stop_timer() + self.resume_work()

    def _unmeasured(self) -> Outcome:
        return CANCELLED_UNMEASURED if self._cancelling else UNMEASURED


def _of_subagent(frame: Frame) -> bool:
    request = frame.get("request")
    return isinstance(request, dict) and bool(request.get("agent_id"))
