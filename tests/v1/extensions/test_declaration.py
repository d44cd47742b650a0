"""What the agent declares to AIR, and what other clients get."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.client_capabilities import read_v1_capabilities, sent_report_id
from adapter.v1.air import with_declaration
from adapter.v1.initialize import initialize_result
from support.air import check, client

Json = dict[str, Any]
CAPABILITIES = [
    "sessionFailure",
    "agentFileChangeReport",
    "nativeSubagentSessions",
    "asyncTasks",
    "planFile",
    "recommendedValue",
    "diffPatch",
]


@pytest.mark.parametrize("declared", [(), ("diffPatch",), ("planContentDelta",)])
def test_air_gets_the_same_declaration_whatever_it_declares(declared: tuple[str, ...]) -> None:
    result = with_declaration(initialize_result([]), client(*declared))
    check("InitializeResponse", result)
    assert result["_meta"]["jetbrains"]["air"] == {
        "version": 1,
        "capabilities": CAPABILITIES,
        "goal": {"version": 1, "controlMethod": "_session/goal", "actions": ["set", "clear"]},
    }
    assert result["agentCapabilities"]["sessionCapabilities"]["subagents"] == {}


def test_another_client_gets_no_key_of_airs() -> None:
    client = read_v1_capabilities({"_meta": {"terminal_output": True}})
    assert with_declaration(initialize_result([]), client) == initialize_result([])
    assert "jetbrains" not in str(initialize_result([]))
    assert "subagents" not in initialize_result([])["agentCapabilities"]["sessionCapabilities"]


def test_every_client_is_told_of_steering_and_of_logins() -> None:
    result = initialize_result([])
    assert result["_meta"] == {"steering": {"supported": True}}
    assert result["agentCapabilities"]["_meta"]["authStatus"] == {}
    assert with_declaration(result, client())["_meta"]["steering"] == {"supported": True}


@pytest.mark.parametrize(
    "air",
    [
        {},
        {"version": 1},
        {"capabilities": ["diffPatch"]},
        {"version": 0, "capabilities": ["diffPatch"]},
        {"version": 1.5, "capabilities": ["diffPatch"]},
        {"version": True, "capabilities": ["diffPatch"]},
        {"version": "1", "capabilities": ["diffPatch"]},
        {"version": 1, "capabilities": "diffPatch"},
        {"version": 1, "capabilities": {"diffPatch": True}},
        {"version": 1, "capabilities": ["DiffPatch", 5, None]},
        {"version": 1e400, "capabilities": ["diffPatch"]},
    ],
)
def test_a_malformed_declaration_enables_nothing(air: Json) -> None:
    assert read_v1_capabilities({"_meta": {"jetbrains": {"air": air}}}).air == frozenset()


@pytest.mark.parametrize("version", [1, 2, 1.0])
def test_any_whole_version_enables_what_is_named(version: float) -> None:
    air = {"version": version, "capabilities": ["diffPatch", "unheardOf"]}
    assert read_v1_capabilities({"_meta": {"jetbrains": {"air": air}}}).air == frozenset({"diffPatch"})


def test_the_delta_of_a_plan_is_read_and_has_no_effect() -> None:
    assert client("planContentDelta") == client()


def wish(**fields: Any) -> str:
    return sent_report_id({"_meta": {"jetbrains": {"air": {"agentFileChangeReportRequest": fields}}}})


def test_a_wish_for_a_report_has_an_id() -> None:
    assert wish(version=1, requestId="a-1_.:Z") == "a-1_.:Z"


@pytest.mark.parametrize(
    "fields",
    [
        {"version": 1},
        {"version": 2, "requestId": "a"},
        {"version": True, "requestId": "a"},
        {"version": 1, "requestId": ""},
        {"version": 1, "requestId": "a b"},
        {"version": 1, "requestId": "a\n"},
        {"version": 1, "requestId": "x" * 129},
        {"version": 1, "requestId": 5},
        {"version": 1, "requestId": "a", "more": 1},
    ],
)
def test_a_malformed_wish_is_none(fields: Json) -> None:
    assert wish(**fields) == ""
    assert sent_report_id(None) == ""
