"""What a person sees: progress on the standard error, differences and a summary on the standard output."""

from __future__ import annotations

import json
import sys
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from adapter.conformance.compare import ABSENT
from adapter.conformance.verdict import Outcome, total

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from adapter.conformance.verdict import Allowance, Result

STYLES = {Outcome.SAME: "green", Outcome.DIFFERS: "yellow", Outcome.FAILED: "red"}
WIDTH_OF_VALUE = 160
BEFORE_DIFFERENCE = 60
"""Characters that are shown of a value: at most, and before the first that differs."""


class ProgressReport:
    """Shows how far a run is: a bar on a terminal, a line a scenario elsewhere.

    Args:
        console: Where to show it.
        count: How many scenarios there are.
    """

    def __init__(self, console: Console, count: int) -> None:
        self._console = console
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=console,
            disable=not console.is_terminal,
            transient=True,
        )
        self._task = self._bar.add_task("starting", total=count)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def done(self, name: str, says: str, style: str, seconds: float) -> None:
        """A scenario is over."""
        if self._console.is_terminal:
            self._bar.update(self._task, advance=1, description=name)
            if style == STYLES[Outcome.SAME]:
                return
        line = Text.assemble(f"{name:32} ", (says, style), f"  {seconds:.1f} s")
        self._console.print(line, soft_wrap=True)


def console(*, stderr: bool = False) -> Console:
    """A console that shows plain text where there is no terminal."""
    stream = sys.stderr if stderr else sys.stdout
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors="replace")  # A pipe or an old terminal may not know our signs.
    return Console(stderr=stderr, highlight=False)


def says(result: Result) -> str:
    """What became of a scenario, in a few words."""
    if result.failed is not None:
        return f"failed: {result.failed}"
    if not result.differences:
        return f"same ({result.allowed} allowed)" if result.allowed else "same"
    return f"{len(result.differences)} of {result.leaves} differ"


def show_differences(out: Console, results: Iterable[Result], limit: int) -> None:
    """The first differences of each scenario."""
    for result in results:
        for difference in result.differences[:limit]:
            out.print(Text.assemble((result.name, "bold"), " ", difference.place), soft_wrap=True)
            theirs, ours = _cut(_value(difference.theirs), _value(difference.ours))
            out.print(Text(f"    recording: {theirs}"), soft_wrap=True)
            out.print(Text(f"    agent:     {ours}"), soft_wrap=True)
        left = len(result.differences) - limit
        if limit and left > 0:
            out.print(Text(f"{result.name} … {left} more"), soft_wrap=True)


def show_summary(out: Console, results: Collection[Result]) -> None:
    """A table with a row a client, and the scenarios that failed."""
    table = Table(title="Conformance")
    for heading in ("client", "scenarios", "same", "differ", "failed", "leaves", "equal"):
        table.add_column(heading, justify="left" if heading == "client" else "right")
    profiles = sorted({_profile(result) for result in results})
    for profile in profiles:
        own = [result for result in results if _profile(result) == profile]
        sums = total(own)
        counts = [str(sums.outcomes[outcome]) for outcome in Outcome]
        table.add_row(profile, str(len(own)), *counts, str(sums.leaves), f"{sums.percent:.2f} %")
    out.print(table)
    for result in results:
        if result.failed is not None:
            out.print(Text.assemble((result.name, "bold"), f" failed: {result.failed}"), soft_wrap=True)


def show_unused(out: Console, allowances: Iterable[Allowance]) -> None:
    """Allowances that nothing needs."""
    for allowance in allowances:
        out.print(Text(f"not needed: {allowance.recording} {allowance.place} {allowance.reason}"), soft_wrap=True)


def _profile(result: Result) -> str:
    return result.name.rpartition(".")[2]


def _value(value: Any) -> str:
    return ABSENT if value == ABSENT else json.dumps(value, ensure_ascii=False)


def _cut(one: str, other: str) -> list[str]:
    """Long texts, from shortly before the place where they part."""
    shorter = min(len(one), len(other))
    same = next((number for number in range(shorter) if one[number] != other[number]), shorter)
    start = max(0, same - BEFORE_DIFFERENCE) if max(len(one), len(other)) > WIDTH_OF_VALUE else 0
    end = start + WIDTH_OF_VALUE
    return ["…" * (start > 0) + text[start:end] + "…" * (len(text) > end) for text in (one, other)]
