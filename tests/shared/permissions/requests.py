"""`can_use_tool` requests and permission updates, in the forms that Claude Code gives them."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]


def rules(*contents: str, tool: str = "Bash", destination: str = "localSettings", behavior: str = "allow") -> Json:
    """An `addRules` update with a rule for each content; an empty one stands for the whole tool."""
    listed = [{"toolName": tool, **({"ruleContent": content} if content else {})} for content in contents]
    return {"type": "addRules", "rules": listed, "behavior": behavior, "destination": destination}


def set_mode(mode: str = "acceptEdits", destination: str = "session") -> Json:
    """A `setMode` update."""
    return {"type": "setMode", "mode": mode, "destination": destination}


def add_folders(*folders: str, destination: str = "session") -> Json:
    """An `addDirectories` update."""
    return {"type": "addDirectories", "directories": list(folders), "destination": destination}


def asks(tool: str, *suggestions: Json, **more: Any) -> Json:
    """A request; its `input` and other fields come by name."""
    request = {"subtype": "can_use_tool", "tool_name": tool, "input": {}, "tool_use_id": "call", **more}
    return {**request, "permission_suggestions": list(suggestions)} if suggestions else request
