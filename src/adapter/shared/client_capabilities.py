"""What a client declared at `initialize`, parsed once. Nobody else reads a capability or a client's `_meta`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

Json = dict[str, Any]


class TerminalChannel(StrEnum):
    """How a client takes the output of commands.

    NONE: in a code block. META: whole, in `_meta.terminal_output`. META_DELTA: appended, in
    `_meta.terminal_output_delta` (conventions of Zed and of JetBrains). DISPLAY: v2's terminals.
    """

    NONE = "none"
    META = "terminal_output"
    META_DELTA = "terminal_output_delta"
    DISPLAY = "display"


@dataclass(frozen=True, slots=True)
class ClientCapabilities:
    """One client.

    Attributes:
        version: The protocol version that was agreed on.
        terminal: How it takes the output of commands.
        exact_patches: It takes exact patches as diffs.
    """

    version: int
    terminal: TerminalChannel
    exact_patches: bool


def read_v1_capabilities(declared: Any) -> ClientCapabilities:
    """Read v1's `clientCapabilities`; what is malformed counts as not declared."""
    meta = _object(_object(declared).get("_meta"))
    if meta.get("terminal_output_delta") is True:
        terminal = TerminalChannel.META_DELTA
    else:
        terminal = TerminalChannel.META if meta.get("terminal_output") is True else TerminalChannel.NONE
    return ClientCapabilities(1, terminal, exact_patches=False)


def read_v2_capabilities(_declared: Any) -> ClientCapabilities:
    """Read v2's `capabilities`: display terminals and exact patches belong to v2's baseline."""
    return ClientCapabilities(2, TerminalChannel.DISPLAY, exact_patches=True)


def _object(value: Any) -> Json:
    return value if isinstance(value, dict) else {}
