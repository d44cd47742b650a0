"""The parameters of the ACP v1 requests that we serve (ACP v1 schema, by name)."""

from __future__ import annotations

from typing import Any

from adapter.shared.wire.common import ContentBlock, OfSession, OpensKnown, OpensSession, Wire


class NewSession(OpensSession):
    """`NewSessionRequest`."""

    mcpServers: list[dict[str, Any]]  # noqa: N815


class LoadSession(OpensKnown):
    """`LoadSessionRequest`."""

    mcpServers: list[dict[str, Any]]  # noqa: N815


class Prompt(OfSession):
    """`PromptRequest`."""

    prompt: list[ContentBlock]


class Steer(OfSession):
    """The parameters of `_session/steering`."""

    prompt: list[ContentBlock]


class Goal(OfSession):
    """The parameters of `_session/goal`; `objective` is needed to set one."""

    action: str = ""
    objective: str = ""


class SetMode(OfSession):
    """`SetSessionModeRequest`."""

    modeId: str  # noqa: N815


class SetConfigOption(OfSession):
    """`SetSessionConfigOptionRequest`; a switch may come as a boolean."""

    configId: str  # noqa: N815
    value: str | bool


class CancelRequest(Wire):
    """`CancelRequestNotification`."""

    requestId: str | int | None  # noqa: N815
