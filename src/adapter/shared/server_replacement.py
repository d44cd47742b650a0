"""Other MCP servers for a session that is open, without a break in its work."""

from __future__ import annotations

from dataclasses import replace

import anyio

from adapter.shared.claude.options import SessionSpec
from adapter.shared.inputs import ServersProvided
from adapter.shared.opening import OpenSession
from adapter.shared.session_services import ProcessState

SET_SERVERS = "mcp_set_servers"
SECONDS = 60.0
"""How long a client waits for servers that hang; they may come up behind its answer."""


async def replace_servers(session: OpenSession, spec: SessionSpec) -> None:
    """Let a session go on with the MCP servers of this specification; waits until they are up or have failed.

    Until then Claude Code reads nothing else, an interrupt neither. One that does not come up is told at the next turn.
    """
    own_changed = session.spec.client_servers != spec.client_servers
    if session.spec.servers == spec.servers and not own_changed:
        return
    await session.driver.started()
    session.spec = replace(session.spec, mcp_servers=spec.mcp_servers, client_servers=spec.client_servers)
    link = session.conversations.take_servers(session.spec)
    session.driver.post(ServersProvided(dict(spec.client_servers)))
    if session.core.process is not ProcessState.UP:
        return
    servers = session.spec.servers
    with anyio.move_on_after(SECONDS):
        if own_changed:
            # Claude Code sees no difference between two servers of one name, and would keep what it knows of the first.
            others = {name: server for name, server in servers.items() if name not in spec.client_servers}
            await link.call({"subtype": SET_SERVERS, "servers": others})
        await link.call({"subtype": SET_SERVERS, "servers": servers})
