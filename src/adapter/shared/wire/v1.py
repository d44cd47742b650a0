"""The parameters of the ACP v1 requests that we serve (ACP v1 schema, by name)."""

from __future__ import annotations

from typing import Any

from adapter.shared.wire.common import ContentBlock, Wire


class NewSession(Wire):
    """`NewSessionRequest`."""

    cwd: str
    mcpServers: list[dict[str, Any]]  # noqa: N815


class Prompt(Wire):
    """`PromptRequest`."""

    sessionId: str  # noqa: N815
    prompt: list[ContentBlock]


class OfSession(Wire):
    """`CancelNotification`, `CloseSessionRequest`."""

    sessionId: str  # noqa: N815


class SetMode(Wire):
    """`SetSessionModeRequest`."""

    sessionId: str  # noqa: N815
    modeId: str  # noqa: N815


class SetConfigOption(Wire):
    """`SetSessionConfigOptionRequest`; a switch may come as a boolean."""

    sessionId: str  # noqa: N815
    configId: str  # noqa: N815
    value: str | bool


class CancelRequest(Wire):
    """`CancelRequestNotification`."""

    requestId: str | int | None  # noqa: N815
