"""Examples are random while one develops and the same on each run of CI."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("random", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "random")
