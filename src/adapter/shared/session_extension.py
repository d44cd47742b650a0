"""The seam between the opening of sessions and the extensions that a client has negotiated."""

from __future__ import annotations

from typing import Protocol

from adapter.shared.claude.options import SessionSpec
from adapter.shared.history.replay import ReplayWatch
from adapter.shared.session_base import SessionBase


class SessionExtension(Protocol):
    """What the extensions that a client has negotiated add to each of its sessions."""

    def prepare(self, spec: SessionSpec) -> SessionSpec:
        """What else Claude Code is started with."""
        ...

    def equip(self, core: SessionBase, spec: SessionSpec, roots: tuple[tuple[str, str], ...], token: str) -> None:
        """Add the extensions' parts to a session that is being opened.

        Args:
            core: The session.
            spec: What it was started with.
            roots: See `workspace_roots`.
            token: A fresh id, for what the extensions have to name.
        """
        ...

    def watch_replay(self, session_id: str) -> ReplayWatch:
        """See the history of a session as it is shown."""
        ...
