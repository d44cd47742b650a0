from __future__ import annotations

import io
import json
import shutil
import sys
from pathlib import Path

import pytest
from rich.console import Console

from adapter.demo.next_steps import adapter_command, show_next_steps
from adapter.demo.view import View


def shown() -> str:
    file = io.StringIO()
    show_next_steps(View(Console(file=file, width=40), Path()))
    return file.getvalue()


def block(text: str, title: str) -> str:
    """The lines of the recipe under a title, as somebody would copy them."""
    return text.partition(f"{title}\n")[2].partition("\n\n")[0]


@pytest.mark.parametrize(
    ("found", "command"),
    [("/opt/some where/bin/claude-acp", ["/opt/some where/bin/claude-acp"]), (None, [sys.executable, "-m", "adapter"])],
)
def test_every_editor_gets_a_command_that_works(
    monkeypatch: pytest.MonkeyPatch, found: str | None, command: list[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: found)
    text = shown()
    server = {"command": command[0], "args": command[1:], "env": {}}
    zed = json.loads(block(text, "Zed: settings.json"))
    assert zed == {"agent_servers": {"Claude (claude-acp)": {"type": "custom", **server}}}
    jetbrains = json.loads(block(text, "JetBrains: ~/.jetbrains/acp.json"))
    assert jetbrains == {"agent_servers": {"Claude (claude-acp)": server}}
    words = ", ".join(json.dumps(word) for word in command)
    assert f"commands = {{ default = {{ {words} }} }}," in block(
        text, "Neovim, CodeCompanion: in adapters.acp of its setup"
    )
    assert f"command = {json.dumps(command[0])}, args = {{" in block(text, "Neovim, avante: in its options")
    assert " ".join(command) in text.splitlines()[-2]


def test_the_command_is_an_absolute_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert Path(adapter_command()[0]).is_absolute()
