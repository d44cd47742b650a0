from __future__ import annotations

import io
import os
import shlex
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from rich.console import Console

from adapter.demo import command, run
from adapter.demo.command import show
from adapter.demo.editor import Choice, Chooser, allow_once

if TYPE_CHECKING:
    from collections.abc import Sequence

FAKE_AGENT = Path(__file__).with_name("fake_agent.py")


def fake(behaviour: str, *arguments: str) -> list[str]:
    return [sys.executable, str(FAKE_AGENT), behaviour, *arguments]


def play(
    root: Path, behaviour: str = "good", core: str = "v1", choose: Chooser | None = None, **options: Any
) -> tuple[int, str]:
    """Shows the demo with the fake agent, and gives the exit status and what a person sees."""
    console = Console(file=io.StringIO(), width=100)
    status = show(console, fake(behaviour), core, choose or allow_once("the test"), root, **options)
    assert isinstance(console.file, io.StringIO)
    return status, console.file.getvalue()


def refuse(options: Sequence[dict[str, Any]]) -> Choice:
    return Choice(next(option for option in options if option["kind"] == "reject_once"), "you")


@pytest.mark.parametrize(("core", "version"), [("v1", 1), ("bridge", 2), ("native", 2)])
def test_shows_a_whole_conversation(tmp_path: Path, core: str, version: int) -> None:
    status, text = play(tmp_path, core=core)
    assert status == 0
    seen = [
        f"Agent: Fake Agent 9.9, ACP version {version}",
        "Session: s1",
        "You: [[demo]]",
        "Claude: I fix it.",
        "Permission for: Edit greeting.py",
        "  1. Yes, always",
        "→ Yes (chosen by the test)",
        "✓ completed",
        "Claude: once",
        "The turn has ended: end_turn",
        "Tokens: 11 in, 22 out",
        "✓ greeting.py has changed on disk",
        "✓ the command has run and printed 'Hello, Ada!'",
        "Use it in your editor",
    ]
    places = [text.find(part) for part in seen]
    assert -1 not in places
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("core", "variables"),
    [
        ("v1", {}),
        ("bridge", {"CLAUDE_AGENT_ACP_EXPERIMENTAL_V2": "1", "CLAUDE_AGENT_ACP_V2_CORE": "bridge"}),
        ("native", {"CLAUDE_AGENT_ACP_EXPERIMENTAL_V2": "1", "CLAUDE_AGENT_ACP_V2_CORE": "native"}),
    ],
)
def test_tells_the_adapter_which_core_to_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, core: str, variables: dict[str, str]
) -> None:
    monkeypatch.setenv("CLAUDE_AGENT_ACP_PROTOCOL", "v1")
    env = command._environment(tmp_path, 1, core)
    assert {name: value for name, value in env.items() if name.startswith("CLAUDE_AGENT")} == variables


def test_a_refusal_is_no_failure(tmp_path: Path) -> None:
    status, text = play(tmp_path, choose=refuse)
    assert status == 0
    assert "→ No (chosen by you)" in text
    assert "✗ failed" in text
    assert "✗ greeting.py has not changed on disk" in text
    assert "✗ the command has not run" in text
    assert "You refused something, so it was not done." in text


@pytest.mark.parametrize(
    ("behaviour", "message"),
    [
        ("dies", "The agent ended with exit status 7 before the demo was over."),
        ("noisy", "The agent wrote something else than JSON-RPC: Starting up..."),
        ("lists", "The agent wrote something else than JSON-RPC: [1, 2]"),
        ("shapeless", "The agent sent a message that does not follow ACP: {'jsonrpc'"),
        ("refuses", "The agent refused session/new: Please log in"),
        ("nameless", "The agent answered session/new without sessionId."),
        ("lies", "The agent has not done what it told."),
    ],
)
def test_says_what_went_wrong(tmp_path: Path, behaviour: str, message: str) -> None:
    status, text = play(tmp_path, behaviour)
    assert status == 1
    assert message in text
    assert "Use it in your editor" not in text


def test_shows_the_last_words_of_an_agent_that_dies(tmp_path: Path) -> None:
    _, text = play(tmp_path, "dies")
    assert "The agent's last lines on its standard error:\nthe fuse has blown\n" in text


def test_says_that_a_core_is_not_served(tmp_path: Path) -> None:
    status, text = play(tmp_path, "old", core="native")
    assert status == 1
    assert "The agent answered with ACP version 1, not 2: the core native is not served yet." in text


def test_gives_up_a_silent_agent(tmp_path: Path) -> None:
    began = time.monotonic()
    status, text = play(tmp_path, "silent", patience=1)
    assert time.monotonic() - began < 5
    assert status == 1
    assert "The agent has said nothing for 1 seconds, waiting for the answer to session/prompt." in text


def test_says_that_an_agent_cannot_be_started(tmp_path: Path) -> None:
    console = Console(file=io.StringIO(), width=100)
    assert isinstance(console.file, io.StringIO)
    assert show(console, ["no-such-agent"], "v1", allow_once("the test"), tmp_path) == 1
    assert "The agent cannot be started: no-such-agent: " in console.file.getvalue()


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files, empty, so that a test sees what is left behind."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.mark.parametrize(("behaviour", "status"), [("good", 0), ("dies", 1)])
def test_leaves_nothing_behind(
    temporary: Path, capsys: pytest.CaptureFixture[str], behaviour: str, status: int
) -> None:
    assert run(["--yes", "--agent", shlex.join(fake(behaviour))]) == status
    assert list(temporary.iterdir()) == []
    assert "The temporary folder has been deleted." in capsys.readouterr().out


@pytest.mark.parametrize(("arguments", "by"), [(["--yes"], "--yes"), ([], "the demo, as nobody is there to ask")])
def test_allows_once_without_a_person(
    temporary: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], by: str
) -> None:
    assert run([*arguments, "--agent", shlex.join(fake("good"))]) == 0
    assert f"→ Yes (chosen by {by})" in capsys.readouterr().out


def test_starts_this_adapter_unless_told_otherwise(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started = []

    def note(_: Console, agent: Sequence[str], core: str, *_rest: object) -> int:
        started.append((agent, core))
        return 0

    monkeypatch.setattr(command, "show", note)
    assert run(["--core", "native"]) == 0
    assert started == [([sys.executable, "-m", "adapter"], "native")]


@pytest.mark.parametrize("error", [KeyboardInterrupt, EOFError])
def test_ctrl_c_stops_the_agent_and_cleans_up(
    temporary: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: type[BaseException],
) -> None:
    def interrupted(options: Sequence[dict[str, Any]]) -> Choice:
        raise error

    pid_file = tmp_path / "pid"
    monkeypatch.setattr(command, "allow_once", lambda _: interrupted)
    assert run(["--agent", shlex.join(fake("good", str(pid_file)))]) == 130
    assert "Stopped, and the agent with it." in capsys.readouterr().out
    assert list(temporary.iterdir()) == []
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid_file.read_text()), 0)


@pytest.mark.parametrize(("typed", "name"), [("3\n", "No"), ("\n", "Yes"), ("9\nyes\n1\n", "Yes, always")])
def test_asks_a_person(monkeypatch: pytest.MonkeyPatch, typed: str, name: str) -> None:
    options = [
        {"name": "Yes, always", "kind": "allow_always"},
        {"name": "Yes", "kind": "allow_once"},
        {"name": "No", "kind": "reject_once"},
    ]
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    choice = command._ask_person(Console(file=io.StringIO()))(options)
    assert (choice.option["name"], choice.by) == (name, "you")


def test_help_names_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run(["--help"])
    assert ended.value.code == 0
    text = capsys.readouterr().out
    assert all(option in text for option in ("--core {v1,bridge,native}", "--yes", "--agent CMD"))


def test_a_command_line_may_hold_quoted_words() -> None:
    assert command._split("""node "my agent.js" 'x y'""") == ["node", "my agent.js", "x y"]
