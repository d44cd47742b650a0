"""What every core's session does in the same way: frames, configuration, questions, titles, interrupts, restarts.

A core adds what is its own: how a prompt lives, and what state the client is told of.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any

from adapter.shared.claude.frames import Frame, note_unknown
from adapter.shared.config_options.changes import ConfigChanges
from adapter.shared.config_options.settings import SessionConfig
from adapter.shared.conversation import Conversation
from adapter.shared.dialogs import Dialogs
from adapter.shared.effects import (
    DropProcess,
    Effects,
    EndSession,
    Fail,
    SendControl,
    SendPrompt,
    StartProcess,
    StartTimer,
    StopTimer,
)
from adapter.shared.inputs import (
    CancelReceived,
    ClientAnswered,
    CloseRequested,
    ConfigRequested,
    ControlAnswered,
    FileChanged,
    Input,
    MethodCalled,
    OutputGrew,
    PermissionAsked,
    ProcessEnded,
    ProcessStarted,
    PromptReceived,
    RequestCancelled,
    SessionOpened,
    ShutDown,
    TimerFired,
)
from adapter.shared.jsonrpc.errors import method_not_found, request_cancelled
from adapter.shared.session_hooks import CoreHooks
from adapter.shared.session_part import SessionPart, first_word, frame_kinds
from adapter.shared.titles import TitleKeeper
from adapter.shared.tools.facts import FileSnapshot, Json, ToolStatus
from adapter.shared.tools.text import string
from adapter.shared.updates import Command, CommandsChanged, ModeChanged, Notice, TitleChanged

CANCEL_SECONDS = 10.0
WITHDRAWAL = "withdraw"
CANCEL_TIMER = "cancel"
INTERRUPT: Json = {"subtype": "interrupt", "cancel_queued": True}
CONTEXT_USAGE: Json = {"subtype": "get_context_usage", "detail": "summary"}
GAVE_UP = "Claude Code did not react to the cancel and was stopped. It starts again with your next prompt."
SILENT_FRAMES = frozenset(
    {
        "active_goal",
        "auth_status",
        "conversation_reset",
        "keep_alive",
        "prompt_suggestion",
        "rate_limit_event",
        "tool_use_summary",
    }
)
"""Frame types that are known and lead to nothing here."""


class ProcessState(StrEnum):
    """Whether Claude Code can be written to."""

    UP = "up"
    STARTING = "starting"
    DOWN = "down"


class SessionBase(CoreHooks):
    """The part of a session that all cores share.

    Args:
        conversation: What Claude's frames mean.
        config: What the session runs with.
        commands: Claude Code's slash commands at its start.
    """

    def __init__(self, conversation: Conversation, config: SessionConfig, commands: tuple[Command, ...]) -> None:
        self.conversation = conversation
        self.config = config
        self.dialogs = Dialogs(conversation, config, may_clear=self.may_clear_context)
        self.process = ProcessState.UP
        self.interrupts_open = 0
        self.timer_runs = False
        self.closed = False
        self._commands = commands
        self._titles = TitleKeeper()
        self._changes = ConfigChanges(config, self.config_changed)
        self._parts: list[SessionPart] = []
        self._handlers: dict[type, Callable[[Any], Effects]] = {
            SessionOpened: self._opened,
            PromptReceived: self._prompt_received,
            CancelReceived: self.cancel_received,
            RequestCancelled: self.request_cancelled,
            ConfigRequested: self._config_requested,
            CloseRequested: lambda event: [*self._wind_up(), EndSession(event.request)],
            ShutDown: lambda _event: self._wind_up(),
            ClientAnswered: self.client_answered,
            ControlAnswered: self._control_answered,
            MethodCalled: self._method_called,
            PermissionAsked: lambda event: self.ask(event.frame, event.before),
            FileChanged: lambda event: self.file_changed(event.frame, event.after),
            OutputGrew: lambda event: self.conversation.output_grew(event.call_id, event.text),
            ProcessStarted: self._process_started,
            ProcessEnded: self._process_ended,
            TimerFired: self._timer_fired,
        }
        self._frame_handlers: dict[str, Callable[[Frame], Effects]] = {
            "stream_event": self._output,
            "assistant": self._output,
            "user": self._output,
            "tool_progress": self._output,
            "system": self._system,
            "result": self.result,
            "command_lifecycle": self.lifecycle,
            "control_request": self.ask,
            "control_cancel_request": self._question_cancelled,
        }
        self._answer_handlers: dict[str, Callable[[ControlAnswered], Effects]] = {
            "interrupt": self._interrupted,
            WITHDRAWAL: self._withdrawn,
            "title": self._title_answered,
            "context": self._context_answered,
            "config": self._changes.answered,
        }
        self._part_frames: dict[str, list[Callable[[Frame], Effects]]] = {}

    def handle(self, event: Input) -> Effects:
        """Take one input; say what is to be done."""
        if self.closed:
            return _refused(event)
        return self._frame(event) if isinstance(event, dict) else self._handlers[type(event)](event)

    def add(self, part: SessionPart) -> None:
        """Let a part take its inputs, after the session and the parts before it."""
        self._parts.append(part)
        for kind, handler in part.frames.items():
            self._part_frames.setdefault(kind, []).append(handler)
        self._answer_handlers |= part.answers

    @property
    def runs(self) -> bool:
        """Whether Claude Code runs or is being started."""
        return self.process is not ProcessState.DOWN

    def may_park(self) -> bool:
        """Whether nothing is asked of Claude Code, and nothing of the client."""
        return self.may_write() and not self.dialogs.any_open and not self.timer_runs

    def park(self) -> Effects:
        """Let Claude Code end, which has nothing to do. What comes next starts it again on the transcript."""
        self.process = ProcessState.DOWN
        effects: Effects = [DropProcess(gently=True)]
        for part in self._parts:
            effects += part.process_gone()
        return effects

    # What a core may change.

    def may_clear_context(self) -> bool:
        """Whether a plan that is asked about now could go on in a fresh context."""
        return False

    def file_changed(self, frame: Frame, after: FileSnapshot) -> Effects:
        """A tool's result has come, with the file that it changed."""
        return self.conversation.read_change(frame, after)

    def ask(self, frame: Frame, before: FileSnapshot | None = None) -> Effects:
        """Claude Code asks something of its host; `before` is the file that a tool would change, if it was read."""
        return self.dialogs.request(frame, before)

    def client_answered(self, event: ClientAnswered) -> Effects:
        """The client has answered a question."""
        return self.dialogs.answered(event)

    def questions_withdrawn(self, effects: Effects, *, stopping: bool) -> Effects:  # noqa: ARG002 - for cores with states.
        """Questions need no answer any more; `effects` tell the client so. `stopping`: because their work ends."""
        return effects

    # What cores use.

    def write_prompt(self, prompt: PromptReceived) -> Effects:
        """Send a prompt to Claude Code, and ask for the session's title if it has none."""
        title = self._titles.prompt_sent(prompt.text)
        wanted: Effects = [SendControl("title", title)] if title is not None else []
        return [SendPrompt(prompt.uuid, prompt.content), *wanted]

    def may_write(self) -> bool:
        """Whether a prompt can be written now: an interrupt on its way would end it as well."""
        return self.process is ProcessState.UP and self.interrupts_open == 0

    def bring_up(self) -> Effects:
        """Start Claude Code if it is down."""
        if self.process is not ProcessState.DOWN:
            return []
        self.process = ProcessState.STARTING
        return [StartProcess()]

    def interrupt(self) -> Effects:
        """Stop the running turn and all queued prompts. What comes later waits for the answer, so it has a bound."""
        if self.process is not ProcessState.UP:
            return []
        self.interrupts_open += 1
        timer: Effects = [] if self.timer_runs else [StartTimer(CANCEL_TIMER, CANCEL_SECONDS)]
        self.timer_runs = True
        return [SendControl("interrupt", INTERRUPT), *timer]

    def withdraw_prompt(self, uuid: str) -> Effects:
        """Have Claude Code forget a prompt that it has not begun with."""
        return [SendControl(f"{WITHDRAWAL} {uuid}", {"subtype": "cancel_async_message", "message_uuid": uuid})]

    def stop_timer(self) -> Effects:
        """Nothing waits for an interrupt any more."""
        if not self.timer_runs:
            return []
        self.timer_runs = False
        return [StopTimer(CANCEL_TIMER)]

    def turn_ended(self, result: Frame) -> Effects:
        """A turn has its result: what it leaves open ends before its prompt is answered."""
        usage = self.conversation.usage.turn_ended(result)
        effects = self.close_calls()
        return [*effects, usage] if usage is not None else effects

    def close_calls(self) -> Effects:
        """A turn is over: its questions are moot and its calls get their end. Those of subagents may go on."""
        moot = self.questions_withdrawn(self.dialogs.withdraw_all(main_only=True), stopping=True)
        closed = self.conversation.calls.close(ToolStatus.CANCELLED, main_only=True)
        return [*moot, *closed, *self.conversation.turn_over()]

    def title_after_turn(self, result: Frame, *, cancelled: bool) -> Effects:
        """After a turn: see to the session's title, if it has none yet."""
        title = self._titles.turn_ended(string(result.get("result")), cancelled=cancelled)
        if isinstance(title, dict):
            return [SendControl("title", title)]
        return [title] if title is not None else []

    # What is the same for all.

    def _prompt_received(self, event: PromptReceived) -> Effects:
        effects: Effects = [Notice("warning", text) for text in event.notices]
        for part in self._parts:
            effects += part.prompt_received()
        return effects + self.prompt_received(event)

    def _opened(self, event: SessionOpened) -> Effects:
        notices = [Notice("warning", text) for text in event.notices]
        up = [effect for part in self._parts for effect in part.process_up()]
        return [CommandsChanged(self._commands), *notices, SendControl("context", CONTEXT_USAGE), *up]

    def _frame(self, frame: Frame) -> Effects:
        handler = self._frame_handlers.get(frame["type"], self._other_frame)
        effects = handler(frame)
        for kind in frame_kinds(frame):
            for part_handler in self._part_frames.get(kind, ()):
                effects = [*effects, *part_handler(frame)]
        return effects

    def _output(self, frame: Frame) -> Effects:
        return self.conversation.read(frame) or []

    def _system(self, frame: Frame) -> Effects:
        if frame.get("subtype") == "session_state_changed":
            return self.idle() if frame.get("state") == "idle" else []
        effects: Effects = []
        for update in self.conversation.read(frame) or []:
            match update:
                case ModeChanged():
                    effects += self._mode_seen(update.mode)
                case TitleChanged():
                    effects += [title for title in [self._titles.changed(update.title)] if title is not None]
                case _:
                    effects.append(update)
        return effects

    def _mode_seen(self, mode: str) -> Effects:
        if mode == self.config.mode or self._changes.is_open("mode", mode):
            return []
        self.config.changed("mode", mode)
        return self.mode_changed(mode)

    def _other_frame(self, frame: Frame) -> Effects:
        if frame["type"] not in SILENT_FRAMES:
            note_unknown(f"frame {frame['type']}", frame)
        return []

    def _question_cancelled(self, frame: Frame) -> Effects:
        return self.questions_withdrawn(self.dialogs.cancelled(frame), stopping=False)

    def _config_requested(self, event: ConfigRequested) -> Effects:
        if self.process is not ProcessState.UP:
            return [*self._changes.defer(event), *self.bring_up()]
        return self._changes.request(event)

    def _control_answered(self, event: ControlAnswered) -> Effects:
        handler = self._answer_handlers.get(first_word(event.key))
        return [] if handler is None else handler(event)

    def _interrupted(self, _event: ControlAnswered) -> Effects:
        self.interrupts_open = max(0, self.interrupts_open - 1)
        return self.settled_interrupt()

    def _withdrawn(self, event: ControlAnswered) -> Effects:
        cancelled = event.response.get("cancelled") is True
        return self.prompt_withdrawn(event.key.removeprefix(f"{WITHDRAWAL} "), cancelled=cancelled)

    def _title_answered(self, event: ControlAnswered) -> Effects:
        title = self._titles.answered(event.response.get("title"))
        return [title] if title is not None else []

    def _context_answered(self, event: ControlAnswered) -> Effects:
        self.conversation.usage.window_known(event.response.get("rawMaxTokens"))
        return []

    def _method_called(self, event: MethodCalled) -> Effects:
        handlers = (part.methods.get(event.method) for part in self._parts)
        handler = next((handler for handler in handlers if handler is not None), None)
        return [Fail(event.request, method_not_found(event.method))] if handler is None else handler(event)

    def _process_started(self, event: ProcessStarted) -> Effects:
        self.process = ProcessState.UP
        effects: Effects = [SendControl("restore", request) for request in self.config.restoring(event.permission_mode)]
        for part in self._parts:
            effects += part.process_up()
        return effects + self._changes.resume() + self.resume_work()

    def _process_ended(self, event: ProcessEnded) -> Effects:
        never_started = self.process is ProcessState.STARTING
        self.process = ProcessState.DOWN
        self.interrupts_open = 0
        effects = self.questions_withdrawn(self.dialogs.withdraw_all(), stopping=True)
        effects += self.conversation.calls.close(ToolStatus.FAILED)
        effects += self.conversation.turn_over()
        effects += self._changes.fail_all(event.failure)
        for part in self._parts:
            effects += part.process_gone()
        return effects + self.stop_timer() + self.lost(event.failure, never_started=never_started)

    def _timer_fired(self, event: TimerFired) -> Effects:
        if event.name != CANCEL_TIMER:
            return [effect for part in self._parts for effect in part.timer_fired(event.name)]
        if not self.timer_runs:
            return []
        self.timer_runs = False
        self.process = ProcessState.DOWN
        self.interrupts_open = 0
        effects: Effects = [DropProcess()]
        effects += self.questions_withdrawn(self.dialogs.withdraw_all(), stopping=True)
        effects += self.conversation.calls.close(ToolStatus.CANCELLED)
        effects += self.conversation.turn_over()
        for part in self._parts:
            effects += part.process_gone()
        return [*effects, Notice("warning", GAVE_UP), *self.given_up()]

    def _wind_up(self) -> Effects:
        """The session ends: whatever is open gets its end and its answer."""
        self.closed = True
        effects = self.questions_withdrawn(self.dialogs.withdraw_all(), stopping=True)
        effects += self.conversation.calls.close(ToolStatus.CANCELLED)
        effects += self._changes.fail_all(request_cancelled("the session is closed"))
        for part in self._parts:
            effects += part.session_over()
        return [*effects, *self.stop_timer(), *self.stopped()]


def _refused(event: Input) -> Effects:
    """What becomes of an input behind the session's end: a request still gets its one answer."""
    if isinstance(event, PromptReceived | ConfigRequested | CloseRequested | MethodCalled):
        return [Fail(event.request, request_cancelled("the session is closed"))]
    return []
