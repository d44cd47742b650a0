"""A recorded session, played again through its core and its encoder: no Claude Code, no client, no clock."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adapter.shared.client_capabilities import SubagentForm
from adapter.shared.commands import offered_commands
from adapter.shared.config_options.settings import SessionConfig, Start
from adapter.shared.conversation import Conversation
from adapter.shared.opening import add_parts, call_context
from adapter.shared.recording import input_from_json
from adapter.v1.session import V1Session
from adapter.v2_bridge.session import BridgeSession
from adapter.v2_native.session import NativeSession
from support import machine
from support.performed import wire

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.shared.client_capabilities import ClientCapabilities
    from adapter.shared.core import Encoder
    from adapter.shared.session_base import SessionBase

Json = dict[str, Any]

WITH_SESSIONS = replace(machine.V1_CLIENT, subagents=SubagentForm.SESSIONS)
INPUTS = Path(__file__).parent / "inputs"
CORES: dict[str, tuple[type[SessionBase], ClientCapabilities, Encoder]] = {
    "v1": (V1Session, machine.V1_CLIENT, machine.v1_encoder()),
    "v1_sessions": (V1Session, WITH_SESSIONS, machine.v1_encoder()),
    "v2_bridge": (BridgeSession, machine.V2_CLIENT, machine.v2_encoder()),
    "v2_native": (NativeSession, machine.V2_CLIENT, machine.v2_encoder()),
}


def replay(core_name: str, scenario: str) -> Iterator[Json]:
    """All effects of a recording, in the shape in which they are performed."""
    recorded = (INPUTS / core_name / f"{scenario}.jsonl").read_text(encoding="utf-8").splitlines()
    first, *lines = (json.loads(line) for line in recorded)
    encoder = CORES[core_name][2]
    core = make_core(core_name, first)
    for line in lines:
        for effect in core.handle(input_from_json(line)):
            yield from wire(effect, encoder)


def make_core(core_name: str, made_with: Json) -> SessionBase:
    """The core of a session that was made with what a recording's first line says."""
    kind, client, _ = CORES[core_name]
    assert made_with["core"] == kind.__name__
    assert made_with["terminal"] == client.terminal
    assert made_with["exact_patches"] == client.exact_patches
    assert made_with["subagents"] == client.subagents
    config = SessionConfig(
        tuple(made_with["models"]),
        made_with["permission_mode"],
        made_with["settings"],
        may_bypass=made_with["may_bypass"],
        start=Start(**made_with["start"]) if "start" in made_with else None,
    )
    told = client.subagents is not SubagentForm.CALLS
    conversation = Conversation(call_context(made_with["cwd"], client), subagent_text=told)
    core = kind(conversation, config, offered_commands(made_with["commands"]))
    add_parts(core, made_with["session_id"], made_with["cwd"], client)
    return core


def recordings() -> list[tuple[str, str]]:
    """The core and the scenario of each recording."""
    return sorted((path.parent.name, path.stem) for path in INPUTS.glob("*/*.jsonl"))
