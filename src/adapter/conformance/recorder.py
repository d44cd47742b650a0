"""Takes an agent through a scenario and records it, whatever the agent does."""

from __future__ import annotations

import os
import re
import shutil
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from adapter.conformance import processes
from adapter.conformance.exchange import ClientError
from adapter.conformance.neutral import Neutral
from adapter.conformance.place import ADAPTER, bundled_cli
from adapter.conformance.player import Playing, play
from adapter.conformance.recording import Entry, Recording, introduced
from adapter.conformance.scenario import FOLDER
from adapter.scripted import ScriptError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adapter.conformance.client import AcpClient

SETTLE = 0.4
"""Seconds of silence after a turn."""
DELETE_TIMEOUT = 5.0
GONE_TIMEOUT = 10.0
LINES_OF_STDERR = 5


class Recorded(NamedTuple):
    """A recording, and what the agent wrote to its stderr last; seconds are how long it took."""

    recording: Recording
    stderr: tuple[str, ...]
    seconds: float


class Recorder:
    """Records scenarios; threads may share it.

    Args:
        command: The agent's command line.
        root: An existing folder for the homes and workspaces, one below it a recording.
    """

    def __init__(self, command: Sequence[str], root: Path) -> None:
        self._command = list(command)
        self._root = root.resolve()
        self._lock = threading.Lock()
        self._clients: set[AcpClient] = set()
        self._stopped = False

    def record(self, scenario: Mapping[str, Any], profile: str) -> Recorded:
        """Plays a scenario and records it; that it fails is told by the recording."""
        begin = time.monotonic()
        folder = self._root / f"{scenario['name']}.{profile}"
        temporary = folder / "tmp"
        temporary.mkdir(parents=True)
        run = _Run(self, folder)
        env = dict.fromkeys(("TMPDIR", "TMP", "TEMP", "CLAUDE_CODE_TMPDIR"), str(temporary))
        if self._command != ADAPTER and (cli := bundled_cli()) is not None:
            env["CLAUDE_CODE_EXECUTABLE"] = str(cli)
        how = Playing(self._command, env=env, settle=SETTLE, started=run.started)
        failed, status, files = None, None, dict[str, str]()
        try:
            outcome = play(scenario, profile, folder, how)
            wanted = scenario.get("check_files", [])
            status, files = outcome.status, {name: text for name, text in outcome.files.items() if name in wanted}
        except ClientError as error:
            failed = error.reason
        except OSError as error:
            failed = f"the agent cannot be started: {error}"
        except ScriptError as error:
            failed = f"the scenario is wrong: {error}"
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            failed = f"what the agent said has not the shape that a step needs: {error!r}"
        finally:
            run.clean_up()
        entries = run.entries(self._command)
        recording = Recording(str(scenario["name"]), profile, entries, failed, status, files, introduced(entries))
        return Recorded(recording, run.stderr(), time.monotonic() - begin)

    def stop(self) -> None:
        """Ends every agent that runs, and every one that would be started from now on."""
        with self._lock:
            self._stopped = True
            clients = list(self._clients)
        for client in clients:
            client.kill()

    def started(self, client: AcpClient) -> None:
        """Is told of a client whose agent runs."""
        with self._lock:
            self._clients.add(client)
            stopped = self._stopped
        if stopped:
            client.kill()

    def ended(self, client: AcpClient) -> None:
        """Is told of a client whose agent has ended."""
        with self._lock:
            self._clients.discard(client)


class _Run:
    """One run: its client, and the folder that it leaves behind."""

    def __init__(self, recorder: Recorder, folder: Path) -> None:
        self._recorder = recorder
        self._folder = folder
        self._client: AcpClient | None = None
        self._port = 0

    def started(self, client: AcpClient, port: int) -> None:
        self._client, self._port = client, port
        self._recorder.started(client)

    def entries(self, command: Sequence[str]) -> tuple[Entry, ...]:
        """The whole log, with stable names in it."""
        if self._client is None:
            return ()
        log = zip(self._client.times, self._client.traffic.entries, strict=False)
        entries = [
            Entry(seconds, entry.direction, entry.message["line"] if entry.direction == ">raw" else entry.message)
            for seconds, entry in log
        ]
        return tuple(Neutral(names(self._folder, command), self._port).entries(entries))

    def stderr(self) -> tuple[str, ...]:
        return tuple(self._client.stderr[-LINES_OF_STDERR:]) if self._client is not None else ()

    def clean_up(self) -> None:
        """Ends what the agent left running, and deletes the folder."""
        if self._client is not None:
            self._recorder.ended(self._client)
        home = str(self._folder / "home")
        processes.kill(processes.marked("HOME", home))
        processes.wait_until_gone(lambda: processes.marked("HOME", home), GONE_TIMEOUT)
        processes.wait_until(self._deleted, DELETE_TIMEOUT)

    def _deleted(self) -> bool:
        shutil.rmtree(self._folder, ignore_errors=True)
        return not self._folder.exists()


def names(folder: Path, command: Sequence[str]) -> dict[str, str]:
    """The paths of a run and their stable names, the longest first where one is part of another."""
    workspace, home = str(folder / "workspace"), str(folder / "home")
    texts = {workspace: "<cwd>", home: "<home>", _slug(workspace): "<cwd-slug>", _slug(home): "<home-slug>"}
    # Claude Code makes its own folder in the one for temporary files and names it after the user.
    texts |= {str(folder / "tmp" / f"claude-{os.getuid()}"): "<tmp>", str(folder): "<folder>", str(FOLDER): "<lib>"}
    if (cli := bundled_cli()) is not None:
        texts[str(cli)] = "<cli>"
    own = zip(command, ("<adapter-runtime>", "<adapter-entry>"), strict=False)
    texts |= {path: name for path, name in own if Path(path).is_absolute() and path != sys.executable}
    return {**texts, sys.executable: "<python>"}


def _slug(path: str) -> str:
    """How Claude Code names a project's folder."""
    return re.sub("[^a-zA-Z0-9]", "-", path)
