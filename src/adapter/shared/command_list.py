"""The slash commands that a client is offered, kept up to date while the session runs."""

from __future__ import annotations

from adapter.shared.claude.frames import Frame
from adapter.shared.commands import FOR_A_TERMINAL, HIDDEN
from adapter.shared.effects import Effects, SendControl
from adapter.shared.session_part import SessionPart
from adapter.shared.tools.facts import Json
from adapter.shared.updates import Command, CommandsChanged

RELOAD: Json = {"subtype": "reload_skills"}
KEY = "commands"


class CommandList(SessionPart):
    """What the client was told.

    Args:
        commands: The commands at the session's start.
    """

    def __init__(self, commands: tuple[Command, ...]) -> None:
        self._commands = commands
        self._terminal = FOR_A_TERMINAL
        self._told: tuple[Command, ...] | None = None
        self.frames = {
            "system/init": self._turn_began,
            "conversation_reset": lambda _frame: self.repeat(),
        }

    def names(self, text: str) -> bool:
        """Whether a prompt is one of Claude Code's commands."""
        word = text.strip().split(maxsplit=1)[0] if text.strip() else ""
        name = word.removeprefix("/")
        return word != name and (name in HIDDEN or any(command.name == name for command in self._commands))

    def current(self) -> tuple[Command, ...]:
        """What an answer to the client has: what it was told by now, or all that Claude Code named at first."""
        return self._commands if self._told is None else self._offered()

    def repeat(self) -> Effects:
        """Tell the whole list."""
        self._told = self._offered()
        return [CommandsChanged(self._told)]

    def changed(self, commands: tuple[Command, ...]) -> Effects:
        """Claude Code has another list."""
        self._commands = commands
        return self._tell()

    def reload(self) -> Effects:
        """Files of commands have changed: Claude Code reads them again, and says what it has then."""
        return [SendControl(KEY, RELOAD)]

    def _turn_began(self, frame: Frame) -> Effects:
        """Each turn names the commands that need a terminal."""
        names = frame.get("terminal_slash_commands")
        self._terminal = (
            frozenset(name for name in names if isinstance(name, str)) if isinstance(names, list) else self._terminal
        )
        return self._tell()

    def _tell(self) -> Effects:
        return [] if self._told in (None, self._offered()) else self.repeat()

    def _offered(self) -> tuple[Command, ...]:
        return tuple(command for command in self._commands if command.name not in self._terminal)
