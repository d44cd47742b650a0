"""What Claude's frames mean to a client: messages, tool calls, plan, usage, notices. The same for every core.

It follows the main conversation's stream, and the tool calls of subagents. Turns, states and prompts are the cores'.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from adapter.shared.claude.frames import REPORTS, SILENT_SYSTEM, Frame, note_unknown
from adapter.shared.commands import offered_commands
from adapter.shared.compaction import Compactions
from adapter.shared.effects import FollowOutput, ForgetOutput
from adapter.shared.local_commands import own_answer
from adapter.shared.plan import PlanKeeper, is_plan_tool
from adapter.shared.tools.facts import CallContext, FileSnapshot, Json, ToolResult, ToolStatus
from adapter.shared.tools.families import server
from adapter.shared.tools.partial_input import PartialInput
from adapter.shared.tools.text import integer, string
from adapter.shared.tools.tracker import ToolCalls
from adapter.shared.turn_outcome import OutcomeReader
from adapter.shared.updates import (
    CommandsChanged,
    ImageChunk,
    ModeChanged,
    Notice,
    Speaker,
    TextChunk,
    TitleChanged,
    ToSession,
)
from adapter.shared.usage import UsageMeter

AGENT = Speaker.AGENT
THOUGHT = Speaker.THOUGHT
KNOWN_BLOCKS = frozenset({"compaction", "image", "redacted_thinking", "text", "thinking", "tool_result", "tool_use"})

PROGRESS_KEYS = {"subagent_type": "subagentType", "subagent_retry": "subagentRetry"}
"""What a beat says beside the time, and its name for a client."""

MALFORMED = (KeyError, TypeError, AttributeError, ValueError)
"""What reading a frame that lacks something raises."""

Reader = Callable[[Frame], list[Any]]


class Conversation:
    """The conversation of one session.

    Args:
        context: What tool families may know.
        subagent_text: The client is shown what subagents say.
    """

    def __init__(self, context: CallContext, *, subagent_text: bool = False) -> None:
        self.context = context
        self._subagent_text = subagent_text
        self.calls = ToolCalls(context)
        self.usage = UsageMeter()
        self.outcomes = OutcomeReader()
        self.compactions = Compactions()
        self._plan = PlanKeeper(repeats=not context.one_field)
        self._followed: set[str] = set()
        self._after: FileSnapshot | None = None
        self._message_id = ""
        self._streamed_ids: set[str] = set()
        self._inputs: dict[int, tuple[str, PartialInput]] = {}
        self._readers: dict[str, Reader] = {
            "stream_event": self._stream_event,
            "assistant": self._assistant,
            "user": self._user,
            "system": self._system,
            "tool_progress": self._tool_progress,
        }
        self._events: dict[str, Reader] = {
            "message_start": self._message_start,
            "content_block_start": self._block_start,
            "message_delta": self._message_delta,
        }

    def read(self, frame: Frame) -> list[Any] | None:
        """The updates that a frame leads to; `None` for a type that is not the conversation's.

        A frame of a known type that lacks what it should have is logged and passed over.
        """
        reader = self._readers.get(frame["type"])
        if reader is None:
            return None
        try:
            return reader(frame)
        except MALFORMED as error:
            note_unknown(f"form of {frame['type']}", f"{error!r} in {frame}")
            return []

    def read_change(self, frame: Frame, after: FileSnapshot) -> list[Any]:
        """The updates of a `user` frame with the result of a tool that changed the file `after`."""
        self._after = after
        try:
            return self.read(frame) or []
        finally:
            self._after = None

    def tasks(self) -> Json:
        """The tasks that the plan is made of, for a later conversation of the session."""
        return self._plan.tasks()

    def recall_tasks(self, tasks: Json) -> None:
        """The session has these tasks from before, as `tasks` gives them."""
        self._plan.recall(tasks)

    def tool_responded(self, call_id: str, response: Any) -> list[Any]:
        """A hook brought the structured result of a subagent's tool, which its frames do not carry."""
        return self.calls.respond(call_id, response)

    def output_grew(self, call_id: str, text: str) -> list[Any]:
        """A command has printed more; one whose call ended in another way is followed no longer."""
        return [*self.calls.printed(call_id, text)] if self.calls.runs_command(call_id) else self._unfollowed()

    def start_over(self) -> list[Any]:
        """A fresh conversation begins in this session."""
        over = self.turn_over()
        self.outcomes.start_over()
        return [*over, self.usage.start_over()]

    def cleared(self) -> list[Any]:
        """The conversation was cleared: its plan and its calls are gone with it."""
        closed = self.calls.close(ToolStatus.CANCELLED)
        self.outcomes.cleared()
        return [*closed, self._plan.start_over(), *self.start_over()]

    def turn_over(self) -> list[Any]:
        """A turn has ended: its messages will not come again."""
        self.calls.forget_closed()
        self._streamed_ids.clear()
        self._inputs.clear()
        return [*self.compactions.turn_over(), *self._unfollowed()]

    def _stream_event(self, frame: Frame) -> list[Any]:
        event = frame["event"]
        kind = event["type"]
        if kind == "content_block_delta":
            if frame.get("parent_tool_use_id"):
                return []
            delta = event["delta"]
            kind = delta["type"]
            if kind == "text_delta":
                return [TextChunk(AGENT, self._message_id, text_of(delta["text"]))]
            if kind == "thinking_delta":
                return [TextChunk(THOUGHT, self._message_id, text_of(delta["thinking"]))] if delta["thinking"] else []
            if kind == "compaction_delta":
                return [*self.compactions.streamed(delta.get("content"))]
            return self._input_delta(event["index"], delta["partial_json"]) if kind == "input_json_delta" else []
        reader = self._events.get(kind)
        return [] if reader is None or frame.get("parent_tool_use_id") else reader(event)

    def _message_start(self, event: Json) -> list[Any]:
        message = event["message"]
        self._message_id = text_of(message["id"])
        self._streamed_ids.add(self._message_id)
        self._inputs.clear()
        return [self.usage.message_started(message)]

    def _block_start(self, event: Json) -> list[Any]:
        block = event["content_block"]
        if block["type"] == "text" and block.get("text"):
            return [TextChunk(AGENT, self._message_id, text_of(block["text"]))]
        if block["type"] == "thinking" and block.get("thinking"):
            return [TextChunk(THOUGHT, self._message_id, text_of(block["thinking"]))]
        if block["type"] == "compaction":
            return [*self.compactions.streamed(block.get("content"))]
        if block["type"] not in server.USES:
            _note_block(block)
            return []
        if is_plan_tool(block["name"]):
            return []
        call_id, name = name_of(block["id"]), name_of(block["name"])
        self._inputs[event["index"]] = (call_id, PartialInput())
        return self.calls.open(call_id, name)

    def _input_delta(self, index: int, piece: str) -> list[Any]:
        entry = self._inputs.get(index)
        if entry is None:
            return []
        known = entry[1].push(piece)
        return [] if known is None else self.calls.refine(entry[0], known, complete=False)

    def _message_delta(self, event: Json) -> list[Any]:
        return [self.usage.message_progressed(event.get("usage"))]

    def _assistant(self, frame: Frame) -> list[Any]:
        message = frame["message"]
        if (answer := own_answer(frame, self.context.adapter)) is not None:
            return [*answer]
        parent = string(frame.get("parent_tool_use_id"))
        if error := frame.get("error"):
            self.outcomes.saw_error(string(error) or "unknown")
        message_id = text_of(message["id"])
        streamed = message_id in self._streamed_ids

        def read_block(block: Json) -> list[Any]:
            if block["type"] in server.USES:
                return self._tool_use(block, parent)
            if (result := server.server_result(block)) is not None:
                return self._finish(block["tool_use_id"], result)
            if parent:
                return self._subagent_block(message_id, parent, block)
            return [] if streamed else _whole_block(message_id, block)

        return _each(message["content"], read_block)

    def _subagent_block(self, message_id: str, call_id: str, block: Json) -> list[Any]:
        """A subagent's text, for a client that is shown it."""
        if not self._subagent_text:
            return []
        return [ToSession("", call_id, update) for update in _whole_block(message_id, block)]

    def _tool_use(self, block: Json, parent: str) -> list[Any]:
        call_id, name, tool_input = name_of(block["id"]), name_of(block["name"]), block["input"]
        if not isinstance(tool_input, dict):
            raise TypeError(f"the input of {name} is no object")
        if is_plan_tool(name):
            plan = self._plan.began(call_id, name, tool_input)
            return [plan] if plan is not None else []
        return self.calls.open(call_id, name, parent) + self.calls.refine(call_id, tool_input)

    def _user(self, frame: Frame) -> list[Any]:
        content = frame["message"]["content"]
        if not isinstance(content, list):
            return []
        results = [block for block in _objects(content) if block.get("type") == "tool_result"]
        structured = frame.get("tool_use_result") if len(results) == 1 else None
        metas = _objects(frame.get("tool_result_meta"))
        kinds = {string(meta.get("id")): string(meta.get("non_execution_kind")) for meta in metas}

        def read_result(block: Json) -> list[Any]:
            call_id = text_of(block["tool_use_id"])
            failed = block.get("is_error") is True
            result = ToolResult(block.get("content"), failed, structured, kinds.get(call_id, ""), self._after)
            if not self._plan.knows(call_id):
                return self._finish(call_id, result)
            return [*self._plan.ended(call_id, result)]

        return _each(results, read_result)

    def _finish(self, call_id: str, result: ToolResult) -> list[Any]:
        """The result's text ends the call, also where its structured form is one that we do not know."""
        reports: list[Any]
        try:
            reports = [*self.calls.finish(call_id, result)]
        except MALFORMED as error:
            note_unknown("form of tool_use_result", f"{error!r} in {result.structured}")
            reports = [*self.calls.finish(call_id, replace(result, structured=None))]
        return [*reports, *self._unfollowed()]

    def _tool_progress(self, frame: Frame) -> list[Any]:
        """A beat has an id of its own; the call that it is about, or that call's parent, is its parent."""
        progress: Json = {"elapsedTimeSeconds": integer(frame["elapsed_time_seconds"], 0)}
        for name, key in PROGRESS_KEYS.items():
            if name in frame:
                progress[key] = frame[name]
        return [*self.calls.progressed(string(frame["tool_use_id"]), string(frame.get("parent_tool_use_id")), progress)]

    def _task_started(self, frame: Frame) -> list[Any]:
        """A command that runs for some seconds, or in the background, is followed where a client has a terminal."""
        call_id = string(frame.get("tool_use_id"))
        if not self.calls.runs_command(call_id):
            return []
        self._followed.add(call_id)
        return [FollowOutput(call_id, string(frame.get("session_id")), string(frame.get("task_id")))]

    def _unfollowed(self) -> list[Any]:
        """Commands that have ended are followed no longer."""
        ended = sorted(call_id for call_id in self._followed if not self.calls.runs_command(call_id))
        self._followed.difference_update(ended)
        return [ForgetOutput(call_id) for call_id in ended]

    def _system(self, frame: Frame) -> list[Any]:
        match frame.get("subtype"):
            case "status":
                mode = frame.get("permissionMode")
                return [*([ModeChanged(mode)] if isinstance(mode, str) else []), *self.compactions.status(frame)]
            case "compact_boundary":
                usage = self.usage.compacted(_metadata(frame).get("post_tokens"))
                return [*self.compactions.boundary(frame), *([usage] if usage is not None else [])]
            case "informational":
                level, content = string(frame.get("level")) or "info", string(frame.get("content"))
                return [Notice(level, content)] if content else []
            case "commands_changed":
                return [CommandsChanged(offered_commands(frame["commands"]))]
            case "task_started":
                return self._task_started(frame)
            case "task_notification":
                call_id = string(frame.get("tool_use_id"))
                ended = [*self.calls.close_inner(call_id), *self.calls.command_ended(call_id)]
                return [*ended, *self._unfollowed()]
            case "session_title_changed":
                return [TitleChanged(text_of(frame["title"]))]
            case subtype if subtype in SILENT_SYSTEM or subtype in REPORTS:
                return []
            case subtype:
                note_unknown(f"system frame {subtype}", frame)
                return []


def _whole_block(message_id: str, block: Json) -> list[Any]:
    """A block that was not streamed: an error of the API, the output of a local command."""
    kind = block["type"]
    if kind == "text":
        return [TextChunk(AGENT, message_id, text_of(block["text"]))] if block["text"] else []
    if kind == "thinking":
        return [TextChunk(THOUGHT, message_id, text_of(block["thinking"]))] if block["thinking"] else []
    if kind == "image":
        return [ImageChunk(AGENT, message_id, block)]
    _note_block(block)
    return []


def _note_block(block: Json) -> None:
    if block["type"] not in KNOWN_BLOCKS and server.server_result(block) is None:
        note_unknown(f"content block {block['type']}", block)


def _metadata(frame: Frame) -> Json:
    metadata = frame.get("compact_metadata")
    return metadata if isinstance(metadata, dict) else {}


def _objects(values: Any) -> list[Json]:
    return [value for value in values if isinstance(value, dict)] if isinstance(values, list) else []


def _each(blocks: list[Json], read: Callable[[Json], list[Any]]) -> list[Any]:
    """What each block of a message gives; one that is malformed costs no other."""
    updates: list[Any] = []
    for block in blocks:
        try:
            updates += read(block)
        except MALFORMED as error:
            note_unknown("form of a block", f"{error!r} in {block}")
    return updates


def text_of(value: Any) -> str:
    """`value`, which a frame says is a text.

    Raises:
        TypeError: It is none.
    """
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def name_of(value: Any) -> str:
    """`value`, which a frame says is the name of something.

    Raises:
        TypeError: It is no text.
        ValueError: It is empty.
    """
    name = text_of(value)
    if not name:
        raise ValueError("an empty name")
    return name
