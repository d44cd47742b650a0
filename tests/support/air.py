"""A session of AIR's in memory, and what AIR gets of it, each message checked against its schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adapter.shared.claude.options import SessionSpec
from adapter.shared.client_capabilities import AIR_CAPABILITIES, read_v1_capabilities
from adapter.shared.conversation import Conversation
from adapter.shared.opening import add_parts, call_context
from adapter.v1.extensions.session import AirSessions
from adapter.v1.extensions.tool_calls import AirEncoder
from adapter.v1.session import V1Session
from support import machine
from support.performed import wire
from support.schemas import document

if TYPE_CHECKING:
    from adapter.shared.client_capabilities import ClientCapabilities
    from adapter.shared.config_options.settings import SessionConfig
    from adapter.shared.effects import Effects
    from adapter.shared.inputs import Input

Json = dict[str, Any]
ALL = tuple(sorted(AIR_CAPABILITIES))
ROOTS = (("/workspace", "/workspace"), ("/link", "/real"))
TOKEN = "token"


def client(*capabilities: str, **declared: Any) -> ClientCapabilities:
    """AIR with these capabilities."""
    air = {"version": 1, "capabilities": list(capabilities)}
    return read_v1_capabilities({**declared, "_meta": {"terminal_output_delta": True, "jetbrains": {"air": air}}})


class AirSession:
    """A session of AIR's whose Claude Code runs and is idle.

    Args:
        capabilities: What AIR declared.
        config: What the session runs with; ``None`` for what all machines run with.
        declared: Further capabilities of the client.

    Attributes:
        last: The key of what Claude Code was asked last, for tests that follow its answers.
    """

    def __init__(self, *capabilities: str, config: SessionConfig | None = None, **declared: Any) -> None:
        told = client(*capabilities, **declared)
        self.last = ""
        self.encoder = AirEncoder(told, lambda: machine.NOW)
        conversation = Conversation(call_context("/workspace", told))
        self.core = V1Session(conversation, config or machine.session_config(), machine.COMMANDS)
        add_parts(self.core, "session", "/workspace", told)
        AirSessions(told).equip(self.core, SessionSpec("session", "/workspace"), ROOTS, TOKEN)

    def take(self, *events: Input) -> Effects:
        """All effects of some inputs."""
        return machine.handle(self.core, *events)

    def gets(self, *events: Input) -> list[Json]:
        """What AIR gets of some inputs: updates without the usage, and answers as ``{"respond": id, …}``."""
        return [sent for effect in self.take(*events) for sent in self.sent(effect)]

    def sent(self, effect: Any) -> list[Json]:
        """What AIR gets of one effect."""
        found = []
        for message in wire(effect, self.encoder):
            if "update" in message:
                check("SessionNotification", {"sessionId": "session", "update": message["update"]})
                if message["update"]["sessionUpdate"] not in ("usage_update", "available_commands_update"):
                    found.append(message["update"])
            elif "respond" in message:
                found.append(message)
        return found


def check(name: str, message: Json) -> None:
    """Checks a message against a definition of AIR's schema."""
    error = document(1).error(name, message)
    assert error is None, f"{error.json_path}: {error.message}"


def failures(sent: list[Json]) -> list[Json]:
    """The failure records among what AIR gets."""
    metas = [message.get("_meta") or message.get("result", {}).get("_meta") or {} for message in sent]
    airs = [meta.get("jetbrains", {}).get("air", {}) for meta in metas]
    return [air["sessionFailure"] for air in airs if "sessionFailure" in air]


def payloads(sent: list[Json], key: str) -> list[Any]:
    """What AIR gets under a key of its own in updates."""
    airs = [message.get("_meta", {}).get("jetbrains", {}).get("air", {}) for message in sent]
    return [air[key] for air in airs if key in air]


def tasks(sent: list[Json]) -> list[Json]:
    """The updates of async tasks among what AIR gets."""
    return [message for message in sent if str(message.get("sessionUpdate")).startswith("async_task")]
