"""Renders the state machines of turns (ACP v1) and of work (ACP v2) as tables and diagrams, from the code itself.

    python scripts/render_state_tables.py [--check] [--output FILE]

Every state that can be reached and every event is in them. `--check` writes nothing and exits with status 1 when the
file differs from what the code gives.
"""

from __future__ import annotations

import argparse
import dataclasses
import inspect
import re
import sys
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from adapter.shared import work_state
from adapter.v1 import turns

if TYPE_CHECKING:
    from collections.abc import Sequence

OUTPUT = Path(__file__).parents[1] / "docs" / "turn-states.md"
UNCHANGED = "·"
EVENT = re.compile(r"([A-Z][A-Z_]*): ")

INTRODUCTION = f"""# The state machines

Rendered from the code by `python scripts/render_state_tables.py`; a test fails when this file is out of date. A row is
a state, a column an event, a cell the state that follows; {UNCHANGED} stands for an event that means nothing there and
leaves the state as it is.
"""


class Machine(NamedTuple):
    """A state machine.

    Attributes:
        title: What its section is called.
        path: Its module.
        initial: The state in which it begins.
        events: What can happen.
        advance: The whole machine: the state after an event.
    """

    title: str
    path: str
    initial: Any
    events: type[StrEnum]
    advance: Callable[[Any, Any], Any]


MACHINES = (
    Machine("A held prompt (ACP v1)", "src/adapter/v1/turns.py", turns.Queued(), turns.TurnEvent, turns.advance),
    Machine(
        "A session's work (ACP v2, native core)",
        "src/adapter/shared/work_state.py",
        work_state.Idle(),
        work_state.WorkEvent,
        work_state.advance,
    ),
)


def reached(machine: Machine) -> list[Any]:
    """All states that can be reached, in the order in which they are found; those that nothing leaves come last."""
    states = [machine.initial]
    for state in states:
        states += dict.fromkeys(after for after in followers(machine, state) if after not in states)
    return sorted(states, key=lambda state: set(followers(machine, state)) == {state})


def followers(machine: Machine, state: Any) -> list[Any]:
    """The state that follows after each event."""
    return [machine.advance(state, event) for event in machine.events]


def label(state: Any) -> str:
    """A state's name, with the values of its fields."""
    values = [
        (field.name if value else f"not {field.name}") if isinstance(value, bool) else str(value)
        for field in dataclasses.fields(state)
        for value in [getattr(state, field.name)]
    ]
    return type(state).__name__ + (f" ({', '.join(values)})" if values else "")


def sentences(documented: type) -> str:
    """The docstring of a class as one line."""
    return " ".join(inspect.cleandoc(documented.__doc__ or "").split())


def event_list(events: type[StrEnum]) -> str:
    """Each event with what its class says of it: `NAME: what happened. NAME: …`."""
    _, *parts = EVENT.split(sentences(events))
    about = dict(zip(parts[::2], parts[1::2], strict=True))
    return "".join(f"- **{event.value}**: {about[event.name].strip()}\n" for event in events)


def state_list(states: Sequence[Any]) -> str:
    """Each kind of state with what its class says of it."""
    kinds = dict.fromkeys(type(state) for state in states)
    return "".join(f"- **{kind.__name__}**: {sentences(kind)}\n" for kind in kinds)


def table(machine: Machine, states: Sequence[Any]) -> str:
    """The transitions as a table."""
    head = [["state", *(event.value for event in machine.events)], ["---"] * (len(machine.events) + 1)]
    rows = [[label(state), *(cell(state, after) for after in followers(machine, state))] for state in states]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in [*head, *rows])


def cell(before: Any, after: Any) -> str:
    """What the table says of an event after which a state is another one, or the same."""
    return UNCHANGED if after == before else label(after)


def diagram(machine: Machine, states: Sequence[Any]) -> str:
    """The transitions as a diagram: one arrow between two states, with all events that lead from one to the other."""
    names = {label(state): f"s{number}" for number, state in enumerate(states)}
    arrows: dict[tuple[str, str], list[str]] = {}
    for state in states:
        for event, after in zip(machine.events, followers(machine, state), strict=True):
            if after != state:
                arrows.setdefault((names[label(state)], names[label(after)]), []).append(event.value)
    lines = [f'state "{text}" as {name}' for text, name in names.items()]
    lines.append(f"[*] --> {names[label(machine.initial)]}")
    lines += [f"{before} --> {after}: {', '.join(events)}" for (before, after), events in arrows.items()]
    return "".join(["```mermaid\nstateDiagram-v2\n", *(f"    {line}\n" for line in lines), "```\n"])


def section(machine: Machine) -> str:
    """What the document says of one machine."""
    states = reached(machine)
    parts = [
        f"## {machine.title}\n",
        f"`advance` in `{machine.path}`.\n",
        f"States:\n\n{state_list(states)}",
        f"Events:\n\n{event_list(machine.events)}",
        table(machine, states),
        diagram(machine, states),
    ]
    return "\n".join(parts)


def render() -> str:
    """The whole document."""
    return "\n".join([INTRODUCTION, *(section(machine) for machine in MACHINES)])


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the script and returns its exit status: 0, or 1 when `--check` finds a difference."""
    parser = argparse.ArgumentParser(description="Renders the state machines into a document.")
    parser.add_argument("--check", action="store_true", help="compare only")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="file to write (default: %(default)s)")
    options = parser.parse_args(arguments)
    if not options.check:
        options.output.write_text(render(), encoding="utf-8")
        return 0
    if options.output.is_file() and options.output.read_text(encoding="utf-8") == render():
        return 0
    print(f"{options.output} is out of date: run python scripts/render_state_tables.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
