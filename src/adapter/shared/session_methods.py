"""The methods beside a session's turns: load, resume, fork, list, close, delete, title, archive, status.

Each is a straight line of steps. What a client sends to a session meanwhile waits behind it, so a session has one
process of Claude Code at a time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from adapter.shared.agent_base import AgentBase
from adapter.shared.claude.copies import fork_transcript
from adapter.shared.claude.options import SessionSpec
from adapter.shared.client_capabilities import SubagentForm, read_fork_point
from adapter.shared.conversation import Conversation
from adapter.shared.history.fork_point import cut_at
from adapter.shared.history.index import SessionIndex
from adapter.shared.history.marks import append_tag, append_title, delete_transcript
from adapter.shared.history.places import find_transcript, projects_folder, subagent_files
from adapter.shared.history.replay import Replay
from adapter.shared.history.summary import ARCHIVED, one_line
from adapter.shared.history.transcript import last_permission_mode, read_branch, read_entries, read_subagents
from adapter.shared.inputs import CloseRequested, MethodCalled
from adapter.shared.jsonrpc.errors import invalid_field, invalid_params, unknown_session
from adapter.shared.jsonrpc.messages import Json, Request
from adapter.shared.opening import OpenSession, Past
from adapter.shared.renaming import SET_TITLE
from adapter.shared.server_replacement import replace_servers
from adapter.shared.session_updates import of_subagent, session_info
from adapter.shared.subagents.past import PastSubagents
from adapter.shared.updates import ToSession
from adapter.shared.wire.common import ListSessions, OfSession, SetTitle, parse
from adapter.shared.workspace import check_absolute

ARCHIVE_FILTERS: dict[str, bool | None] = {"exclude": False, "only": True, "include": None}
REPLAY_BATCH = 50
"""Steps of a history after which others get their turn."""


@dataclass(frozen=True, slots=True)
class History:
    """What is to be shown of a session's past.

    Attributes:
        branch: The entries of its conversation.
        replay: What shows them.
        children: Its subagents, if the client shows them as sessions.
    """

    branch: list[Json]
    replay: Replay
    children: PastSubagents | None = None


class SessionMethods:
    """Serves the methods of one connection's sessions.

    Args:
        agent: The connection's agent.
        environment: Says where the transcripts are.
        relieved: Waits while the client has not read much of what was sent.
    """

    def __init__(self, agent: AgentBase, environment: Any, relieved: Callable[[], Awaitable[None]]) -> None:
        self._agent = agent
        self._relieved = relieved
        self._projects = projects_folder(environment)
        self._index = SessionIndex(self._projects)
        self._opening: dict[str, str] = {}
        self.requests: dict[str, Callable[[Request], None]] = {
            "session/list": self._on_list,
            "session/close": self._on_close,
            "session/delete": partial(self._on_session, self._delete),
            "session/archive": partial(self._on_session, self._archive),
            "session/unarchive": partial(self._on_session, self._unarchive),
            "session/status": self._on_status,
            SET_TITLE: self._on_set_title,
        }

    def load(self, request: Request, params: Json, *, replay: bool) -> None:
        """Open a session that has a transcript, and show its history if `replay`.

        Raises:
            ClientMistake: The folder or a server is not usable.
        """
        spec = self._agent.opener.spec(params, self._agent.mcp_types, params["sessionId"])
        session = self._agent.sessions.get(spec.session_id)
        if session is not None and params["mcpServers"] is None:
            spec = replace(spec, mcp_servers=session.spec.mcp_servers)
        self._run(request, spec.session_id, partial(self._load, request, spec, replay=replay))

    def fork(self, request: Request, params: Json) -> None:
        """Copy a session, up to a message if the client names one, and open the copy.

        Raises:
            ClientMistake: The folder or a server is not usable.
        """
        spec = self._agent.opener.spec(params, self._agent.mcp_types)
        self._agent.tasks.run(request, partial(self._fork, request, params, spec))

    def _run(self, request: Request, session_id: str, work: Callable[[], Awaitable[None]]) -> None:
        gate = self._agent.gate
        gate.close(session_id)
        self._agent.tasks.run(request, work, after=partial(gate.open, session_id))

    def _on_session(self, work: Callable[[Request, str], Awaitable[None]], request: Request) -> None:
        session_id = parse(OfSession, request.params).sessionId
        self._run(request, session_id, partial(work, request, session_id))

    async def _load(self, request: Request, spec: SessionSpec, *, replay: bool) -> None:
        session = self._agent.sessions.get(spec.session_id)
        if session is not None and self._agent.stays_open(session, spec):
            await replace_servers(session, spec)
            path = await self._find(spec.session_id)
            if replay and path:
                past = await self._read(path, spec, session.core.parts.working_sessions())
                # The history and what Claude Code says now go out in one piece each.
                for updates in list(past.replay.read(past.branch)):
                    self._tell(spec.session_id, updates)
                if past.children is not None:
                    self._tell(spec.session_id, past.children.end())
                    session.remember("", {}, past.children.recalled())
                self._tell(spec.session_id, past.replay.over())
                self._agent.history_shown(spec.session_id)
            self._tell(spec.session_id, session.core.snapshot())
            self._agent.answer_opened(request, spec.session_id, session, known=True)
            return
        if session is not None:
            await self._agent.end_session(spec.session_id)
        conversation = await self._conversation(spec.session_id)
        await self._free(conversation, spec.session_id)
        self._opening[conversation] = spec.session_id
        try:
            await self._open(request, spec, conversation, replay=replay)
        finally:
            del self._opening[conversation]

    async def _free(self, conversation: str, session_id: str) -> None:
        """Wait until no process of a session that has ended is in a conversation.

        Raises:
            ClientMistake: Another session is in it, so that two processes would write one transcript.
        """
        for one in dict.fromkeys((session_id, *self._agent.sessions_in(conversation))):
            await self._agent.session_left(one)
        holders = (*self._agent.open_in(conversation), self._opening.get(conversation, session_id))
        holder = next((one for one in holders if one != session_id), None)
        if holder is not None:
            message = f"this conversation is open as the session {holder}: use that one, or close it first"
            raise invalid_field("sessionId", message)

    async def _open(self, request: Request, spec: SessionSpec, conversation: str, *, replay: bool) -> None:
        path = await asyncio.to_thread(find_transcript, self._projects, conversation)
        if not path and not self._is_begun(spec.session_id):
            raise unknown_session(spec.session_id)
        past = await asyncio.to_thread(self._past, path, conversation) if path else None
        opening = asyncio.ensure_future(self._agent.open(spec, past))
        try:
            tasks, subagents = await self._recall(path, spec, replay=replay) if path else ({}, ())
            session = await opening
        except BaseException:
            await self._undo(opening)
            raise
        if past is not None:
            session.remember(past.title, tasks, subagents)
        if replay:
            self._agent.history_shown(spec.session_id)
        self._tell(spec.session_id, session.core.snapshot())
        self._agent.answer_opened(request, spec.session_id, session, known=True)

    async def _undo(self, opening: asyncio.Task[OpenSession]) -> None:
        """The session is not wanted any more: end what was started for it."""
        opening.cancel()
        await asyncio.wait([opening])
        if not opening.cancelled() and opening.exception() is None:
            await opening.result().driver.shut_down()

    async def _recall(self, path: str, spec: SessionSpec, *, replay: bool) -> tuple[Json, tuple[Json, ...]]:
        """Send a history to the client if it wants it; returns the tasks and the subagents that it leaves."""
        if not replay and not (self._agent.capabilities.subagents.has_sessions and await self._has_subagents(path)):
            return {}, ()
        past = await self._read(path, spec)
        if replay:
            for count, updates in enumerate(past.replay.read(past.branch)):
                self._tell(spec.session_id, updates)
                if count % REPLAY_BATCH == 0:
                    await self._relieved()
                    await asyncio.sleep(0)
            self._tell(spec.session_id, [*past.replay.end(), *past.replay.over()])
        return past.replay.tasks(), past.children.recalled() if past.children is not None else ()

    async def _has_subagents(self, path: str) -> bool:
        return bool(await asyncio.to_thread(subagent_files, path))

    async def _read(self, path: str, spec: SessionSpec, working: frozenset[str] = frozenset()) -> History:
        agents = await asyncio.to_thread(read_subagents, path)
        branch = await asyncio.to_thread(read_branch, path)
        capabilities = self._agent.capabilities
        context = self._agent.opener.context(spec.cwd)
        watch = self._agent.opener.replay_watch(spec.session_id)
        if not capabilities.subagents.has_sessions:
            inner = {agent.launch_id: agent.entries for agent in agents}
            return History(branch, Replay(Conversation(context), inner, watch=watch))
        draft = capabilities.subagents is SubagentForm.DRAFT
        children = PastSubagents(
            spec.session_id, branch, agents, draft=draft, notices=capabilities.notices, working=working
        )
        return History(branch, Replay(Conversation(context, subagent_text=True), {}, children, watch), children)

    def _tell(self, session_id: str, updates: list[Any]) -> None:
        for update in updates:
            place = update if isinstance(update, ToSession) else ToSession(session_id, "", update)
            for message in self._agent.encoder.updates(place.update):
                shown = of_subagent(message, place.call_id) if place.call_id else message
                params = {"sessionId": place.session_id or session_id, "update": shown}
                self._agent.peer.notify("session/update", params)

    def _past(self, path: str, conversation_id: str) -> Past:
        """What a transcript says of how its session ran. Blocks."""
        listed = self._index.find(path)
        title = listed.summary.title if listed is not None and listed.summary.named else ""
        with suppress(OSError):
            return Past(conversation_id, title, last_permission_mode(path))
        return Past(conversation_id, title)

    async def _fork(self, request: Request, params: Json, spec: SessionSpec) -> None:
        source = params["sessionId"]
        path = await self._find(source)
        if not path and not self._is_begun(source):
            raise unknown_session(source)
        up_to = await self._fork_end(params, path, source)
        if not path:
            # Nothing has been said in it, so a session that has just begun is a copy of it.
            await self._agent.begin_session(request, spec)
            return
        try:
            copy = await asyncio.to_thread(fork_transcript, await self._conversation(source), up_to)
        except (FileNotFoundError, ValueError):
            raise unknown_session(source) from None
        forked = spec.of(copy)
        past = await asyncio.to_thread(self._past, await self._find(copy), copy)
        session = await self._agent.open(forked, past)
        session.remember(past.title, {})
        self._agent.answer_opened(request, copy, session, known=False)

    async def _fork_end(self, params: Json, path: str, source: str) -> str:
        """The uuid of the entry that a fork ends with; empty for the last one.

        Raises:
            ClientMistake: The client names a message that is not there.
        """
        point = read_fork_point(params)
        if point is None:
            return ""
        up_to = cut_at(await asyncio.to_thread(read_entries, path) if path else [], point)
        if not up_to:
            message = f"Fork point message {point.message_id} was not found in session {source}"
            raise invalid_params(message, {"messageId": point.message_id})
        return up_to

    def _is_begun(self, session_id: str) -> bool:
        """Whether a session was made on this connection, so that it may be without a transcript."""
        return session_id in self._agent.sessions or session_id in self._agent.begun

    def _on_list(self, request: Request) -> None:
        params = parse(ListSessions, request.params)
        if params.cwd:
            check_absolute(params.cwd)
        archived = params.archived or "exclude"
        if archived not in ARCHIVE_FILTERS:
            raise invalid_field("archived", f"must be one of {', '.join(ARCHIVE_FILTERS)}")
        self._agent.tasks.run(request, partial(self._list, request, params, archived=ARCHIVE_FILTERS[archived]))

    async def _list(self, request: Request, params: ListSessions, *, archived: bool | None) -> None:
        listed, cursor = await asyncio.to_thread(self._index.page, params.cwd or "", params.cursor or "", archived)
        next_cursor = {"nextCursor": cursor} if cursor else {}
        self._agent.peer.respond(request.id, {"sessions": [session_info(one) for one in listed], **next_cursor})

    def _on_close(self, request: Request) -> None:
        session_id = parse(OfSession, request.params).sessionId
        if session_id in self._agent.sessions:
            self._agent.post(session_id, CloseRequested(request.id))
        else:
            self._agent.peer.respond(request.id, {})

    async def _delete(self, request: Request, session_id: str) -> None:
        await self._end(session_id)
        while transcripts := await self._transcripts(session_id):
            for _, path in transcripts:
                await asyncio.to_thread(delete_transcript, path)
        self._agent.begun.discard(session_id)
        self._agent.peer.respond(request.id, {})

    async def _archive(self, request: Request, session_id: str) -> None:
        if not self._is_begun(session_id):
            await self._known(session_id)
        await self._end(session_id)
        for conversation, path in await self._transcripts(session_id):
            await asyncio.to_thread(append_tag, path, conversation, ARCHIVED)
        self._agent.peer.respond(request.id, {})

    async def _unarchive(self, request: Request, session_id: str) -> None:
        if not self._is_begun(session_id):
            await self._known(session_id)
        await self._free_all(session_id)
        for conversation, path in await self._transcripts(session_id):
            listed = await asyncio.to_thread(self._index.find, path)
            if listed is not None and listed.summary.archived:
                await asyncio.to_thread(append_tag, path, conversation, "")
        self._agent.peer.respond(request.id, {})

    def _on_status(self, request: Request) -> None:
        session_id = parse(OfSession, request.params).sessionId
        if session_id in self._agent.sessions:
            self._agent.peer.respond(request.id, {"status": "open"})
        else:
            self._agent.tasks.run(request, partial(self._saved, request, session_id))

    async def _saved(self, request: Request, session_id: str) -> None:
        await self._known(session_id)
        self._agent.peer.respond(request.id, {"status": "saved"})

    def _on_set_title(self, request: Request) -> None:
        params = parse(SetTitle, request.params)
        title = one_line(params.title)
        if not title:
            raise invalid_field("title", "must not be empty")
        if params.sessionId in self._agent.sessions:
            self._agent.post(params.sessionId, MethodCalled(request.id, SET_TITLE, {"title": title}))
        else:
            self._run(request, params.sessionId, partial(self._set_title, request, params.sessionId, title))

    async def _set_title(self, request: Request, session_id: str, title: str) -> None:
        await self._known(session_id)
        await self._free_all(session_id)
        for conversation, path in await self._transcripts(session_id):
            await asyncio.to_thread(append_title, path, conversation, title)
        self._agent.peer.respond(request.id, {"title": title})

    async def _end(self, session_id: str) -> None:
        """End a session whose transcripts are to be changed; see `_free`."""
        await self._free_all(session_id)
        await self._agent.end_session(session_id)
        await self._agent.session_left(session_id)

    async def _free_all(self, session_id: str) -> None:
        await self._agent.session_left(session_id)
        for conversation, _ in await self._transcripts(session_id):
            await self._free(conversation, session_id)

    async def _known(self, session_id: str) -> None:
        if not await self._transcripts(session_id):
            raise unknown_session(session_id)

    async def _transcripts(self, session_id: str) -> list[tuple[str, str]]:
        """The conversations that a session was and is in, and their transcripts."""
        known = dict.fromkeys((session_id, self._agent.conversation_of(session_id)))
        chains = [await asyncio.to_thread(self._index.conversations, one) for one in known]
        conversations = dict.fromkeys(one for chain in chains for one in chain)
        found = [(one, await asyncio.to_thread(find_transcript, self._projects, one)) for one in conversations]
        return [(one, path) for one, path in found if path]

    async def _conversation(self, session_id: str) -> str:
        """The conversation that a session is in, or was when it ended, if need be long ago."""
        known = self._agent.conversation_of(session_id)
        if session_id in self._agent.sessions:
            return known
        return (await asyncio.to_thread(self._index.conversations, known))[-1]

    async def _find(self, session_id: str) -> str:
        """The transcript of the conversation that a session is in; empty if there is none."""
        conversation = await self._conversation(session_id)
        return await asyncio.to_thread(find_transcript, self._projects, conversation)
