"""The families of Claude Code's tools, one module each, and which tool belongs to which.

A new tool needs a family (or a place in an existing one) and a line in `FAMILIES`. Every other tool gets the fallback.
"""

from __future__ import annotations

from adapter.shared.tools.families import (
    agent,
    fallback,
    files,
    findings,
    mcp,
    notebook,
    plan_mode,
    question,
    read,
    schedule,
    search,
    server,
    shell,
    skill,
    web,
)
from adapter.shared.tools.families.base import Family

FAMILIES: dict[str, Family] = {
    "Agent": agent.FAMILY,
    "AskUserQuestion": question.FAMILY,
    "Bash": shell.FAMILY,
    "CronCreate": schedule.CREATE,
    "CronDelete": schedule.DELETE,
    "CronList": schedule.LIST,
    "Edit": files.EDIT,
    "EnterPlanMode": plan_mode.ENTER,
    "ExitPlanMode": plan_mode.EXIT,
    "Glob": search.GLOB,
    "Grep": search.GREP,
    "LS": search.LIST,
    "NotebookEdit": notebook.FAMILY,
    "PowerShell": shell.FAMILY,
    "Read": read.FAMILY,
    "ReportFindings": findings.FAMILY,
    "Skill": skill.FAMILY,
    "Task": agent.FAMILY,
    "WebFetch": web.FETCH,
    "WebSearch": web.SEARCH,
    "Write": files.WRITE,
    **server.SERVER_TOOLS,
}


def family_of(tool_name: str) -> Family:
    """The family that renders a tool."""
    if tool_name.startswith(mcp.PREFIX):
        return mcp.FAMILY
    return FAMILIES.get(tool_name, fallback.FAMILY)
