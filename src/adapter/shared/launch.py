"""Starting Claude Code for a session: a straight line of steps, which nothing can interleave with."""

from __future__ import annotations

import asyncio
import contextlib
import os
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import anyio
import orjson

from adapter.shared.claude.control import ControlAnswer, ControlChannel
from adapter.shared.claude.features import ClaudeHello, read_hello
from adapter.shared.claude.frames import Frame
from adapter.shared.claude.options import (
    PrivateFiles,
    SessionSpec,
    child_environment,
    claude_options,
    initialize_request,
)
from adapter.shared.claude.process import ClaudeProcess, ProcessExit
from adapter.shared.claude.settings_faults import settings_notices
from adapter.shared.claude.transport import command_line
from adapter.shared.jsonrpc.errors import ClaudeFailure, resume_failed
from adapter.shared.providers import Route, Routes
from adapter.shared.tools.facts import Json

INITIALIZE_SECONDS = 60.0
BYPASS_REFUSED = "bypass_root"
BYPASS_NOTICE = (
    "Your settings start sessions in the mode bypassPermissions, which Claude Code refuses to the root user outside a "
    "sandbox. This session asks for permissions."
)


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
        self.conversation_id = ""
        self.served: tuple[str, ...] | None = None
        self.files: list[str] = []
        self.early_frames: list[Frame] = []
        self.early_exit: ProcessExit | None = None
        self.has_transcript = False
        self.on_turn: Callable[[], None] = lambda: None
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
            return
        if frame.get("subtype") == "init" and isinstance(frame.get("session_id"), str):
            # A cleared conversation goes on under another id than the one that it was started with.
            self.conversation_id = frame["session_id"]
        # A turn that has its result is in the transcript.
        self.has_transcript = self.has_transcript or frame["type"] == "result"
        if frame["type"] == "result" or frame.get("subtype") == "init":
            self.on_turn()
        self._on_frame(self, frame)

    def ended(self, exit_: ProcessExit) -> None:
        """The process has ended, and needs its files no more."""
        _remove(self.files)
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
        routes: Where its requests go.
    """

    def __init__(
        self, environment: Mapping[str, str], relieved: Callable[[], Awaitable[None]], routes: Routes | None = None
    ) -> None:
        self._environment = environment
        self._relieved = relieved
        self._routes = routes or Routes(environment)

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
        return replace(started, notices=(*started.notices, BYPASS_NOTICE))

    async def resume(self, spec: SessionSpec, *, permission_mode: str | None = None) -> Started:
        """Start a process on the session's transcript and greet it.

        Raises:
            UnknownConversationError: There is nothing to go on with.
            ClaudeFailure: As for `start`.
        """
        try:
            return await self._start(spec, resume=True, permission_mode=permission_mode)
        except ClaudeFailure as failure:
            if permission_mode is not None or failure.data.get("reason") != BYPASS_REFUSED:
                raise
        started = await self._start(spec, resume=True, permission_mode="default")
        return replace(started, notices=(BYPASS_NOTICE,))

    async def _start(self, spec: SessionSpec, *, resume: bool, permission_mode: str | None) -> Started:
        route = self._routes.active
        files = _write_files(spec, route)
        temporary = [path for path in (files.mcp, files.settings) if path is not None]
        try:
            mode = permission_mode or spec.options.permission_mode or None
            options = claude_options(spec, resume=resume, permission_mode=mode, files=files)
            link = await self._spawn(_command(options, spec), spec, route)
            if route is not None and files.settings is not None:
                # Claude Code may read its settings again, so this file stays as long as it runs.
                link.files = [files.settings]
                temporary.remove(files.settings)
            try:
                with anyio.fail_after(INITIALIZE_SECONDS):
                    hello = await link.call(initialize_request(spec, resume=resume))
                    settings = await link.call({"subtype": "get_settings"}) if hello.error is None else hello
                return _started(link, hello, settings, files)
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
            _remove(temporary)

    async def _spawn(self, command: list[str], spec: SessionSpec, route: Route | None) -> ClaudeLink:
        link = ClaudeLink()
        link.served = route.served if route is not None else None
        link.process = ClaudeProcess(
            command,
            spec.cwd,
            {
                **child_environment(self._environment, spec.cwd, spec.options.environment),
                **(route.environment() if route is not None else {}),
            },
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
        spec: The session, with the id of its first conversation.
        first: The process that runs that.
        new_id: Gives the id of a further conversation.
        on_turn: Told of the conversation of each turn, at its beginning and at its end.
    """

    def __init__(
        self,
        launcher: Launcher,
        spec: SessionSpec,
        first: ClaudeLink,
        new_id: Callable[[], str],
        on_turn: Callable[[str], None] = lambda _conversation: None,
    ) -> None:
        self._launcher = launcher
        self._spec = spec
        self._session_id = spec.session_id
        self._link = first
        self._new_id = new_id
        self._on_turn = on_turn
        self._has_transcript = False
        self._watch()

    @property
    def current_id(self) -> str:
        """The id of the conversation that the session is in."""
        return self._link.conversation_id or self._spec.session_id

    def take_servers(self, spec: SessionSpec) -> ClaudeLink:
        """Start with the MCP servers of this specification from now on; returns the process that is there."""
        self._spec = replace(self._spec, mcp_servers=spec.mcp_servers, client_servers=spec.client_servers)
        return self._link

    async def start(self, permission_mode: str, *, afresh: bool, agent: str = "") -> Started:
        """Start it on the transcript, or, `afresh`, on an empty conversation; see `Launcher.start`.

        Args:
            permission_mode: The mode to start in.
            afresh: See there.
            agent: The agent that leads the session from now on; empty for the one that led it.

        Raises:
            ClaudeFailure: `resume_failed` if it cannot go on with the transcript.
        """
        self._spec = self._spec.of(self._new_id() if afresh else self.current_id)
        if agent:
            self._spec = replace(self._spec, options=replace(self._spec.options, agent=agent))
        self._has_transcript = not afresh and (self._has_transcript or self._link.has_transcript)
        try:
            started = await self._launcher.start(
                self._spec, resume=not afresh, must_exist=self._has_transcript, permission_mode=permission_mode
            )
        except ClaudeFailure as failure:
            raise failure if afresh else resume_failed(self._session_id, failure) from failure
        self._link = started.link
        self._watch()
        return started

    def _watch(self) -> None:
        self._link.on_turn = lambda: self._on_turn(self.current_id)


class UnknownConversationError(ClaudeFailure):
    """There is no transcript to resume: the session has never had a prompt."""


def _command(options: Any, spec: SessionSpec) -> list[str]:
    try:
        return command_line(options)
    except (FileNotFoundError, ValueError) as error:
        raise ClaudeFailure("start_failed", str(error), {"path": spec.cli_path or "claude"}) from None


def _started(link: ClaudeLink, hello: ControlAnswer, settings: ControlAnswer, files: PrivateFiles) -> Started:
    if hello.error is not None:
        raise _start_failure(link, hello.error)
    greeting = read_hello(hello.response, link.process.path)
    link.permission_mode = greeting.permission_mode
    return Started(link, greeting, settings.response, settings_notices(settings.response, files.settings))


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


def _write_files(spec: SessionSpec, route: Route | None) -> PrivateFiles:
    """The files for a start. A route goes before the settings of the client, which has chosen it as well."""
    servers = spec.servers
    settings = spec.options.settings
    if route is not None:
        settings = route.over(settings if isinstance(settings, dict) else _read_settings(settings))
    return PrivateFiles(
        mcp=_write_private("mcp", {"mcpServers": servers}) if servers else None,
        settings=_write_private("settings", settings) if isinstance(settings, dict) else None,
    )


def _read_settings(path: str | None) -> Json:
    """The settings file that a client has named; Claude Code itself says what is wrong with one."""
    try:
        settings = orjson.loads(Path(path).read_bytes()) if path else {}
    except (OSError, ValueError):
        return {}
    return settings if isinstance(settings, dict) else {}


def _write_private(name: str, content: Json) -> str:
    """A JSON file that only we can read, since it may hold secrets."""
    descriptor, path = tempfile.mkstemp(prefix=f"claude-acp-{name}-", suffix=".json")
    with os.fdopen(descriptor, "wb") as file:
        file.write(orjson.dumps(content))
    return path


def _remove(paths: list[str]) -> None:
    for path in paths:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)  # noqa: PTH108 - a function that async ones call uses no Path method.
