"""The cores of v2: each test that takes one runs on both."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.machine import bridge_core, delta, handle, message_start, native_core, prompt, started

if TYPE_CHECKING:
    from adapter.shared.v2.session import V2Session
    from support.machine import NewCore

CORES: dict[str, NewCore] = {"bridge": bridge_core, "native": native_core}


@pytest.fixture(params=list(CORES))
def new_core(request: pytest.FixtureRequest) -> NewCore:
    """Makes sessions of one core."""
    return CORES[request.param]


@pytest.fixture
def running(new_core: NewCore) -> V2Session:
    """A session whose first prompt runs and has said something."""
    core = new_core()
    handle(core, prompt(1), started(1), message_start(), delta("Hel"))
    return core
