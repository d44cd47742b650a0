"""The parameters of the ACP v2 requests that we serve (draft ACP v2 schema, by name)."""

from __future__ import annotations

from typing import Any, Literal

from adapter.shared.wire.common import ContentBlock, OfSession, OpensKnown, OpensSession, Wire


class NewSession(OpensSession):
    """`NewSessionRequest`."""

    mcpServers: list[dict[str, Any]] | None = None  # noqa: N815


class ReplayFrom(Wire):
    """`ReplayFrom`: where the history begins that is shown."""

    type: Literal["start"]


class ResumeSession(OpensKnown):
    """`ResumeSessionRequest`."""

    replayFrom: ReplayFrom | None = None  # noqa: N815


class Prompt(OfSession):
    """`PromptRequest`."""

    prompt: list[ContentBlock]


class CancelTerminal(OfSession):
    """`CancelTerminalRequest`."""

    terminalId: str  # noqa: N815


class CancelToolCall(OfSession):
    """`CancelToolCallRequest`."""

    toolCallId: str  # noqa: N815


class ServerMessage(Wire):
    """`MessageMcpNotification`: word of a server that the client provides, about a request that it works on."""

    serverId: str  # noqa: N815
    requestId: str  # noqa: N815
    method: str
    params: dict[str, Any] | None = None


class SetConfigOption(OfSession):
    """`SetSessionConfigOptionRequest`: `type` is id for a select and boolean for a switch."""

    configId: str  # noqa: N815
    type: str
    value: str | bool
