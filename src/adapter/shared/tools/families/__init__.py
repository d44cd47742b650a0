"""The families of Claude Code's tools, one module each, and which tool belongs to which.

A new tool needs a family (or a place in an existing one) and a line in `FAMILIES`. Every other tool gets the fallback.
"""

from __future__ import annotations

from adapter.shared.tools.families import fallback, files, read, shell
from adapter.shared.tools.families.base import Family

FAMILIES: dict[str, Family] = {
    "Bash": shell.FAMILY,
    "PowerShell": shell.FAMILY,
    "Read": read.FAMILY,
    "Edit": files.EDIT,
    "Write": files.WRITE,
}


def family_of(tool_name: str) -> Family:
    """The family that renders a tool."""
    return FAMILIES.get(tool_name, fallback.FAMILY)
