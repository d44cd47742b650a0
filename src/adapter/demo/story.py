"""What happens in the demo: a small project with a bug, and a scripted model that finds, fixes and runs it."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

# The last model of which Claude Code offers its task tools, which the adapter shows as a plan.
MODEL = "claude-sonnet-4-5"
PROMPT = "[[demo]] `python greeting.py Ada` should greet Ada, but it does not. Please find out why, fix it and run it."

_BROKEN = 'return "Hello, {name}!"'
_FIXED = 'return f"Hello, {name}!"'
_GREETING = f'''"""Greets somebody by name."""

import sys


def greeting(name: str) -> str:
    {_BROKEN}


print(greeting(sys.argv[1]))
'''
_README = """# Greeting

`python greeting.py Ada` prints a greeting.
"""
_OUTPUT_FILE = "output.txt"
_EXPECTED_OUTPUT = "Hello, Ada!"


@dataclass(frozen=True, slots=True)
class Check:
    """Something that must be true of the workspace when the demo is over."""

    text: str
    holds: bool


def prepare(workspace: Path, home: Path) -> None:
    """Writes the project, and Claude Code's settings: it asks before it changes or runs something."""
    workspace.mkdir()
    (workspace / "greeting.py").write_text(_GREETING, encoding="utf-8")
    (workspace / "README.md").write_text(_README, encoding="utf-8")
    settings = home / ".claude" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"permissions": {"defaultMode": "default"}}), encoding="utf-8")


def check(workspace: Path) -> list[Check]:
    """Looks at the files: was the bug fixed, and did the command run?"""
    fixed = _FIXED in (workspace / "greeting.py").read_text(encoding="utf-8")
    output = workspace / _OUTPUT_FILE
    printed = output.read_text(encoding="utf-8").strip() if output.exists() else None
    changed = "greeting.py has changed on disk" if fixed else "greeting.py has not changed on disk"
    ran = f"the command has run and printed {printed!r}" if printed is not None else "the command has not run"
    return [Check(changed, fixed), Check(ran, printed == _EXPECTED_OUTPUT)]


def scripts(workspace: Path) -> Mapping[str, Any]:
    """The model's part, as scripts of the scripted model."""
    file = str(workspace / "greeting.py")
    command = f'"{Path(sys.executable).as_posix()}" greeting.py Ada | tee {_OUTPUT_FILE}'
    edit = {"file_path": file, "old_string": _BROKEN, "new_string": _FIXED}
    steps: list[list[dict[str, Any]]] = [
        [
            {"thinking": "The greeting is built in greeting.py. I should read it before I change anything."},
            {"text": "I will look at the code first, then fix it, then run it."},
            _new_task("Read greeting.py", "Reading greeting.py"),
            _new_task("Fix the greeting", "Fixing the greeting"),
            _new_task("Run the program", "Running the program"),
        ],
        [_task(1, "in_progress"), {"tool": "Read", "input": {"file_path": file}}],
        [
            {"thinking": "The string has braces, but no f in front of it, so the name is never put in."},
            {"text": "Found it: the string is not an f-string, so it prints `{name}` as it stands."},
            _task(1, "completed"),
            _task(2, "in_progress"),
            {"tool": "Edit", "input": edit},
        ],
        [
            {"text": "Now I run it."},
            _task(2, "completed"),
            _task(3, "in_progress"),
            {"tool": "Bash", "input": {"command": command, "description": "Greet Ada"}},
        ],
        [_task(3, "completed")],
        [{"text": "That is all: one letter was missing."}],
    ]
    return {"demo": [{"blocks": blocks, "chunk_delay": 0.03} for blocks in steps]}


def _new_task(subject: str, active: str) -> dict[str, Any]:
    return {"tool": "TaskCreate", "input": {"subject": subject, "description": subject, "activeForm": active}}


def _task(number: int, status: str) -> dict[str, Any]:
    return {"tool": "TaskUpdate", "input": {"taskId": str(number), "status": status}}
