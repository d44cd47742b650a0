"""The client side of one ACP conversation, as an editor holds it, in protocol version 1 and the draft of version 2."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from adapter import __version__
from adapter.demo.agent import Agent, DemoError

if TYPE_CHECKING:
    from pathlib import Path

    from adapter.demo.view import View

_METHOD_NOT_FOUND = -32601


@dataclass(frozen=True, slots=True)
class Choice:
    """The permission option that was chosen, and who chose it."""

    option: dict[str, Any]
    by: str


Chooser = Callable[[Sequence[dict[str, Any]]], Choice]


@dataclass(frozen=True, slots=True)
class TurnEnd:
    """How a turn ended: why it stopped, and its tokens, if the agent told them."""

    stop_reason: str
    usage: dict[str, Any] | None


class Editor:
    """Talks to an agent and shows what it says.

    Args:
        agent: The running agent.
        core: The core of the adapter to speak to; v1 speaks ACP version 1, bridge and native speak version 2.
        view: Where to show what happens.
        choose: Answers permission questions.
    """

    def __init__(self, agent: Agent, core: str, view: View, choose: Chooser) -> None:
        self._agent = agent
        self._core = core
        self._version = 1 if core == "v1" else 2
        self._view = view
        self._choose = choose
        self._last_id = 0
        self._responses: dict[int, dict[str, Any]] = {}
        self._idle_updates: list[dict[str, Any]] = []
        self.refused = False
        """Whether a permission was refused."""

    def initialize(self) -> None:
        """Greets the agent.

        Raises:
            DemoError: The agent does not speak the protocol version.
        """
        client = {"name": "claude-acp-demo", "version": __version__}
        names = ("clientInfo", "clientCapabilities") if self._version == 1 else ("info", "capabilities")
        params = {"protocolVersion": self._version, names[0]: client, names[1]: {}}
        result = self._request("initialize", params, needs="protocolVersion")
        if result["protocolVersion"] != self._version:
            raise DemoError(
                f"The agent answered with ACP version {result['protocolVersion']}, not {self._version}: "
                f"the core {self._core} is not served yet."
            )
        self._view.agent(result.get("agentInfo") or result.get("info") or {}, self._version)

    def new_session(self, workspace: Path) -> str:
        """Opens a session in a folder and gives its id."""
        result = self._request("session/new", {"cwd": str(workspace), "mcpServers": []}, needs="sessionId")
        self._view.session(result)
        return str(result["sessionId"])

    def prompt(self, session_id: str, text: str) -> TurnEnd:
        """Sends a prompt and shows everything up to the end of its turn."""
        self._view.prompt(text)
        params = {"sessionId": session_id, "prompt": [{"type": "text", "text": text}]}
        result = self._request("session/prompt", params, needs="stopReason" if self._version == 1 else "messageId")
        if self._version == 1:
            return TurnEnd(result["stopReason"], result.get("usage"))
        # In version 2 the answer only says that the prompt was taken; the turn ends when the session is idle again.
        self._idle_updates.clear()
        while not self._idle_updates:
            self._handle_next("the end of the turn")
        end = self._idle_updates[-1]
        return TurnEnd(end.get("stopReason", "unknown"), end.get("usage"))

    def _request(self, method: str, params: dict[str, Any], *, needs: str) -> dict[str, Any]:
        """Sends a request and handles what comes until its answer; ``needs`` is the key that the result must have."""
        self._last_id += 1
        self._agent.send({"id": self._last_id, "method": method, "params": params})
        while self._last_id not in self._responses:
            self._handle_next(f"the answer to {method}")
        response = self._responses.pop(self._last_id)
        if "error" in response:
            raise DemoError(f"The agent refused {method}: {response['error'].get('message')}")
        result: dict[str, Any] = response.get("result") or {}
        if needs not in result:
            raise DemoError(f"The agent answered {method} without {needs}.")
        return result

    def _handle_next(self, waiting_for: str) -> None:
        message = self._agent.receive(waiting_for)
        try:
            self._handle(message)
        except (KeyError, TypeError) as error:
            raise DemoError(f"The agent sent a message that does not follow ACP: {str(message)[:200]}") from error

    def _handle(self, message: dict[str, Any]) -> None:
        method, params = message.get("method"), message.get("params") or {}
        if method is None:
            self._responses[message["id"]] = message
        elif method == "session/request_permission":
            self._agent.send({"id": message["id"], "result": {"outcome": self._permission(params)}})
        elif "id" in message:
            error = {"code": _METHOD_NOT_FOUND, "message": f"Method not found: {method}"}
            self._agent.send({"id": message["id"], "error": error})
        elif method == "session/update":
            self._update(params["update"])

    def _update(self, update: dict[str, Any]) -> None:
        if update.get("sessionUpdate") == "state_update" and update["state"] == "idle":
            self._idle_updates.append(update)
        self._view.update(update)

    def _permission(self, params: dict[str, Any]) -> dict[str, Any]:
        # Version 1 names the tool call itself, version 2 the subject of the question.
        subject = params.get("toolCall") or (params.get("subject") or {}).get("toolCall") or {}
        self._view.permission(subject, params.get("title"), params["options"])
        asked = time.monotonic()
        choice = self._choose(params["options"])
        self._agent.extend(time.monotonic() - asked)
        self.refused |= choice.option["kind"].startswith("reject")
        self._view.chosen(choice.option["name"], choice.by)
        return {"outcome": "selected", "optionId": choice.option["optionId"]}


def allow_once(by: str) -> Chooser:
    """A chooser that allows everything, once.

    Args:
        by: Who it is that allows.
    """
    return lambda options: Choice(options[index_of_allow_once(options)], by)


def index_of_allow_once(options: Sequence[dict[str, Any]]) -> int:
    """The place of the option that allows only what is asked; the first one, if the agent has no such option."""
    return next((index for index, option in enumerate(options) if option["kind"] == "allow_once"), 0)
