"""Slash commands that Claude Code answers itself, in a frame of its own, without the model.

Where its answer is meant for a terminal, the person gets another one.
"""

from __future__ import annotations

import re

from adapter.shared.claude.frames import Frame
from adapter.shared.logins import TO_CLAUDE_CODE
from adapter.shared.tools.text import string
from adapter.shared.updates import Speaker, TextChunk

UNAVAILABLE = "unavailable_headless"
MCP_ACTIONS = ("reconnect", "enable", "disable")
SIGN_IN = {
    "login": "To sign in, use your editor's sign-in for this agent, or run `{} auth login` in a terminal. "
    "The next prompt goes on with the new sign-in.",
    "logout": "To sign out, use your editor's sign-out for this agent, or run `{} auth logout` in a terminal.",
}
"""What `/login` and `/logout` are answered with; Claude Code has them in a terminal only. `{}` is its command line."""
OUTPUT = re.compile(r"</?local-command-std(?:out|err)>")
"""The marks around a command's output in a transcript; what has none is the command as it was typed."""


def local_command(frame: Frame) -> tuple[str, str]:
    """The command whose output an `assistant` frame is, and its arguments; empty for any other frame."""
    run = frame.get("local_command_run")
    if not isinstance(run, dict):
        return "", ""
    return string(run.get("command")), string(run.get("args")).strip()


def _unavailable_command(frame: Frame) -> str:
    """The command that Claude Code says it has in a terminal only; its frame names that in its text alone."""
    outcome = frame.get("local_command_outcome")
    if not isinstance(outcome, dict) or outcome.get("kind") != UNAVAILABLE:
        return ""
    blocks = frame["message"]["content"]
    words = string(blocks[0].get("text")).split() if blocks else []
    return words[0].removeprefix("/") if words else ""


def mcp_action(frame: Frame) -> tuple[str, str] | None:
    """What `/mcp` is to do: the action, empty for the list, and the server that it names.

    `None` for a frame of another command, or of a `/mcp` that only Claude Code has an answer for.
    """
    return _mcp_action(*local_command(frame))


def sign_in_answer(command: str, adapter: str) -> str:
    """The answer to `/login` and `/logout`; empty for any other command.

    Args:
        command: Its name.
        adapter: How the adapter is started. Claude Code's own command line is reached through it, since the bundled
            Claude Code is on nobody's PATH.
    """
    return SIGN_IN.get(command, "").format(f"{adapter} {TO_CLAUDE_CODE}")


def own_answer(frame: Frame, adapter: str) -> list[TextChunk] | None:
    """What a client gets instead of Claude Code's answer; `None` if it gets that one.

    Args:
        frame: An `assistant` frame.
        adapter: How the adapter is started.
    """
    if mcp_action(frame) is not None:
        return []
    text = sign_in_answer(_unavailable_command(frame), adapter)
    return [TextChunk(Speaker.AGENT, string(frame["message"]["id"]), text)] if text else None


def kept_output(command: str, content: str, adapter: str) -> str | None:
    """What a client is shown of the content of a `local_command` entry of a transcript.

    The transcript has Claude Code's answers where the client got ours. Ours to `/login` and `/logout` are known; what
    `/mcp` answered is not, so nothing is shown: Claude Code's remark would say that nothing was done.

    Args:
        command: What the person typed that the entry follows; empty if that is not known.
        content: The entry's content.
        adapter: How the adapter is started.

    Returns:
        The output, which may be empty; `None` if the content is what the person typed.
    """
    if not OUTPUT.match(content):
        return None
    output = OUTPUT.sub("", content).strip()
    name, _, args = command.removeprefix("/").partition(" ")
    if _mcp_action(name, args.strip()) is not None:
        return ""
    return (sign_in_answer(name, adapter) if output.startswith(f"/{name} ") else "") or output


def _mcp_action(command: str, args: str) -> tuple[str, str] | None:
    action, _, server = args.partition(" ")
    if command != "mcp" or action not in ("", *MCP_ACTIONS):
        return None
    return action, server.strip()
