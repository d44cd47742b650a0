"""`/mcp` in the chat: the list of servers, and reconnecting, enabling and disabling them.

Claude Code takes the prompt and answers it with a remark for the terminal. The servers are asked for, and worked on,
by control requests before the turn ends; their answer takes the place of the remark.
"""

from __future__ import annotations

from collections.abc import Callable

from adapter.shared.claude.frames import Frame
from adapter.shared.effects import Effects, SendControl
from adapter.shared.frame_hold import FrameHold
from adapter.shared.inputs import ControlAnswered
from adapter.shared.local_commands import mcp_action
from adapter.shared.mcp.servers import (
    CONNECTED,
    DISABLED,
    NEEDS_AUTH,
    NONE_CONFIGURED,
    McpServer,
    code,
    listed_servers,
    plain,
    server_list,
)
from adapter.shared.session_part import SessionPart
from adapter.shared.tools.facts import Json
from adapter.shared.tools.text import string
from adapter.shared.updates import Speaker, TextChunk

STATUS: Json = {"subtype": "mcp_status"}
KEY = "mcp"
ALL = "all"
ADD_ONE = f"{NONE_CONFIGURED} Add one with `claude mcp add`."
NOTHING_TO_RECONNECT = "Every MCP server is connected or disabled. There is nothing to reconnect."
DONE = {"reconnect": "Reconnected", "enable": "Enabled", "disable": "Disabled"}


class McpCommand(SessionPart):
    """The `/mcp` that runs.

    Args:
        hold: Keeps the end of its turn back.
        sign_in: Begins the sign-in at a server that needs one.
    """

    def __init__(self, hold: FrameHold, sign_in: Callable[[str], Effects]) -> None:
        self._hold = hold
        self._sign_in = sign_in
        self._runs = False
        self._message_id = ""
        self._action = ""
        self._server = ""
        self._targets: list[str] | None = None
        self._lines: list[str] = []
        self._to_sign_in: list[str] = []
        self.frames = {"assistant": self._said}
        self.answers = {KEY: self._answered}

    def process_gone(self) -> Effects:
        """Nobody answers any more, so that nothing waits for it either."""
        self._runs = False
        self._hold.give_up()
        return []

    def _said(self, frame: Frame) -> Effects:
        asked = mcp_action(frame)
        if asked is None:
            return []
        message = frame.get("message")
        self._runs = True
        self._message_id = string(message.get("id")) if isinstance(message, dict) else ""
        self._action, self._server = asked
        self._targets = None
        self._lines = []
        self._to_sign_in = []
        self._hold.begin()
        return [SendControl(KEY, STATUS)]

    def _answered(self, event: ControlAnswered) -> Effects:
        if not self._runs:
            return []
        if self._targets is None:
            return self._planned(event)
        if self._targets:
            self._note(self._targets.pop(0), event.error)
            return self._next()
        return self._told(listed_servers(event.response), event.error)

    def _planned(self, event: ControlAnswered) -> Effects:
        servers = listed_servers(event.response)
        if event.error or not self._action:
            return self._told(servers, event.error)
        chosen = self._chosen(servers)
        if isinstance(chosen, str):
            return self._told(servers, "", chosen)
        self._targets = [server.name for server in chosen]
        needing = {server.name for server in chosen if server.status == NEEDS_AUTH}
        self._to_sign_in = [name for name in self._targets if name in needing and self._action == "reconnect"]
        return self._next()

    def _chosen(self, servers: list[McpServer]) -> list[McpServer] | str:
        """The servers that the action is for, or why there are none."""
        if self._server and self._server != ALL:
            named = [server for server in servers if server.name == self._server]
            return named or f'There\'s no MCP server named "{plain(self._server)}".'
        if not servers:
            return ADD_ONE
        if not self._server and self._action != "reconnect":
            return f"Name a server or `{ALL}`, for example `/mcp {self._action} <server>`."
        settled = {"reconnect": (CONNECTED, DISABLED), "disable": (DISABLED,)}.get(self._action, ())
        chosen = [server for server in servers if server.status not in settled]
        if self._action == "enable":
            chosen = [server for server in servers if server.status == DISABLED]
        return chosen or (NOTHING_TO_RECONNECT if self._action == "reconnect" else f"Nothing to {self._action}.")

    def _next(self) -> Effects:
        if not self._targets:
            return [SendControl(KEY, STATUS)]
        name = self._targets[0]
        if self._action == "reconnect":
            return [SendControl(KEY, {"subtype": "mcp_reconnect", "serverName": name})]
        enabled = self._action == "enable"
        return [SendControl(KEY, {"subtype": "mcp_toggle", "serverName": name, "enabled": enabled})]

    def _note(self, name: str, error: str) -> None:
        if error:
            self._lines.append(f"- Couldn't {self._action} {code(name)}: {plain(error)}")
        else:
            self._lines.append(f"- {DONE[self._action]} {code(name)}")

    def _told(self, servers: list[McpServer], error: str, remark: str = "") -> Effects:
        shown = f"Claude Code did not list its MCP servers: {plain(error)}" if error else server_list(servers)
        parts = [remark, "\n".join(self._lines), shown]
        chunk = TextChunk(Speaker.AGENT, self._message_id, "\n\n".join(part for part in parts if part))
        self._runs = False
        self._hold.end()
        still = {server.name for server in servers if server.status == NEEDS_AUTH}
        return [chunk, *(effect for name in self._to_sign_in if name in still for effect in self._sign_in(name))]
