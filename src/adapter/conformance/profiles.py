"""The clients that scenarios are played with: what each says of itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

_FORMS: dict[str, Any] = {"form": {}, "url": {}}
_FILES: dict[str, Any] = {"fs": {"readTextFile": True, "writeTextFile": True}, "terminal": True}
_AIR = (
    "diffPatch",
    "sessionFailure",
    "recommendedValue",
    "asyncTasks",
    "agentFileChangeReport",
    "nativeSubagentSessions",
    "planFile",
    "rawInputRendering",
)


class Profile(NamedTuple):
    """A client: its ACP version, its capabilities, and the variables that choose the core that serves it."""

    version: int
    capabilities: Mapping[str, Any]
    env: Mapping[str, str] = {}


def _air(*capabilities: str) -> dict[str, Any]:
    return {"jetbrains": {"air": {"version": 1, "capabilities": list(capabilities)}}}


_V2: dict[str, Any] = {"elicitation": _FORMS, "auth": {"terminal": {}}}
PROFILES: Mapping[str, Profile] = {
    "plain": Profile(1, _FILES),
    "zed": Profile(1, {**_FILES, "elicitation": _FORMS, "_meta": {"terminal_output": True, "terminal-auth": True}}),
    "rich": Profile(
        1, {"session": {"compaction": {}, "notices": {}}, "elicitation": _FORMS, "subagents": {}, "plan": {}}
    ),
    "air": Profile(
        1,
        {
            "elicitation": _FORMS,
            "session": {"compaction": {}},
            "_meta": {"terminal_output_delta": True, **_air(*_AIR)},
        },
    ),
    "air_bare": Profile(1, {"_meta": _air()}),
    "v2": Profile(2, _V2, {"CLAUDE_AGENT_ACP_EXPERIMENTAL_V2": "1"}),
    "v2_native": Profile(2, _V2, {"CLAUDE_AGENT_ACP_EXPERIMENTAL_V2": "1", "CLAUDE_AGENT_ACP_V2_CORE": "native"}),
}

CORES: Mapping[str, str] = {"v1": "plain", "bridge": "v2", "native": "v2_native"}
"""The profile that shows each core of this adapter."""


def initialize_params(name: str, scenario: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of ``initialize``; a scenario can add capabilities and name another client."""
    profile = PROFILES[name]
    info = {"name": scenario.get("client_name", name), "version": "1.0"}
    capabilities = {**profile.capabilities, **scenario.get("capabilities", {})}
    if profile.version == 1:
        return {"protocolVersion": 1, "clientCapabilities": capabilities, "clientInfo": info}
    return {"protocolVersion": 2, "capabilities": capabilities, "info": info}
