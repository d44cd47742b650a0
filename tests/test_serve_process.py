"""The adapter as an editor starts it: what it imports first, what reaches stdout, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import adapter
from shared.doubles import request

SOURCE = str(Path(adapter.__file__).parents[1])
SECONDS = 20
INITIALIZE = request(0, "initialize", protocolVersion=1)
UNKNOWN = request(1, "no/such/method")
"""Answered by the core, so that all is loaded when its answer is there."""
HOOKS = """
import os, signal, sys, time

REAL_WRITE = os.write

def write(descriptor, data):
    if b'"protocolVersion"' in bytes(data) and "HEAVY_LOG" in os.environ:
        names = ("pydantic", "claude_agent_sdk.types", "adapter.shared.agent_base")
        heavy = [name for name in names if name in sys.modules]
        with open(os.environ["HEAVY_LOG"], "a") as log:
            log.write(repr(heavy) + "\\n")
    return REAL_WRITE(descriptor, data)

os.write = write

class Loud:
    def find_spec(self, name, path=None, target=None):
        if name in ("pydantic", "anyio", "adapter.v1.agent"):
            print("a library prints at the import of", name, flush=True)
            sys.__stdout__.write("to the stream of the start\\n")
            sys.__stdout__.flush()
            REAL_WRITE(1, b"to the descriptor\\n")
            os.system("echo from a child")

class Slow:
    def find_spec(self, name, path=None, target=None):
        if name == "adapter.serve":
            print("loading", file=sys.stderr, flush=True)
            signal.pause()

if "SLOW_LOAD" in os.environ:
    sys.meta_path.insert(0, Slow())
if "LOUD" in os.environ:
    sys.meta_path.insert(0, Loud())
if "LOUD_START" in os.environ:
    print("a word at the start")
"""


class Process:
    """An adapter as an editor starts it, with hooks of ours in its interpreter."""

    def __init__(self, folder: Path, **variables: str) -> None:
        (folder / "sitecustomize.py").write_text(HOOKS)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("CLAUDE", "PYTHON"))}
        path = os.pathsep.join([str(folder), SOURCE])
        self.process = subprocess.Popen(
            [sys.executable, "-m", "adapter"],
            env={**kept, "PYTHONPATH": path, **variables},
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def says(self, *messages: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(json.dumps(message) + "\n" for message in messages))
        self.process.stdin.flush()

    def hears(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def end(self) -> tuple[int, str, str]:
        """The exit status, the rest of stdout, and stderr."""
        output, errors = self.process.communicate(timeout=SECONDS)
        return self.process.returncode, output, errors


def test_initialize_is_answered_before_anything_heavy_is_imported(tmp_path: Path) -> None:
    log = tmp_path / "heavy"
    process = Process(tmp_path, HEAVY_LOG=str(log))
    process.says(INITIALIZE, UNKNOWN)
    assert process.hears()["id"] == 0
    assert process.hears()["error"]["code"] == -32601
    assert process.end() == (0, "", "")
    assert log.read_text() == "[]\n"


@pytest.mark.parametrize(
    "variables", [{}, {"PYTHONASYNCIODEBUG": "1", "PYTHONWARNINGS": "default", "CLAUDE_ACP_LOG_LEVEL": "debug"}]
)
def test_nothing_but_messages_reaches_the_client(tmp_path: Path, variables: dict[str, str]) -> None:
    process = Process(tmp_path, LOUD="1", **variables)
    process.says(INITIALIZE, UNKNOWN)
    assert [process.hears()["id"] for _ in range(2)] == [0, 1]
    status, output, errors = process.end()
    assert (status, output) == (0, "")
    for words in ("a library prints", "to the stream of the start", "to the descriptor", "from a child"):
        assert words in errors


def test_what_was_printed_before_the_adapter_runs_does_not_reach_the_client(tmp_path: Path) -> None:
    status, output, errors = Process(tmp_path, LOUD_START="1").end()
    assert (status, output, errors) == (0, "", "a word at the start\n")


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
@pytest.mark.parametrize("loaded", [False, True])
def test_a_signal_ends_the_adapter_well(tmp_path: Path, name: str, loaded: bool) -> None:
    process = Process(tmp_path)
    process.says(INITIALIZE, *([UNKNOWN] if loaded else []))
    for _ in range(2 if loaded else 1):
        process.hears()
    process.process.send_signal(getattr(signal, name))
    assert process.process.wait(SECONDS) == 0
    assert process.end() == (0, "", "")


def test_the_end_of_stdin_ends_the_adapter_well(tmp_path: Path) -> None:
    process = Process(tmp_path)
    process.says(INITIALIZE)
    process.hears()
    assert process.end() == (0, "", "")


def test_a_last_line_without_its_end_is_read_too(tmp_path: Path) -> None:
    process = Process(tmp_path)
    output, errors = process.process.communicate(json.dumps(INITIALIZE), timeout=SECONDS)
    assert (process.process.returncode, json.loads(output)["id"], errors) == (0, 0, "")


def test_every_request_is_answered_when_the_client_leaves_at_once(tmp_path: Path) -> None:
    process = Process(tmp_path)
    lines = [{**UNKNOWN, "id": number} for number in range(1, 4)]
    output, _ = process.process.communicate(
        "".join(json.dumps(line) + "\n" for line in (INITIALIZE, *lines)), timeout=SECONDS
    )
    assert sorted(json.loads(line)["id"] for line in output.splitlines()) == [0, 1, 2, 3]


def test_a_closed_stdin_is_an_empty_one(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "adapter"]
    ended = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", *command],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": SOURCE},
        cwd=tmp_path,
        capture_output=True,
        check=False,
        timeout=SECONDS,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")


def test_a_signal_while_it_is_being_loaded_ends_it_well(tmp_path: Path) -> None:
    process = Process(tmp_path, SLOW_LOAD="1")
    assert process.process.stderr is not None
    assert process.process.stderr.readline() == "loading\n"
    process.process.send_signal(signal.SIGTERM)
    assert process.end() == (0, "", "")
