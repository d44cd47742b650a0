"""Folders of recordings, and which of their recordings an agent is to be compared with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from adapter.conformance.recording import Recording, RecordingError, parse_recording
from adapter.conformance.scenario import is_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

GOLDEN = Path(__file__).parent / "golden"
"""What this adapter said in each scenario, on each of its cores."""

SAME_CLIENT = {"v2_native": "v2"}
"""Whose recordings stand in for those of a client that a folder has none of."""


class SelectionError(ValueError):
    """What is asked for cannot be played or compared."""


class Case(NamedTuple):
    """A scenario to play with a client, and the recording that is the measure, if there is one."""

    scenario: Mapping[str, Any]
    profile: str
    measure: Recording | None = None

    @property
    def name(self) -> str:
        """The name of its recording."""
        return f"{self.scenario['name']}.{self.profile}"


def read_recordings(folder: Path) -> list[Recording]:
    """The recordings in a folder.

    Raises:
        RecordingError: There are none, or a file is none.
    """
    paths = sorted(folder.glob("*.jsonl"))
    if not paths:
        raise RecordingError(f"{folder} has no recordings: files SCENARIO.PROFILE.jsonl")
    return [parse_recording(path.read_text(encoding="utf-8"), str(path)) for path in paths]


def cases_to_record(
    scenarios: Mapping[str, Mapping[str, Any]], names: Sequence[str], profiles: Iterable[str]
) -> list[Case]:
    """The scenarios of these names, or all, with each of the clients that they are for.

    Raises:
        SelectionError: A name is unknown, or nothing is left.
    """
    _check_names(scenarios, names)
    cases = [
        Case(scenarios[name], profile)
        for profile in profiles
        for name in names or sorted(scenarios)
        if is_for(scenarios[name], profile)
    ]
    if not cases:
        raise SelectionError("none of these scenarios is for this client")
    return cases


def cases_to_compare(
    scenarios: Mapping[str, Mapping[str, Any]],
    recordings: Iterable[Recording],
    names: Sequence[str],
    profiles: Iterable[str],
) -> list[Case]:
    """The recordings of these scenarios, or all, with each of the clients; those that failed are no measure.

    Raises:
        SelectionError: A scenario is unknown, or has no recording.
    """
    _check_names(scenarios, names)
    by_profile: dict[str, dict[str, Recording]] = {}
    for recording in recordings:
        by_profile.setdefault(recording.profile, {})[recording.scenario] = recording
    return [
        case
        for profile in profiles
        for case in _of_profile(scenarios, by_profile.get(_recorded(profile, by_profile), {}), names, profile)
    ]


def _recorded(profile: str, recorded: Iterable[str]) -> str:
    return profile if profile in recorded else SAME_CLIENT.get(profile, profile)


def _of_profile(
    scenarios: Mapping[str, Mapping[str, Any]], recordings: Mapping[str, Recording], names: Sequence[str], profile: str
) -> list[Case]:
    missing = [name for name in names if name not in recordings]
    if missing or not recordings:
        wanted = ", ".join(missing) or "any scenario"
        raise SelectionError(
            f"no recording of {wanted} by the client {profile}: make one with claude-acp conformance record, "
            "or choose others with --profiles"
        )
    chosen = names or sorted(recordings)
    unknown = [name for name in chosen if name not in scenarios]
    if unknown:
        raise SelectionError(
            f"no scenario for the recordings of {', '.join(unknown)}: name the folder of the scenario files "
            "with --scenarios, or name the scenarios to play"
        )
    return [Case(scenarios[name], profile, recordings[name]) for name in chosen if recordings[name].failed is None]


def _check_names(scenarios: Mapping[str, object], names: Iterable[str]) -> None:
    unknown = [name for name in names if name not in scenarios]
    if unknown:
        raise SelectionError(
            f"no scenario {', '.join(unknown)}; conformance list shows all, --scenarios names a folder of others"
        )
