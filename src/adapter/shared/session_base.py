"""What every core's session does in the same way: frames, configuration, questions, titles, interrupts, restarts.

A core adds what is its own: how a prompt lives, and what state the client is told of.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any

from adapter.shared.background_tasks import BackgroundTasks, stop_task
from adapter.shared.chat_parts import chat_parts
from adapter.shared.claude.frames import Frame, note_unknown
from adapter.shared.command_list import CommandList
from adapter.shared.config_options.agent_switch import AgentSwitch
from adapter.shared.config_options.changes import ConfigChanges
from adapter.shared.config_options.settings import SessionConfig
from adapter.shared.config_options.watch import ConfigWatch
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
)
from adapter.shared.frame_hold import FrameHold
from adapter.shared.inputs import (
    CancelReceived,
    ChildCancelled,
    ClientAnswered,
    CloseRequested,
    CommandFilesChanged,
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
    SteerReceived,
    TimerFired,
)
from adapter.shared.interrupts import CANCEL_TIMER, Interrupts
from adapter.shared.jsonrpc.errors import method_not_found, request_cancelled
from adapter.shared.renaming import Renaming
from adapter.shared.session_hooks import CoreHooks
from adapter.shared.session_parts import SessionParts
from adapter.shared.titles import TitleKeeper
from adapter.shared.tools.facts import FileSnapshot, Json, ToolStatus
from adapter.shared.tools.text import string
from adapter.shared.updates import Command, CommandsChanged, ModeChanged, Notice, TitleChanged, Update

WITHDRAWAL = "withdraw"
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
        "tool_progress",
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
        self.interrupts = Interrupts()
        self.closed = False
        self._commands = CommandList(commands)
        self.tasks = BackgroundTasks()
        self._titles = TitleKeeper()
        self._changes = ConfigChanges(config, self.config_changed)
        self.hold = FrameHold()
        self.parts = SessionParts(
            {
                "interrupt": self._interrupted,
                WITHDRAWAL: self._withdrawn,
                "title": self._title_answered,
                "context": self._context_answered,
                "config": self._changes.answered,
            }
        )
        self._handlers: dict[type, Callable[[Any], Effects]] = {
            SessionOpened: self._opened,
            PromptReceived: self._prompt_received,
            SteerReceived: self.steer_received,
            CancelReceived: self.cancel_received,
            RequestCancelled: self.request_cancelled,
            ConfigRequested: self._config_requested,
            CloseRequested: lambda event: [*self._wind_up(), EndSession(event.request)],
            ShutDown: lambda _event: self._wind_up(),
            ClientAnswered: self._client_answered,
            ControlAnswered: self._control_answered,
            MethodCalled: self.parts.called,
            ChildCancelled: self.parts.child_cancelled,
            PermissionAsked: lambda event: self.ask(event.frame, event.before),
            FileChanged: lambda event: self.file_changed(event.frame, event.after),
            OutputGrew: lambda event: self.conversation.output_grew(event.call_id, event.text),
            CommandFilesChanged: lambda _event: self._commands.reload() if self.process is ProcessState.UP else [],
            ProcessStarted: self._process_started,
            ProcessEnded: self._process_ended,
            TimerFired: self._timer_fired,
        }
        self._frame_handlers: dict[str, Callable[[Frame], Effects]] = {
            "stream_event": self._output,
            "assistant": self._output,
            "user": self._output,
            "system": self._system,
            "result": self.result,
            "command_lifecycle": self.lifecycle,
            "control_request": self.ask,
            "control_cancel_request": self._question_cancelled,
        }
        self._agents = AgentSwitch(config, self._changes, self._restart, self.config_changed)
        self._renaming = Renaming(self._titles.changed, self.prompt_served, self._reach)
        self.parts.add(self.tasks, ConfigWatch(config, self._changes), self._agents, self._renaming)
        self.parts.add(self._commands, *chat_parts(conversation, self.hold))

    def handle(self, event: Input) -> Effects:
        """Take one input; say what is to be done."""
        if self.closed:
            return _refused(event)
        if self.hold.keeps(event):
            return []
        if isinstance(event, ProcessEnded):
            self.hold.give_up()
        return [*self._taken(event), *self.hold.released(self._taken)]

    def _taken(self, event: Input) -> Effects:
        return self.parts.rewrite(self.take(event))

    def take(self, event: Input) -> Effects:
        """Take an input whose turn it is; a core may see it before all others."""
        return self._frame(event) if isinstance(event, dict) else self._handlers[type(event)](event)

    def snapshot(self) -> list[Update]:
        """What a client that opens the session again has to be told of its work."""
        return []

    # What a core may change.

    def may_clear_context(self) -> bool:
        """Whether a plan that is asked about now could go on in a fresh context."""
        return False

    def steer_received(self, event: SteerReceived) -> Effects:
        """A prompt for the running turn has come; a core that does not say what becomes of it refuses it."""
        return [Fail(event.request, method_not_found("_session/steering"))]

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

    def write_prompt(self, prompt: PromptReceived | SteerReceived, *, steers: bool = False) -> Effects:
        """Send a prompt to Claude Code, and ask for the session's title if it has none."""
        self._agents.prompt_written(prompt.uuid)
        title = self._titles.prompt_sent(prompt.text)
        wanted: Effects = [SendControl("title", title)] if title is not None else []
        return [SendPrompt(prompt.uuid, prompt.content, steers), *wanted]

    def may_write(self) -> bool:
        """Whether a prompt can be written now: an interrupt on its way would end it as well."""
        return self.process is ProcessState.UP and not self.interrupts.any_open()

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
        # Claude Code spares workflows like all work in the background, and a client has no other way to stop one.
        workflows = [stop_task(task_id) for task_id in self.tasks.workflows()]
        return [*self.interrupts.send(), *workflows]

    def withdraw_prompt(self, uuid: str) -> Effects:
        """Have Claude Code forget a prompt that it has not begun with."""
        return [SendControl(f"{WITHDRAWAL} {uuid}", {"subtype": "cancel_async_message", "message_uuid": uuid})]

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

    def _opened(self, event: SessionOpened) -> Effects:
        notices = [Notice("warning", text) for text in event.notices]
        self.conversation.recall_tasks(event.tasks)
        title = self._titles.changed(event.title) if event.title else None
        known = [title] if title is not None else []
        return [*self._commands.repeat(), *known, *notices, SendControl("context", CONTEXT_USAGE)]

    def _reach(self) -> Effects | None:
        """`None` if Claude Code can be sent control requests, else what brings it up."""
        return None if self.process is ProcessState.UP else self.bring_up()

    def _prompt_received(self, event: PromptReceived) -> Effects:
        return self._renaming.rename(event) if self._renaming.takes(event) else self.prompt_received(event)

    def _frame(self, frame: Frame) -> Effects:
        handler = self._frame_handlers.get(frame["type"], self._other_frame)
        return [*self.parts.frame(frame), *handler(frame), *self._agents.go_on()]

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
                case CommandsChanged():
                    effects += self._commands.changed(update.commands)
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

    def _restart(self) -> Effects | None:
        """Start Claude Code again on its conversation, unless it is starting or being interrupted."""
        if self.process is ProcessState.STARTING or self.interrupts.any_open():
            return None
        replaces = self.process is ProcessState.UP
        self.process = ProcessState.STARTING
        # What still runs in the background ends with the process.
        ended = self.conversation.calls.close(ToolStatus.CANCELLED)
        return [*ended, *self.parts.process_gone(), StartProcess(replaces=replaces)]

    def _config_requested(self, event: ConfigRequested) -> Effects:
        if event.option == "agent":
            return self._agents.request(event)
        if self.process is not ProcessState.UP:
            return [*self._changes.defer(event), *self.bring_up()]
        return self._changes.request(event)

    def _control_answered(self, event: ControlAnswered) -> Effects:
        return [*self.parts.answered(event), *self._agents.go_on()]

    def _interrupted(self, _event: ControlAnswered) -> Effects:
        self.interrupts.answered()
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

    def _client_answered(self, event: ClientAnswered) -> Effects:
        handler = self.parts.client_handler(event)
        return self.client_answered(event) if handler is None else handler(event)

    def _process_started(self, event: ProcessStarted) -> Effects:
        self.process = ProcessState.UP
        effects: Effects = [SendControl("restore", request) for request in self.config.restoring(event.permission_mode)]
        effects += self.parts.process_started()
        return effects + self._changes.resume() + self.resume_work()

    def _process_ended(self, event: ProcessEnded) -> Effects:
        never_started = self.process is ProcessState.STARTING
        self.process = ProcessState.DOWN
        self.interrupts.forget()
        effects = self.questions_withdrawn(self.dialogs.withdraw_all(), stopping=True)
        effects += self.conversation.calls.close(ToolStatus.FAILED)
        effects += self.conversation.turn_over()
        effects += self._changes.fail_all(event.failure)
        effects += self._agents.process_gone(event.failure)
        effects += self.parts.process_gone()
        effects += self.interrupts.stop_timer() + self.lost(event.failure, never_started=never_started)
        return effects + self._agents.go_on()

    def _timer_fired(self, event: TimerFired) -> Effects:
        if event.name != CANCEL_TIMER:
            return self.parts.timer_fired(event.name)
        if not self.interrupts.ran_out():
            return []
        self.process = ProcessState.DOWN
        self.interrupts.forget()
        self.hold.give_up()
        effects: Effects = [DropProcess()]
        effects += self.questions_withdrawn(self.dialogs.withdraw_all(), stopping=True)
        effects += self.conversation.calls.close(ToolStatus.CANCELLED)
        effects += self.conversation.turn_over()
        effects += self.parts.process_gone()
        return [*effects, Notice("warning", GAVE_UP), *self.given_up(), *self._agents.go_on()]

    def _wind_up(self) -> Effects:
        """The session ends: whatever is open gets its end and its answer."""
        self.closed = True
        effects = self.questions_withdrawn(self.dialogs.withdraw_all(), stopping=True)
        effects += self.conversation.calls.close(ToolStatus.CANCELLED)
        effects += self._changes.fail_all(request_cancelled("the session is closed"))
        effects += self.parts.session_over()
        return [*effects, *self.interrupts.stop_timer(), *self.stopped()]


def _refused(event: Input) -> Effects:
    """What becomes of an input behind the session's end: a request still gets its one answer."""
    if isinstance(event, PromptReceived | SteerReceived | ConfigRequested | CloseRequested | MethodCalled):
        return [Fail(event.request, request_cancelled("the session is closed"))]
    return []
