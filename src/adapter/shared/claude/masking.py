"""Secrets kept out of what Claude Code says on stderr, which goes into errors and the log."""

from __future__ import annotations

import re
from collections.abc import Mapping

SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|AUTHORIZATION|CUSTOM_HEADERS", re.IGNORECASE)
SHORTEST = 8
"""Characters of a value that is taken for a secret: a shorter one could be any word."""
KNOWN_FORMS = re.compile(
    r"sk-[A-Za-z0-9_-]{8,}"
    r"|(?<=[Bb]earer )\S+"
    r"|(?<=[Bb]asic )[A-Za-z0-9+/=]{8,}"
    r"|(?<=://)[^/@\s:]+:[^/@\s]+(?=@)"
    r"|(?i:(?<=x-api-key: )|(?<=x-api-key:))\S+"
)
"""API keys, authorization headers, and a user with a password in a URL."""
HIDDEN = "***"


class Mask:
    """Hides the values of an environment's secret variables, and what has the form of a secret.

    Args:
        environment: The environment of the process whose words are masked.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        values = {value for name, value in environment.items() if SECRET_NAME.search(name) and len(value) >= SHORTEST}
        # The longest first: one may be part of another.
        known = "|".join(re.escape(value) for value in sorted(values, key=len, reverse=True))
        self._known = re.compile(known) if known else None

    def __call__(self, text: str) -> str:
        """The text without secrets."""
        if self._known is not None:
            text = self._known.sub(HIDDEN, text)
        return KNOWN_FORMS.sub(HIDDEN, text)
