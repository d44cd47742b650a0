"""The schema checker: what it accepts, what it refuses, and where it says the fault is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from support.schemas import SCHEMAS, SchemaChecker, check_addition, check_all, document, load

RECORDINGS = Path(__file__).parent / "data" / "recordings"

DEVIATING = "resume.plain"
"""A recording whose only fault is that the result of `session/resume` repeats `sessionId`, a name that ACP reserves."""

KINDS = ("total", "input", "cachedInput", "output", "reasoningOutput")
COUNTS: dict[str, Any] = {**{f"{kind}Tokens": 1 for kind in KINDS}, "cachedWriteTokens": 0}
QUOTA: dict[str, Any] = {"token_count": COUNTS, "model_usage": [{"model": "claude-opus-5-5", "token_count": COUNTS}]}
TEXT = {"type": "text", "text": "hi"}
FAILURE = {"id": "x:error", "revision": 1, "category": "limit", "severity": "error", "title": "No more.", "actions": []}
REPORT = {"version": 1, "requestId": "r-1", "status": "reported"}
FULL_REPORT = {**REPORT, "paths": ["/a"], "declaredComplete": False, "truncated": False}
EXIT = {"terminal_id": "t", "exit_code": None, "signal": None}
LOGIN = {"type": "terminal", "id": "a", "name": "Log in", "args": "x"}
OPTION = {"id": "size", "name": "Size", "type": "slider", "currentValue": 5}
PARSE_ERROR = {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "Parse error"}}


def air(**payload: Any) -> dict[str, Any]:
    """Returns `_meta` with a payload for AIR."""
    return {"jetbrains": {"air": {"version": 1, **payload}}}


def update(kind: str, /, **fields: Any) -> dict[str, Any]:
    """Returns a `session/update` notification."""
    params = {"sessionId": "s", "update": {"sessionUpdate": kind, **fields}}
    return {"jsonrpc": "2.0", "method": "session/update", "params": params}


def chunk(content: Any, **fields: Any) -> dict[str, Any]:
    return update("agent_message_chunk", messageId="m", content=content, **fields)


def call(**fields: Any) -> dict[str, Any]:
    return update("tool_call", toolCallId="t", title="T", **fields)


def refine(**fields: Any) -> dict[str, Any]:
    return update("tool_call_update", toolCallId="t", **fields)


def info(meta: Any) -> dict[str, Any]:
    return update("session_info_update", _meta=meta)


def request(method: str, /, **params: Any) -> dict[str, Any]:
    """Returns a request of the agent."""
    return {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}


def answer(method: str, version: int = 1, /, **outcome: Any) -> None:
    """Checks an answer of the agent to a request of the client."""
    checker = SchemaChecker(version)
    checker.client_sent({"jsonrpc": "2.0", "id": 1, "method": method, "params": {}})
    checker.agent_sent({"jsonrpc": "2.0", "id": 1, **outcome})


def refused(version: int, message: Any) -> str:
    """Returns what the checker says of an invalid message of the agent."""
    with pytest.raises(AssertionError) as caught:
        SchemaChecker(version).agent_sent(message)
    return str(caught.value)


VALID = [
    (1, chunk(TEXT)),
    (1, update("tool_call", toolCallId="t", title="Run", kind="execute", rawInput={"any": ["thing"]})),
    (1, refine(content=[{"type": "diff", "path": "/a", "newText": ""}])),
    (1, update("config_option_update", configOptions=[])),
    (1, update("notice", severity="_mild", title="T")),
    (1, request("fs/read_text_file", sessionId="s", path="/a")),
    (1, {"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": 3}}),
    (2, chunk(TEXT)),
    (2, update("state_update", state="idle", stopReason="end_turn")),
    (2, update("state_update", state="idle")),
    (2, refine(kind="_dance", title=None)),
    (1, {"jsonrpc": "2.0", "method": "_vendor/anything", "params": [1]}),
]

INVALID = [
    (1, update("no_such_update"), "$.params.update.sessionUpdate: 'no_such_update' is none of user_message_chunk, "),
    (2, update("no_such_update"), "$.params.update.sessionUpdate: 'no_such_update' is none of user_message_chunk, "),
    (2, update("tool_call", toolCallId="t", title="T"), "'tool_call' is none of"),
    (2, update("_vendor_update"), "'_vendor_update' is none of"),
    (1, update("tool_call", toolCallId="t"), "$.params.update: 'title' is a required property"),
    (1, call(kind="dance"), "$.params.update.kind: 'dance' is not one of"),
    (2, refine(kind="bread"), "$.params.update.kind: 'bread' does not match"),
    (1, call(titel="T"), "$.params.update.titel: 'titel' is no property"),
    (1, chunk({"type": "text", "text": 5}), "$.params.update.content.text: 5 is not"),
    (2, chunk({"type": "text"}), "$.params.update.content: 'text' is a"),
    (2, chunk({"type": "video"}), "$.params.update.content.type: 'video'"),
    (2, chunk({}), "$.params.update.content: 'type' is a required"),
    (2, chunk("hi"), "$.params.update.content: 'hi' is not of type"),
    (1, refine(content=[{"type": "content", "content": {**TEXT, "uri": 1}}]), "content[0].content.uri: 'uri' is no"),
    (1, chunk(TEXT, toolCallId="t"), "$.params.update.toolCallId: 'toolCallId' is no"),
    (1, refine(content=[{"type": "diff", "path": "/a"}]), "content[0]: 'newText'"),
    (1, call(locations=[{"path": "/a", "column": 1}]), "locations[0].column: "),
    (2, update("state_update", state="resting"), "$.params.update.state: 'resting' is none of running, idle"),
    (2, update("state_update", state="idle", stopReason="bored"), "$.params.update.stopReason: 'bored' is none of"),
    (2, update("state_update", state="idle", stopReason=5), "$.params.update.stopReason: 5 is not of type 'null'"),
    (1, request("session/request_permission", sessionId="s", options=[]), "$.params: 'toolCall' is a required"),
    (1, request("session/prompt", sessionId="s", prompt=[]), "$.method: an agent sends no request of this name"),
    (1, request("session/update", sessionId="s"), "$.method: an agent sends no request of this name"),
    (2, request("fs/read_text_file", sessionId="s", path="/a"), "$.method: an agent sends no request"),
    (1, {**request("fs/read_text_file", sessionId="s", path="/a"), "id": 1.5}, "$.id: 1.5 is not"),
    (1, {"jsonrpc": "2.0", "method": "session/update"}, "$.params: "),
    (1, {**chunk(TEXT), "result": {}}, "$.result: 'result' has no place"),
    (1, {"jsonrpc": "1.0", "method": "session/update", "params": {}}, "$: no JSON-RPC 2.0 message"),
    (1, 5, "$: no JSON-RPC 2.0 message"),
    (1, [], "$: an empty batch"),
]


@pytest.mark.parametrize(("version", "message"), VALID)
def test_valid_message_passes(version: int, message: Any) -> None:
    SchemaChecker(version).agent_sent(message)


@pytest.mark.parametrize(("version", "message", "fault"), INVALID)
def test_invalid_message_is_refused_with_its_path(version: int, message: Any, fault: str) -> None:
    assert fault in refused(version, message)


def test_refusal_names_the_method_the_version_and_a_short_value() -> None:
    message = refused(1, chunk({"type": "text", "text": ["long"] * 1000}))
    assert message.startswith("session/update (ACP v1): $.params.update.content.text: ")
    assert '; the value: ["long", "long", ' in message
    assert len(message) < 600


def test_batch_is_checked_entry_by_entry() -> None:
    good = chunk(TEXT)
    SchemaChecker(1).agent_sent([good, good])
    assert "'title' is a required property" in refused(1, [good, update("tool_call", toolCallId="t")])


RESULTS = [
    (1, "initialize", {"protocolVersion": 1, "agentCapabilities": {"loadSession": True}}),
    (1, "session/prompt", {"stopReason": "end_turn"}),
    (2, "session/prompt", {"messageId": "m"}),
    (1, "initialize", {"protocolVersion": 1, "authMethods": [{"id": "a", "name": "Log in"}]}),
    (1, "authenticate", {}),
    (1, "_vendor/anything", [1, 2]),
]

WRONG_RESULTS = [
    (1, "initialize", {}, "$.result: 'protocolVersion' is a required property"),
    (1, "session/prompt", {"stopReason": "bored"}, "$.result.stopReason: 'bored' is not one of"),
    (1, "session/set_config_option", {"configOptions": [OPTION]}, "$.result.configOptions[0].type: 'slider' is none"),
    (1, "initialize", {"protocolVersion": 1, "authMethods": [LOGIN]}, "$.result.authMethods[0].args: 'x' is not of"),
    (1, "initialize", {"protocolVersion": 1, "agentCapabilites": {}}, "$.result.agentCapabilites: "),
    (1, "session/prompt", None, "$.result: None is not of type 'object'"),
    (1, "no/such", {}, "$.result: the method does not exist"),
]


@pytest.mark.parametrize(("version", "method", "result"), RESULTS)
def test_valid_result_passes(version: int, method: str, result: Any) -> None:
    answer(method, version, result=result)


@pytest.mark.parametrize(("version", "method", "result", "fault"), WRONG_RESULTS)
def test_result_is_checked_against_its_method(version: int, method: str, result: Any, fault: str) -> None:
    with pytest.raises(AssertionError) as caught:
        answer(method, version, result=result)
    assert f"response to {method} (ACP v{version}): " in str(caught.value)
    assert fault in str(caught.value)


@pytest.mark.parametrize("version", [1, 2])
def test_error_is_checked_against_the_json_rpc_error(version: int) -> None:
    answer("no/such", version, error={"code": -32601, "message": "Method not found", "data": {"method": "no/such"}})
    for error, fault in [
        ({"code": -32601}, "$.error: 'message' is a required property"),
        ({"code": "x", "message": "m"}, "$.error.code: "),
        ({"code": 1, "message": "m", "reason": "r"}, "$.error.reason: "),
    ]:
        with pytest.raises(AssertionError) as caught:
            answer("no/such", version, error=error)
        assert fault in str(caught.value)


def test_unsupported_version_names_the_versions_in_v2() -> None:
    error = {"code": -32022, "message": "Unsupported protocol version"}
    answer("initialize", 2, error={**error, "data": {"requested": 1, "supported": [2]}})
    with pytest.raises(AssertionError, match=r"\$\.error\.data: 'supported' is a required property"):
        answer("initialize", 2, error={**error, "data": {"requested": 1}})


@pytest.mark.parametrize(
    ("message", "fault"),
    [
        ({"id": 1, "result": {}}, "$.id: a result that answers no open request"),
        ({"id": 1}, "$: neither a result nor an error"),
        ({"error": {"code": 1, "message": "m"}}, "$: a response without an id"),
        ({"id": 1, "error": {"code": 1, "message": "m"}, "result": {}}, "$.result: 'result' has no place"),
    ],
)
def test_malformed_answer_is_refused(message: dict[str, Any], fault: str) -> None:
    assert fault in refused(1, {"jsonrpc": "2.0", **message})


def test_error_may_answer_what_the_checker_was_not_told_of() -> None:
    checker = SchemaChecker(1)
    checker.agent_sent(PARSE_ERROR)
    checker.agent_sent({**PARSE_ERROR, "id": 5})


def test_second_answer_is_refused_until_the_id_is_used_again() -> None:
    prompt = {"jsonrpc": "2.0", "id": 1, "method": "session/prompt", "params": {}}
    result = {"jsonrpc": "2.0", "id": 1, "result": {"stopReason": "end_turn"}}
    checker = SchemaChecker(1)
    checker.client_sent(prompt)
    checker.agent_sent(result)
    with pytest.raises(AssertionError, match="a second answer"):
        checker.agent_sent(result)
    checker.client_sent(prompt)
    checker.agent_sent(result)


def test_requests_of_the_client_are_remembered_whatever_their_form() -> None:
    checker = SchemaChecker(1)
    checker.client_sent([{"jsonrpc": "2.0", "id": "1", "method": "session/prompt"}, {"id": 2, "method": 5}, "x"])
    checker.client_sent({"jsonrpc": "2.0", "id": 3, "result": {}})
    checker.agent_sent({"jsonrpc": "2.0", "id": "1", "result": {"stopReason": "cancelled"}})
    with pytest.raises(AssertionError, match="the method does not exist"):
        checker.agent_sent({"jsonrpc": "2.0", "id": 2, "result": {}})
    with pytest.raises(AssertionError, match="answers no open request"):
        checker.agent_sent({"jsonrpc": "2.0", "id": 3, "result": {}})


VALID_META = [
    (1, call(_meta={"claudeCode": {"toolName": "Bash", "toolResponse": [1]}})),
    (1, call(_meta={"is_mcp_tool_call": True, **air(commandTitle="Say hi", subagent=True)})),
    (1, refine(_meta={"jetbrains": {"air": {"asyncTasks": {"backgrounded": True}}}})),
    (1, refine(_meta={"terminal_output": {"terminal_id": "t", "data": ""}})),
    (1, refine(_meta={"terminal_exit": EXIT})),
    (1, chunk(TEXT, _meta={"claudeCode": {"kind": "informational", "level": "notice"}})),
    (1, chunk(TEXT, _meta=None)),
    (1, update("usage_update", used=1, size=2, _meta={"_claude/model": "m", "_claude/origin": {"kind": "human"}})),
    (1, update("usage_update", used=1, size=2, _meta={"_claude/rateLimit": {"status": "allowed", "resetsAt": 5}})),
    (1, info(air(goal=None))),
    (1, info(air(sessionFailure=FAILURE))),
    (1, info(air(agentFileChangeReport=FULL_REPORT))),
    (2, update("state_update", state="idle", stopReason="end_turn", _meta={"quota": QUOTA})),
    (1, update("async_task_spawned", asyncTaskId="a", name="N", taskType="turn", showInTranscript=False, canStop=True)),
    (1, update("async_task_progress", asyncTaskId="a", summary="Half way.")),
    (1, update("subagent_state_update", subagentSessionId="a", state="disconnected")),
]

INVALID_META = [
    (1, call(_meta={"claudeCode": {"toolname": "Bash"}}), "claudeCode: Additional properties"),
    (1, call(_meta={"claudeCode": {"toolName": 5}}), "claudeCode.toolName: 5 is not of type"),
    (1, call(_meta={"jetbrains": {"air": {"commandTitle": "x"}}}), "'version' is a required"),
    (1, call(_meta=air(goal=None)), "jetbrains.air: Additional properties"),
    (1, call(_meta={"vendor": 1}), "update['_meta']: Additional properties"),
    (1, call(_meta=[]), "update['_meta']: [] is not of type 'object', 'null'"),
    (1, chunk({**TEXT, "_meta": {"quota": QUOTA}}), "content['_meta']: Additional"),
    (1, chunk(TEXT, _meta={"claudeCode": {"level": "notice"}}), "'kind' is a dependency"),
    (1, info(air(sessionFailure={**FAILURE, "retryable": True})), "sessionFailure: "),
    (1, info(air(agentFileChangeReport=REPORT)), "agentFileChangeReport: 'paths' is a"),
    (2, update("state_update", state="idle", _meta={"quota": {"token_count": COUNTS}}), "quota: 'model_usage' is a"),
    (2, update("state_update", state="running", _meta={"quota": QUOTA}), "update['_meta']: Additional properties"),
    (1, update("async_task_spawned", asyncTaskId="a", name="N", taskType="shell"), "$.params.update: "),
    (1, update("async_task_progress", asyncTaskId="a"), "$.params.update: "),
    (2, update("async_task_progress", asyncTaskId="a", summary="s"), "'async_task_progress' is none of"),
    (1, {"jsonrpc": "2.0", "method": "_auth/status_update", "params": {"authStatus": {}}}, "authStatus: 'kind' is a"),
]


@pytest.mark.parametrize(("version", "message"), VALID_META)
def test_additions_pass_at_their_place(version: int, message: Any) -> None:
    SchemaChecker(version).agent_sent(message)


@pytest.mark.parametrize(("version", "message", "fault"), INVALID_META)
def test_wrong_additions_are_refused(version: int, message: Any, fault: str) -> None:
    assert fault in refused(version, message)


def test_quota_of_a_response_is_checked() -> None:
    right = {"quota": QUOTA, **air(sessionFailure=FAILURE)}
    answer("session/prompt", result={"stopReason": "end_turn", "_meta": right})
    wrong = {**QUOTA, "token_count": {**COUNTS, "inputTokens": "2"}}
    with pytest.raises(AssertionError, match=r"quota\.token_count\.inputTokens: '2' is not of type 'integer'"):
        answer("session/prompt", result={"stopReason": "end_turn", "_meta": {"quota": wrong}})


def test_responses_to_our_own_methods_are_checked() -> None:
    answer("_session/steering", result={"outcome": "injected"})
    answer("_session/goal", result={})
    with pytest.raises(AssertionError, match=r"_session/async_task/stop .*\$\.result: 'stopped' is a required"):
        answer("_session/async_task/stop", result={})


def test_presentation_meta_passes_at_every_place_of_a_setup_response() -> None:
    value = {"value": "plan", "name": "Plan", "_meta": air(kind="plan")}
    option = {"id": "mode", "name": "Mode", "type": "select", "currentValue": "plan", "options": [value]}
    modes = {"currentModeId": "plan", "availableModes": [{"id": "plan", "name": "Plan", "_meta": air(kind="plan")}]}
    result = {"sessionId": "s", "modes": modes, "configOptions": [{**option, "_meta": air(recommendedValue="plan")}]}
    answer("session/new", result=result)
    with pytest.raises(AssertionError, match=r"options\[0\]\['_meta'\]"):
        answer("session/new", result={**result, "configOptions": [{**option, "options": [{**value, "_meta": air()}]}]})


CLIENT_META = [
    ("clientCapabilitiesMeta", {**air(capabilities=["diffPatch"]), "terminal_output": True, "vendor": 1}, None),
    ("clientCapabilitiesMeta", {"terminal_output": "yes"}, "$.terminal_output"),
    ("promptRequestMeta", {**air(agentFileChangeReportRequest={"version": 1, "requestId": "a.b:c-1"})}, None),
    ("promptRequestMeta", air(agentFileChangeReportRequest={"version": 1, "requestId": "a b"}), "requestId"),
    ("promptRequestMeta", {"claudeAcp": {"steer": True}}, None),
    ("promptRequestMeta", {"claudeAcp": {"stear": True}}, "claudeAcp"),
    ("permissionOutcomeMeta", {"claudeAcp": {"feedback": "Use tabs."}}, None),
    ("permissionOutcomeMeta", {"claudeAcp": {"feedback": 1}}, "claudeAcp.feedback"),
    ("forkRequestMeta", air(fork={"version": 1, "messageId": "m", "messageFingerprint": "sha256:" + "0" * 64}), None),
    ("forkRequestMeta", air(fork={"version": 1, "messageId": " "}), "messageId"),
]


@pytest.mark.parametrize(("name", "value", "fault"), CLIENT_META)
def test_meta_of_the_client_is_described_too(name: str, value: Any, fault: str | None) -> None:
    if fault is None:
        check_addition(name, value)
        return
    with pytest.raises(AssertionError) as caught:
        check_addition(name, value)
    assert fault in str(caught.value)


def test_schema_of_additions_is_a_valid_schema_that_names_each_type_once() -> None:
    Draft202012Validator.check_schema(json.loads((SCHEMAS / "air.json").read_bytes()))
    types = {**load("acp/v1/unstable.json"), **load("acp/v2/unstable.json")}
    named = [name for definition in load("air.json").values() for name in definition.get("x-acp-types", ())]
    assert [name for name in named if "_meta" not in types[name]["properties"]] == []
    assert len(named) == len(set(named))


@pytest.mark.parametrize("version", [1, 2])
def test_every_definition_can_be_used(version: int) -> None:
    names = [*load(f"acp/v{version}/unstable.json"), *load("air.json")]
    accepting = {name for name in names if document(version).error(name, b"no JSON value") is None}
    anything = {"ExtNotification", "ExtRequest", "ExtResponse", "ProxySuccessorResponse", "subagentsCapability"}
    assert accepting == anything | ({"ElicitationContentValue", "ErrorData"} if version == 2 else set())


def recording(name: str) -> tuple[int, list[tuple[str, Any]]]:
    """Returns the protocol version and the log of a recording."""
    lines = [json.loads(line) for line in (RECORDINGS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    return 2 if lines[0]["profile"] == "v2" else 1, [(direction, message) for _, direction, message in lines[1:]]


NAMES = sorted(path.stem for path in RECORDINGS.glob("*.jsonl"))


@pytest.mark.parametrize("name", [name for name in NAMES if name != DEVIATING])
def test_recorded_agent_sends_valid_messages(name: str) -> None:
    version, log = recording(name)
    check_all(log, version)
    assert sum(direction == "<" for direction, _ in log) > 10


def test_known_deviation_of_the_recorded_agent_is_its_only_one() -> None:
    version, log = recording(DEVIATING)
    (resume,) = [message["id"] for _, message in log if message.get("method") == "session/resume"]
    (result,) = [message["result"] for _, message in log if message.get("id") == resume and "result" in message]
    with pytest.raises(AssertionError, match=r"^entry \d+: response to session/resume .*\$\.result\.sessionId: "):
        check_all(log, version)
    del result["sessionId"]
    check_all(log, version)


def test_log_may_have_raw_lines_of_the_client() -> None:
    check_all([(">raw", "{not json"), ("<", PARSE_ERROR)], 1)
    with pytest.raises(AssertionError, match=r"^entry 1: response "):
        check_all([(">raw", "{not json"), ("<", {**PARSE_ERROR, "error": {}})], 1)


def test_recording_is_refused_when_any_of_its_updates_is_broken() -> None:
    version, log = recording("hello.plain")
    for index, (_, message) in enumerate(log):
        if message.get("method") == "session/update":
            broken = json.loads(json.dumps(message))
            broken["params"]["update"]["sessionUpdate"] += "s"
            with pytest.raises(AssertionError, match=f"^entry {index}: session/update"):
                check_all([*log[:index], ("<", broken)], version)
