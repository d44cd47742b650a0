"""What surrounds a core: a client, a Claude Code and a driver, which do what the core's effects ask for.

Whatever comes in whatever order, what the core does must fit. What does not is in ``faults``, by the rule that it
breaks.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import orjson

from adapter.shared.effects import (
    AnswerControl,
    AskElicitation,
    AskPermission,
    DropProcess,
    EndSession,
    Fail,
    RefuseControl,
    Respond,
    RespondConfig,
    RespondOutcome,
    SendControl,
    SendPrompt,
    StartProcess,
    StartTimer,
    StopTimer,
    WithdrawQuestion,
)
from adapter.shared.inputs import ControlAnswered, SessionOpened
from adapter.shared.tools.facts import ToolReport, ToolStatus
from adapter.shared.updates import Speaker, TextChunk, ToSession
from adapter.shared.work_updates import BackgroundItem, StateChanged, WorkState
from support.performed import wire

if TYPE_CHECKING:
    from collections.abc import Callable

    from adapter.shared.core import Encoder
    from adapter.shared.inputs import Input
    from adapter.shared.jsonrpc.messages import RequestId
    from adapter.shared.session_base import SessionBase

FINAL = {ToolStatus.COMPLETED, ToolStatus.FAILED, ToolStatus.CANCELLED}
CALLS = 4
"""Tool calls that can be open at a time; every other one is a subagent's."""
ANSWERS = "a request is answered once"
PROCESS = "Claude Code is written to while it runs, and started and stopped in turn"
CALL = "a call is opened, then updated, then closed once"
OUTLIVES = "no call outlives the turn of its prompt"
STATES = "states alternate"
DROPPED = "nothing of the main conversation is shown while the client knows of no turn"
QUESTIONS = "no question of a turn is open when the turn is told to be over"


class World:
    """A core with all that surrounds it.

    Args:
        core: The core, whose Claude Code runs.
        encoder: Its client's protocol version.

    Attributes:
        effects: All effects, as they are performed.
        updates: The session updates among them.
        faults: What did not fit, by rule.
        open: The client's requests that have no answer.
        written: The prompts that Claude Code has got.
        owner: The prompt whose turn runs.
        over: The prompts whose turn is over while their answer waits.
        process: What Claude Code does: up, starting, down.
        controls: The control requests that Claude Code has not answered.
        questions: The questions that the client has not answered, each with whether a subagent asks.
        calls: The open tool calls, each with whether it is a subagent's.
        asked: How many questions there were.
    """

    def __init__(self, core: SessionBase, encoder: Encoder) -> None:
        self.core = core
        self.encoder = encoder
        self.effects: list[bytes] = []
        self.updates: list[dict[str, Any]] = []
        self.faults: dict[str, list[str]] = defaultdict(list)
        self.open: set[RequestId] = set()
        self.requests = 0
        self.written: list[str] = []
        self.owner = ""
        self.over: set[str] = set()
        self.process = "up"
        self.ended = False
        self.timers: set[str] = set()
        self.controls: list[str] = []
        self.questions: dict[str, bool] = {}
        self.calls: dict[str, bool] = {}
        self.closed: set[str] = set()
        self.names = [f"t{number}" for number in range(CALLS)]
        self.state = WorkState.IDLE
        self.background: tuple[BackgroundItem, ...] = ()
        self.asked = 0
        self._of_subagent = False
        self._shows_output = False
        self._performers: dict[type, Callable[[Any], None]] = {
            Respond: self._answered,
            RespondConfig: self._answered,
            RespondOutcome: self._answered,
            Fail: self._answered,
            AskPermission: self._ask,
            AskElicitation: self._elicit,
            WithdrawQuestion: self._withdraw,
            SendPrompt: self._send_prompt,
            SendControl: self._send_control,
            AnswerControl: lambda _effect: self._needs_process("an answer"),
            RefuseControl: lambda _effect: self._needs_process("an answer"),
            StartTimer: self._start_timer,
            StopTimer: lambda effect: self.timers.discard(effect.name),
            StartProcess: self._start,
            DropProcess: lambda _effect: self._drop(),
            EndSession: self._end,
            ToolReport: self._report,
            StateChanged: self._change,
            TextChunk: self._show,
        }
        self.tell(SessionOpened(idle_seconds=1.0))

    def tell(self, event: Input) -> None:
        """Hands an input to the core and does what it asks for."""
        dropped: list[str] = []
        # The question of a subagent that the client saw begin is shown with its call, beside dropped work too.
        self._of_subagent = isinstance(event, dict) and _asks_for_subagent(event)
        self._shows_output = isinstance(event, dict) and not self._of_subagent
        for effect in self.core.handle(event):
            if isinstance(effect, DropProcess) or (isinstance(effect, StartProcess) and _ends_one(effect)):
                dropped, self.controls = self.controls, []
            shown = wire(effect, self.encoder)
            self.effects.append(orjson.dumps(shown))
            self.updates += [part["update"] for part in shown if "update" in part]
            self._perform(effect)
        for key in dropped:
            self.tell(ControlAnswered(key, {}, "Claude Code was stopped"))

    def _perform(self, effect: Any) -> None:
        if isinstance(effect, ToSession):
            # The calls of a subagent are calls like any other; its states are its own.
            effect = None if isinstance(effect.update, StateChanged) else effect.update
        performer = self._performers.get(type(effect))
        if performer is not None:
            performer(effect)

    def request(self) -> int:
        """A new request of the client."""
        self.requests += 1
        self.open.add(self.requests)
        return self.requests

    def uuid(self, number: int) -> str:
        """A prompt that Claude Code has got, or one that it never did."""
        return self.written[-1 - number % len(self.written)] if self.written else "p0"

    def call_id(self, number: int) -> str:
        """A call that was not closed: Claude Code uses an id once."""
        index = number % CALLS
        if self.names[index] in self.closed:
            self.names[index] += "+"
        return self.names[index]

    def hold_owner(self) -> None:
        """The turn of the prompt that owned it is over, whether it was answered or waits for a subagent."""
        self.over.add(self.owner)
        self.owner = ""

    def check_no_calls(self, event: str) -> None:
        """Nobody works on a call any more, be it a subagent's."""
        if self.calls:
            self.faults[OUTLIVES].append(f"{', '.join(self.calls)} at {event}")

    # What the core asks for.

    def _answered(self, effect: Respond | RespondConfig | RespondOutcome | Fail) -> None:
        if effect.request not in self.open:
            self.faults[ANSWERS].append(f"a second answer to {effect.request}")
        self.open.discard(effect.request)
        if self.owner == f"p{effect.request}" and isinstance(effect, RespondOutcome | Fail):
            self.owner = ""
            self._check_calls(f"the answer to {effect.request}")

    def _start_timer(self, effect: StartTimer) -> None:
        """The answer to a prompt may wait for a report; its turn is over then."""
        self.timers.add(effect.name)
        waiting, _, uuid = effect.name.partition(" ")
        if waiting == "report":
            self.over.add(uuid)
        if waiting == "report" and self.owner == uuid:
            self.owner = ""
            self._check_calls(f"the report of {uuid}")

    def _check_calls(self, event: str) -> None:
        main = [call for call, of_subagent in self.calls.items() if not of_subagent]
        if main:
            self.faults[OUTLIVES].append(f"{', '.join(main)} at {event}")

    def _ask(self, effect: AskPermission) -> None:
        key = effect.question.key
        if effect.question.call_id not in self.calls:
            self.faults[CALL].append(f"a question about {effect.question.call_id}, which is not open")
        self.questions[key] = key.startswith("agent")

    def _elicit(self, effect: AskElicitation) -> None:
        self.questions[effect.question.key] = effect.question.key.startswith("agent")

    def _withdraw(self, effect: WithdrawQuestion) -> None:
        self.questions.pop(effect.key, None)

    def _needs_process(self, what: str) -> None:
        if self.process != "up":
            self.faults[PROCESS].append(f"{what} to a Claude Code that is {self.process}")

    def _send_prompt(self, effect: SendPrompt) -> None:
        self._needs_process(effect.uuid)
        if effect.uuid:
            self.written.append(effect.uuid)

    def _send_control(self, effect: SendControl) -> None:
        self._needs_process(effect.key)
        self.controls.append(effect.key)

    def _start(self, effect: StartProcess) -> None:
        if self.process != ("up" if _ends_one(effect) else "down"):
            self.faults[PROCESS].append(f"a start while it is {self.process}")
        self.process = "starting"
        if effect.afresh:
            # Its prompt has yet to begin in the new conversation.
            self.owner = ""
            self._check_calls("a fresh start")

    def _drop(self) -> None:
        if self.process != "up":
            self.faults[PROCESS].append(f"a stop while it is {self.process}")
        self.process = "down"

    def _end(self, effect: EndSession) -> None:
        self.ended = True
        self.timers.clear()
        self._answered(Respond(effect.request, {}))

    def _report(self, report: ToolReport) -> None:
        call = report.call_id
        if report.opened == (call in self.calls) or call in self.closed:
            self.faults[CALL].append(f"{call}, {'opened again' if report.opened else 'not open'}")
        if report.opened and not report.parent_id:
            self._check_turn(call)
        if report.opened:
            self.calls[call] = bool(report.parent_id) or self._of_subagent
        if report.fields.get("status") in FINAL:
            self.calls.pop(call, None)
            self.closed.add(call)

    def _show(self, chunk: TextChunk) -> None:
        if chunk.speaker is not Speaker.USER:
            self._check_turn(chunk.text)

    def _check_turn(self, shown: str) -> None:
        if self._shows_output and self.state is WorkState.IDLE:
            self.faults[DROPPED].append(shown)

    def _change(self, change: StateChanged) -> None:
        news = change.background != self.background
        self.background = change.background
        if change.state is self.state and news and change.outcome is None:
            return
        if change.state is self.state:
            self.faults[STATES].append(f"{change.state} again")
        self.state = change.state
        if change.state is WorkState.IDLE:
            self._check_calls("idle")
            asked = [key for key, of_subagent in self.questions.items() if not of_subagent]
            if asked:
                self.faults[QUESTIONS].append(", ".join(asked))


def _ends_one(start: StartProcess) -> bool:
    """Whether it takes the place of a Claude Code that runs."""
    return start.replaces or start.afresh


def _asks_for_subagent(frame: dict[str, Any]) -> bool:
    request = frame.get("request")
    return isinstance(request, dict) and bool(request.get("agent_id"))
