"""The entries of a transcript that belong to the conversation as it is now.

Each entry names the one before it. A conversation that was taken back and went on in another way has branches; the one
that ends last is the conversation, with what follows its last message: the output of a command that the model never
saw. Where Claude Code compacted it, what came before stays part of it for a person.
"""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]

MESSAGES = frozenset({"user", "assistant"})
LINKED = frozenset({"user", "assistant", "attachment", "system", "progress"})
"""The types of entries that name the one before them."""
ATTACHED = ("prompt", "source_uuid", "commandMode", "type")


def is_kept(entry: Json) -> bool:
    """Whether an entry is one of the conversation."""
    return entry.get("type") in LINKED and isinstance(entry.get("uuid"), str)


def slimmed(entry: Json) -> Json:
    """An entry without what nobody reads: Claude Code attaches whole prompts."""
    if entry["type"] not in ("attachment", "progress"):
        return entry
    attachment = entry.get("attachment")
    known = attachment if isinstance(attachment, dict) and attachment.get("type") == "queued_command" else {}
    return {
        "type": entry["type"],
        "uuid": entry["uuid"],
        "parentUuid": entry.get("parentUuid"),
        "isSidechain": entry.get("isSidechain"),
        "attachment": {name: known.get(name) for name in ATTACHED} if known else None,
    }


def active_branch(entries: list[Json], *, of_subagent: bool = False) -> list[Json]:
    """The entries of the conversation as it is now, in the order of the file.

    Args:
        entries: Those of a transcript.
        of_subagent: The transcript is a subagent's; else what it holds of subagents is left out.
    """
    if not of_subagent:
        entries = [entry for entry in entries if not entry.get("isSidechain")]
    by_id = {entry["uuid"]: entry for entry in entries}
    leaf = next((entry for entry in reversed(entries) if _may_end(entry)), None)
    kept = _behind(leaf, entries) if leaf is not None else set()
    while leaf is not None and leaf["uuid"] not in kept:
        kept.add(leaf["uuid"])
        parent = leaf.get("parentUuid") or leaf.get("logicalParentUuid")
        leaf = by_id.get(parent) if isinstance(parent, str) else None
    if len(kept) == len(entries):
        return entries
    # Calls of one message that ran side by side are branches of their own, and so are their results.
    messages = {_message_id(entry) for entry in entries if entry["uuid"] in kept} - {""}
    kept.update(entry["uuid"] for entry in entries if _message_id(entry) in messages)
    calls = {call for entry in entries if entry["uuid"] in kept for call in _ids(entry, "tool_use", "id")}
    return [
        entry
        for entry in entries
        if entry["uuid"] in kept or not calls.isdisjoint(_ids(entry, "tool_result", "tool_use_id"))
    ]


def message_end(entries: list[Json], message_id: str) -> str:
    """The uuid of the last entry of a message, which is named as clients know it; empty if there is none."""
    return next((entry["uuid"] for entry in reversed(entries) if message_id in names_of(entry)), "")


def names_of(entry: Json) -> tuple[str, ...]:
    """The ids under which clients know the message of an entry."""
    attachment = entry.get("attachment")
    queued = attachment.get("source_uuid") if isinstance(attachment, dict) else None
    return tuple(name for name in (_message_id(entry), entry["uuid"], queued) if isinstance(name, str) and name)


def blocks_of(entry: Json) -> list[Json]:
    """The content blocks of a message's entry; a bare text as a block."""
    message = entry.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _may_end(entry: Json) -> bool:
    return entry["type"] in MESSAGES and not entry.get("teamName") and not entry.get("isMeta")


def _behind(leaf: Json, entries: list[Json]) -> set[str]:
    """The uuids of the entries that follow the last message without being one."""
    reached = {leaf["uuid"]}
    for entry in entries:
        if entry["type"] not in MESSAGES and entry.get("parentUuid") in reached:
            reached.add(entry["uuid"])
    return reached - {leaf["uuid"]}


def _message_id(entry: Json) -> str:
    if entry["type"] != "assistant":
        return ""
    message = entry.get("message")
    identity = message.get("id") if isinstance(message, dict) else None
    return identity if isinstance(identity, str) else ""


def _ids(entry: Json, kind: str, field: str) -> list[str]:
    if entry["type"] not in MESSAGES:
        return []
    return [str(block.get(field)) for block in blocks_of(entry) if block.get("type") == kind]
