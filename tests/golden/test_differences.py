"""Every scenario on both cores of v2: native differs from the bridge only where its reason is known.

A file of `differences` lists how native differs in one recording, with a key of `REASONS` for each place.
`./check --update-golden` writes what is found; a new place has no reason then, and fails until one is written in.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from adapter.conformance.scenario import all_scenarios, is_for

from .replay import INPUTS
from .side_by_side import (
    BRIDGE,
    DIFFERENCES,
    EARLY,
    NATIVE,
    complaint,
    differences,
    inputs,
    joined,
    laid_out,
    left_open,
    listed,
    ratchet,
    stop,
    write,
)

DOCS = Path(__file__).parents[2] / "docs"
REASONS = {"unseen work": ("protocol-v2.md", "The two cores")}
"""Where the documentation says why native differs: a page, and the title of its section."""

SAME = (
    "accept_edits agent_bg agent_bg_two agent_cancel agent_fg agent_resume ask_user auth_providers bad_params "
    "bash_allow bash_always bash_always_rule bash_background bash_fail bash_live bash_reject bash_safe "
    "cancel_permission cancel_stream cancel_tool child_cancel clear compact config content_blocks crash edit_crlf "
    "edit_mismatch edit_reject edit_unicode_path err_400 err_529 findings hello item_cancel list_fork_delete "
    "load_replay load_running local_command max_tokens mcp_broken mcp_command mcp_elicit mcp_tool notebook_edit "
    "plan_clear plan_enter plan_exit plan_exit_reject providers_set queue_fold queue_two read_edit read_image "
    "read_ranges refusal resume schedule skill slash_command system_prompt todo todo_write two_turns "
    "unknown_session write_new"
)
SAME_AS_BRIDGE = frozenset(SAME.split())
"""The recordings in which native does what the bridge does. None may leave."""
NATIVE_STOPS: frozenset[str] = frozenset()
"""The recordings that native does not get through. None may come."""
STOPS = {BRIDGE: frozenset[str](), NATIVE: NATIVE_STOPS}

RECORDED = sorted(path.stem for path in INPUTS.glob("v2/*.jsonl"))
CANCELLED = [name for name in RECORDED if any(line.get("input") == "CancelReceived" for line in inputs(name))]
NAMES = [*RECORDED, *(f"{name}{EARLY}" for name in CANCELLED)]

ADDED = {"heard by": "client", "bridge": [], "native": [{"respond": 1}]}


@pytest.mark.parametrize("name", NAMES)
def test_native_differs_for_known_reasons_only(name: str, request: pytest.FixtureRequest) -> None:
    found = differences(name)
    if request.config.getoption("--snapshot-update"):
        write(name, found)
    wrong = complaint(found, listed(name), REASONS)
    assert not wrong, wrong


@pytest.mark.parametrize("name", NAMES)
def test_what_is_the_same_stays_the_same(name: str) -> None:
    wrong = ratchet(name, SAME_AS_BRIDGE, differs=bool(differences(name)))
    assert not wrong, wrong


@pytest.mark.parametrize("core", STOPS)
@pytest.mark.parametrize("name", NAMES)
def test_each_core_gets_through(name: str, core: str) -> None:
    wrong = stop(name, STOPS[core], left_open(core, inputs(name)))
    assert not wrong, wrong


def test_native_gets_through_all() -> None:
    assert frozenset() == NATIVE_STOPS


def test_the_lists_name_what_is_recorded() -> None:
    assert {*NATIVE_STOPS, *SAME_AS_BRIDGE} <= set(NAMES)
    assert {path.stem for path in DIFFERENCES.iterdir()} <= set(NAMES)


def test_every_scenario_for_a_client_of_v2_is_recorded() -> None:
    assert {name for name, scenario in all_scenarios().items() if is_for(scenario, "v2")} <= set(RECORDED)


@pytest.mark.parametrize("reason", REASONS)
def test_a_reason_is_documented_and_used(reason: str) -> None:
    page, title = REASONS[reason]
    assert re.search(rf"^#+ {re.escape(title)}$", (DOCS / page).read_text(encoding="utf-8"), re.MULTILINE)
    assert reason in {difference["reason"] for name in NAMES for difference in listed(name)}


# The checks themselves.


def test_a_difference_without_a_known_reason_is_shown() -> None:
    assert '"respond": 1' in complaint([ADDED], [], ["known"])
    assert '"respond": 1' in complaint([ADDED], [{"reason": "", **ADDED}], ["known"])
    assert complaint([ADDED], [{"reason": "known", **ADDED}], ["known"]) == ""


def test_a_difference_that_is_gone_is_shown() -> None:
    assert "any more" in complaint([], [{"reason": "known", **ADDED}], ["known"])


def test_a_difference_is_laid_out_as_json() -> None:
    assert json.loads(laid_out(ADDED)) == ADDED
    assert '\n  {"respond": 1}' in laid_out(ADDED)


def test_nothing_leaves_the_ratchet_and_what_belongs_there_is_named() -> None:
    assert "must stay so" in ratchet("a", frozenset("a"), differs=True)
    assert "add it" in ratchet("a", frozenset(), differs=False)
    assert ratchet("a", frozenset("a"), differs=False) == ratchet("a", frozenset(), differs=True) == ""


def test_a_stop_must_be_listed_and_a_listed_one_must_stop() -> None:
    assert "does not get through a" in stop("a", frozenset(), [{"request": 1}])
    assert "remove it" in stop("a", frozenset("a"), [])
    assert stop("a", frozenset("a"), [{"request": 1}]) == stop("a", frozenset(), []) == ""


def test_a_session_that_is_left_in_mid_turn_is_open() -> None:
    lines = inputs("hello")
    result = next(index for index, line in enumerate(lines) if line.get("frame", {}).get("type") == "result")
    [idle] = left_open(NATIVE, [*lines[:result], lines[-1]])
    assert idle["update"]["stopReason"] == "cancelled"
    begun = next(index for index, line in enumerate(lines) if line.get("input") == "PromptReceived")
    assert [line.get("input") for line in left_open(NATIVE, lines[: begun + 1])] == ["PromptReceived"]


def test_the_pieces_of_a_text_are_joined() -> None:
    def piece(text: str, message: str = "m1") -> dict[str, Any]:
        update = {"sessionUpdate": "agent_message_chunk", "messageId": message}
        return {"update": {**update, "content": {"type": "text", "text": text}}}

    other: dict[str, Any] = {"update": {"sessionUpdate": "tool_call_update", "content": []}}
    said = [piece("a"), piece("b"), piece("c", "m2"), other, piece("d", "m2")]
    assert joined(said) == [piece("ab"), piece("c", "m2"), other, piece("d", "m2")]
