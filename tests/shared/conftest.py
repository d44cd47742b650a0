"""Async tests run on asyncio, the event loop of the adapter."""

from __future__ import annotations

import pytest


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
