"""What every core's session does in the same way: frames, configuration, questions, titles, interrupts, restarts.

A core adds what is its own: how a prompt lives, and what state the client is told of.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adapter.shared.claude.frames import SILENT_FRAMES, Frame, note_unknown
from adapter.shared.config_options.settings import SessionConfig
from adapter.shared.conversation import Conversation
from adapter.shared.effects import (
    DropProcess,
    Effects,
    EndSession,
    Fail,
    SendControl,
)
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
    RestartWanted,
    SessionOpened,
    ShutDown,
    SteerReceived,
    TimerFired,
)
from adapter.shared.interrupts import CANCEL_TIMER
from adapter.shared.jsonrpc.errors import request_cancelled
from adapter.shared.rate_limits import RateLimits
from adapter.shared.session_services import CONTEXT_USAGE, WITHDRAWAL, ProcessState, SessionServices
from adapter.shared.tools.facts import ToolStatus
from adapter.shared.updates import Command, CommandsChanged, ConfigChanged, ModeChanged, Notice, TitleChanged, Update

GAVE_UP = "Claude Code did not react to the cancel and was stopped. It starts again with your next prompt."


class SessionBase(SessionServices):
    """The part of a session that all cores share.

    Args:
        conversation: What Claude's frames mean.
        config: What the session runs with.
        commands: Claude Code's slash commands at its start.
    """

    def __init__(self, conversation: Conversation, config: SessionConfig, commands: tuple[Command, ...]) -> None:
        super().__init__(conversation, config, commands)
        self.closed = False
        self.parts.handle_answers(
            {
                "interrupt": self._interrupted,
                WITHDRAWAL: self._withdrawn,
                "title": self._title_answered,
                "context": self._context_answered,
            }
        )
        self._handlers: dict[type, Callable[[Any], Effects]] = {
            SessionOpened: self._opened,
            PromptReceived: self._prompt_received,
            SteerReceived: self._steer_received,
            CancelReceived: self.cancel_received,
            RequestCancelled: self.request_cancelled,
            ConfigRequested: self._config_requested,
            CloseRequested: lambda event: [*self._wind_up(), EndSession(event.request)],
            ShutDown: lambda _event: self._wind_up(),
            ClientAnswered: self._client_answered,
            ControlAnswered: self._control_answered,
            MethodCalled: self.parts.called,
            ChildCancelled: self.parts.child_cancelled,
            RestartWanted: self._restart_wanted,
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
            "tool_progress": self._output,
            "system": self._system,
            "result": self.result,
            "command_lifecycle": self.lifecycle,
            "control_request": self._control_requested,
            "control_cancel_request": self._question_cancelled,
        }

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
        self.parts.see(event)
        return self.parts.rewrite(self.take(event))

    def take(self, event: Input) -> Effects:
        """Take an input whose turn it is; a core may see it before all others."""
        return (
            self._frame(event) if isinstance(event, dict) else self._handlers.get(type(event), self.parts.taken)(event)
        )

    def commands(self) -> tuple[Command, ...]:
        """The slash commands as the answer to a client that opens the session has them."""
        return self._commands.current()

    def snapshot(self) -> list[Update]:
        """What a client that opens the session again has to be told of its work."""
        return []

    def _restart_wanted(self, _event: RestartWanted) -> Effects:
        if self.process is ProcessState.DOWN:
            return []
        return self._restarts.wanted(is_up=self.process is ProcessState.UP)

    def _prompt_received(self, event: PromptReceived) -> Effects:
        """A prompt that names the session is no prompt for the model."""
        notices = [Notice("warning", text) for text in event.notices]
        takes = self._renaming.takes(event)
        return [
            *notices,
            *self.parts.prompt_received(),
            *(self._renaming.rename(event) if takes else self.prompt_received(event)),
        ]

    def _steer_received(self, event: SteerReceived) -> Effects:
        notices = [Notice("warning", text) for text in event.notices]
        return [*notices, *self.parts.prompt_received(), *self.steer_received(event)]

    def _opened(self, event: SessionOpened) -> Effects:
        notices = [Notice("warning", text) for text in event.notices]
        self.conversation.recall_tasks(event.tasks)
        title = self._titles.changed(event.title) if event.title else None
        known = [title] if title is not None else []
        self._idle_compaction.configure(event.idle_seconds, event.idle_tokens)
        limits = RateLimits.ask() if event.has_limits else []
        asked = [SendControl("context", CONTEXT_USAGE), *limits]
        parts = [*self.parts.opened(event), *self.parts.process_started()]
        return [*self._commands.repeat(), *known, *notices, *asked, *parts]

    def _frame(self, frame: Frame) -> Effects:
        handler = self._frame_handlers.get(frame["type"], self._other_frame)
        return [*self.parts.frame(frame, handler), *self._agents.go_on()]

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

    def _control_requested(self, frame: Frame) -> Effects:
        serve = self.parts.control_handler(frame)
        return self.ask(frame) if serve is None else serve()

    def _other_frame(self, frame: Frame) -> Effects:
        if frame["type"] not in SILENT_FRAMES:
            note_unknown(f"frame {frame['type']}", frame)
        return []

    def _question_cancelled(self, frame: Frame) -> Effects:
        return self.questions_withdrawn(self.dialogs.cancelled(frame), stopping=False)

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
        if self.config.serve(event.served):
            effects.append(ConfigChanged(self.config.options()))
        effects += self._changes.resume() + self._restarts.when_quiet()
        return effects + self.resume_work()

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
