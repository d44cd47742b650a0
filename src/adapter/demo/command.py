"""The command ``claude-acp demo``: a whole conversation, without an account and without a network."""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import sys
import tempfile
import time
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.prompt import IntPrompt

from adapter.demo.agent import Agent, DemoError
from adapter.demo.editor import Choice, Chooser, Editor, allow_once, index_of_allow_once
from adapter.demo.next_steps import show_next_steps
from adapter.demo.story import MODEL, PROMPT, check, prepare, scripts
from adapter.demo.view import View
from adapter.scripted import ScriptedModel, scripted_environment

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_INTERRUPTED = 130


def run(argv: list[str]) -> int:
    """Runs the demo.

    Args:
        argv: The arguments after ``demo``.

    Returns:
        The exit status: 0 if everything happened as told, 1 if something failed, 130 after Ctrl-C.
    """
    options = _parse(argv)
    console = _console()
    interactive = sys.stdin.isatty() and console.is_terminal and not options.yes
    by = "--yes" if options.yes else "the demo, as nobody is there to ask"
    choose = _ask_person(console) if interactive else allow_once(by)
    command = _split(options.agent) if options.agent else [sys.executable, "-m", "adapter"]
    root = Path(tempfile.mkdtemp(prefix="claude-acp-demo-")).resolve()
    try:
        return show(console, command, options.core, choose, root)
    except (KeyboardInterrupt, EOFError):
        console.print("\nStopped, and the agent with it.")
        return _INTERRUPTED
    finally:
        deleted = _delete(root)
        console.print("The temporary folder has been deleted." if deleted else f"Not deleted, please do it: {root}")


def show(
    console: Console, command: Sequence[str], core: str, choose: Chooser, root: Path, *, patience: float = 60
) -> int:
    """Shows the conversation with one agent.

    Args:
        console: Where to show it.
        command: The agent's program and its arguments.
        core: Which core of the adapter to show: v1, bridge or native.
        choose: Answers permission questions.
        root: An empty folder for all files of the demo.
        patience: Seconds without a sign of the agent after which the demo fails.

    Returns:
        The exit status, as ``run``.
    """
    workspace, home = root / "workspace", root / "home"
    prepare(workspace, home)
    view = View(console, workspace)
    view.heading("claude-acp demo")
    view.line("The adapter and Claude Code are real; the model is a script on this machine.")
    view.line("No account, no network, no cost. Everything happens in a temporary folder:")
    view.line((str(root), "dim"))
    try:
        with (
            ScriptedModel(scripts(workspace)) as model,
            Agent(command, _environment(root, model.port, core), workspace, patience=patience) as agent,
        ):
            _converse(Editor(agent, core, view, choose), view, workspace)
    except DemoError as error:
        view.line((str(error), "bold red"))
        for note in getattr(error, "__notes__", ()):
            view.line(note)
        return 1
    show_next_steps(view)
    return 0


def _converse(editor: Editor, view: View, workspace: Path) -> None:
    view.heading("1. The editor starts the adapter and opens a session")
    editor.initialize()
    session_id = editor.new_session(workspace)
    view.heading("2. A prompt, and all that comes of it")
    end = editor.prompt(session_id, PROMPT)
    view.turn_ended(end.stop_reason, end.usage)
    view.heading("3. What is true now")
    checks = check(workspace)
    for item in checks:
        view.line(("✓ ", "green") if item.holds else ("✗ ", "red"), item.text)
    if editor.refused:
        view.line("You refused something, so it was not done.")
    elif not all(item.holds for item in checks):
        raise DemoError("The agent has not done what it told.")


def _parse(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="claude-acp demo",
        description="Shows a whole conversation with Claude Code through the adapter: real processes, real files in a "
        "temporary folder, a scripted model instead of an account.",
    )
    parser.add_argument(
        "--core", choices=("v1", "bridge", "native"), default="v1", help="the core to show (default v1)"
    )
    parser.add_argument("--yes", action="store_true", help="allow, once, everything that the agent asks for")
    parser.add_argument("--agent", metavar="CMD", help="show another ACP agent command instead of this adapter")
    return parser.parse_args(argv)


def _split(command: str) -> list[str]:
    """Splits a command line; on Windows a backslash is part of a path and quotes only hold words together."""
    if sys.platform == "win32":
        return [part.strip('"') for part in shlex.split(command, posix=False)]
    return shlex.split(command)


def _console() -> Console:
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # A pipe or an old terminal may not know our signs.
    return Console(highlight=False)


def _ask_person(console: Console) -> Chooser:
    def choose(options: Sequence[dict[str, Any]]) -> Choice:
        numbers = [str(number) for number in range(1, len(options) + 1)]
        default = index_of_allow_once(options) + 1
        number = IntPrompt.ask("  Your answer", console=console, choices=numbers, default=default)
        return Choice(options[number - 1], "you")

    return choose


def _environment(root: Path, port: int, core: str) -> Mapping[str, str]:
    temporary = root / "tmp"
    temporary.mkdir()
    env = scripted_environment(root / "home", port, os.environ)
    env |= dict.fromkeys(("TMPDIR", "TMP", "TEMP", "CLAUDE_CODE_TMPDIR"), str(temporary))
    env["ANTHROPIC_MODEL"] = MODEL
    if core != "v1":
        env |= {"CLAUDE_AGENT_ACP_EXPERIMENTAL_V2": "1", "CLAUDE_AGENT_ACP_V2_CORE": core}
    return env


def _delete(root: Path) -> bool:
    """Deletes a folder; a process that has just ended can hold a file for a moment, so it tries for two seconds."""
    for _ in range(20):
        shutil.rmtree(root, ignore_errors=True)
        if not root.exists():
            return True
        time.sleep(0.1)
    return False
