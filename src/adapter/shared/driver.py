"""Performs effects: the only place where a core's decisions reach the client, Claude Code, clocks and files.

One driver a session. Its inputs are handled one at a time, in the order of arrival. An input that needs a file read
first holds back those behind it, of this session only.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from typing import Any, NamedTuple, Protocol

import anyio

from adapter.shared.claude.control import ControlAnswer, ControlChannel
from adapter.shared.claude.process import ClaudeProcess, ProcessExit
from adapter.shared.client_output import ClientOutput
from adapter.shared.command_files import CommandWatch
from adapter.shared.core import Encoder, SessionCore
from adapter.shared.effects import (
    AnswerControl,
    AskElicitation,
    AskPermission,
    DropProcess,
    EndSession,
    FollowOutput,
    ForgetOutput,
    RefuseControl,
    SendControl,
    SendPrompt,
    StartProcess,
    StartTimer,
    StopTimer,
)
from adapter.shared.files import file_to_read, read_snapshot
from adapter.shared.inputs import (
    ClientAnswered,
    ControlAnswered,
    FileChanged,
    Input,
    PermissionAsked,
    ProcessEnded,
    ProcessStarted,
    ShutDown,
)
from adapter.shared.jsonrpc.errors import AdapterBug, ClaudeFailure, error_object
from adapter.shared.jsonrpc.messages import RequestId
from adapter.shared.jsonrpc.peer import Peer
from adapter.shared.live_output import LiveOutput
from adapter.shared.recorder import Recorder
from adapter.shared.timers import Timers
from adapter.shared.tools.facts import Json

log = logging.getLogger(__name__)

END = {"type": "control_request", "request_id": "end", "request": {"subtype": "end_session"}}


class Link(Protocol):
    """A running Claude Code as the driver sees it."""

    process: ClaudeProcess
    control: ControlChannel
    permission_mode: str
    served: tuple[str, ...] | None


class ProcessSource(NamedTuple):
    """Where a session's Claude Code comes from, and what it prints.

    Attributes:
        start: Starts it, on an empty conversation if told so; raises `ClaudeFailure`.
        output_paths: See `LiveOutput`.
        commands_changed: See `CommandFiles`.
    """

    start: Callable[[bool], Awaitable[Link]]
    output_paths: Callable[[str, str], Iterator[str]]
    commands_changed: Callable[[], bool] = lambda: False


class SessionDriver:
    """Runs one session.

    Args:
        session_id: Its id.
        core: Its state machine.
        encoder: The client's protocol version.
        peer: The client.
        previews: The core shows what an edit will change, and so needs the file before it asks.
        source: Where its Claude Code comes from.
        recorder: Gets each input before the core does; `None` for none.
        on_ended: Called when the session is over, so that it is forgotten.
    """

    def __init__(
        self,
        session_id: str,
        core: SessionCore,
        encoder: Encoder,
        peer: Peer,
        *,
        previews: bool,
        source: ProcessSource,
        recorder: Recorder | None,
        on_ended: Callable[[], None],
    ) -> None:
        self.session_id = session_id
        self._core = core
        self._encoder = encoder
        self._peer = peer
        self._previews = previews
        self._start_process = source.start
        self._recorder = recorder
        self._on_ended = on_ended
        self._link: Link | None = None
        self._live = LiveOutput(source.output_paths, self.post)
        self._commands = CommandWatch(source.commands_changed, self.post)
        self._inputs: deque[Input] = deque()
        self._handling = False
        self._client = ClientOutput(session_id, peer, encoder, self.post)
        self._timers = Timers(self.post)
        self._tasks: set[asyncio.Task[None]] = set()
        self._starts: set[asyncio.Task[None]] = set()
        self._endings: set[asyncio.Task[None]] = set()
        self._performers: dict[type, Callable[[Any], None]] = {
            **self._client.performers,
            SendPrompt: self._send_prompt,
            SendControl: self._send_control,
            AnswerControl: self._answer_control,
            RefuseControl: self._refuse_control,
            StartTimer: self._timers.start,
            StopTimer: self._timers.stop,
            StartProcess: self._start,
            DropProcess: lambda effect: self._drop_process(gently=effect.gently),
            FollowOutput: self._live.follow,
            ForgetOutput: self._live.forget,
            EndSession: self._end_session,
        }

    def attach(self, link: Link) -> None:
        """Use a process that has been started."""
        self._link = link

    def post(self, event: Input) -> None:
        """Hand an input to the core, after those that came before it."""
        self._inputs.append(event)
        if not self._handling:
            self._drain()

    def frame(self, link: Link, frame: Json) -> None:
        """Hand over a frame of Claude Code's, unless it is of a process that was dropped."""
        if link is self._link:
            self._live.catch_up()
            if frame["type"] == "system":
                self._commands.told(frame)
            self.post(frame)

    def exited(self, link: Link, exit_: ProcessExit) -> None:
        """Claude Code has died."""
        if link is not self._link:
            return
        self._live.catch_up()
        self._detach()
        self.post(ProcessEnded(exit_.failure()))
        link.control.fail_all(exit_.reason)

    async def shut_down(self) -> None:
        """Answer what is open, then stop Claude Code and everything that it started."""
        self._cancel_tasks()
        # A file that is being read holds the inputs back, and is not waited for.
        self._previews = self._handling = False
        self.post(ShutDown())
        self._end_inputs()
        await self._stop_process()
        await self.ended()

    @property
    def ends_process(self) -> bool:
        """Whether a process of this session is being ended."""
        return bool(self._endings)

    async def ended(self) -> None:
        """Wait until every process that is being ended is gone."""
        await asyncio.gather(*self._endings, return_exceptions=True)

    def _drain(self) -> None:
        self._handling = True
        inputs = self._inputs
        while inputs:
            event = inputs.popleft()
            if self._previews and type(event) is dict and (path := file_to_read(event)):
                # The reading goes on in a thread; `_handling` stays set, so that what comes meanwhile waits in line.
                self._spawn(partial(self._read_then_handle, event, path))
                return
            self._handle(event)
        self._handling = False

    def _handle(self, event: Input) -> None:
        if self._recorder is not None:
            self._recorder.record(event)
        try:
            effects = self._core.handle(event)
        except Exception:
            log.exception("session %s: the core failed on %s", self.session_id, str(event)[:500])
            self._answer_for_the_core(event)
            return
        for effect in effects:
            self._perform(effect)

    def _fail_request_of(self, failed: Any) -> None:
        request = getattr(failed, "request", None)
        if request is not None and self._peer.is_open(request):
            self._peer.fail(request, AdapterBug("the core failed"))

    def _answer_for_the_core(self, event: Input) -> None:
        """The core failed on an input: whoever waits for an answer to it still gets one."""
        self._fail_request_of(event)
        frame = event if isinstance(event, dict) else getattr(event, "frame", {})
        if frame.get("type") == "result":
            # Whoever waits for the end of this turn would wait for ever: it ends as when Claude Code dies.
            self._drop_process()
            self.post(ProcessEnded(ClaudeFailure("adapter_fault", "a fault in the adapter; see its log")))
        if frame.get("type") == "control_request":
            self._refuse_control(RefuseControl(str(frame.get("request_id")), "the adapter failed on this request"))

    def _perform(self, effect: Any) -> None:
        try:
            self._performers.get(type(effect), self._client.send_update)(effect)
        except Exception:
            log.exception("session %s: %s could not be performed", self.session_id, type(effect).__name__)
            self._fail_request_of(effect)
            if isinstance(effect, AskPermission | AskElicitation):
                unsent = error_object(AdapterBug("the question could not be sent"))
                self.post(ClientAnswered(effect.question.key, None, unsent))

    async def _read_then_handle(self, frame: Json, path: str) -> None:
        snapshot = await anyio.to_thread.run_sync(read_snapshot, path, abandon_on_cancel=True)
        asks = frame["type"] == "control_request"
        self._handle(PermissionAsked(frame, snapshot) if asks else FileChanged(frame, snapshot))
        self._drain()

    def _send_prompt(self, effect: SendPrompt) -> None:
        frame = {
            "type": "user",
            "message": {"role": "user", "content": list(effect.content)},
            "parent_tool_use_id": None,
            **({"uuid": effect.uuid, "origin": {"kind": "human"}} if effect.uuid else {}),
            **({"priority": "now"} if effect.steers else {}),
        }
        # Without a process its end is on its way to the core, which then fails the prompt.
        if self._link is not None:
            self._link.process.send(frame)

    def _send_control(self, effect: SendControl) -> None:
        on_answer = partial(self._control_answered, effect.key)
        if self._link is not None:
            self._link.control.request(effect.request, on_answer)
        else:
            on_answer(ControlAnswer({}, "Claude Code is not running"))

    def _answer_control(self, effect: AnswerControl) -> None:
        if self._link is not None:
            self._link.control.answer(effect.request_id, effect.response)

    def _refuse_control(self, effect: RefuseControl) -> None:
        if self._link is not None:
            self._link.control.refuse(effect.request_id, effect.error)

    def _control_answered(self, key: str, answer: ControlAnswer) -> None:
        self.post(ControlAnswered(key, answer.response, answer.error or ""))

    def _detach(self) -> Link | None:
        """Let go of the process, if there is one, with what its commands print."""
        self._live.close()
        link, self._link = self._link, None
        return link

    def _drop_process(self, *, gently: bool = False) -> None:
        link = self._detach()
        if link is not None:
            link.control.fail_all("Claude Code was stopped")
            self._spawn(partial(link.process.stop, END) if gently else link.process.kill, self._endings)

    def _start(self, effect: StartProcess) -> None:
        link = self._detach() if effect.afresh or effect.replaces else None
        if link is not None:
            link.control.fail_all("the conversation is over")
            self._spawn(partial(link.process.stop, END), self._endings)
        self._spawn(partial(self._restart, effect), self._starts)

    async def started(self) -> None:
        """Wait until every Claude Code that is being started is up, or has failed to come up."""
        await asyncio.gather(*self._starts, return_exceptions=True)

    async def _restart(self, effect: StartProcess) -> None:
        if self._endings and not effect.afresh:
            # The process before it may still write the transcript.
            await asyncio.wait(list(self._endings))
        try:
            link = await self._start_process(effect.afresh)
        except ClaudeFailure as failure:
            self.post(ProcessEnded(failure))
            return
        except Exception as error:
            log.exception("session %s: Claude Code could not be started", self.session_id)
            self.post(ProcessEnded(ClaudeFailure("start_failed", f"Claude Code could not be started: {error}")))
            return
        if self._link is link:
            self.post(ProcessStarted(link.permission_mode, link.served))

    def _cancel_tasks(self) -> None:
        """A start that is cancelled has a process to end, so it is waited for like one that is being ended."""
        for task in [*self._tasks, *self._starts]:
            task.cancel()
            self._endings.add(task)
            task.add_done_callback(self._endings.discard)

    def _end_session(self, effect: EndSession) -> None:
        self._end_inputs()
        self._cancel_tasks()
        self._on_ended()
        self._spawn(partial(self._stop_then_respond, effect.request), self._endings)

    def _end_inputs(self) -> None:
        self._commands.close()
        self._timers.stop_all()
        if self._recorder is not None:
            self._recorder.close()
            self._recorder = None

    async def _stop_then_respond(self, request: RequestId) -> None:
        await self._stop_process()
        self._peer.respond(request, {})

    async def _stop_process(self) -> None:
        link = self._detach()
        if link is not None:
            link.control.fail_all("Claude Code was stopped")
            await link.process.stop(END)

    def _spawn(
        self, work: Callable[[], Awaitable[None]], kept_in: set[asyncio.Task[None]] | None = None
    ) -> asyncio.Task[None]:
        """Run something beside the inputs. What ends a process is kept in `_endings`, and outlives a shut down."""
        tasks = self._tasks if kept_in is None else kept_in
        task = asyncio.ensure_future(_run(work))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
        return task


async def _run(work: Callable[[], Awaitable[None]]) -> None:
    await work()
