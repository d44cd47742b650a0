"""What the tests of sessions with transcripts share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .sessions import Sessions

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def sessions(tmp_path: Path) -> Sessions:
    """An empty config folder and a workspace."""
    return Sessions(tmp_path)
