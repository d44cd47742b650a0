"""What a client and an adapter exchanged, and questions about it."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

Message = dict[str, Any]

SENT: Final = ">"
RECEIVED: Final = "<"
RAW: Final = ">raw"
"""A line that the client sent as it is; the entry's message is ``{"line": text}``."""


class Entry(NamedTuple):
    """One message of the log, in the order in which the client saw it."""

    direction: str
    message: Message


@dataclass(frozen=True)
class Traffic:
    """A log of messages, oldest first."""

    entries: list[Entry]

    def sent(self) -> list[Message]:
        """The client's messages, without raw lines."""
        return [entry.message for entry in self.entries if entry.direction == SENT]

    def received(self) -> list[Message]:
        """The agent's messages."""
        return [entry.message for entry in self.entries if entry.direction == RECEIVED]

    def agent_requests(self, method: str) -> list[Message]:
        """The parameters of the agent's requests of a method."""
        return [m["params"] for m in self.received() if m.get("method") == method and "id" in m]

    def agent_notifications(self, method: str) -> list[Message]:
        """The parameters of the agent's notifications of a method."""
        return [m["params"] for m in self.received() if m.get("method") == method and "id" not in m]

    def responses(self, method: str) -> list[Message]:
        """The agent's responses to the client's requests of a method, in the order of the requests.

        A request that was not answered has no place in the list.
        """
        by_id = {m["id"]: m for m in self.received() if "method" not in m}
        ids = [m["id"] for m in self.sent() if m.get("method") == method and "id" in m]
        return [by_id[number] for number in ids if number in by_id]

    def response_counts(self) -> Counter[Any]:
        """How many responses each of the client's requests got, by id: 0 for those without."""
        counts: Counter[Any] = Counter({m["id"]: 0 for m in self.sent() if "method" in m and "id" in m})
        counts.update(m["id"] for m in self.received() if "method" not in m and m["id"] is not None)
        return counts

    def updates(self, kind: str | None = None, session: str | None = None) -> list[Message]:
        """The session updates, of a kind and of a session if these are given."""
        notified = self.agent_notifications("session/update")
        updates = [params["update"] for params in notified if session in {None, params["sessionId"]}]
        return [update for update in updates if kind in {None, update["sessionUpdate"]}]

    def text(self, kind: str = "agent_message_chunk", session: str | None = None) -> str:
        """The text of all chunks of a kind, joined."""
        contents = [update["content"] for update in self.updates(kind, session)]
        return "".join(content["text"] for content in contents if content["type"] == "text")

    def tool_calls(self, session: str | None = None) -> dict[str, Message]:
        """The final state of each tool call by its id: what its updates say, merged in their order."""
        calls: dict[str, Message] = {}
        for update in self.updates(session=session):
            if update["sessionUpdate"] in {"tool_call", "tool_call_update"}:
                fields = {name: value for name, value in update.items() if name != "sessionUpdate"}
                calls.setdefault(update["toolCallId"], {}).update(fields)
        return calls

    def tool_statuses(self, session: str | None = None) -> list[str]:
        """The final status of each tool call, in the order in which the calls began."""
        return [call["status"] for call in self.tool_calls(session).values()]

    def stop_reasons(self) -> list[str]:
        """Why each turn ended: from the responses to prompts (v1), or from the states ``idle`` (v2)."""
        results = [response["result"] for response in self.responses("session/prompt") if "result" in response]
        ended = results + [update for update in self.updates("state_update") if update["state"] == "idle"]
        return [turn["stopReason"] for turn in ended if "stopReason" in turn]


def is_json_rpc(message: Any) -> bool:
    """Whether a value is a JSON-RPC 2.0 request, notification or response."""
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return False
    if not isinstance(message.get("id"), str | int | None):
        return False
    if "method" in message:
        return isinstance(message["method"], str) and not {"result", "error"} & message.keys()
    return "id" in message and len({"result", "error"} & message.keys()) == 1


def messages_of(line: bytes, *, batches: bool) -> list[Message]:
    """The JSON-RPC messages of a line; none if it is not made of them.

    Args:
        line: What an agent wrote.
        batches: Whether it may be an array of messages, as in ACP v2.
    """
    try:
        written = json.loads(line)
    except ValueError:
        return []
    messages = written if batches and isinstance(written, list) else [written]
    return messages if all(is_json_rpc(message) for message in messages) else []
