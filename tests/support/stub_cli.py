"""A double of Claude Code for tests: a script that reads as a sentence, and what the adapter wrote to the double.

    script = StubScript()
    script.on_prompt().begins().streams("Hello ").waits_for_interrupt().is_interrupted()
    stub = StubCli(tmp_path, script)
    with AcpClient(command, env={**env, **stub.environment}, cwd=tmp_path) as client: ...
    assert stub.controls("interrupt")

A part (of the start, of a prompt, of a control request) is a list of actions that ``support.stub_process`` plays. The
frames and their order are those of Claude Code 2.1.332.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adapter.conformance.processes import wait_until
from support.stub_defaults import DEFAULT_CONTROLS
from support.stub_frames import Part

if TYPE_CHECKING:
    from collections.abc import Callable

Frame = dict[str, Any]

VERSION = "2.1.332"
LINE_TIMEOUT = 15.0


class StubScript:
    """What the double does.

    Attributes:
        version: The version that it reports on the command line and in its ``initialize`` answer.
        auth: Its answer to ``auth status --json``.
        defaults: The answers to control requests, by subtype, that no part is scripted for.
    """

    def __init__(self, version: str = VERSION) -> None:
        self.version = version
        self.auth: Frame = {"loggedIn": True, "authMethod": "api_key", "apiProvider": "firstParty"}
        self.defaults: Frame = json.loads(json.dumps(DEFAULT_CONTROLS))
        self.defaults["initialize"]["claude_code_version"] = version
        self._start = Part(0)
        self._end = Part(0)
        self._otherwise = Part(0).begins().streams("Done.").finishes()
        self._prompts: list[Part] = []
        self._controls: dict[str, list[Part]] = {}
        self._ignored: list[str] = []
        self.on_control("end_session").answers({}).exits(0)

    def on_start(self) -> Part:
        """What it does before it reads stdin; it can wait for files only."""
        return self._start

    def on_end(self) -> Part:
        """What it does when its stdin has ended, before it exits with status 0."""
        return self._end

    def on_prompt(self) -> Part:
        """What it does with the next prompt: the first call is for the first prompt, and so on."""
        self._prompts.append(Part(len(self._prompts) + 1))
        return self._prompts[-1]

    def otherwise(self) -> Part:
        """What it does with prompts that no part is scripted for, instead of a short answer."""
        self._otherwise = Part(0)
        return self._otherwise

    def on_control(self, subtype: str) -> Part:
        """What it does with the next control request of a subtype; the last part serves all that follow.

        A part without an answer leaves the request unanswered.
        """
        part = Part(0)
        self._controls.setdefault(subtype, []).append(part)
        return part

    def ignores_signals(self, *names: str) -> None:
        """Survives signals, such as ``SIGTERM``, and logs them."""
        self._ignored += names

    def to_json(self) -> Frame:
        """The script as ``support.stub_process`` reads it."""
        return {
            "version": self.version,
            "auth": self.auth,
            "defaults": self.defaults,
            "start": self._start.actions,
            "end": self._end.actions,
            "otherwise": self._otherwise.actions,
            "prompts": [part.actions for part in self._prompts],
            "controls": {name: [part.actions for part in parts] for name, parts in self._controls.items()},
            "ignored_signals": self._ignored,
        }


class StubCli:
    """An installed double.

    Args:
        folder: Where its files are written.
        script: What it does.

    Attributes:
        executable: The program.
        environment: What makes an adapter start it.
    """

    def __init__(self, folder: Path, script: StubScript) -> None:
        self._folder = folder
        self._log = folder / "stub-log.jsonl"
        self._log.write_text("")
        script_file = folder / "stub-script.json"
        script_file.write_text(json.dumps(script.to_json()))
        self.executable = folder / "claude-double"
        lines = [
            f"#!{sys.executable} -IS",
            "import sys",
            f"sys.path.insert(0, {str(Path(__file__).parent)!r})",
            "from stub_process import main",
            "main()",
        ]
        self.executable.write_text("\n".join([*lines, ""]))
        self.executable.chmod(0o755)
        self.environment = {
            "CLAUDE_CODE_EXECUTABLE": str(self.executable),
            "STUB_SCRIPT": str(script_file),
            "STUB_LOG": str(self._log),
        }

    def signal_file(self, name: str) -> Path:
        """A file for ``waits_for_file``; the double goes on when a test creates it."""
        return self._folder / name

    def entries(self, kind: str) -> list[Any]:
        """The values of the log's entries of a kind: start, line, garbage, signal, eof."""
        entries = [json.loads(line) for line in self._log.read_text().splitlines()]
        return [entry["value"] for entry in entries if entry["kind"] == kind]

    def starts(self) -> list[Frame]:
        """The starts for a session: ``argv``, ``cwd`` and the chosen variables of ``env`` of each."""
        return [start for start in self.entries("start") if "stream-json" in start["argv"]]

    def lines(self, kind: str) -> list[Frame]:
        """What the adapter wrote, of a type: user, control_request, control_response."""
        return [line for line in self.entries("line") if line["type"] == kind]

    def prompts(self) -> list[Frame]:
        """The prompts that the adapter wrote."""
        return self.lines("user")

    def controls(self, subtype: str) -> list[Frame]:
        """The ``request`` objects of the control requests of a subtype."""
        requests = [line["request"] for line in self.lines("control_request")]
        return [request for request in requests if request["subtype"] == subtype]

    def answers(self, request_id: str) -> list[Frame]:
        """The ``response`` objects that the adapter gave to a control request of the double."""
        responses = [line["response"] for line in self.lines("control_response")]
        return [response for response in responses if response["request_id"] == request_id]

    def wait_for(self, found: Callable[[StubCli], object], what: str, timeout: float = LINE_TIMEOUT) -> None:
        """Waits until the log shows something.

        Raises:
            AssertionError: It does not within ``timeout`` seconds.
        """
        if not wait_until(lambda: bool(found(self)), timeout):
            raise AssertionError(f"the double did not see {what}; its log:\n{self._log.read_text()}")
