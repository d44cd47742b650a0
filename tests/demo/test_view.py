from __future__ import annotations

import base64
import io
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Literal, cast

import pytest
from rich.console import Console

from adapter.demo.view import View

if TYPE_CHECKING:
    from pathlib import Path

WORKSPACE = cast("Path", PurePosixPath("/somewhere/project"))
GREEN, RED, DIM_ITALIC = "\x1b[32m", "\x1b[31m", "\x1b[2;3m"


class Screen:
    """A view, and what a person sees on it."""

    def __init__(self, *, colours: bool = False) -> None:
        self._file = io.StringIO()
        system: Literal["standard"] | None = "standard" if colours else None
        console = Console(file=self._file, width=60, highlight=False, color_system=system)
        self.view = View(console, WORKSPACE)

    def update(self, kind: str, /, **fields: Any) -> None:
        self.view.update({"sessionUpdate": kind, **fields})

    def say(self, text: str, message: str = "m1", kind: str = "agent_message_chunk") -> None:
        self.update(kind, messageId=message, content={"type": "text", "text": text})

    def text(self) -> str:
        """What has been shown since the last call, without empty lines; the frame of a card becomes ``[title]``."""
        text = self._file.getvalue()
        self._file.seek(0)
        self._file.truncate()
        lines = (f"[{line.strip('╭─╮ ')}]" if line.startswith("╭") else line for line in text.splitlines())
        lines = (line.removeprefix("│ ").removesuffix("│").rstrip() for line in lines if not line.startswith("╰"))
        return "\n".join(line for line in lines if line)


@pytest.fixture
def screen() -> Screen:
    return Screen()


def content(text: str) -> dict[str, Any]:
    return {"type": "content", "content": {"type": "text", "text": text}}


def test_names_the_agent_and_the_version(screen: Screen) -> None:
    screen.view.agent({"name": "x", "title": "Claude", "version": "1.2"}, 2)
    screen.view.agent({"name": "x"}, 1)
    screen.view.agent({}, 1)
    assert screen.text().splitlines() == [
        "Agent: Claude 1.2, ACP version 2",
        "Agent: x, ACP version 1",
        "Agent: an agent without a name, ACP version 1",
    ]


def test_shows_the_session_and_its_options(screen: Screen) -> None:
    options = [
        {"name": "Mode", "currentValue": "default", "options": [{"value": "default", "name": "Manual"}]},
        {"name": "Model", "currentValue": "unlisted", "options": [{"value": "opus", "name": "Opus"}]},
        {"name": "Fast", "currentValue": False},
    ]
    screen.view.session({"sessionId": "s1", "configOptions": options})
    assert screen.text() == "Session: s1\nOptions: Mode: Manual, Model: unlisted, Fast: off"
    screen.view.session({"sessionId": "s2"})
    assert screen.text() == "Session: s2"


def test_streams_thoughts_and_messages(screen: Screen) -> None:
    screen.say("I ", kind="agent_thought_chunk")
    screen.say("wonder.", kind="agent_thought_chunk")
    screen.say("Hello ")
    screen.say("[bold]there", message="m2")
    screen.view.line("end")
    assert screen.text() == "Thinking: I wonder.\nClaude: Hello [bold]there\nend"


def test_dims_thoughts_only() -> None:
    screen = Screen(colours=True)
    screen.say("hm", kind="agent_thought_chunk")
    screen.say("yes")
    thought, message = screen.text().splitlines()
    assert f"{DIM_ITALIC}hm" in thought
    assert message.endswith("yes")


def test_names_content_that_is_no_text(screen: Screen) -> None:
    screen.update("agent_message_chunk", messageId="m1", content={"type": "image", "data": "x"})
    assert screen.text() == "Claude: (image)"


def test_shows_a_whole_message_unless_it_was_streamed(screen: Screen) -> None:
    screen.say("one")
    screen.update("agent_message", messageId="m1", content=[{"type": "text", "text": "one"}])
    screen.update("agent_thought", messageId="m1", content=[{"type": "text", "text": "two "}, {"text": "three"}])
    screen.update("agent_message", messageId="m2")
    assert screen.text() == "Claude: one\nThinking: two three"


@pytest.mark.parametrize("kind", ["tool_call", "tool_call_update"])
def test_shows_a_tool_call_when_it_has_ended(screen: Screen, kind: str) -> None:
    screen.update(kind, toolCallId="t1", title="Read File", kind="read", status="pending", content=[])
    screen.update("tool_call_update", toolCallId="t1", title="Read a.txt")
    assert screen.text() == ""
    body = [content("```\n1\talpha\n```"), content("/somewhere/project/a.txt")]
    screen.update("tool_call_update", toolCallId="t1", status="completed", content=body)
    screen.update("tool_call_update", toolCallId="t1", status="completed")
    assert screen.text().splitlines() == [
        "[read]",
        "Read a.txt",
        "  1     alpha",
        "  a.txt",
        "✓ completed",
    ]


def test_shows_a_failed_tool_call(screen: Screen) -> None:
    screen.update("tool_call", toolCallId="t1", name="Bash", status="pending")
    screen.update("tool_call_update", toolCallId="t1", status="failed", content=[content("exit 1")])
    assert screen.text().splitlines() == ["[tool]", "Bash", "  exit 1", "✗ failed"]


def test_shows_content_that_came_in_chunks(screen: Screen) -> None:
    screen.update("tool_call_update", toolCallId="t1", title="Fetch", kind="fetch", status="in_progress")
    screen.update("tool_call_content_chunk", toolCallId="t1", content=content("one"))
    screen.update("tool_call_content_chunk", toolCallId="t1", content=content("two"))
    screen.update("tool_call_update", toolCallId="t1", status="completed")
    assert screen.text().splitlines() == ["[fetch]", "Fetch", "  one", "  two", "✓ completed"]


def test_cuts_long_results(screen: Screen) -> None:
    text = "\n".join(f"line {number}" for number in range(20))
    screen.update("tool_call", toolCallId="t1", title="x", status="completed", content=[content(text)])
    lines = screen.text().splitlines()
    assert lines[2:-1] == [*(f"  line {number}" for number in range(12)), "  … 8 more lines"]


def test_shows_the_output_of_a_terminal(screen: Screen) -> None:
    def encoded(text: str) -> str:
        return base64.b64encode(text.encode()).decode()

    terminal = {"terminalId": "x1"}
    screen.update("terminal_update", **terminal, output={"data": encoded("dropped")})
    screen.update("terminal_update", **terminal, output={"data": encoded("first\n")})
    screen.update("terminal_output_chunk", **terminal, data=encoded("second\n"))
    screen.update("terminal_update", **terminal, exitStatus={"exitCode": 0})
    shown = [{"type": "terminal", **terminal}, {"type": "terminal", "terminalId": "unknown"}]
    screen.update("tool_call_update", toolCallId="t1", title="ls", kind="execute", status="completed", content=shown)
    assert screen.text().splitlines() == ["[execute]", "ls", "  first", "  second", "✓ completed"]


OPTIONS = [{"name": "Yes"}, {"name": "No"}]


def test_a_permission_shows_the_card_once(screen: Screen) -> None:
    call = {"toolCallId": "t1", "title": "rm x", "kind": "execute"}
    screen.update("tool_call", **call, status="pending", content=[content("Remove x")])
    screen.view.permission(call, "Remove it?", OPTIONS)
    screen.view.chosen("No", "you")
    assert screen.text().splitlines() == [
        "[execute]",
        "rm x",
        "  Remove x",
        "? Permission for: Remove it?",
        "  1. Yes",
        "  2. No",
        "→ No (chosen by you)",
    ]
    screen.update("tool_call_update", toolCallId="t1", status="completed", content=[content("Remove x"), content("ok")])
    assert screen.text().splitlines() == ["  ok", "✓ completed"]


DIFFS = [
    {"type": "diff", "path": "/somewhere/project/a.py", "oldText": "keep\nold", "newText": "keep\nnew"},
    {
        "type": "diff",
        "changes": [{"operation": "modify", "path": "/somewhere/project/a.py"}],
        "patch": {
            "format": "git_patch",
            "text": "--- /somewhere/project/a.py\n+++ /somewhere/project/a.py\n@@ -1,2 +1,2 @@\n keep\n-old\n+new\n",
        },
    },
]


@pytest.mark.parametrize("diff", DIFFS, ids=["v1", "v2"])
def test_shows_an_edit_as_a_diff(screen: Screen, diff: dict[str, Any]) -> None:
    screen.view.permission({"toolCallId": "t1", "title": "Edit a.py", "kind": "edit", "content": [diff]}, None, OPTIONS)
    assert screen.text().splitlines()[:9] == [
        "[edit]",
        "Edit a.py",
        "--- a.py",
        "+++ a.py",
        "@@ -1,2 +1,2 @@",
        " keep",
        "-old",
        "+new",
        "? Permission for: Edit a.py",
    ]


@pytest.mark.parametrize("diff", DIFFS, ids=["v1", "v2"])
def test_colours_a_diff(diff: dict[str, Any]) -> None:
    screen = Screen(colours=True)
    screen.view.permission({"toolCallId": "t1", "content": [diff]}, None, OPTIONS)
    text = screen.text()
    assert f"{RED}-old" in text
    assert f"{GREEN}+new" in text


def test_a_new_file_is_a_diff_of_additions(screen: Screen) -> None:
    diff = {"type": "diff", "path": "/somewhere/project/b.py", "oldText": None, "newText": "one\ntwo\n"}
    screen.view.permission({"toolCallId": "t1", "title": "Write b.py", "content": [diff]}, None, OPTIONS)
    assert screen.text().splitlines()[5:7] == ["+one", "+two"]


ENTRIES = [
    {"content": "Read", "status": "completed"},
    {"content": "Fix", "status": "in_progress"},
    {"content": "Run", "status": "pending"},
]


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("plan", {"entries": ENTRIES}),
        ("plan_update", {"plan": {"type": "items", "planId": "p", "entries": ENTRIES}}),
    ],
)
def test_shows_a_plan_before_the_next_thing(screen: Screen, kind: str, fields: dict[str, Any]) -> None:
    screen.update("plan", entries=ENTRIES[:1])
    screen.update(kind, **fields)
    assert screen.text() == ""
    screen.say("Next.")
    assert screen.text().splitlines() == ["Plan", "  ✓ Read", "  ▸ Fix", "  · Run", "Claude: Next."]
    screen.update(kind, **fields)
    screen.say("The same plan is not shown again.", message="m2")
    assert "Plan" not in screen.text()


def test_shows_a_plan_that_comes_last(screen: Screen) -> None:
    screen.update("plan", entries=ENTRIES)
    screen.view.turn_ended("end_turn", None)
    assert screen.text().splitlines() == ["Plan", "  ✓ Read", "  ▸ Fix", "  · Run", "The turn has ended: end_turn"]


def test_shows_no_plan_without_entries(screen: Screen) -> None:
    screen.update("plan_update", plan={"type": "markdown", "planId": "p", "content": "# Plan"})
    screen.view.turn_ended("cancelled", None)
    assert screen.text() == "The turn has ended: cancelled"


def test_shows_tokens_and_cost_at_the_end(screen: Screen) -> None:
    screen.update("usage_update", used=1, size=2, cost={"amount": 0.00421, "currency": "USD"})
    screen.update("usage_update", used=1, size=2)
    assert screen.text() == ""
    screen.view.turn_ended("end_turn", {"inputTokens": 600, "outputTokens": 120})
    assert screen.text().splitlines() == [
        "The turn has ended: end_turn",
        "Tokens: 600 in, 120 out",
        "Cost: 0.0042 USD for a real model; this one is scripted and costs nothing",
    ]


@pytest.mark.parametrize(
    "kind", ["available_commands_update", "session_info_update", "current_mode_update", "state_update", "user_message"]
)
def test_passes_over_updates_for_menus_and_status_bars(screen: Screen, kind: str) -> None:
    screen.update(kind, state="running")
    assert screen.text() == ""


def test_names_an_update_that_it_does_not_know(screen: Screen) -> None:
    screen.update("weather_update")
    assert screen.text() == "(an update of kind weather_update)"
