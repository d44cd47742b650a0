"""From Claude Code's `can_use_tool` to the question for the client, and from its answer back.

An option that lasts carries the exact permission updates that it applies, frozen when the question was built.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from adapter.shared.tools.facts import Json, Location
from adapter.shared.tools.text import string

REFUSAL = "User refused permission to run tool"
ABORTED = "Tool use aborted"
CLEARED = "The plan is approved and continues in a new conversation"
LONGEST_REMARK = 1000
LONGEST_FEEDBACK = 20_000


@dataclass(frozen=True, slots=True)
class PermissionOption:
    """One answer.

    Attributes:
        id: What the client returns.
        name: What the person reads.
        kind: ACP's: allow_once, allow_always, reject_once.
        updates: Claude Code's permission updates that it applies.
        stops: It refuses the call and stops the turn.
        clears: It goes on with the plan in a fresh context; the mode that it goes on in.
    """

    id: str
    name: str
    kind: str
    updates: tuple[Json, ...] = ()
    stops: bool = False
    clears: str = ""


@dataclass(frozen=True, slots=True)
class PermissionQuestion:
    """A question that is open.

    Attributes:
        key: The id of Claude Code's control request.
        call_id: The tool call that it is about.
        tool_name: Claude's name of the tool.
        tool_input: What the tool would run with.
        fields: The call's fields as the client has them (see `ToolReport.fields`).
        locations: Its locations and the path that needs the permission.
        options: The answers, in the order in which they are shown.
        heading: What the question is called.
        reason: Why Claude Code asks; empty if it did not say.
        new_location: The path that needs the permission is none of the call's own locations.
        default_to_no: A stray key must not approve it.
        agent_id: The subagent that asks; empty for the main conversation.
        mcp_server: The MCP server of the tool; `None` if it is none of an MCP server's.
        session_id: The session of the subagent that asks, if it has one of its own; empty for the core's.
    """

    key: str
    call_id: str
    tool_name: str
    tool_input: Json
    fields: dict[str, Any]
    locations: tuple[Location, ...]
    options: tuple[PermissionOption, ...]
    heading: str = ""
    reason: str = ""
    new_location: bool = False
    default_to_no: bool = False
    agent_id: str = ""
    mcp_server: Json | None = None
    session_id: str = ""


def compact(text: Any) -> str:
    """A remark in one line without control characters; empty if it is none, or too long to be shown whole."""
    words = " ".join(string(text).split())
    return words if words.isprintable() and len(words) <= LONGEST_REMARK else ""


def chosen_option(question: PermissionQuestion, result: Any) -> PermissionOption | None:
    """The option that a client's answer names, if it was offered; `None` for any other answer."""
    outcome = result.get("outcome") if isinstance(result, dict) else None
    if not isinstance(outcome, dict) or outcome.get("outcome") != "selected":
        return None
    return next((option for option in question.options if option.id == outcome.get("optionId")), None)


def decision(question: PermissionQuestion, result: Any, *, failed: bool, feedback: str = "") -> Json:
    """The `can_use_tool` response for what the client said.

    Args:
        question: The question as it was asked.
        result: The client's result: `{outcome: {outcome: "selected", optionId} | {outcome: "cancelled"}}`.
        failed: The client answered with an error instead.
        feedback: The user's own words with a refusal, for the model to hear.
    """
    outcome = result.get("outcome") if isinstance(result, dict) else None
    if failed or not isinstance(outcome, dict):
        return _deny(question, "The client could not ask for permission")
    if outcome.get("outcome") == "cancelled":
        return {**_deny(question, ABORTED), "interrupt": True}
    chosen = chosen_option(question, result)
    if chosen is None:
        return _deny(question, "The client chose an answer that was not offered")
    if chosen.clears:
        return {**_deny(question, CLEARED), "interrupt": True}
    if chosen.kind == "reject_once":
        return _refuse(question, chosen, feedback)
    answer: Json = {
        "behavior": "allow",
        "updatedInput": question.tool_input,
        "toolUseID": question.call_id,
        "decisionClassification": "user_permanent" if chosen.kind == "allow_always" else "user_temporary",
    }
    return {**answer, "updatedPermissions": list(chosen.updates)} if chosen.updates else answer


def _refuse(question: PermissionQuestion, chosen: PermissionOption, feedback: str) -> Json:
    words = feedback.strip()[:LONGEST_FEEDBACK]
    message = f"{REFUSAL}. The user said: {words}" if words else REFUSAL
    # With words to answer, the model has something to go on with, so the turn is not stopped.
    stops = chosen.stops and not words
    return {**_deny(question, message), "interrupt": stops, "decisionClassification": "user_reject"}


def _deny(question: PermissionQuestion, message: str) -> Json:
    return {"behavior": "deny", "message": message, "interrupt": False, "toolUseID": question.call_id}
