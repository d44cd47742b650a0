"""Updates that AIR alone knows, as effects of its extensions; `AirEncoder` passes them on."""

from __future__ import annotations

from dataclasses import dataclass

from adapter.shared.outcome import Outcome
from adapter.shared.tools.facts import Json


@dataclass(frozen=True, slots=True)
class AirUpdate:
    """An update of AIR's, in its wire form."""

    update: Json


@dataclass(frozen=True, slots=True)
class FailedOutcome(Outcome):
    """A turn that has ended with a failure: the record goes with the answer to its prompt."""

    record: Json | None = None


def air_meta(**payload: object) -> Json:
    """The `_meta` that carries payloads of AIR's."""
    return {"jetbrains": {"air": {"version": 1, **payload}}}


def session_info(**payload: object) -> AirUpdate:
    """A `session_info_update` that carries payloads of AIR's."""
    return AirUpdate({"sessionUpdate": "session_info_update", "_meta": air_meta(**payload)})
