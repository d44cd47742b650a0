"""What a client declared at `initialize`, parsed once. Nobody else reads a capability or a client's `_meta`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from adapter.shared.history.fork_point import ForkPoint

Json = dict[str, Any]

REPORT_ID = re.compile(r"[A-Za-z0-9._:-]{1,128}")

CLAUDE_OPTIONS_PATH = "_meta.claudeCode.options"
SYSTEM_PROMPT_PATH = "_meta.systemPrompt"


class TerminalChannel(StrEnum):
    """How a client takes the output of commands.

    NONE: in a code block. META: whole, in `_meta.terminal_output`. META_DELTA: appended, in
    `_meta.terminal_output_delta` (conventions of Zed and of JetBrains). DISPLAY: v2's terminals.
    """

    NONE = "none"
    META = "terminal_output"
    META_DELTA = "terminal_output_delta"
    DISPLAY = "display"


class SubagentForm(StrEnum):
    """How a client is shown subagents.

    CALLS: their tool calls stand in the session that launched them. TRANSCRIPT: their text too. SESSIONS: each has a
    session of its own (the subagents RFD). DRAFT: the same by AIR's earlier draft.
    """

    CALLS = "calls"
    TRANSCRIPT = "transcript"
    SESSIONS = "sessions"
    DRAFT = "draft"

    @property
    def has_sessions(self) -> bool:
        """Whether each subagent has a session of its own."""
        return self in (SubagentForm.SESSIONS, SubagentForm.DRAFT)


AIR_CAPABILITIES = frozenset(
    {
        "agentFileChangeReport",
        "asyncTasks",
        "diffPatch",
        "loadReplayEnd",
        "nativeSubagentSessions",
        "planFile",
        "rawInputRendering",
        "recommendedValue",
        "sessionFailure",
    }
)

ELICITATION_MODES = ("form", "url")


@dataclass(frozen=True, slots=True)
class ClientCapabilities:
    """One client.

    Attributes:
        version: The protocol version that was agreed on.
        terminal: How it takes the output of commands.
        exact_patches: It takes exact patches as diffs.
        subagents: How it is shown subagents.
        air: What JetBrains AIR declared, of `AIR_CAPABILITIES`; `None` for every other client.
        elicitation: How it can ask the person, of form and url.
        notices: It shows notices of a session.
        compaction: It follows compactions by their id.
        plans: It shows plans by their id, written ones too.
        terminal_login: It can run the adapter in a terminal for a login.
        terminal_auth: It wants the whole command line of such a login (convention of Zed).
        gateway: It can name a gateway to log in with.
        replay_end: It wants to know where a history that is shown ends (JetBrains AIR on v2).
    """

    version: int
    terminal: TerminalChannel
    exact_patches: bool
    subagents: SubagentForm = SubagentForm.CALLS
    air: frozenset[str] | None = None
    elicitation: frozenset[str] = frozenset()
    notices: bool = False
    compaction: bool = False
    plans: bool = False
    terminal_login: bool = False
    terminal_auth: bool = False
    gateway: bool = False
    replay_end: bool = False


def read_v1_capabilities(declared: Any) -> ClientCapabilities:
    """Read v1's `clientCapabilities`; what is malformed counts as not declared."""
    meta = _object(_object(declared).get("_meta"))
    session, auth = _object(_object(declared).get("session")), _object(_object(declared).get("auth"))
    if meta.get("terminal_output_delta") is True:
        terminal = TerminalChannel.META_DELTA
    else:
        terminal = TerminalChannel.META if meta.get("terminal_output") is True else TerminalChannel.NONE
    air = _air(_object(meta.get("jetbrains")).get("air"))
    return ClientCapabilities(
        1,
        terminal,
        exact_patches=air is not None and "diffPatch" in air,
        subagents=_subagents(_object(declared), meta, air),
        air=air,
        elicitation=_elicitation(declared),
        notices=isinstance(session.get("notices"), dict),
        compaction=isinstance(session.get("compaction"), dict),
        plans=isinstance(_object(declared).get("plan"), dict),
        terminal_login=auth.get("terminal") is True or meta.get("terminal-auth") is True,
        terminal_auth=meta.get("terminal-auth") is True,
        gateway=_object(auth.get("_meta")).get("gateway") is True,
    )


def read_v2_capabilities(declared: Any) -> ClientCapabilities:
    """Read v2's `capabilities`: display terminals, exact patches, notices and compactions belong to v2's baseline."""
    meta, auth = _object(_object(declared).get("_meta")), _object(_object(declared).get("auth"))
    return ClientCapabilities(
        2,
        TerminalChannel.DISPLAY,
        exact_patches=True,
        subagents=SubagentForm.SESSIONS,
        elicitation=_elicitation(declared),
        notices=True,
        compaction=True,
        plans=True,
        terminal_login=isinstance(auth.get("terminal"), dict),
        gateway=_object(auth.get("_meta")).get("gateway") is True,
        replay_end="loadReplayEnd" in (_air(_object(meta.get("jetbrains")).get("air")) or ()),
    )


def _subagents(declared: Json, meta: Json, air: frozenset[str] | None) -> SubagentForm:
    """AIR keeps the earlier draft, whichever way it asks for sessions."""
    if air is not None and ("nativeSubagentSessions" in air or isinstance(declared.get("subagents"), dict)):
        return SubagentForm.DRAFT
    if isinstance(declared.get("subagents"), dict):
        return SubagentForm.SESSIONS
    return SubagentForm.TRANSCRIPT if meta.get("subagent-transcript") else SubagentForm.CALLS


def sent_claude_options(params: Any) -> Any:
    """What a client sends at `CLAUDE_OPTIONS_PATH` of a request that opens a session; `None` if nothing."""
    return _object(_object(_object(params).get("_meta")).get("claudeCode")).get("options")


def sent_system_prompt(params: Any) -> Any:
    """What a client sends at `SYSTEM_PROMPT_PATH` of a request that opens a session; `None` if nothing."""
    return _object(_object(params).get("_meta")).get("systemPrompt")


def read_fork_point(params: Any) -> ForkPoint | None:
    """The message at which any client wants a fork to end, `_meta.jetbrains.air.fork`; `None` for the whole session."""
    fork = _object(_air_of(params).get("fork"))
    message_id, occurrence = fork.get("messageId"), fork.get("messageOccurrence")
    if not _is_first(fork.get("version")) or not isinstance(message_id, str) or not message_id.strip():
        return None
    fingerprint = fork.get("messageFingerprint")
    counted = 1 if isinstance(occurrence, bool) or not isinstance(occurrence, int) else max(occurrence, 1)
    return ForkPoint(message_id, fingerprint if isinstance(fingerprint, str) else "", counted)


GATEWAY_URL = "`_meta.gateway.baseUrl`"
VERTEX = "_meta.claudeCode.vertex"
VERTEX_FIELDS = f"`{VERTEX}.projectId` and `{VERTEX}.region`"


def read_gateway(meta: Any) -> tuple[str, dict[str, str]]:
    """The URL and the headers of a gateway, from the `_meta` of a login; an empty URL if there is none."""
    gateway = _object(_object(meta).get("gateway"))
    base_url, headers = gateway.get("baseUrl"), _object(gateway.get("headers"))
    named = {name: value for name, value in headers.items() if isinstance(value, str)}
    return base_url if isinstance(base_url, str) else "", named


def read_vertex(meta: Any) -> dict[str, str]:
    """The project and the region of a Vertex provider; empty where the client names none."""
    vertex = _object(_object(_object(meta).get("claudeCode")).get("vertex"))
    given = {"project_id": vertex.get("projectId"), "region": vertex.get("region")}
    return {name: value if isinstance(value, str) else "" for name, value in given.items()}


def read_feedback(result: Any) -> str:
    """The user's own words in the answer to a permission question: `outcome._meta.claudeAcp.feedback`, ours."""
    meta = _object(_object(_object(result).get("outcome")).get("_meta"))
    feedback = _object(meta.get("claudeAcp")).get("feedback")
    return feedback if isinstance(feedback, str) else ""


def sent_report_id(params: Any) -> str:
    """AIR's wish for a report of the files that a prompt changes: the report's id; empty if it wishes none.

    Source: docs/air-extensions.md, *Agent file-change report*. A malformed wish is none.
    """
    wish = _object(_air_of(params).get("agentFileChangeReportRequest"))
    report_id = wish.get("requestId")
    if set(wish) != {"version", "requestId"} or not _is_first(wish.get("version")):
        return ""
    return report_id if isinstance(report_id, str) and REPORT_ID.fullmatch(report_id) else ""


def _elicitation(declared: Any) -> frozenset[str]:
    """ACP's `ElicitationCapabilities`, the same in both versions: a mode is declared by an object."""
    modes = _object(_object(declared).get("elicitation"))
    return frozenset(mode for mode in ELICITATION_MODES if isinstance(modes.get(mode), dict))


def steers(params: Any) -> bool:
    """Whether a v2 prompt is to go into the running turn at once: `_meta.claudeAcp.steer: true`, ours."""
    return _object(_object(_object(params).get("_meta")).get("claudeAcp")).get("steer") is True


def _air(declared: Any) -> frozenset[str] | None:
    """AIR's declaration (docs/air-extensions.md, negotiation); a malformed one enables no capability."""
    if not isinstance(declared, dict):
        return None
    version, names = declared.get("version"), declared.get("capabilities")
    whole = isinstance(version, int | float) and not isinstance(version, bool) and version % 1 == 0 and version >= 1
    if not whole or not isinstance(names, list):
        return frozenset()
    return frozenset(name for name in names if isinstance(name, str)) & AIR_CAPABILITIES


def _air_of(params: Any) -> Json:
    """What a request carries for AIR, `_meta.jetbrains.air`."""
    return _object(_object(_object(_object(params).get("_meta")).get("jetbrains")).get("air"))


def _is_first(version: Any) -> bool:
    return version == 1 and not isinstance(version, bool)


def _object(value: Any) -> Json:
    return value if isinstance(value, dict) else {}
