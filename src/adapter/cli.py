"""The command line."""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import replace

from adapter import __version__
from adapter.settings import SettingsError, settings_of_process

HIDE_CLAUDE_AUTH = "--hide-claude-auth"
SIGNALS = ("SIGTERM", "SIGINT", "SIGHUP")
USAGE = """\
usage: claude-acp            serve an ACP client on stdin and stdout
       claude-acp --hide-claude-auth
                             the same, without accounts of claude.ai
       claude-acp --cli ...  Claude Code's own command line, for example: --cli auth login
       claude-acp demo       show a conversation, without an account (claude-acp demo --help)
       claude-acp conformance run | record | list
                             compare an ACP agent with recordings (claude-acp conformance --help)
       claude-acp --version
       claude-acp --help

An editor starts claude-acp without arguments. The variables that it reads are in docs/configuration.md.
"""


def run(argv: list[str]) -> int:
    """Run a command line without the program's name; returns the exit status."""
    hide_claude_auth = argv[:1] == [HIDE_CLAUDE_AUTH]
    if hide_claude_auth:
        # A client appends the arguments of a terminal login to those that it starts the adapter with.
        argv = argv[1:]
    if not argv:
        return _serve(hide_claude_auth=hide_claude_auth)
    command, *rest = argv
    if command == "--cli":
        return _pass_through(rest)
    if command == "demo":
        from adapter.demo.command import run as run_demo  # noqa: PLC0415 - only the demo needs a terminal library.

        return run_demo(rest)
    if command == "conformance":
        from adapter.conformance.command import run as run_conformance  # noqa: PLC0415 - only this command needs it.

        return run_conformance(rest)
    if command in ("--version", "-V"):
        return _say(f"claude-acp {__version__}\n")
    if command in ("--help", "-h"):
        return _say(USAGE)
    sys.stderr.write(f"claude-acp: unknown argument {command!r}\n{USAGE}")
    return 2


def _pass_through(arguments: list[str]) -> int:
    try:
        settings = settings_of_process()
    except SettingsError as error:
        sys.stderr.write(f"claude-acp: {error}\n")
        return 2
    from adapter.serve import pass_through  # noqa: PLC0415 - not loaded for a wrong variable.

    return pass_through(settings, arguments)


def _serve(*, hide_claude_auth: bool) -> int:
    try:
        settings = replace(settings_of_process(), hide_claude_auth=hide_claude_auth)
    except SettingsError as error:
        sys.stderr.write(f"claude-acp: {error}\n")
        return 2
    for name in SIGNALS:
        if hasattr(signal, name):
            # Until the event loop watches for them, they end the program in order as well.
            signal.signal(getattr(signal, name), _end)
    from adapter.serve import serve  # noqa: PLC0415 - the event loop is not loaded for a wrong variable.

    return serve(settings)


def _end(_number: int, _frame: object) -> None:
    sys.exit(0)


def _say(text: str) -> int:
    os.write(1, text.encode())
    return 0
