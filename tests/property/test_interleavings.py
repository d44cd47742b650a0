"""Rule 5 and what belongs to it, for any order of what client, Claude Code, clock and system do."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapter.shared.client_capabilities import SubagentForm
from support.air import ALL, AirSession
from support.machine import bridge_core, native_core, v1_core, v1_encoder, v2_encoder

from .steps import STEPS, Step, closes, dies, fails_to_start, play
from .world import ANSWERS, CALL, DROPPED, OUTLIVES, PROCESS, QUESTIONS, STATES, World

if TYPE_CHECKING:
    from collections.abc import Callable

EXAMPLES = int(os.environ.get("CLAUDE_ACP_EXAMPLES", "2000"))
"""Orders of inputs for each of v1's cores; far more for a long run by hand (CONTRIBUTING.md)."""

RARE = ("closes", "shuts down")
"""Ends come after the steps anyhow."""
SCENES: list[list[Step]] = [
    [("prompts", 0), ("starts prompt", 0)],
    [("prompts", 0), ("starts prompt", 0), ("calls tool", 0)],
    [("ends turn", 0), ("is idle", 0)],
    [("prompts", 0), ("starts prompt", 0), ("plans", 1), ("ends turn", 0)],
    [("cancels", 0), ("answers control", 0)],
    [("dies", 0), ("prompts", 0), ("comes up", 0)],
    [("restarts", 0), ("prompts", 0), ("comes up", 0)],
]
"""What happens often, so that other steps find something to be about."""

step = st.tuples(st.sampled_from([name for name in STEPS if name not in RARE]), st.integers(0, 7))
piece = st.one_of(step.map(lambda one: [one]), st.sampled_from(SCENES))
steps = st.lists(st.lists(piece, max_size=12), max_size=12).map(
    lambda parts: [one for part in parts for some in part for one in some]
)

ELICITS = ("form", "url")


def air_world() -> World:
    """A session of AIR's with all extensions; each prompt wishes a report."""
    air = AirSession(*ALL)
    return World(air.core, air.encoder)


CORES: dict[str, Callable[[], World]] = {
    "v1": lambda: World(v1_core(elicits=ELICITS), v1_encoder()),
    "v1 with subagents": lambda: World(v1_core(elicits=ELICITS, subagents=SubagentForm.SESSIONS), v1_encoder()),
    "v2_bridge": lambda: World(bridge_core(elicits=ELICITS), v2_encoder()),
    "v1 for AIR": air_world,
    "v2_native": lambda: World(native_core(elicits=ELICITS), v2_encoder()),
}
V1 = [core for core in CORES if core.startswith("v1")]
V2 = [core for core in CORES if core.startswith("v2")]
cores = pytest.mark.parametrize("core", CORES)
RULES = (ANSWERS, PROCESS, CALL, OUTLIVES, STATES, QUESTIONS)


def played(core: str, taken: list[Step]) -> World:
    world = CORES[core]()
    play(world, taken)
    return world


def broken(world: World, *more: str) -> dict[str, list[str]]:
    """What did not fit, by rule."""
    return {rule: world.faults[rule] for rule in (*RULES, *more) if world.faults[rule]}


@pytest.mark.parametrize("core", V1)
@settings(max_examples=EXAMPLES)
@given(taken=steps)
def test_the_rules_hold_on_v1(core: str, taken: list[Step]) -> None:
    assert broken(played(core, taken)) == {}


@pytest.mark.parametrize("core", V2)
@settings(max_examples=EXAMPLES // 2)
@given(taken=steps)
def test_the_rules_hold_on_v2(core: str, taken: list[Step]) -> None:
    assert broken(played(core, taken), *([DROPPED] if core == "v2_native" else [])) == {}


@cores
@settings(max_examples=EXAMPLES // 6)
@given(taken=steps, closed=st.booleans())
def test_every_end_answers_every_request(core: str, taken: list[Step], closed: bool) -> None:
    world = played(core, taken)
    if closed:
        closes(world, 0)
    else:
        dies(world, 0)
        fails_to_start(world, 0)
    assert world.open == set()
    assert (world.faults[ANSWERS], world.faults[OUTLIVES]) == ([], [])


@cores
@settings(max_examples=EXAMPLES // 20)
@given(taken=steps)
def test_the_same_inputs_have_the_same_effects(core: str, taken: list[Step]) -> None:
    assert played(core, taken).effects == played(core, taken).effects
