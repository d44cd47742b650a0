"""A transcript shown again: its entries as frames of Claude Code, read by a conversation like live output."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Protocol

from adapter.shared.conversation import Conversation
from adapter.shared.history.agents import PastAgent
from adapter.shared.history.branch import Json, blocks_of
from adapter.shared.history.summary import compact_summary, prompt_texts, typed_text
from adapter.shared.local_commands import kept_output
from adapter.shared.subagents.past import PastSubagents
from adapter.shared.tools.facts import ToolReport, ToolStatus
from adapter.shared.updates import ImageChunk, MessageCleared, Speaker, TextChunk, ToSession

SYNTHETIC = "<synthetic>"
FILLER = "No response requested."
"""What Claude Code itself answers to a prompt that was cut off."""
NOT_SHOWN = frozenset({"/clear", "/compact"})
"""Commands whose effect is shown in another way."""


class ReplayWatch(Protocol):
    """What an extension makes of a history as it is shown."""

    def shown(self, entry: Json, updates: list[Any]) -> list[Any]:
        """The updates that an entry of the conversation leads to."""
        ...

    def over(self) -> list[Any]:
        """The whole history has been shown."""
        ...


class Replay:
    """Reads the history of one session.

    Args:
        conversation: A fresh one.
        subagents: The conversation of each subagent whose calls are the session's, by the call that launched it.
        children: The subagents that have sessions of their own; `None` if the client shows none so.
        watch: See there; `None` for none.
    """

    def __init__(
        self,
        conversation: Conversation,
        subagents: Mapping[str, list[Json]],
        children: PastSubagents | None = None,
        watch: ReplayWatch | None = None,
    ) -> None:
        self._conversation = conversation
        self._subagents = dict(subagents)
        self._children = children
        self._watch = watch
        self._begun: set[tuple[Speaker, str]] = set()
        self._summaries: dict[Any, str] = {}
        self._commands: dict[Any, str] = {}

    def read(self, branch: list[Json]) -> Iterator[list[Any]]:
        """The updates of the history, some at a time. `branch` are the entries of the conversation as it is now."""
        self._summaries = {
            entry.get("parentUuid"): compact_summary("\n".join(prompt_texts(entry)))
            for entry in branch
            if entry.get("isCompactSummary")
        }
        for entry in branch:
            for updates in self._entry(entry, ""):
                yield from self._placed(updates if self._watch is None else self._watch.shown(entry, updates))

    def over(self) -> list[Any]:
        """What is told when the client has the whole history."""
        return [] if self._watch is None else self._watch.over()

    def end(self) -> list[Any]:
        """The session is not running: calls that have no result will get none, and its subagents rest."""
        closed = [*self._conversation.calls.close(ToolStatus.CANCELLED), *self._conversation.turn_over()]
        if self._children is None:
            return closed
        return [*(placed for update in closed for placed in self._children.place(update)[0]), *self._children.end()]

    def tasks(self) -> Json:
        """The tasks that are known by now."""
        return self._conversation.tasks()

    def _placed(self, updates: list[Any]) -> Iterator[list[Any]]:
        """The updates on the sessions that they are of; the history of a subagent follows its launch."""
        placed: list[Any] = []
        for update in updates:
            found, launched = ([update], None) if self._children is None else self._children.place(update)
            placed += [_without_response(one) for one in found]
            if launched is not None:
                yield placed
                placed = []
                yield from self._child(launched)
        yield placed

    def _child(self, agent: PastAgent) -> Iterator[list[Any]]:
        begins = {entry["uuid"]: begun for entry, begun in agent.delegations()}
        for entry in agent.entries:
            if self._children is not None and entry["uuid"] in begins:
                yield self._children.told(agent, entry, begins=begins[entry["uuid"]])
                continue
            for updates in self._entry(entry, agent.launch_id):
                yield from self._placed(updates)

    def _entry(self, entry: Json, parent: str) -> Iterator[list[Any]]:
        match entry["type"]:
            case "assistant":
                yield self._answered(entry, parent)
            case "user":
                yield from self._user(entry, parent)
            case "attachment" if not parent:
                yield self._queued(entry.get("attachment") or {})
            case "system" if not parent:
                yield self._system(entry)

    def _answered(self, entry: Json, parent: str) -> list[Any]:
        message = entry.get("message")
        texts = [block.get("text") for block in blocks_of(entry)]
        if not isinstance(message, dict) or (message.get("model") == SYNTHETIC and texts == [FILLER]):
            return []
        frame = {"type": "assistant", "message": message, "parent_tool_use_id": parent or None}
        return self._marked(_joined(self._conversation.read(frame) or []))

    def _user(self, entry: Json, parent: str) -> Iterator[list[Any]]:
        results = [block for block in blocks_of(entry) if block.get("type") == "tool_result"]
        if results:
            yield from self._results(entry, results, parent)
        elif entry.get("isCompactSummary"):
            yield self._conversation.read({"type": "user", "message": entry.get("message"), "isSynthetic": True}) or []
        elif not entry.get("isMeta") and not parent:
            yield self._typed(str(entry["uuid"]), blocks_of(entry))

    def _results(self, entry: Json, results: list[Json], parent: str) -> Iterator[list[Any]]:
        calls = [str(block.get("tool_use_id")) for block in results]
        structured = entry.get("toolUseResult")
        launched = isinstance(structured, dict) and structured.get("isAsync") is True
        denied = entry.get("toolDenialKind")
        frame = {
            "type": "user",
            "message": entry["message"],
            "parent_tool_use_id": parent or None,
            "tool_use_result": structured,
            "tool_result_meta": [{"id": call, "non_execution_kind": denied} for call in calls if denied],
        }
        if not launched:
            yield from self._inner(calls)
        yield self._conversation.read(frame) or []
        if launched:
            yield from self._inner(calls)
            yield [update for call in calls for update in self._conversation.calls.close_inner(call)]

    def _inner(self, calls: list[str]) -> Iterator[list[Any]]:
        """What the subagents of these calls did."""
        for call in calls:
            for entry in self._subagents.pop(call, []):
                yield from self._entry(entry, call)

    def _queued(self, attachment: Json) -> list[Any]:
        """A prompt that was folded into a running turn."""
        prompt = attachment.get("prompt")
        if attachment.get("commandMode") != "prompt":
            return []
        blocks = [{"type": "text", "text": prompt}] if isinstance(prompt, str) else prompt
        known = [block for block in blocks if isinstance(block, dict)] if isinstance(blocks, list) else []
        return self._typed(str(attachment.get("source_uuid")), known)

    def _system(self, entry: Json) -> list[Any]:
        content = entry.get("content")
        match entry.get("subtype"):
            case "compact_boundary":
                return self._compacted(entry)
            case "local_command" if isinstance(content, str):
                return self._local(entry, content)
        return []

    def _local(self, entry: Json, content: str) -> list[Any]:
        """A command that Claude Code answered itself, or its answer."""
        command = self._commands.get(entry.get("parentUuid"), "")
        output = kept_output(command, content, self._conversation.context.adapter)
        if output is None:
            return self._typed(str(entry["uuid"]), [{"type": "text", "text": content}])
        return self._marked([TextChunk(Speaker.AGENT, str(entry["uuid"]), output)] if output else [])

    def _compacted(self, entry: Json) -> list[Any]:
        """The frames of a compaction, as they were sent while it went on; its summary is an entry behind it."""
        frame = {**entry, "compact_metadata": _snake_case(entry.get("compactMetadata"))}
        began = {"type": "system", "subtype": "status", "status": "compacting", "uuid": entry["uuid"]}
        done = {"type": "system", "subtype": "status", "status": None, "compact_result": "success"}
        updates = self._conversation.read(began) or []
        self._conversation.compactions.summarised(self._summaries.get(entry["uuid"], ""))
        return updates + [update for told in (done, frame) for update in self._conversation.read(told) or []]

    def _typed(self, message_id: str, blocks: list[Json]) -> list[Any]:
        chunks: list[Any] = []
        for block in blocks:
            if block.get("type") == "image":
                chunks.append(ImageChunk(Speaker.USER, message_id, block))
            elif isinstance(block.get("text"), str):
                text = typed_text(block["text"])
                if text.startswith("/"):
                    self._commands[message_id] = text
                if text and text not in NOT_SHOWN:
                    chunks.append(TextChunk(Speaker.USER, message_id, text))
        return self._marked(chunks)

    def _marked(self, updates: list[Any]) -> list[Any]:
        """The updates, each message after a mark that it begins anew: the client may have it already."""
        marked: list[Any] = []
        for update in updates:
            shown = update.update if isinstance(update, ToSession) else update
            if isinstance(shown, TextChunk | ImageChunk):
                message = (shown.speaker, shown.message_id)
                if message not in self._begun:
                    self._begun.add(message)
                    cleared = MessageCleared(*message)
                    marked.append(replace(update, update=cleared) if isinstance(update, ToSession) else cleared)
            marked.append(update)
        return marked


def _joined(updates: list[Any]) -> list[Any]:
    """The updates with the opening of a call and its input, which are both known, in one report."""
    joined: list[Any] = []
    for update in updates:
        last = joined[-1] if joined else None
        if isinstance(update, ToolReport) and isinstance(last, ToolReport) and _continues(last, update):
            terminal = last.terminal
            if terminal is not None and update.terminal is not None:
                terminal = replace(terminal, command=update.terminal.command)
            fields, hints = {**last.fields, **update.fields}, {**last.hints, **update.hints}
            joined[-1] = replace(last, fields=fields, hints=hints, terminal=terminal or update.terminal)
        else:
            joined.append(update)
    return joined


def _without_response(update: Any) -> Any:
    """A result's structured form tells how it is shown; in a history, which may be long, it is not sent beside that."""
    return replace(update, response=None) if isinstance(update, ToolReport) and update.response is not None else update


def _continues(last: ToolReport, report: ToolReport) -> bool:
    return last.opened and not report.opened and last.call_id == report.call_id


def _snake_case(metadata: object) -> Json:
    """`compactMetadata` of a transcript as `compact_metadata` of a frame."""
    known = metadata.items() if isinstance(metadata, dict) else ()
    return {"".join(f"_{char.lower()}" if char.isupper() else char for char in name): value for name, value in known}
