"""The one door from the v1 core to the extensions for JetBrains AIR, which are loaded for AIR only."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from adapter.shared.client_capabilities import ClientCapabilities

if TYPE_CHECKING:
    from adapter.shared.session_extension import SessionExtension
    from adapter.shared.wire.common import OfSession
    from adapter.v1.encode import V1Encoder


def with_declaration(result: dict[str, Any], capabilities: ClientCapabilities) -> dict[str, Any]:
    """The answer to `initialize` with what AIR is told beside it; any other client's stays as it is."""
    if capabilities.air is None:
        return result
    from adapter.v1.extensions.declaration import declared  # noqa: PLC0415

    return declared(result)


def air_encoder(capabilities: ClientCapabilities, now: Callable[[], str]) -> V1Encoder | None:
    """AIR's encoder; `None` for any other client."""
    if capabilities.air is None:
        return None
    from adapter.v1.extensions.tool_calls import AirEncoder  # noqa: PLC0415

    return AirEncoder(capabilities, now)


def air_extension(capabilities: ClientCapabilities) -> SessionExtension | None:
    """What AIR's sessions get; `None` for any other client."""
    if capabilities.air is None:
        return None
    from adapter.v1.extensions.session import AirSessions  # noqa: PLC0415

    return AirSessions(capabilities)


def air_methods(capabilities: ClientCapabilities) -> dict[str, type[OfSession]]:
    """The methods that AIR's sessions serve, with the models of their parameters; none for any other client."""
    if capabilities.air is None:
        return {}
    from adapter.v1.extensions.methods import METHODS  # noqa: PLC0415

    return METHODS
