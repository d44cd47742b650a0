"""What a recording means: answers by request, what happened in which order, and what came of every tool call.

How a text is cut into chunks, when a message comes and how many updates a tool call takes is no part of the meaning.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from typing import TYPE_CHECKING, Any

from adapter.conformance.neutral import Neutral

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from adapter.conformance.recording import Entry, Recording

Json = dict[str, Any]

PARTS = ("answers", "timeline", "tools", "terminals", "requests", "other", "files")
LISTS = frozenset({"timeline", "requests", "other"})
"""The parts that are lists; the others are objects."""

SETUP = frozenset({
    "initialize",
    "session/new",
    "session/load",
    "session/resume",
    "session/fork",
    "session/set_mode",
    "session/set_config_option",
})  # fmt: skip
"""Methods with long answers, which count in the scenarios that show them (``shows_setup``) and nowhere else."""
COUNTED_ONCE = frozenset({"usage_update", "available_commands_update"})
"""Updates that may come any number of times: that there are any is all that counts."""
TOOL = frozenset({"tool_call", "tool_call_update"})
TERMINAL = frozenset({"terminal_update", "terminal_output_chunk"})
APPENDED = frozenset({"terminal_output", "terminal_output_delta"})
"""Members of ``_meta`` whose ``data`` goes on with what was sent before."""
BEYOND = "Done."
"""What the scripted model says when its script is over."""
END_OF_OUTPUT = re.compile(r"\s*(?:\[killed\]\s*)?\Z")
"""What is passed over at the end of an output: Claude Code writes the word there when it stops a command. Whether an
agent still reads that, and whether it reads the output from the file or gets it trimmed, is chance."""
TITLE = frozenset({"sessionUpdate", "title", "updatedAt"})
ID = re.compile(r"<uuid-\d+>|<session-\d+>")


def view(recording: Recording, *, shows_setup: bool) -> Json:
    """The meaning of a recording, by the names of ``PARTS``.

    Args:
        recording: The recording, with neutral ids.
        shows_setup: Whether the answers that set a session up count.
    """
    reader = _Reader()
    # A recording of another tool may still have in it what varies.
    for entry in Neutral({}).entries(recording.entries):
        reader.read(entry)
    parts = _renumbered(reader.parts())
    if not shows_setup:
        parts["answers"] = {
            name: "ok" if "result" in answer and name.split(":", 1)[1] in SETUP else answer
            for name, answer in parts["answers"].items()
        }
    return {**parts, "files": dict(recording.files)}


def _renumbered(parts: Json) -> Json:
    """Ids numbered in the order in which the agent uses them, so that one more elsewhere does not shift them."""
    seen: dict[str, str] = {}
    text = ID.sub(lambda found: seen.setdefault(found[0], f"<id-{len(seen) + 1}>"), json.dumps(parts))
    renumbered: Json = json.loads(text)
    return renumbered


class _Reader:
    """Reads the messages of a recording in order."""

    def __init__(self) -> None:
        self._asked: dict[Any, str] = {}
        self._sessions: dict[Any, str] = {}
        self._answers: dict[str, Json] = {}
        self._timelines: dict[str, list[list[Any]]] = {}
        self._tools: dict[str, Json] = {}
        self._terminals: dict[str, Json] = {}
        self._bytes: dict[str, bytes] = {}
        self._requests: list[Json] = []
        self._other: list[list[Any]] = []

    def parts(self) -> Json:
        """What has been read."""
        outputs = {name: {"output": _ended(data.decode(errors="replace"))} for name, data in self._bytes.items()}
        terminals = {name: {**outputs.get(name, {"output": ""}), **state} for name, state in self._terminals.items()}
        return {
            "answers": self._answers,
            # Which of two sessions speaks first is chance.
            "timeline": [entry for entries in self._timelines.values() for entry in entries if not _is_beyond(entry)],
            "tools": {name: _with_ended_output(state) for name, state in self._tools.items()},
            "terminals": terminals,
            "requests": self._requests,
            "other": sorted(self._other, key=json.dumps),
        }

    def read(self, entry: Entry) -> None:
        """Takes the next message."""
        message = entry.message
        if not isinstance(message, dict):
            return
        method = message.get("method")
        if entry.direction == ">" and method is not None and "id" in message:
            self._asked[message["id"]] = method
        if entry.direction != "<":
            return
        params = message.get("params")
        if method is None:
            self._answered(message)
        elif "id" in message:
            self._request(method, params if isinstance(params, dict) else {})
        elif method == "session/update" and isinstance(params, dict) and isinstance(params.get("update"), dict):
            self._update(self._session(params.get("sessionId")), params["update"])
        else:
            self._other.append([method, params])

    def _session(self, session: Any) -> str:
        return self._sessions.setdefault(json.dumps(session), f"s{len(self._sessions) + 1}")

    def _answered(self, message: Json) -> None:
        number = message.get("id")
        kept: Json = {key: message[key] for key in ("result", "error") if key in message}
        self._answers[f"{number}:{self._asked.get(number, '?')}"] = kept

    def _request(self, method: str, params: Json) -> None:
        session = self._session(params.get("sessionId"))
        rest = {name: value for name, value in params.items() if name != "sessionId"}
        self._requests.append({"method": method, "session": session, "params": rest})
        self._happened([session, "request", method])

    def _update(self, session: str, update: Json) -> None:
        kind = str(update.get("sessionUpdate"))
        if kind in COUNTED_ONCE:
            if [session, kind] not in self._other:
                self._other.append([session, kind])
        elif kind == "session_info_update" and update.keys() <= TITLE:
            self._other.append([session, kind, update.get("title")])
        elif kind in TOOL:
            self._tool(session, update)
        elif kind in TERMINAL:
            self._terminal(kind, update)
        elif kind.endswith("_chunk") and _is_text(update.get("content")):
            self._text([session, kind, update.get("messageId"), update.get("_meta")], update["content"]["text"])
        else:
            left_out = ("sessionUpdate", "updatedAt")
            rest = {name: value for name, value in update.items() if name not in left_out}
            self._happened([session, kind, rest])

    def _happened(self, entry: list[Any]) -> None:
        self._timelines.setdefault(entry[0], []).append(entry)

    def _text(self, source: list[Any], text: str) -> None:
        last = self._timelines.get(source[0], [[]])[-1]
        if last[:-1] == source:
            last[-1] += text
        else:
            self._happened([*source, text])

    def _tool(self, session: str, update: Json) -> None:
        tool = str(update.get("toolCallId"))
        is_first = tool not in self._tools
        state = self._tools.setdefault(tool, {"session": session})
        before = state.get("status")
        _merge(state, update)
        if is_first:
            self._happened([session, "tool", tool])
        elif state.get("status") != before:
            self._happened([session, "tool-status", tool, state.get("status")])

    def _terminal(self, kind: str, update: Json) -> None:
        terminal = str(update.get("terminalId"))
        state = self._terminals.setdefault(terminal, {})
        if kind == "terminal_output_chunk":
            self._bytes[terminal] = self._bytes.get(terminal, b"") + _decoded(update.get("data"))
            return
        for name, value in update.items():
            if name == "output" and isinstance(value, dict):
                self._bytes[terminal] = _decoded(value.get("data"))
            elif name not in ("sessionUpdate", "terminalId"):
                state[name] = value


def _is_beyond(entry: list[Any]) -> bool:
    """Whether the scripted model said it after the end of its script: that it is asked once more may be chance."""
    return bool(entry[1] == "agent_message_chunk" and entry[-1] == BEYOND)


def _ended(output: str) -> str:
    return END_OF_OUTPUT.sub("", output)


def _with_ended_output(state: Json) -> Json:
    """The state of a tool call, with the end of the output in its ``_meta`` passed over."""
    meta = state.get("_meta")
    if not isinstance(meta, dict):
        return state
    shown = {
        name: {**value, "data": _ended(value["data"])}
        for name, value in meta.items()
        if name in APPENDED and isinstance(value, dict) and isinstance(value.get("data"), str)
    }
    return {**state, "_meta": {**meta, **shown}}


def _is_text(content: Any) -> bool:
    return isinstance(content, dict) and content.get("type") == "text" and isinstance(content.get("text"), str)


def _decoded(data: Any) -> bytes:
    try:
        return base64.b64decode(data or "")
    except (binascii.Error, ValueError, TypeError):
        return str(data).encode()


def _merge(state: Json, update: Mapping[str, Any]) -> None:
    """Lets an update change the state of a tool call."""
    for name, value in update.items():
        if name == "_meta" and isinstance(value, dict):
            _merge_meta(state.setdefault("_meta", {}), value.items())
        elif name != "sessionUpdate":
            state[name] = value


def _merge_meta(state: Any, members: Iterable[tuple[str, Any]]) -> None:
    for name, value in members:
        before = state.get(name)
        if name in APPENDED and isinstance(value, dict):
            shown = before or {"terminal_id": value.get("terminal_id"), "data": ""}
            state[name] = {**shown, "data": shown["data"] + str(value.get("data", ""))}
        elif isinstance(value, dict) and isinstance(before, dict):
            state[name] = {**before, **value}
        else:
            state[name] = value
