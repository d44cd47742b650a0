"""CronCreate, CronDelete and CronList: what Claude is to do later, and when."""

from __future__ import annotations

from adapter.shared.tools.facts import CallContext, InputFacts, Json
from adapter.shared.tools.families import server
from adapter.shared.tools.families.base import Family
from adapter.shared.tools.text import string


def describe_create(_name: str, tool_input: Json, _context: CallContext) -> InputFacts:
    """``Schedule `*/5 * * * *`: <the prompt's first line>``."""
    cron, prompt = string(tool_input.get("cron")), string(tool_input.get("prompt")).strip()
    if not cron or not prompt:
        return InputFacts(title="Schedule a prompt")
    return InputFacts(title=f"Schedule `{cron}`: {prompt.splitlines()[0]}")


def describe_delete(_name: str, tool_input: Json, _context: CallContext) -> InputFacts:
    """``Unschedule `<id>` ``."""
    job = string(tool_input.get("id"))
    return InputFacts(title=f"Unschedule `{job}`" if job else "Unschedule a prompt")


def describe_list(_name: str, _input: Json, _context: CallContext) -> InputFacts:
    """`List scheduled prompts`."""
    return InputFacts(title="List scheduled prompts")


CREATE = Family(describe_create, server.read_result)
DELETE = Family(describe_delete, server.read_result)
LIST = Family(describe_list, server.read_result)
