from __future__ import annotations

import os
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from adapter.demo import agent as module
from adapter.demo.agent import Agent, DemoError

if TYPE_CHECKING:
    from pathlib import Path


def start(code: str, cwd: Path, **options: Any) -> Agent:
    return Agent([sys.executable, "-c", code], dict(os.environ), cwd, **options)


def test_exchanges_messages_line_by_line(tmp_path: Path) -> None:
    with start("import sys\nfor line in sys.stdin:\n    print()\n    print(line, flush=True)", tmp_path) as agent:
        agent.send({"id": 1, "method": "é"})
        assert agent.receive("an echo") == {"jsonrpc": "2.0", "id": 1, "method": "é"}


def test_a_closed_output_is_no_silence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_GRACE", 0.5)
    code = "import os, sys\nos.close(1)\nsys.stdin.read()"
    with start(code, tmp_path) as agent, pytest.raises(DemoError, match="The agent closed its output before"):
        agent.receive("anything")


def test_sending_to_an_agent_that_has_ended_tells_so(tmp_path: Path) -> None:
    with start("raise SystemExit(3)", tmp_path) as agent:
        agent._process.wait(10)
        with pytest.raises(DemoError, match="The agent ended with exit status 3 before"):
            agent.send({"method": "x"})


def receive_for_ever(agent: Agent) -> None:
    while True:
        agent.receive("the end")


def test_an_agent_that_never_comes_to_an_end_meets_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_GRACE", 0.5)
    code = "import time\nwhile True:\n    print('{}', flush=True)\n    time.sleep(0.01)"
    began = time.monotonic()
    with start(code, tmp_path, limit=0.5) as agent:
        agent.extend(0.5)
        with pytest.raises(DemoError, match=r"not finished after 0\.5 seconds, waiting for the end"):
            receive_for_ever(agent)
        assert 1 <= time.monotonic() - began < 5


def test_an_error_carries_the_last_lines_of_stderr(tmp_path: Path) -> None:
    code = "import sys\nfor number in range(100):\n    print('line', number, file=sys.stderr)"
    with pytest.raises(DemoError) as raised, start(code, tmp_path) as agent:
        agent.receive("anything")
    (note,) = raised.value.__notes__
    assert note.splitlines() == [
        "The agent's last lines on its standard error:",
        *(f"line {number}" for number in range(85, 100)),
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("deaf", ["signal.SIGTERM", "signal.SIGINT"])
def test_stops_an_agent_that_goes_on_without_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deaf: str) -> None:
    monkeypatch.setattr(module, "_GRACE", 0.5)
    before = threading.active_count()
    code = f"import signal\nsignal.signal({deaf}, signal.SIG_IGN)\nprint('[]', flush=True)\nsignal.pause()"
    with start(code, tmp_path) as agent:
        agent._lines.get(timeout=10)
        began = time.monotonic()
    assert time.monotonic() - began < 3
    assert agent._process.returncode < 0
    assert threading.active_count() == before


@pytest.mark.skipif(sys.platform == "win32", reason="process groups of POSIX")
def test_stops_what_a_dead_agent_had_started(tmp_path: Path) -> None:
    child = "import sys, subprocess\nsubprocess.Popen(['sleep', '600'])\nprint('[]', flush=True)\nraise SystemExit(1)"
    began = time.monotonic()
    with start(child, tmp_path) as agent:
        agent._lines.get(timeout=10)
    # The child holds the pipes of the agent, so they end only with it.
    assert not any(reader.is_alive() for reader in agent._readers)
    assert time.monotonic() - began < 5
