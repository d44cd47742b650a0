"""What a client does in a scenario, step by step; docs/conformance.md lists the steps."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.conformance import processes
from adapter.conformance.exchange import ClientError
from adapter.conformance.scenario import substitute

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from adapter.conformance.client import AcpClient
    from adapter.conformance.exchange import Exchange
    from adapter.conformance.place import Place
    from adapter.conformance.traffic import Traffic

Step = dict[str, Any]

TURN_TIMEOUT = 60.0
AWAIT_TIMEOUT = 30.0
SETTLE_LIMIT = 5.0
"""Seconds after which an agent that still talks after a turn is taken as settled."""


@dataclass
class Run:
    """A scenario that is being played.

    Attributes:
        client: The client that plays it.
        version: The ACP version.
        place: Where the agent runs.
        settle: Seconds of silence to wait for after a step with which an agent may have more to say than its answer.
        sessions: The ids of the sessions, in the order of their creation.
        pending: The prompts by the name that the scenario gives them.
        mark: Where the last prompt is in the log.
    """

    client: AcpClient
    version: int
    place: Place
    settle: float = 0
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

    def settled(self) -> None:
        """Waits for the silence that is wanted after a turn, so that what comes late is not told with what is next."""
        if self.settle:
            self.client.quiet(self.settle, SETTLE_LIMIT)

    def servers(self, step: Step) -> dict[str, Any]:
        """The parameter ``mcpServers``; v2 asks for it in new sessions only."""
        return {"mcpServers": step.get("mcp", [])} if self.version == 1 or step["do"] == "new" else {}


def last_ids(traffic: Traffic) -> dict[str, str]:
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
    run.settled()


def _await(run: Run, step: Step) -> None:
    run.client.expect_text(step["text"], since=step.get("from", run.mark), timeout=step.get("timeout", AWAIT_TIMEOUT))


def _await_file(run: Run, step: Step) -> None:
    path = run.place.workspace / step["file"]
    if not processes.wait_until(path.exists, AWAIT_TIMEOUT):
        raise ClientError(f"the file {step['file']} was not made")


def _sleep(_run: Run, step: Step) -> None:
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
    run.settled()


def _resume(run: Run, step: Step) -> None:
    params = {"sessionId": run.session(step), "cwd": str(run.place.workspace), **run.servers(step)}
    run.client.response(run.client.start_request("session/resume", params))
    run.settled()


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
    run.settled()


def _kill_cli(run: Run, _step: Step) -> None:
    """Kills this scenario's Claude Code with SIGKILL; its home tells it from those of other runs."""
    ours = processes.marked("HOME", str(run.place.home))
    processes.kill(process for process in ours if "stream-json" in process.command)
    run.settled()


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
