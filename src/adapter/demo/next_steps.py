"""How to use the adapter in a real editor."""

from __future__ import annotations

import json
import shutil
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adapter.demo.view import View


def adapter_command() -> list[str]:
    """The command that starts this adapter, with an absolute path, because editors may not know the user's PATH."""
    script = shutil.which("claude-acp")
    return [script] if script else [sys.executable, "-m", "adapter"]


def show_next_steps(view: View) -> None:
    """Shows the configuration of the editors that speak ACP, for this installation of the adapter."""
    program, *arguments = adapter_command()
    server = {"command": program, "args": arguments, "env": {}}
    strings = ", ".join(json.dumps(part) for part in (program, *arguments))
    args = ", ".join(json.dumps(part) for part in arguments)
    view.heading("Use it in your editor")
    _recipe(view, "Zed: settings.json", _json({"Claude (claude-acp)": {"type": "custom", **server}}))
    _recipe(view, "JetBrains: ~/.jetbrains/acp.json", _json({"Claude (claude-acp)": server}))
    _recipe(
        view,
        "Neovim, CodeCompanion: in adapters.acp of its setup",
        'claude_code = function()\n  return require("codecompanion.adapters").extend("claude_code", {\n'
        f"    commands = {{ default = {{ {strings} }} }},\n  }})\nend",
    )
    _recipe(
        view,
        "Neovim, avante: in its options",
        'provider = "claude-acp",\n'
        f'acp_providers = {{ ["claude-acp"] = {{ command = {json.dumps(program)}, args = {{ {args} }} }} }},',
    )
    _recipe(view, "Any other ACP client: start this program and talk to it over stdio", " ".join((program, *arguments)))


def _recipe(view: View, title: str, text: str) -> None:
    view.line((title, "bold"))
    for line in text.splitlines():
        view.line(f"  {line}")
    view.line()


def _json(servers: dict[str, object]) -> str:
    return json.dumps({"agent_servers": servers}, indent=2)
