"""What is wrong with the settings files that Claude Code reads, as notices for the person."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]


def settings_notices(settings: Json, own_file: str | None) -> tuple[str, ...]:
    """What is wrong with settings files: Claude Code goes on without such a file, and says so only here.

    Args:
        settings: The answer to `get_settings`.
        own_file: The file with the settings that the client sent; `None` if it sent none.
    """
    errors: Any = settings.get("errors")
    if not isinstance(errors, list):
        return ()
    faults = [error for error in errors if isinstance(error, dict)]
    return tuple(dict.fromkeys(_settings_fault(fault, own_file) for fault in faults))


def _settings_fault(fault: Json, own_file: str | None) -> str:
    file = fault.get("file")
    # Claude Code reads inline settings from a file of its own, in its temporary folder.
    whose = "the settings that the client sent" if file in (None, own_file) else f"the settings file {file}"
    where = f"{fault['path']}: " if fault.get("path") else ""
    return f"Claude Code does not use {whose}: {where}{fault.get('message') or 'it is malformed'}."
