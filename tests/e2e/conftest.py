"""Which scenarios an ordinary run plays."""

from __future__ import annotations

import os

import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the extended scenarios out, unless ALL_SCENARIOS is set."""
    if os.environ.get("ALL_SCENARIOS"):
        return
    extended = [item for item in items if item.get_closest_marker("extended")]
    if extended:
        config.hook.pytest_deselected(items=extended)
        items[:] = [item for item in items if item not in extended]
