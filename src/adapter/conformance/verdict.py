"""Whether an agent does what a recording shows: the results of the scenarios, and the differences that are allowed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from adapter.conformance.compare import Comparison, Difference


class AllowanceError(ValueError):
    """A line of a list of allowances is none."""


class Outcome(Enum):
    """What became of a scenario."""

    SAME = "same"
    DIFFERS = "differs"
    FAILED = "failed"


@dataclass(frozen=True)
class Allowance:
    """Differences that are accepted.

    Attributes:
        recording: Which recordings it is about, such as ``hello.plain`` or ``*.v2``.
        place: Which places in them, such as ``/timeline/*/kind``; a star stands for any text.
        reason: Why.
    """

    recording: str
    place: str
    reason: str

    def covers(self, recording: str, difference: Difference) -> bool:
        """Whether it is about a difference in a recording."""
        return _fits(self.recording, recording) and _fits(self.place, difference.place)


@dataclass(frozen=True)
class Result:
    """What a scenario came to with a client.

    Attributes:
        name: The recording's name.
        leaves: How many leaves were compared.
        differences: Those that differ and are not allowed.
        allowed: How many differ and are allowed.
        used: The allowances that allow them.
        failed: Why the scenario was not played to its end, if it was not.
    """

    name: str
    leaves: int = 0
    differences: tuple[Difference, ...] = ()
    allowed: int = 0
    used: tuple[Allowance, ...] = ()
    failed: str | None = None

    @property
    def outcome(self) -> Outcome:
        """What became of it."""
        if self.failed is not None:
            return Outcome.FAILED
        return Outcome.DIFFERS if self.differences else Outcome.SAME

    @property
    def equal(self) -> int:
        """How many leaves are the same."""
        return self.leaves - len(self.differences) - self.allowed


@dataclass(frozen=True)
class Total:
    """What all scenarios of a client came to.

    Attributes:
        leaves: How many leaves were compared; a scenario that failed has none.
        equal: How many of them are the same.
        outcomes: How many scenarios were the same, differed, failed.
    """

    leaves: int
    equal: int
    outcomes: dict[Outcome, int]

    @property
    def percent(self) -> float:
        """The share of equal leaves."""
        return 100 * self.equal / self.leaves if self.leaves else 0.0


def judge(name: str, comparison: Comparison, allowances: Sequence[Allowance]) -> Result:
    """The result of a scenario that was played to its end."""
    kept = [
        difference
        for difference in comparison.differences
        if not any(allowance.covers(name, difference) for allowance in allowances)
    ]
    used = tuple(one for one in allowances if any(one.covers(name, found) for found in comparison.differences))
    return Result(name, comparison.leaves, tuple(kept), len(comparison.differences) - len(kept), used)


def total(results: Collection[Result]) -> Total:
    """Adds results up."""
    outcomes = {outcome: sum(result.outcome is outcome for result in results) for outcome in Outcome}
    return Total(sum(result.leaves for result in results), sum(result.equal for result in results), outcomes)


def holds(results: Collection[Result], minimum: float | None) -> bool:
    """Whether an agent passes: nothing failed, and nothing differs, or no more than a minimum leaves room for.

    Args:
        results: The results of all scenarios.
        minimum: The per cent of leaves that have to be the same; what is allowed counts as the same.
    """
    if any(result.outcome is Outcome.FAILED for result in results):
        return False
    if minimum is None:
        return all(result.outcome is Outcome.SAME for result in results)
    leaves = sum(result.leaves for result in results)
    accepted = sum(result.equal + result.allowed for result in results)
    return 100 * accepted >= minimum * leaves


def parse_allowances(text: str) -> list[Allowance]:
    """Reads a list of allowances: ``RECORDING PLACE REASON`` a line; blank lines and those that begin with # are none.

    Raises:
        AllowanceError: A line has no reason, or no place.
    """
    lines = [line.strip() for line in text.splitlines()]
    return [_allowance(line) for line in lines if line and not line.startswith("#")]


def _allowance(line: str) -> Allowance:
    words = line.split(None, 2)
    if len(words) < 3:
        raise AllowanceError(f"an allowance is a recording, a place and a reason: {line!r}")
    return Allowance(*words)


def _fits(pattern: str, text: str) -> bool:
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), text, re.DOTALL) is not None
