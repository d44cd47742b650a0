"""What the agent declares to AIR in its answer to `initialize`.

Source: docs/air-extensions.md, *Negotiation*. The list does not depend on what AIR itself declares.
"""

from __future__ import annotations

from typing import Any

from adapter.v1.extensions.goal import SUPPORT

CAPABILITIES = (
    "sessionFailure",
    "agentFileChangeReport",
    "nativeSubagentSessions",
    "asyncTasks",
    "planFile",
    "recommendedValue",
    "diffPatch",
)


def declared(result: dict[str, Any]) -> dict[str, Any]:
    """`InitializeResponse` for AIR."""
    agent = result["agentCapabilities"]
    sessions = {**agent["sessionCapabilities"], "subagents": {}}
    meta = result.get("_meta", {})
    air = {"version": 1, "capabilities": list(CAPABILITIES), "goal": SUPPORT}
    return {
        **result,
        "agentCapabilities": {**agent, "sessionCapabilities": sessions},
        "_meta": {"jetbrains": {"air": air}, **meta},
    }
