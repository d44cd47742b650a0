"""Runs a scenario: what a client does and what the scripted model answers, on an adapter with the real Claude Code.

``tests/scenarios/README.md`` describes the format of the files.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from adapter.scripted.model import ModelRequest, ScriptedModel
from support import processes
from support.client import AcpClient, Exchange
from support.place import ADAPTER, DEFAULT_SETTINGS, Place

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from support.traffic import Traffic

Step = dict[str, Any]

SUPPORT = Path(__file__).parent
SCENARIOS = SUPPORT.parent / "scenarios"
TURN_TIMEOUT = 60.0
AWAIT_TIMEOUT = 30.0

_FORMS: dict[str, Any] = {"form": {}, "url": {}}
_FILES: dict[str, Any] = {"fs": {"readTextFile": True, "writeTextFile": True}, "terminal": True}
_AIR = (
    "diffPatch",
    "sessionFailure",
    "recommendedValue",
    "asyncTasks",
    "agentFileChangeReport",
    "nativeSubagentSessions",
    "planFile",
    "rawInputRendering",
)


class Profile(NamedTuple):
    """A client: its ACP version, its capabilities, and the variables that choose the core that serves it."""

    version: int
    capabilities: Mapping[str, Any]
    env: Mapping[str, str] = {}


def _air(*capabilities: str) -> dict[str, Any]:
    return {"jetbrains": {"air": {"version": 1, "capabilities": list(capabilities)}}}


_V2: dict[str, Any] = {"elicitation": _FORMS, "auth": {"terminal": {}}}
PROFILES: Mapping[str, Profile] = {
    "plain": Profile(1, _FILES),
    "zed": Profile(1, {**_FILES, "elicitation": _FORMS, "_meta": {"terminal_output": True, "terminal-auth": True}}),
    "rich": Profile(
        1, {"session": {"compaction": {}, "notices": {}}, "elicitation": _FORMS, "subagents": {}, "plan": {}}
    ),
    "air": Profile(
        1,
        {
            "elicitation": _FORMS,
            "session": {"compaction": {}},
            "_meta": {"terminal_output_delta": True, **_air(*_AIR)},
        },
    ),
    "air_bare": Profile(1, {"_meta": _air()}),
    "v2": Profile(2, _V2, {"CLAUDE_AGENT_ACP_EXPERIMENTAL_V2": "1"}),
    "v2_native": Profile(2, _V2, {"CLAUDE_AGENT_ACP_EXPERIMENTAL_V2": "1", "CLAUDE_AGENT_ACP_V2_CORE": "native"}),
}


@dataclass(frozen=True)
class Outcome:
    """What a scenario came to.

    Attributes:
        traffic: The whole log.
        status: The adapter's exit status after its stdin was closed.
        files: The text of each file of the workspace at the end, by its relative path.
        model_requests: What the model was asked.
        sessions: The ids of the sessions, in the order of their creation.
    """

    traffic: Traffic
    status: int
    files: dict[str, str]
    model_requests: list[ModelRequest]
    sessions: list[str]


@dataclass
class Run:
    """A scenario that is being played."""

    client: AcpClient
    version: int
    place: Place
    sessions: list[str] = field(default_factory=list)
    pending: dict[str, Exchange] = field(default_factory=dict)
    mark: int = 0

    def session(self, step: Step) -> str:
        """The session that a step is about: the latest, unless the step has an index."""
        return self.sessions[step.get("session", -1)] if self.sessions else "none"

    def add_session(self, exchange: Exchange) -> None:
        """Keeps the id of a session that a request made; that the request failed is for the test to judge."""
        response = self.client.response(exchange)
        if "result" in response:
            self.sessions.append(response["result"]["sessionId"])

    def servers(self, step: Step) -> dict[str, Any]:
        """The parameter ``mcpServers``; v2 asks for it in new sessions only."""
        return {"mcpServers": step.get("mcp", [])} if self.version == 1 or step["do"] == "new" else {}


def load_scenario(name: str) -> dict[str, Any]:
    """The scenario of a name, as JSON."""
    scenario: dict[str, Any] = json.loads((SCENARIOS / f"{name}.json").read_text())
    return scenario


def run_scenario(
    scenario: Mapping[str, Any], profile_name: str, folder: Path, command: Sequence[str] = ADAPTER
) -> Outcome:
    """Plays a scenario.

    Args:
        scenario: The scenario, as JSON.
        profile_name: The client, a name of ``PROFILES``.
        folder: An empty folder, in which the home and the workspace are made.
        command: The adapter's command line.

    Raises:
        ClientError: The adapter broke a rule, did not answer, or did not end.
    """
    profile = PROFILES[profile_name]
    texts = {"@CWD@": str(folder.resolve() / "workspace"), "@HOME@": str(folder.resolve() / "home")}
    texts |= {"@LIB@": str(SUPPORT), "@PY@": sys.executable}
    with ScriptedModel(substitute(scenario.get("model", {}), texts)) as model:
        scenario = substitute(dict(scenario), {**texts, "@PORT@": str(model.port)})
        settings = {**DEFAULT_SETTINGS, **scenario.get("settings", {})}
        place = Place.make(folder, settings, scenario.get("workspace"), scenario.get("home"))
        env = {**place.environment(model.port), **profile.env, **scenario.get("env", {})}
        answers = {"pick": scenario.get("pick", "allow_once"), "answers": scenario.get("answers", [])}
        with AcpClient(command, env=env, cwd=place.workspace, version=profile.version, **answers) as client:
            run = Run(client, profile.version, place)
            client.call("initialize", _initialize_params(profile_name, profile, scenario))
            for step in scenario["steps"]:
                STEPS[step["do"]](run, substitute(step, _last_ids(client.traffic)))
            status = client.close()
    return Outcome(client.traffic, status, place.files(), model.requests, run.sessions)


def substitute(value: Any, texts: Mapping[str, str]) -> Any:
    """Replaces texts in all strings of a JSON value, keys included."""
    if isinstance(value, str):
        for old, new in texts.items():
            value = value.replace(old, new)
        return value
    if isinstance(value, list):
        return [substitute(item, texts) for item in value]
    if isinstance(value, dict):
        return {substitute(key, texts): substitute(item, texts) for key, item in value.items()}
    return value


def _initialize_params(name: str, profile: Profile, scenario: Mapping[str, Any]) -> dict[str, Any]:
    info = {"name": scenario.get("client_name", name), "version": "1.0"}
    capabilities = {**profile.capabilities, **scenario.get("capabilities", {})}
    if profile.version == 1:
        return {"protocolVersion": 1, "clientCapabilities": capabilities, "clientInfo": info}
    return {"protocolVersion": 2, "capabilities": capabilities, "info": info}


def _last_ids(traffic: Traffic) -> dict[str, str]:
    """The ids that the agent named last, for the placeholders of a step."""
    ids = {"@CHILD@": "none", "@TERM@": "none", "@TOOL@": "none", "@MSG@": "none"}
    for update in traffic.updates():
        kind = update["sessionUpdate"]
        found = {
            "@CHILD@": update.get("subagentSessionId") or (kind == "subagent_update" and update.get("sessionId")),
            "@TERM@": update.get("terminalId"),
            "@TOOL@": update.get("toolCallId"),
            "@MSG@": kind == "agent_message_chunk" and update.get("messageId"),
        }
        ids |= {name: value for name, value in found.items() if value}
    return ids


def _new(run: Run, step: Step) -> None:
    params = {"cwd": str(run.place.workspace), **run.servers(step), **step.get("params", {})}
    run.add_session(run.client.start_request("session/new", params))


def _fork(run: Run, step: Step) -> None:
    params = {
        "sessionId": run.session(step),
        "cwd": str(run.place.workspace),
        "mcpServers": [],
        **step.get("params", {}),
    }
    run.add_session(run.client.start_request("session/fork", params))


def _prompt(run: Run, step: Step) -> None:
    blocks = step.get("blocks") or [{"type": "text", "text": step["text"]}]
    params = {"sessionId": run.session(step), "prompt": blocks, **step.get("params", {})}
    exchange = run.client.start_request("session/prompt", params)
    run.mark = exchange.mark
    run.pending[step.get("as", "p")] = exchange
    if step.get("wait", True):
        _finish(run, step)


def _finish(run: Run, step: Step) -> None:
    """Waits for the end of a prompt's turn: its response in v1, in v2 the idle state after the response."""
    exchange = run.pending[step.get("as", "p")]
    timeout = step.get("timeout", TURN_TIMEOUT)
    response = run.client.response(exchange, timeout)
    if run.version == 2 and "result" in response:
        run.client.expect_update(
            "state_update",
            lambda update: update["state"] == "idle",
            session=run.session(step),
            since=run.client.response_mark(exchange),
            timeout=timeout,
        )


def _await(run: Run, step: Step) -> None:
    run.client.expect_text(step["text"], since=step.get("from", run.mark), timeout=step.get("timeout", AWAIT_TIMEOUT))


def _await_file(run: Run, step: Step) -> None:
    path = run.place.workspace / step["file"]
    assert processes.wait_until(path.exists, AWAIT_TIMEOUT), f"the file {step['file']} was not made"


def _sleep(run: Run, step: Step) -> None:
    time.sleep(step["s"])


def _cancel(run: Run, step: Step) -> None:
    run.client.notify("session/cancel", {"sessionId": step.get("id", run.session(step))})


def _cancel_request(run: Run, step: Step) -> None:
    run.client.notify("$/cancel_request", {"requestId": run.pending[step.get("as", "p")].id})


def _mode(run: Run, step: Step) -> None:
    if run.version == 1:
        params = {"sessionId": run.session(step), "modeId": step["mode"]}
        run.client.response(run.client.start_request("session/set_mode", params))
    else:
        _config(run, {**step, "id": "mode", "value": step["mode"]})


def _config(run: Run, step: Step) -> None:
    params = {"sessionId": run.session(step), "configId": step["id"], "value": step["value"]}
    kind = {"type": "id"} if run.version == 2 else {}
    run.client.response(run.client.start_request("session/set_config_option", {**params, **kind}))


def _load(run: Run, step: Step) -> None:
    params = {"sessionId": run.session(step), "cwd": str(run.place.workspace), **run.servers(step)}
    replay = {} if run.version == 1 else {"replayFrom": {"type": "start"}}
    method = "session/load" if run.version == 1 else "session/resume"
    run.client.response(run.client.start_request(method, {**params, **replay}))


def _resume(run: Run, step: Step) -> None:
    params = {"sessionId": run.session(step), "cwd": str(run.place.workspace), **run.servers(step)}
    run.client.response(run.client.start_request("session/resume", params))


def _list(run: Run, step: Step) -> None:
    params = {"cwd": str(run.place.workspace), **step.get("params", {})}
    run.client.response(run.client.start_request("session/list", params))


def _close(run: Run, step: Step) -> None:
    run.client.response(run.client.start_request(f"session/{step['do']}", {"sessionId": run.session(step)}))


def _call(run: Run, step: Step) -> None:
    params = substitute(step.get("params", {}), {"@SID@": run.session(step)})
    run.client.response(run.client.start_request(step["method"], params))


def _notify(run: Run, step: Step) -> None:
    params = substitute(step.get("params", {}), {"@SID@": run.session(step)})
    run.client.notify(step["method"], params)


def _raw(run: Run, step: Step) -> None:
    run.client.send_raw(step["line"])


def _kill_cli(run: Run, step: Step) -> None:
    """Kills this scenario's Claude Code with SIGKILL; its home tells it from those of other runs."""
    ours = processes.marked("HOME", str(run.place.home))
    processes.kill(process for process in ours if "stream-json" in process.command)


def _write(run: Run, step: Step) -> None:
    (run.place.workspace / step["file"]).write_text(step["text"])


STEPS: Mapping[str, Callable[[Run, Step], None]] = {
    "await": _await,
    "await_file": _await_file,
    "call": _call,
    "cancel": _cancel,
    "cancel_request": _cancel_request,
    "cancel_session": _cancel,
    "close": _close,
    "config": _config,
    "delete": _close,
    "finish": _finish,
    "fork": _fork,
    "kill_cli": _kill_cli,
    "list": _list,
    "load": _load,
    "mode": _mode,
    "new": _new,
    "notify": _notify,
    "prompt": _prompt,
    "raw": _raw,
    "resume": _resume,
    "sleep": _sleep,
    "write": _write,
}
