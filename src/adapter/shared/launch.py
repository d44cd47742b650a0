"""Starting Claude Code for a session: a straight line of steps, which nothing can interleave with."""

from __future__ import annotations

import asyncio
import contextlib
import os
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import anyio
import orjson

from adapter.shared.claude.control import ControlAnswer, ControlChannel
from adapter.shared.claude.features import ClaudeHello, read_hello
from adapter.shared.claude.frames import Frame
from adapter.shared.claude.options import SessionSpec, child_environment, claude_options
from adapter.shared.claude.process import ClaudeProcess, ProcessExit
from adapter.shared.claude.transport import command_line
from adapter.shared.jsonrpc.errors import ClaudeFailure, resume_failed
from adapter.shared.tools.facts import Json

INITIALIZE_SECONDS = 60.0
BYPASS_REFUSED = "bypass_root"
BYPASS_NOTICE = (
    "Your settings start sessions in the mode bypassPermissions, which Claude Code refuses to the root user outside a "
    "sandbox. This session asks for permissions."
)
TOOL_DONE = {"hookCallbackIds": ["tool-done"], "timeout": 5, "onFailure": "continue"}
INITIALIZE: Json = {"subtype": "initialize", "hooks": {"PostToolUse": [TOOL_DONE]}, "perTaskStopAffordance": True}


@dataclass(frozen=True, slots=True)
class Started:
    """A running Claude Code and what it said at its start: its greeting and its answer to `get_settings`.

    `notices` are what the person should know of the start.
    """

    link: ClaudeLink
    hello: ClaudeHello
    settings: Json
    notices: tuple[str, ...] = ()


class ClaudeLink:
    """A process with its control channel. Its frames are kept until a session takes them over."""

    process: ClaudeProcess

    def __init__(self) -> None:
        self.control = ControlChannel(self._send)
        self.permission_mode = "default"
        self.early_frames: list[Frame] = []
        self.early_exit: ProcessExit | None = None
        self.has_transcript = False
        self._on_frame: Callable[[ClaudeLink, Frame], None] = lambda _link, frame: self.early_frames.append(frame)
        self._on_exit: Callable[[ClaudeLink, ProcessExit], None] = ClaudeLink._ended_early

    def connect(
        self, on_frame: Callable[[ClaudeLink, Frame], None], on_exit: Callable[[ClaudeLink, ProcessExit], None]
    ) -> None:
        """Hand frames and the exit over to a session, those first that have come already."""
        self._on_frame = on_frame
        self._on_exit = on_exit
        for frame in self.early_frames:
            on_frame(self, frame)
        self.early_frames.clear()
        if self.early_exit is not None:
            on_exit(self, self.early_exit)

    def _send(self, frame: Frame) -> None:
        self.process.send(frame)

    def take(self, frame: Frame) -> None:
        """A frame has come."""
        if frame["type"] == "control_response":
            self.control.take(frame)
        else:
            # A turn that has its result is in the transcript.
            self.has_transcript = self.has_transcript or frame["type"] == "result"
            self._on_frame(self, frame)

    def ended(self, exit_: ProcessExit) -> None:
        """The process has ended."""
        self._on_exit(self, exit_)

    def _ended_early(self, exit_: ProcessExit) -> None:
        self.early_exit = exit_
        self.control.fail_all(exit_.reason)

    async def call(self, request: Json) -> ControlAnswer:
        """Send a control request and wait for its answer."""
        answer: asyncio.Future[ControlAnswer] = asyncio.get_running_loop().create_future()
        self.control.request(request, lambda given: None if answer.done() else answer.set_result(given))
        return await answer


class Launcher:
    """Starts Claude Code.

    Args:
        environment: The adapter's own environment.
        relieved: See `ClaudeProcess`.
    """

    def __init__(self, environment: Mapping[str, str], relieved: Callable[[], Awaitable[None]]) -> None:
        self._environment = environment
        self._relieved = relieved

    async def start(
        self,
        spec: SessionSpec,
        *,
        resume: bool = False,
        must_exist: bool = False,
        permission_mode: str | None = None,
    ) -> Started:
        """Start a process and greet it.

        Args:
            spec: The session.
            resume: Go on with its transcript.
            must_exist: There is a transcript, so that its lack is a failure and not a session without prompts.
            permission_mode: The mode to start in; `None` leaves it to the user's settings.

        Raises:
            ClaudeFailure: It cannot be started, ends at once, is too old, or does not answer.
        """
        if resume:
            try:
                return await self._start(spec, resume=True, permission_mode=permission_mode)
            except UnknownConversationError:
                if must_exist:
                    raise
        try:
            return await self._start(spec, resume=False, permission_mode=permission_mode)
        except ClaudeFailure as failure:
            if permission_mode is not None or failure.data.get("reason") != BYPASS_REFUSED:
                raise
        started = await self._start(spec, resume=False, permission_mode="default")
        return replace(started, notices=(BYPASS_NOTICE,))

    async def _start(self, spec: SessionSpec, *, resume: bool, permission_mode: str | None) -> Started:
        mcp_file = _write_mcp_file(spec.mcp_servers)
        try:
            options = claude_options(spec, resume=resume, permission_mode=permission_mode, mcp_file=mcp_file)
            link = await self._spawn(_command(options, spec), spec)
            try:
                with anyio.fail_after(INITIALIZE_SECONDS):
                    hello = await link.call(INITIALIZE)
                    settings = await link.call({"subtype": "get_settings"}) if hello.error is None else hello
                return _started(link, hello, settings)
            except TimeoutError:
                await link.process.kill()
                text = f"Claude Code at {link.process.path} did not answer within {INITIALIZE_SECONDS:.0f} s"
                said = list(link.process.last_words())
                text = f"{text}: {said[-1]}" if said else text
                raise ClaudeFailure("start_failed", text, {"path": link.process.path, "stderr": said}) from None
            except BaseException:
                with anyio.CancelScope(shield=True):
                    await link.process.kill()
                raise
        finally:
            if mcp_file is not None:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(mcp_file)  # noqa: PTH108 - no Path method in an async function.

    async def _spawn(self, command: list[str], spec: SessionSpec) -> ClaudeLink:
        link = ClaudeLink()
        link.process = ClaudeProcess(
            command,
            spec.cwd,
            child_environment(self._environment, spec.cwd),
            on_frame=link.take,
            on_exit=link.ended,
            relieved=self._relieved,
        )
        await link.process.start()
        return link


class Conversations:
    """Starts one session's Claude Code again.

    Args:
        launcher: Starts it.
        spec: The session. Its first conversation has the session's id.
        link: The process that was started first.
        new_id: Gives the id of a further conversation.
    """

    def __init__(self, launcher: Launcher, spec: SessionSpec, link: ClaudeLink, new_id: Callable[[], str]) -> None:
        self._launcher = launcher
        self._spec = spec
        self._new_id = new_id
        self._session_id = spec.session_id
        self._link = link
        self._has_transcript = False

    async def start(self, permission_mode: str, *, afresh: bool) -> Started:
        """Start it on the transcript, or, `afresh`, on an empty conversation; see `Launcher.start`.

        Raises:
            ClaudeFailure: `resume_failed` if it cannot go on with the transcript.
        """
        if afresh:
            self._spec = replace(self._spec, session_id=self._new_id())
        self._has_transcript = not afresh and (self._has_transcript or self._link.has_transcript)
        try:
            started = await self._launcher.start(
                self._spec, resume=not afresh, must_exist=self._has_transcript, permission_mode=permission_mode
            )
        except ClaudeFailure as failure:
            raise failure if afresh else resume_failed(self._session_id, failure) from failure
        self._link = started.link
        return started


class UnknownConversationError(ClaudeFailure):
    """There is no transcript to resume: the session has never had a prompt."""


def _command(options: Any, spec: SessionSpec) -> list[str]:
    try:
        return command_line(options)
    except FileNotFoundError as error:
        raise ClaudeFailure("start_failed", str(error), {"path": spec.cli_path or "claude"}) from None


def _started(link: ClaudeLink, hello: ControlAnswer, settings: ControlAnswer) -> Started:
    if hello.error is not None:
        raise _start_failure(link, hello.error)
    greeting = read_hello(hello.response, link.process.path)
    link.permission_mode = greeting.permission_mode
    return Started(link, greeting, settings.response)


def _start_failure(link: ClaudeLink, error: str) -> ClaudeFailure:
    """Why the process ended before it answered: what it said as a result, or its exit and the last line of stderr."""
    exit_ = link.early_exit
    result = next((frame for frame in reversed(link.early_frames) if frame["type"] == "result"), {})
    texts = result.get("errors")
    said = "; ".join(str(text) for text in texts) if isinstance(texts, list) else ""
    data: Json = {"path": link.process.path}
    if exit_ is not None:
        data |= {"exitStatus": exit_.status, "stderr": list(exit_.stderr)}
    if reason := result.get("startup_failure_reason"):
        data["reason"] = reason
    message = f"{error} ({said})" if said and said not in error else error
    if exit_ is None:
        message = f"Claude Code at {link.process.path} did not start: {message}"
    if "No conversation found" in said:
        return UnknownConversationError("start_failed", message, data)
    return ClaudeFailure("start_failed", message, data)


def _write_mcp_file(servers: Mapping[str, dict[str, Any]]) -> str | None:
    """The MCP configuration in a file that only we can read, since it may hold secrets."""
    if not servers:
        return None
    descriptor, path = tempfile.mkstemp(prefix="claude-acp-mcp-", suffix=".json")
    with os.fdopen(descriptor, "wb") as file:
        file.write(orjson.dumps({"mcpServers": dict(servers)}))
    return path
