"""What a client declared is read once; what is malformed counts as not declared."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.client_capabilities import (
    ClientCapabilities,
    SubagentForm,
    TerminalChannel,
    read_feedback,
    read_gateway,
    read_v1_capabilities,
    read_v2_capabilities,
    read_vertex,
    steers,
)

AIR_CAPABILITIES = [
    "agentFileChangeReport",
    "asyncTasks",
    "diffPatch",
    "nativeSubagentSessions",
    "planFile",
    "rawInputRendering",
    "recommendedValue",
    "sessionFailure",
]
PLAIN = ClientCapabilities(1, TerminalChannel.NONE, exact_patches=False)


@pytest.mark.parametrize(
    "declared",
    [
        None,
        {},
        [],
        "text",
        1,
        {"_meta": None},
        {"_meta": []},
        {"_meta": "terminal_output"},
        {"_meta": {"terminal_output": "true", "terminal_output_delta": 1}},
        {"_meta": {"jetbrains": []}},
        {"_meta": {"jetbrains": {"air": True}}},
        {"fs": {"readTextFile": True}, "terminal": True},
    ],
)
def test_a_client_of_v1_that_declares_nothing_of_use_is_plain(declared: Any) -> None:
    assert read_v1_capabilities(declared) == PLAIN


@pytest.mark.parametrize(
    ("meta", "channel"),
    [
        ({"terminal_output": True}, TerminalChannel.META),
        ({"terminal_output_delta": True}, TerminalChannel.META_DELTA),
        ({"terminal_output": True, "terminal_output_delta": True}, TerminalChannel.META_DELTA),
        ({"terminal_output": False}, TerminalChannel.NONE),
    ],
)
def test_a_client_of_v1_may_take_the_output_of_commands(meta: Any, channel: TerminalChannel) -> None:
    assert read_v1_capabilities({"_meta": meta}) == ClientCapabilities(1, channel, exact_patches=False)


@pytest.mark.parametrize("declared", [None, {}, [], "text", {"session": {}}, {"_meta": {"terminal_output": True}}])
def test_a_client_of_v2_has_the_baseline_of_v2(declared: Any) -> None:
    assert read_v2_capabilities(declared) == ClientCapabilities(
        2,
        TerminalChannel.DISPLAY,
        exact_patches=True,
        subagents=SubagentForm.SESSIONS,
        notices=True,
        plans=True,
        compaction=True,
    )


@pytest.mark.parametrize(
    ("declared", "form"),
    [
        ({}, SubagentForm.CALLS),
        ({"subagents": {}}, SubagentForm.SESSIONS),
        ({"subagents": True}, SubagentForm.CALLS),
        ({"_meta": {"subagent-transcript": True}}, SubagentForm.TRANSCRIPT),
        ({"subagents": {}, "_meta": {"subagent-transcript": True}}, SubagentForm.SESSIONS),
        ({"_meta": {"jetbrains": {"air": {"version": 1, "capabilities": []}}}}, SubagentForm.CALLS),
        (
            {"_meta": {"jetbrains": {"air": {"version": 1, "capabilities": ["nativeSubagentSessions"]}}}},
            SubagentForm.DRAFT,
        ),
        ({"subagents": {}, "_meta": {"jetbrains": {"air": {"version": 1, "capabilities": []}}}}, SubagentForm.DRAFT),
    ],
)
def test_a_client_says_how_it_is_shown_subagents(declared: Any, form: SubagentForm) -> None:
    assert read_v1_capabilities(declared).subagents is form


def air(version: Any, capabilities: Any) -> frozenset[str] | None:
    declared = {"version": version, "capabilities": capabilities}
    return read_v1_capabilities({"_meta": {"jetbrains": {"air": declared}}}).air


def test_air_declares_what_it_can_by_name() -> None:
    assert air(1, ["diffPatch", "planFile", "not known"]) == frozenset({"diffPatch", "planFile"})
    assert air(7, AIR_CAPABILITIES) == frozenset(AIR_CAPABILITIES)


@pytest.mark.parametrize(
    ("version", "capabilities"),
    [
        (0, ["diffPatch"]),
        (-1, ["diffPatch"]),
        ("1", ["diffPatch"]),
        (True, ["diffPatch"]),
        (None, ["diffPatch"]),
        (1, None),
        (1, "diffPatch"),
        (1, {"diffPatch": True}),
        (1, [1, None, ["diffPatch"]]),
    ],
)
def test_a_malformed_declaration_of_air_enables_nothing(version: Any, capabilities: Any) -> None:
    assert air(version, capabilities) == frozenset()


def test_air_takes_exact_patches_if_it_says_so() -> None:
    for names, exact in ((["diffPatch"], True), (["planFile"], False)):
        declared = {"_meta": {"jetbrains": {"air": {"version": 1, "capabilities": names}}, "terminal_output": True}}
        capabilities = read_v1_capabilities(declared)
        assert (capabilities.exact_patches, capabilities.terminal) == (exact, TerminalChannel.META)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"outcome": {"outcome": "selected", "_meta": {"claudeAcp": {"feedback": "use tabs"}}}}, "use tabs"),
        ({"outcome": {"_meta": {"claudeAcp": {"feedback": ["use tabs"]}}}}, ""),
        ({"outcome": {"_meta": {"claudeAcp": "use tabs"}}}, ""),
        ({"outcome": {"_meta": None}}, ""),
        ({"outcome": "selected"}, ""),
        ({"_meta": {"claudeAcp": {"feedback": "elsewhere"}}}, ""),
        (None, ""),
        ([], ""),
    ],
)
def test_the_users_own_words_in_an_answer(answer: Any, words: str) -> None:
    assert read_feedback(answer) == words


@pytest.mark.parametrize("read", [read_v1_capabilities, read_v2_capabilities])
@pytest.mark.parametrize(
    ("declared", "modes"),
    [
        ({"form": {}, "url": {}}, {"form", "url"}),
        ({"form": {"_meta": {}}}, {"form"}),
        ({"url": {}, "form": None}, {"url"}),
        ({"voice": {}}, set()),
        ({"form": True}, set()),
        (None, set()),
    ],
)
def test_a_client_says_how_it_can_ask_the_person(read: Any, declared: Any, modes: set[str]) -> None:
    assert read({"elicitation": declared}).elicitation == modes


@pytest.mark.parametrize(
    ("session", "notices"), [({"notices": {}}, True), ({"notices": None}, False), ({}, False), ("text", False)]
)
def test_a_client_of_v1_may_take_notices(session: Any, notices: bool) -> None:
    assert read_v1_capabilities({"session": session}).notices is notices


@pytest.mark.parametrize(
    ("params", "steered"),
    [
        ({"_meta": {"claudeAcp": {"steer": True}}}, True),
        ({"_meta": {"claudeAcp": {"steer": "yes"}}}, False),
        ({"_meta": {"claudeAcp": None}}, False),
        ({}, False),
        (None, False),
    ],
)
def test_a_prompt_of_v2_may_steer(params: Any, steered: bool) -> None:
    assert steers(params) is steered


@pytest.mark.parametrize(("plan", "plans"), [({}, True), (None, False), (True, False)])
def test_a_client_of_v1_may_show_plans_by_their_id(plan: Any, plans: bool) -> None:
    assert read_v1_capabilities({"plan": plan}).plans is plans
    assert not read_v1_capabilities({}).plans


def test_where_a_client_shows_reports_is_read() -> None:
    read = read_v1_capabilities({"session": {"notices": {}, "compaction": {}}})
    assert (read.notices, read.compaction) == (True, True)
    for odd in ({}, {"session": None}, {"session": {"notices": None, "compaction": True}}):
        read = read_v1_capabilities(odd)
        assert (read.notices, read.compaction) == (False, False)


@pytest.mark.parametrize(
    ("declared", "logins"),
    [
        ({}, (False, False, False)),
        ({"auth": {"terminal": True}}, (True, False, False)),
        ({"auth": {"terminal": {}}}, (False, False, False)),
        ({"_meta": {"terminal-auth": True}}, (True, True, False)),
        ({"auth": {"_meta": {"gateway": True}}}, (False, False, True)),
        ({"auth": {"_meta": {"gateway": 1}}}, (False, False, False)),
    ],
)
def test_which_logins_a_client_can_follow_is_read(declared: Any, logins: tuple[bool, bool, bool]) -> None:
    read = read_v1_capabilities(declared)
    assert (read.terminal_login, read.terminal_auth, read.gateway) == logins


def test_v2_declares_its_terminal_as_an_object() -> None:
    assert read_v2_capabilities({"auth": {"terminal": {}}}).terminal_login
    assert not read_v2_capabilities({"auth": {"terminal": True}}).terminal_login


def test_a_gateway_and_a_vertex_project_are_read_from_a_login() -> None:
    meta = {"gateway": {"baseUrl": "http://g", "headers": {"a": "1", "b": 2}}}
    assert read_gateway(meta) == ("http://g", {"a": "1"})
    assert read_gateway({"gateway": {"baseUrl": 3, "headers": "x"}}) == read_gateway(None) == ("", {})
    assert read_vertex({"claudeCode": {"vertex": {"projectId": "p", "region": 3}}}) == {"project_id": "p", "region": ""}


@pytest.mark.parametrize(
    ("air", "wanted"),
    [
        ({"version": 1, "capabilities": ["x", "loadReplayEnd"]}, True),
        ({"version": 1, "capabilities": ["diffPatch"]}, False),
        ({"version": 0, "capabilities": ["loadReplayEnd"]}, False),
        ({"version": True, "capabilities": ["loadReplayEnd"]}, False),
        ({"capabilities": "loadReplayEnd"}, False),
        (None, False),
    ],
)
def test_v2_reads_whether_air_wants_to_know_the_end_of_a_history(air: Any, wanted: bool) -> None:
    assert read_v2_capabilities({"_meta": {"jetbrains": {"air": air}}}).replay_end is wanted
    assert not read_v2_capabilities({"_meta": {"jetbrains": air}}).replay_end
