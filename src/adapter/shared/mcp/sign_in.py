"""MCP servers that do not come up: the person is told once, and where a sign-in is needed is sent to its page."""

from __future__ import annotations

from collections.abc import Iterable

from adapter.shared.claude.frames import Frame
from adapter.shared.effects import (
    AskElicitation,
    CompleteElicitation,
    Effects,
    SendControl,
    StartTimer,
    StopTimer,
    WithdrawQuestion,
)
from adapter.shared.elicitation.mcp import sign_in_page
from adapter.shared.elicitation.requests import Elicitation, accepted_content
from adapter.shared.inputs import ClientAnswered, ControlAnswered
from adapter.shared.mcp.servers import CONNECTED, FAILED, NEEDS_AUTH, listed_servers, turn_servers
from adapter.shared.session_part import SessionPart
from adapter.shared.tools.text import string
from adapter.shared.updates import ServerNotice

KEY = "mcp-sign-in"
POLL = "mcp-sign-in-poll"
TIMER = "mcp-sign-in"
POLL_SECONDS = 2.0
POLLS = 300
"""How often a server is asked after: Claude Code does not say when a sign-in is done, and a page may stay unread."""


class McpSignIn(SessionPart):
    """The servers of a session that are not up.

    Args:
        modes: The elicitations that the client takes.
    """

    def __init__(self, modes: frozenset[str]) -> None:
        self._modes = modes
        self._told: set[tuple[str, str]] = set()
        self._waiting: dict[str, Elicitation] = {}
        """The pages that were opened, by their key."""
        self._unanswered: set[str] = set()
        self._polls = 0
        self._count = 0
        self.frames = {"system/init": self._turn_began}
        self.answers = {KEY: self._page_known, POLL: self._status_known}
        self.client_answers = {KEY: self._page_answered}

    def begin(self, server: str) -> Effects:
        """Have the person sign in at a server, if the client can open a page and has none of it open."""
        if "url" not in self._modes or any(page.asked["server"] == server for page in self._waiting.values()):
            return []
        return [SendControl(f"{KEY} {server}", {"subtype": "mcp_authenticate", "serverName": server})]

    def timer_fired(self, name: str) -> Effects:
        """Ask how the servers are."""
        if name != TIMER or not self._waiting:
            return []
        self._polls += 1
        if self._polls > POLLS:
            return self._end(list(self._waiting))
        return [SendControl(POLL, {"subtype": "mcp_status"})]

    def process_gone(self) -> Effects:
        """The sign-in ended with the process that waited for it."""
        return self._end(list(self._waiting))

    def session_over(self) -> Effects:
        """The page is of no use any more."""
        return self._end(list(self._waiting))

    def _turn_began(self, frame: Frame) -> Effects:
        effects: Effects = []
        for server in turn_servers(frame):
            about = (server.name, server.status)
            if server.status not in (FAILED, NEEDS_AUTH) or about in self._told:
                continue
            self._told.add(about)
            if server.status == NEEDS_AUTH and "url" in self._modes:
                effects += self.begin(server.name)
            else:
                effects.append(ServerNotice(server.name, server.status))
        return effects

    def _page_known(self, event: ControlAnswered) -> Effects:
        server = event.key.removeprefix(f"{KEY} ")
        url = string(event.response.get("authUrl"))
        if event.error or not url:
            return [ServerNotice(server, NEEDS_AUTH)]
        self._count += 1
        # The state of the sign-in is unique, which a count is not: other sessions of the client sign in as well.
        identity = string(event.response.get("state")) or f"{self._count} {url}"
        page = sign_in_page(f"{KEY} {self._count}", f"mcp-oauth-{identity}", server, url)
        self._waiting[page.key] = page
        self._unanswered.add(page.key)
        self._polls = 0
        return [AskElicitation(page), StartTimer(TIMER, POLL_SECONDS)]

    def _page_answered(self, event: ClientAnswered) -> Effects:
        """An acceptance only says that the page was opened."""
        self._unanswered.discard(event.key)
        if event.error is None and accepted_content(event.result) is not None:
            return []
        page = self._waiting.pop(event.key, None)
        if page is None:
            return []
        stopped: Effects = [] if self._waiting else [StopTimer(TIMER)]
        return [*stopped, ServerNotice(page.asked["server"], NEEDS_AUTH)]

    def _status_known(self, event: ControlAnswered) -> Effects:
        up = {server.name for server in listed_servers(event.response) if server.status == CONNECTED}
        done = [key for key, page in self._waiting.items() if page.asked["server"] in up]
        effects: Effects = [CompleteElicitation(self._waiting[key].elicitation_id) for key in done]
        effects += self._end(done)
        return [*effects, StartTimer(TIMER, POLL_SECONDS)] if self._waiting else effects

    def _end(self, keys: Iterable[str]) -> Effects:
        effects: Effects = []
        for key in keys:
            del self._waiting[key]
            if key in self._unanswered:
                self._unanswered.discard(key)
                effects.append(WithdrawQuestion(key))
        return effects if self._waiting or not keys else [*effects, StopTimer(TIMER)]
