"""The cores: which protocol version each serves, and how an adapter is told to run it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Mapping


class Core(StrEnum):
    """A core; its value is the id of the tests that run on it."""

    V1 = "v1"
    BRIDGE = "bridge"
    NATIVE = "native"

    @property
    def version(self) -> int:
        """The protocol version that it serves."""
        return 1 if self is Core.V1 else 2

    @property
    def variables(self) -> Mapping[str, str]:
        """What an adapter's environment says of it."""
        if self is Core.V1:
            return {}
        return {"CLAUDE_AGENT_ACP_EXPERIMENTAL_V2": "1", "CLAUDE_AGENT_ACP_V2_CORE": self.value}


all_cores = pytest.mark.parametrize("core", Core)
versions = pytest.mark.parametrize("core", [Core.V1, Core.BRIDGE])
"""For what happens before a message gets to a core."""
v2_cores = pytest.mark.parametrize("core", [Core.BRIDGE, Core.NATIVE])
