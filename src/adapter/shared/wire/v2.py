"""The parameters of the ACP v2 requests that we serve (draft ACP v2 schema, by name)."""

from __future__ import annotations

from typing import Any

from adapter.shared.wire.common import ContentBlock, Wire


class NewSession(Wire):
    """`NewSessionRequest`."""

    cwd: str
    mcpServers: list[dict[str, Any]] | None = None  # noqa: N815


class Prompt(Wire):
    """`PromptRequest`."""

    sessionId: str  # noqa: N815
    prompt: list[ContentBlock]


class OfSession(Wire):
    """`CloseSessionRequest`."""

    sessionId: str  # noqa: N815


class SetConfigOption(Wire):
    """`SetSessionConfigOptionRequest`: `type` is id for a select and boolean for a switch."""

    sessionId: str  # noqa: N815
    configId: str  # noqa: N815
    type: str
    value: str | bool
