"""The command: its exit statuses, what it writes and what it leaves."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from adapter.conformance import command, processes
from adapter.conformance.recording import parse_recording

from .test_recorder import AGENT, SCENARIO

if TYPE_CHECKING:
    from pathlib import Path

    Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A folder for temporary files, in which nothing may be left, and the handler of SIGTERM as it was."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)
    assert list(folder.iterdir()) == []


@pytest.fixture
def scenarios(tmp_path: Path) -> str:
    folder = tmp_path / "scenarios"
    folder.mkdir()
    for name in ("one", "two"):
        (folder / f"{name}.json").write_text(json.dumps({**SCENARIO, "name": name, "about": f"the {name}"}))
    return str(folder)


@pytest.fixture
def recorded(tmp_path: Path, scenarios: str) -> str:
    """Recordings of a good agent."""
    folder = str(tmp_path / "recorded")
    assert command.run(["record", folder, "one", "two", "--scenarios", scenarios, "--", *AGENT]) == 0
    return folder


def compare(recorded: str, scenarios: str, *arguments: str, how: str = "good") -> int:
    given = ["run", "--against", recorded, "--scenarios", scenarios, *arguments]
    return command.run([*given, "--", *AGENT, how])


def test_an_agent_that_says_the_same_passes(recorded: str, scenarios: str, capsys: Capture) -> None:
    capsys.readouterr()
    assert compare(recorded, scenarios, "--jobs", "2") == 0
    shown = capsys.readouterr()
    lines = sorted(line.split()[:2] for line in shown.err.splitlines())
    assert lines == [["one.plain", "same"], ["two.plain", "same"]]
    assert "100.00 %" in shown.out


def test_an_agent_that_says_something_else_does_not(recorded: str, scenarios: str, capsys: Capture) -> None:
    capsys.readouterr()
    assert compare(recorded, scenarios, "one", how="wordy") == 1
    shown = capsys.readouterr()
    assert "one.plain /timeline/0/4" in shown.out
    assert 'recording: "Hello there."' in shown.out
    assert 'agent:     "Hello you."' in shown.out
    assert "two.plain" not in shown.err


def test_differences_can_be_allowed(recorded: str, scenarios: str, tmp_path: Path, capsys: Capture) -> None:
    allowed = tmp_path / "allowed"
    allowed.write_text("*.plain /timeline/0/* it is wordy\nthree.plain * not any more\n")
    assert compare(recorded, scenarios, "--allow", str(allowed), how="wordy") == 0
    assert "not needed: three.plain * not any more" in capsys.readouterr().out
    allowed.write_text("*.plain")
    assert compare(recorded, scenarios, "--allow", str(allowed)) == 2


def test_a_minimum_and_parts_can_be_asked_for(recorded: str, scenarios: str) -> None:
    assert compare(recorded, scenarios, "--min", "80", how="wordy") == 0
    assert compare(recorded, scenarios, "--min", "99.9", how="wordy") == 1
    assert compare(recorded, scenarios, "--parts", "answers,tools", how="wordy") == 0


def test_an_agent_that_fails_does_not_pass(recorded: str, scenarios: str, tmp_path: Path, capsys: Capture) -> None:
    saved = tmp_path / "saved"
    assert compare(recorded, scenarios, "one", "--save", str(saved), "--min", "0", how="exit") == 1
    shown = capsys.readouterr()
    assert "one.plain failed: the agent closed its stdout before the response to request 3" in shown.out
    assert "(its stderr: something broke)" in shown.out
    kept = parse_recording((saved / "one.plain.jsonl").read_text(), "saved")
    assert "closed its stdout" in (kept.failed or "")


def test_a_recording_of_an_agent_that_fails_says_so(tmp_path: Path, scenarios: str, capsys: Capture) -> None:
    out = tmp_path / "out"
    assert command.run(["record", str(out), "one", "--scenarios", scenarios, "--", *AGENT, "garbage"]) == 1
    assert "0 of 1 recorded" in capsys.readouterr().out
    assert parse_recording((out / "one.plain.jsonl").read_text(), "x").failed is not None


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--", "/no/such/agent"], "the agent cannot be started: no program /no/such/agent"),
        (["nothing"], "no scenario nothing"),
        (["--against", "/no/such/folder"], "has no recordings"),
        (["--allow", "/no/such/file"], "/no/such/file: No such file"),
        (["--profiles", "rich"], "no recording of any scenario by the client rich"),
    ],
)
def test_what_cannot_be_compared_is_told_in_a_line(arguments: list[str], reason: str, capsys: Capture) -> None:
    assert command.run(["run", *arguments]) == 2
    shown = capsys.readouterr().err
    assert shown.startswith("claude-acp conformance: ")
    assert reason in shown
    assert shown.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    ["", "play", "run --core v3", "run --profiles x", "run --parts x", "run --jobs 0", "record"],
)
def test_wrong_arguments_are_told(arguments: str, capsys: Capture) -> None:
    with pytest.raises(SystemExit) as ended:
        command.run(arguments.split())
    assert ended.value.code == 2
    assert "usage: claude-acp conformance" in capsys.readouterr().err


def test_scenarios_are_listed(scenarios: str, capsys: Capture) -> None:
    assert command.run(["list", "--scenarios", scenarios]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "one                  the one" in lines
    assert any(line.startswith("hello ") for line in lines)


def test_paths_of_a_command_hold_in_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "x.py").write_text("")
    words = command.agent_command([sys.executable, "agents/x.py", "no/such", "-m"])
    assert words == [sys.executable, str(tmp_path / "agents" / "x.py"), "no/such", "-m"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_the_agents_and_deletes_the_folder(
    tmp_path: Path, scenarios: str, number: signal.Signals
) -> None:
    temporary = tmp_path / "temporary"
    given = ["record", str(tmp_path / "out"), "one", "--scenarios", scenarios, "--", *AGENT, "hang"]
    # pytest may run where SIGINT is ignored, which a program inherits.
    process = subprocess.Popen(
        [sys.executable, "-m", "adapter", "conformance", *given],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(temporary)},
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
    )
    assert processes.wait_until(lambda: len(processes.descendants(process.pid)) == 1, 20)
    (agent,) = processes.descendants(process.pid)
    process.send_signal(number)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert errors.decode().splitlines()[-1] == "Stopped, and the agents with it."
    assert b"Traceback" not in errors
    assert processes.still_running([agent]) == []
