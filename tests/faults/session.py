"""A session of a real adapter process whose Claude Code is the double."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from adapter.conformance import processes
from support.client import AcpClient, Exchange
from support.cores import Core
from support.place import ADAPTER, Place
from support.stub_cli import StubCli

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from adapter.conformance.answers import Answer
    from adapter.conformance.traffic import Message
    from support.stub_cli import StubScript

Json = dict[str, Any]

SOON = 6.0
"""Seconds: three times the two within which a turn ends that cannot go on."""
STARTS = 15.0
"""Seconds: three times the five within which a failed start is told."""
CANCELS = 30.0
"""Seconds: three times the ten within which a cancel settles."""


class Session:
    """An adapter with at least one session.

    Args:
        client: Its client.
        stub: The double that the adapter starts.
        place: Where both run.
        version: The protocol version.
        capabilities: What the client declares, in the form of v2.
    """

    def __init__(
        self, client: AcpClient, stub: StubCli, place: Place, version: int, capabilities: Json | None = None
    ) -> None:
        self.client = client
        self.stub = stub
        self.version = version
        self._place = place
        self._call_initialize(capabilities or {})
        self.id = ""

    def _call_initialize(self, capabilities: Json) -> None:
        about = {"capabilities": capabilities, "info": {"name": "test", "version": "1"}} if self.version == 2 else {}
        self.client.call("initialize", {"protocolVersion": self.version, "clientCapabilities": {}, **about})

    def start(self, **params: Any) -> Exchange:
        """Asks for a session."""
        return self.client.start_request("session/new", {"cwd": str(self._place.workspace), "mcpServers": [], **params})

    def open(self, **params: Any) -> str:
        """Makes a session, and returns its id; prompts go to the latest."""
        self.id = self.client.result(self.start(**params))["sessionId"]
        return self.id

    def failed_start(self) -> Message:
        """The error of a session that cannot be made, which comes in time."""
        error: Message = self.client.response(self.start(), STARTS)["error"]
        return error

    def prompt(self, text: str = "Go", session: str = "") -> Exchange:
        """Prompts, and does not wait."""
        blocks = [{"type": "text", "text": text}]
        return self.client.start_request("session/prompt", {"sessionId": session or self.id, "prompt": blocks})

    def cancel(self, session: str = "") -> None:
        """Cancels."""
        self.client.notify("session/cancel", {"sessionId": session or self.id})

    def turn_end(self, exchange: Exchange, timeout: float = SOON, session: str | None = None) -> Message:
        """How the turn of a prompt ended: its response on v1, the idle state (of a session, if it is named) on v2."""
        if self.version == 1:
            response = self.client.response(exchange, timeout)
            return {**response.get("result", {}), **({"error": response["error"]} if "error" in response else {})}
        return self.client.expect_update(
            "state_update",
            lambda update: bool(update["state"] == "idle"),
            session=session,
            since=exchange.mark,
            timeout=timeout,
        )

    def doubles(self) -> list[processes.Process]:
        """The doubles that run."""
        return processes.family(self.client.pid, "STUB_LOG", self.stub.environment["STUB_LOG"])

    def kill(self) -> None:
        """Ends the doubles with SIGKILL."""
        processes.kill(self.doubles())

    def lose(self) -> None:
        """Lets a double that is idle die, if its script says that it does when the model is set."""
        params = {"sessionId": self.id, "configId": "model", "value": "haiku", "type": "id"}
        response = self.client.response(self.client.start_request("session/set_config_option", params), SOON)
        assert response["error"]["data"]["errorKind"] == "process_exited"

    def check_none_runs(self) -> None:
        """No double runs any more, soon."""
        assert processes.wait_until_gone(self.doubles, SOON) == []


@contextmanager
def adapter(
    folder: Path,
    script: StubScript,
    core: Core = Core.V1,
    env: Mapping[str, str] | None = None,
    answers: Sequence[Answer] = (),
    capabilities: Json | None = None,
) -> Iterator[Session]:
    """Starts an adapter that starts a double, in an empty folder; it must end well, and leave no double."""
    place, double = Place.make(folder), folder / "double"
    double.mkdir()
    stub = StubCli(double, script)
    variables = {**place.environment(1), **core.variables, **stub.environment, **(env or {})}
    try:
        with AcpClient(ADAPTER, env=variables, cwd=place.workspace, version=core.version, answers=answers) as client:
            session = Session(client, stub, place, core.version, capabilities)
            yield session
            assert client.close() == 0
            session.check_none_runs()
    finally:
        processes.kill(processes.marked("STUB_LOG", stub.environment["STUB_LOG"]))


@contextmanager
def session(
    folder: Path,
    script: StubScript,
    core: Core = Core.V1,
    env: Mapping[str, str] | None = None,
    answers: Sequence[Answer] = (),
    capabilities: Json | None = None,
) -> Iterator[Session]:
    """An adapter with one open session."""
    with adapter(folder, script, core, env, answers, capabilities) as opened:
        opened.open()
        yield opened
