"""A recorded session, played again through its core and its encoder: no Claude Code, no client, no clock."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

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
    from collections.abc import Iterable, Iterator

    from adapter.shared.client_capabilities import ClientCapabilities
    from adapter.shared.core import Encoder
    from adapter.shared.session_base import SessionBase

Json = dict[str, Any]


class Player(NamedTuple):
    """What plays a recording.

    Attributes:
        core: Its sessions.
        client: The capabilities of the client that was recorded.
        encoder: The client's protocol version.
        recorded: The folder of the recordings.
        recorder: The core that they were made with.
    """

    core: type[SessionBase]
    client: ClientCapabilities
    encoder: Encoder
    recorded: str
    recorder: type[SessionBase]


WITH_SESSIONS = replace(machine.V1_CLIENT, subagents=SubagentForm.SESSIONS)
INPUTS = Path(__file__).parent / "inputs"
CORES: dict[str, Player] = {
    "v1": Player(V1Session, machine.V1_CLIENT, machine.v1_encoder(), "v1", V1Session),
    "v1_sessions": Player(V1Session, WITH_SESSIONS, machine.v1_encoder(), "v1_sessions", V1Session),
    "v2_bridge": Player(BridgeSession, machine.V2_CLIENT, machine.v2_encoder(), "v2", BridgeSession),
    "v2_native": Player(NativeSession, machine.V2_CLIENT, machine.v2_encoder(), "v2", BridgeSession),
}
"""Both cores of v2 play the same recordings, which were made with the bridge."""


def lines_of(core_name: str, scenario: str) -> list[Json]:
    """A recording: before the inputs of each session, a line that says what it was made with."""
    path = INPUTS / CORES[core_name].recorded / f"{scenario}.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def replay(core_name: str, scenario: str) -> Iterator[Json]:
    """All effects of a recording, in the shape in which they are performed."""
    for _, effects in play(core_name, lines_of(core_name, scenario)):
        yield from effects


def play(core_name: str, lines: Iterable[Json]) -> Iterator[tuple[Json, list[Json]]]:
    """Each input of a recording with its effects, in the shape in which they are performed."""
    encoder = CORES[core_name].encoder
    core: SessionBase | None = None
    for line in lines:
        if "core" in line:
            core = make_core(core_name, line)
            continue
        assert core is not None
        yield line, [part for effect in core.handle(input_from_json(line)) for part in wire(effect, encoder)]


def make_core(core_name: str, made_with: Json) -> SessionBase:
    """The core of a session that was made with what a recording's first line says."""
    kind, client, _, _, recorder = CORES[core_name]
    assert made_with["core"] == recorder.__name__
    assert made_with["terminal"] == client.terminal
    assert made_with["exact_patches"] == client.exact_patches
    assert made_with["subagents"] == client.subagents
    config = config_of(made_with)
    client = replace(client, elicitation=frozenset(made_with.get("elicitation", ())))
    told = client.subagents is not SubagentForm.CALLS
    conversation = Conversation(call_context(made_with["cwd"], client), subagent_text=told)
    core = kind(conversation, config, offered_commands(made_with["commands"]))
    add_parts(core, made_with["session_id"], made_with["cwd"], client)
    return core


def config_of(made_with: Json) -> SessionConfig:
    """What the session of a recording ran with."""
    return SessionConfig(
        tuple(made_with["models"]),
        made_with["permission_mode"],
        made_with["settings"],
        may_bypass=made_with["may_bypass"],
        start=Start(**made_with["start"]) if "start" in made_with else None,
    )


def recordings() -> list[tuple[str, str]]:
    """Each recording with a core that plays it."""
    return [
        (core, path.stem)
        for core, player in CORES.items()
        for path in sorted(INPUTS.glob(f"{player.recorded}/*.jsonl"))
    ]
