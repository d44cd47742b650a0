"""What a person sees of a conversation: session updates of ACP version 1 and 2, drawn with rich."""

from __future__ import annotations

import base64
import difflib
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

_FENCE = re.compile(r"\A```[^\n]*\n(.*?)\n?```\s*\Z", re.DOTALL)
_LINES_OF_RESULT = 12
_PLAN_MARKS = {"completed": ("✓", "green"), "in_progress": ("▸", "yellow")}
_ENDED = {"completed": ("✓", "green"), "failed": ("✗", "red"), "cancelled": ("✗", "red")}
# Updates that an editor uses for its menus and its status bar, not for the conversation.
_QUIET = frozenset({
    "available_commands_update",
    "config_option_update",
    "current_mode_update",
    "session_info_update",
    "state_update",
    "user_message",
    "user_message_chunk",
})  # fmt: skip


@dataclass(slots=True)
class _ToolCall:
    """What is known of a tool call so far, and how much of it has been shown."""

    fields: dict[str, Any] = field(default_factory=dict)
    card_shown: bool = False
    texts_shown: list[str] = field(default_factory=list)
    ended: bool = False


class View:
    """Shows a conversation on a console, in the order in which it happens.

    Args:
        console: Where to draw.
        workspace: The folder of the session; paths in it are shown relative to it.
    """

    def __init__(self, console: Console, workspace: Path) -> None:
        self._console = console
        self._workspace = workspace
        self._calls: dict[str, _ToolCall] = {}
        self._terminals: dict[str, bytes] = {}
        self._streaming: str | None = None
        self._streamed: set[tuple[str, Any]] = set()
        self._plan: list[dict[str, Any]] = []
        self._plan_shown: list[dict[str, Any]] = []
        self._cost: dict[str, Any] | None = None

    def heading(self, text: str) -> None:
        """Begins a new part of the demo."""
        self._finish_stream()
        self._console.print()
        self._console.rule(Text(text, style="bold"), align="left")

    def line(self, *parts: str | tuple[str, str]) -> None:
        """Shows one line of texts, each with or without a style; long lines are never broken."""
        self._finish_stream()
        self._console.print(Text.assemble(*parts), soft_wrap=True)

    def agent(self, info: Mapping[str, Any], version: int) -> None:
        """Shows who answered ``initialize``, and in which protocol version."""
        name = info.get("title") or info.get("name") or "an agent without a name"
        self.line("Agent: ", (f"{name} {info.get('version', '')}".strip(), "bold"), f", ACP version {version}")

    def session(self, result: Mapping[str, Any]) -> None:
        """Shows the session that was opened, with the current value of each of its options."""
        self.line("Session: ", (str(result["sessionId"]), "bold"))
        options = [f"{option['name']}: {_current_value(option)}" for option in result.get("configOptions") or []]
        if options:
            self.line(("Options: " + ", ".join(options), "dim"))

    def prompt(self, text: str) -> None:
        """Shows what the user says."""
        self.line(("You: ", "bold cyan"), text)

    def update(self, update: Mapping[str, Any]) -> None:
        """Shows one session update, or keeps it until there is something to show."""
        kind = str(update.get("sessionUpdate"))
        if kind in ("agent_message_chunk", "agent_thought_chunk"):
            self._stream(kind.removesuffix("_chunk"), update)
        elif kind in ("agent_message", "agent_thought"):
            self._whole_message(kind, update)
        elif kind in ("tool_call", "tool_call_update", "tool_call_content_chunk"):
            self._tool_call(update)
        elif kind in ("terminal_update", "terminal_output_chunk"):
            self._terminal(update)
        elif kind in ("plan", "plan_update"):
            self._plan = list((update.get("plan") or update).get("entries") or [])
        elif kind == "usage_update":
            self._cost = update.get("cost") or self._cost
        elif kind not in _QUIET:
            self.line((f"(an update of kind {kind})", "dim"))

    def permission(self, subject: Mapping[str, Any], title: str | None, options: Sequence[Mapping[str, Any]]) -> None:
        """Shows a tool call that the agent asks about, and the numbered answers that it offers."""
        call = self._merge(subject)
        self._card(call)
        for text in _texts(call):
            self._result(text)
            call.texts_shown.append(text)
        self.line(("? ", "bold yellow"), (f"Permission for: {title or call.fields.get('title', 'this')}", "bold"))
        for number, option in enumerate(options, 1):
            self.line(f"  {number}. {option['name']}")

    def chosen(self, name: str, by: str) -> None:
        """Shows how a permission question was answered."""
        self.line(("→ ", "bold yellow"), f"{name} (chosen by {by})")

    def turn_ended(self, stop_reason: str, usage: Mapping[str, Any] | None) -> None:
        """Shows how the turn ended, its tokens and what it would have cost."""
        self._show_plan()
        self.line("The turn has ended: ", (stop_reason, "bold"))
        if usage:
            self.line(f"Tokens: {usage.get('inputTokens', 0)} in, {usage.get('outputTokens', 0)} out")
        if self._cost:
            price = f"{self._cost['amount']:.4f} {self._cost['currency']}"
            self.line(f"Cost: {price} for a real model; this one is scripted and costs nothing")

    def _stream(self, kind: str, update: Mapping[str, Any]) -> None:
        self._show_plan()
        self._streamed.add((kind, update.get("messageId")))
        if self._streaming != kind:
            label = "Thinking: " if kind == "agent_thought" else "Claude: "
            self.line()
            self._console.print(Text(label, style="bold cyan"), end="")
            self._streaming = kind
        text = update["content"].get("text", f"({update['content'].get('type')})")
        self._console.print(Text(text, style="dim italic" if kind == "agent_thought" else ""), end="", soft_wrap=True)

    def _whole_message(self, kind: str, update: Mapping[str, Any]) -> None:
        """Shows a message that was not streamed; of one that was, this is only the final state."""
        if (kind, update.get("messageId")) not in self._streamed:
            for content in update.get("content") or []:
                self._stream(kind, {**update, "content": content})

    def _finish_stream(self) -> None:
        if self._streaming is not None:
            self._streaming = None
            self._console.print()

    def _show_plan(self) -> None:
        """Shows the plan if it has changed; waiting for the next thing to show joins changes that come together."""
        if not self._plan or self._plan == self._plan_shown:
            return
        self._plan_shown = self._plan
        self.line(("Plan", "bold"))
        for entry in self._plan:
            mark, style = _PLAN_MARKS.get(entry["status"], ("·", "dim"))
            self.line(f"  {mark} ", (entry["content"], style))

    def _merge(self, update: Mapping[str, Any]) -> _ToolCall:
        call = self._calls.setdefault(str(update.get("toolCallId")), _ToolCall())
        if update.get("sessionUpdate") == "tool_call_content_chunk":
            call.fields["content"] = [*(call.fields.get("content") or []), update["content"]]
        else:
            call.fields |= update
        return call

    def _tool_call(self, update: Mapping[str, Any]) -> None:
        call = self._merge(update)
        mark = _ENDED.get(str(call.fields.get("status")))
        if mark is None or call.ended:
            return
        call.ended = True
        self._card(call)
        for text in (*_texts(call), *self._terminal_texts(call)):
            if text not in call.texts_shown:
                self._result(text)
        self.line((f"{mark[0]} {call.fields['status']}", mark[1]))

    def _terminal(self, update: Mapping[str, Any]) -> None:
        terminal_id = update["terminalId"]
        if "data" in update:
            self._terminals[terminal_id] = self._terminals.get(terminal_id, b"") + base64.b64decode(update["data"])
        elif update.get("output"):
            self._terminals[terminal_id] = base64.b64decode(update["output"]["data"])

    def _terminal_texts(self, call: _ToolCall) -> Iterator[str]:
        for item in call.fields.get("content") or []:
            output = self._terminals.get(str(item.get("terminalId")))
            if output:
                yield output.decode(errors="replace").rstrip()

    def _card(self, call: _ToolCall) -> None:
        if call.card_shown:
            return
        call.card_shown = True
        self._show_plan()
        self._finish_stream()
        fields = call.fields
        body: list[RenderableType] = [Text(str(fields.get("title") or fields.get("name") or "a tool"), style="bold")]
        body.extend(self._diff(item) for item in fields.get("content") or [] if item.get("type") == "diff")
        self._console.print(Panel(Group(*body), title=str(fields.get("kind") or "tool"), title_align="left"))

    def _diff(self, item: Mapping[str, Any]) -> Text:
        patch = item.get("patch")
        if patch:
            lines: Iterable[str] = patch["text"].splitlines()
        else:
            name = self._relative(item["path"])
            old, new = (item.get("oldText") or "").splitlines(), item["newText"].splitlines()
            lines = difflib.unified_diff(old, new, name, name, lineterm="")
        return Text("\n").join(Text(self._relative(line), style=_diff_style(line)) for line in lines)

    def _relative(self, text: str) -> str:
        return text.replace(f"{self._workspace}/", "").replace(f"{self._workspace}\\", "")

    def _result(self, text: str) -> None:
        lines = self._relative(text).splitlines()
        for line in lines[:_LINES_OF_RESULT]:
            self.line((f"  {line}", "dim"))
        if len(lines) > _LINES_OF_RESULT:
            self.line((f"  … {len(lines) - _LINES_OF_RESULT} more lines", "dim"))


def _texts(call: _ToolCall) -> list[str]:
    """The texts in the content of a tool call, without the code fence around them."""
    contents = [item["content"] for item in call.fields.get("content") or [] if item.get("type") == "content"]
    texts = [content["text"] for content in contents if content.get("type") == "text"]
    return [_FENCE.sub(r"\1", text) for text in texts]


def _current_value(option: Mapping[str, Any]) -> str:
    value = option.get("currentValue")
    if isinstance(value, bool):
        return "on" if value else "off"
    names = (choice.get("name") for choice in option.get("options") or [] if choice.get("value") == value)
    return str(next(names, value))


def _diff_style(line: str) -> str:
    if line.startswith(("---", "+++", "diff ")):
        return "bold"
    return {"+": "green", "-": "red", "@": "cyan"}.get(line[:1], "")
