"""An elicitation in neutral form: what a client is asked to show, before a protocol version gives it a shape."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from adapter.shared.tools.facts import Json


class Asker(StrEnum):
    """Who asks, which decides what Claude Code gets as the answer."""

    QUESTIONS = "AskUserQuestion"
    MCP_SERVER = "MCP server"
    REFUSAL = "refusal fallback"
    SIGN_IN = "MCP sign-in"


@dataclass(frozen=True, slots=True)
class FormOption:
    """One value of a choice. `preview` is what choosing it would look like; empty if Claude gave none."""

    value: str
    title: str
    description: str = ""
    preview: str = ""


@dataclass(frozen=True, slots=True)
class ChoiceField:
    """A choice in a form.

    Attributes:
        id: The property's name.
        title: A word or two.
        description: The question, where the form has several.
        options: The values.
        multiple: Several may be chosen.
        own_words: The property's name of the text field beside it, for an answer of one's own; empty for none.
    """

    id: str
    title: str
    options: tuple[FormOption, ...]
    description: str = ""
    multiple: bool = False
    own_words: str = ""


@dataclass(frozen=True, slots=True)
class Elicitation:
    """A question that is open. It has `choices`, or a `schema`, or a `url`.

    Attributes:
        key: What the client's answer is told by; for a control request of Claude Code its id.
        asker: Who asks.
        message: What the person reads first.
        choices: The fields of a form of ours.
        schema: The form of an MCP server, as ACP's `ElicitationSchema`.
        url: The page; empty for a form.
        elicitation_id: The id of a page's elicitation.
        call_id: The tool call that it is about; empty if Claude Code names none.
        agent_id: The subagent that asks; empty for the main conversation.
        session_id: The session that asks, where it is not the core's.
        asked: What Claude Code asked with, for the answer.
    """

    key: str
    asker: Asker
    message: str
    choices: tuple[ChoiceField, ...] = ()
    schema: Json | None = None
    url: str = ""
    elicitation_id: str = ""
    call_id: str = ""
    agent_id: str = ""
    session_id: str = ""
    asked: Json = field(default_factory=dict)


def accepted_content(result: object) -> Json | None:
    """What the person filled in, if the answer is an acceptance: `{action: "accept", content?}`."""
    if not isinstance(result, dict) or result.get("action") != "accept":
        return None
    content = result.get("content")
    return content if isinstance(content, dict) else {}


def is_declined(result: object) -> bool:
    """Whether the person said no, which is an answer; a cancel is none."""
    return isinstance(result, dict) and result.get("action") == "decline"
