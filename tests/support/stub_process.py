"""The process of the Claude Code double (``support.stub_cli`` is the side that tests see).

It speaks stream-json like Claude Code and plays the script that the environment variable STUB_SCRIPT names: a list of
actions for its start, for each control request by subtype, and for each prompt by number. An action is an object with
one key, a name of ``PLAYERS``. Each list is played in a thread of its own, so that a list that waits holds up no other.
Everything that the host says is appended to STUB_LOG, one JSON object a line.
"""

from __future__ import annotations

import base64
import json
import os
import signal
import sys
import threading
import time
import uuid
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

Frame = dict[str, Any]
Action = dict[str, Any]

LIFETIME = 300
"""Seconds after which a forgotten double ends itself."""
POLL = 0.01
LOGGED_VARIABLES = ("CLAUDE", "ANTHROPIC_", "IS_SANDBOX", "DISABLE_", "MAX_THINKING_TOKENS", "MCP_")


class Log:
    """The file in which tests read what happened to the double."""

    def __init__(self, path: Path) -> None:
        self._path = path
        # A signal is logged by the main thread, perhaps in the middle of another entry.
        self._lock = threading.RLock()

    def write(self, kind: str, value: object) -> None:
        """Appends one entry: its kind, the process id, and a JSON value."""
        line = json.dumps({"kind": kind, "pid": os.getpid(), "value": value}) + "\n"
        with self._lock, self._path.open("a") as file:
            file.write(line)


class Double:
    """The state of the double: what has happened so far, and where frames go."""

    def __init__(self, script: dict[str, Any], log: Log, session: str) -> None:
        self.script = script
        self.log = log
        self.session = session
        self.prompts: list[Frame] = []
        self.silent = False
        self.happened: Counter[str] = Counter()
        self.changed = threading.Condition()
        self._output = threading.Lock()

    def post(self, event: str) -> None:
        """Notes that an event has happened."""
        with self.changed:
            self.happened[event] += 1
            self.changed.notify_all()

    def write(self, data: bytes) -> None:
        """Writes bytes on stdout, unless the double has gone silent or nobody reads any more."""
        with self._output:
            if self.silent:
                return
            try:
                sys.stdout.buffer.write(data)
                sys.stdout.buffer.flush()
            except (BrokenPipeError, ValueError):
                self.silent = True

    def emit(self, frame: Frame) -> None:
        """Writes one frame as a line."""
        self.write(json.dumps(frame).encode() + b"\n")


class Player:
    """Plays one list of actions.

    Args:
        double: The double.
        prompt: The number of the prompt that the list belongs to, from 1; 0 for a list of no prompt.
        request: The control request that the list answers.
    """

    def __init__(self, double: Double, prompt: int = 0, request: Frame | None = None) -> None:
        self.double = double
        self.prompt = prompt
        self.request = request or {}
        # A wait means an event that comes after the list began: what happened before is taken as consumed.
        with double.changed:
            self._consumed = Counter(double.happened)

    def play(self, actions: list[Action]) -> None:
        """Plays the actions, one after the other."""
        for action in actions:
            ((name, value),) = action.items()
            PLAYERS[name](self, value)

    def fill(self, value: Any) -> Any:
        """Replaces the placeholders in a frame (see ``_placeholder``)."""
        if isinstance(value, dict):
            return {key: self.fill(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.fill(item) for item in value]
        if isinstance(value, str) and value.startswith("@") and value.endswith("@"):
            return self._placeholder(value.strip("@"), value)
        return value

    def _placeholder(self, name: str, original: str) -> Any:
        """What a placeholder stands for.

        @SESSION@, @CWD@, @UUID@ (a fresh one); @PROMPT@ and @MESSAGE@: the uuid and the message of the prompt that the
        list belongs to, or of the one whose number follows a colon; @MERGED:2,3@: the messages of prompts as one;
        @REPLY:1@: the id of the first API message that answers the prompt.
        """
        kind, _, argument = name.partition(":")
        fixed = {"SESSION": self.double.session, "CWD": str(Path.cwd()), "UUID": str(uuid.uuid4())}
        if kind in fixed:
            return fixed[kind]
        if kind == "REPLY":
            return f"msg_{self.prompt}_{argument}"
        if kind in {"PROMPT", "MESSAGE", "MERGED"}:
            numbers = [int(number) for number in argument.split(",")] if argument else [self.prompt]
            prompts = [self.double.prompts[number - 1] for number in numbers]
            return prompts[0].get("uuid") if kind == "PROMPT" else merged([prompt["message"] for prompt in prompts])
        return original

    def wait_for(self, event: str) -> None:
        """Waits for the next occurrence of an event, or for a file (``file:PATH``)."""
        if event.startswith("file:"):
            while not Path(event.removeprefix("file:")).exists():
                time.sleep(POLL)
            return
        wanted = self._consumed[event] + 1
        with self.double.changed:
            self.double.changed.wait_for(lambda: self.double.happened[event] >= wanted)
        self._consumed[event] = wanted

    def answer(self, subtype: str, fields: Frame) -> None:
        """Answers the control request."""
        response = {"subtype": subtype, "request_id": self.request["request_id"], **fields}
        self.double.emit({"type": "control_response", "response": response})


def merged(messages: list[Frame]) -> Frame:
    """One message with the content of several."""
    if len(messages) == 1:
        return messages[0]
    blocks: list[Frame] = []
    for message in messages:
        content = message["content"]
        blocks += [{"type": "text", "text": content}] if isinstance(content, str) else content
    return {"role": "user", "content": blocks}


def _emit(player: Player, frame: Frame) -> None:
    player.double.emit(player.fill(frame))


def _wait(player: Player, event: str) -> None:
    player.wait_for(event)


def _post(player: Player, event: str) -> None:
    player.double.post(event)


def _answer(player: Player, response: Any) -> None:
    player.answer("success", {"response": player.fill(response)})


def _fail(player: Player, error: Frame) -> None:
    player.answer("error", error)


def _raw(player: Player, data: str) -> None:
    player.double.write(base64.b64decode(data))


def _stderr(player: Player, text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()


def _kill(player: Player, number: int) -> None:
    os.kill(os.getpid(), number)


def _exit(player: Player, status: int) -> None:
    os._exit(status)


def _silence(player: Player, value: bool) -> None:
    player.double.silent = value


def _close_stdout(player: Player, value: bool) -> None:
    player.double.silent = value
    os.close(1)


PLAYERS: dict[str, Callable[[Player, Any], None]] = {
    "emit": _emit,
    "wait": _wait,
    "post": _post,
    "answer": _answer,
    "fail": _fail,
    "raw": _raw,
    "stderr": _stderr,
    "kill": _kill,
    "exit": _exit,
    "silence": _silence,
    "close_stdout": _close_stdout,
}


def on_control_request(double: Double, frame: Frame) -> None:
    """Answers a control request as the script says, or with the default answer; then the event is posted."""
    subtype = frame["request"]["subtype"]
    player = Player(double, request=frame)
    scripted = double.script["controls"].get(subtype)
    if scripted:
        actions = scripted.pop(0) if len(scripted) > 1 else scripted[0]
        play_beside(player, [*actions, {"post": f"control:{subtype}"}])
    else:
        player.play([default_answer(double, frame["request"]), {"post": f"control:{subtype}"}])


def play_beside(player: Player, actions: list[Action]) -> None:
    """Plays actions in a thread of their own."""
    threading.Thread(target=player.play, args=(actions,), daemon=True).start()


def default_answer(double: Double, request: Frame) -> Action:
    """What Claude Code answers when all is well."""
    subtype = request["subtype"]
    echoed = {"set_permission_mode": "mode", "set_model": "model"}
    if subtype in echoed:
        return {"answer": {echoed[subtype]: request.get(echoed[subtype])}}
    defaults = double.script["defaults"]
    if subtype in defaults:
        return {"answer": defaults[subtype]}
    error = {"error": f"Unsupported control request subtype: {subtype}", "error_code": "unsupported_request"}
    return {"fail": error}


def on_prompt(double: Double, frame: Frame) -> None:
    """Plays the list of this prompt; prompts beyond the script's get its ``otherwise``."""
    double.prompts.append(frame)
    double.post("prompt")
    number = len(double.prompts)
    scripted = double.script["prompts"]
    actions = scripted[number - 1] if number <= len(scripted) else double.script["otherwise"]
    play_beside(Player(double, number), actions)


def on_control_response(double: Double, frame: Frame) -> None:
    """Echoes an answer of the host, as --replay-user-messages does, and posts it."""
    double.emit(frame)
    double.post(f"answer:{frame['response']['request_id']}")


def on_line(double: Double, line: bytes) -> None:
    """Logs and handles one line of the host; one that is not JSON ends the double, as it ends Claude Code."""
    try:
        frame = json.loads(line)
    except ValueError:
        double.log.write("garbage", line.decode(errors="replace"))
        sys.stderr.write("Error parsing streaming input line\n")
        sys.stderr.flush()
        os._exit(1)
    double.log.write("line", frame)
    handlers = {"control_request": on_control_request, "user": on_prompt, "control_response": on_control_response}
    if frame.get("type") in handlers:
        handlers[frame["type"]](double, frame)


def session_of(arguments: list[str]) -> str:
    """The session id that the command line asks for, or a fresh one; a fork's own id wins over the resumed one."""
    for name in ("--session-id", "--resume"):
        for index, argument in enumerate(arguments):
            if argument.startswith(f"{name}="):
                return argument.partition("=")[2]
            if argument == name and index + 1 < len(arguments):
                return arguments[index + 1]
    return str(uuid.uuid4())


def serve(double: Double) -> None:
    """Plays the start, then handles stdin until it ends."""
    for name in double.script["ignored_signals"]:
        signal.signal(signal.Signals[name], lambda number, _: double.log.write("signal", signal.Signals(number).name))
    Player(double).play(double.script["start"])
    for line in sys.stdin.buffer:
        on_line(double, line)
    double.log.write("eof", None)
    double.post("eof")
    Player(double).play(double.script["end"])


def main() -> None:
    """Answers ``--version`` and ``auth status``, or serves a session."""
    signal.alarm(LIFETIME)
    signal.signal(signal.SIGINT, lambda *_: os._exit(0))
    arguments = sys.argv[1:]
    script = json.loads(Path(os.environ["STUB_SCRIPT"]).read_text())
    log = Log(Path(os.environ["STUB_LOG"]))
    environment = {name: value for name, value in os.environ.items() if name.startswith(LOGGED_VARIABLES)}
    log.write("start", {"argv": arguments, "cwd": str(Path.cwd()), "env": environment})
    if arguments[:1] == ["auth"]:
        print(json.dumps(script["auth"]))
    elif {"--version", "-v"} & set(arguments):
        print(f"{script['version']} (Claude Code)")
    else:
        serve(Double(script, log, session_of(arguments)))
        sys.stdout.flush()
        # A list that still waits must not keep the process: Claude Code, too, ends with its stdin.
        os._exit(0)


if __name__ == "__main__":
    main()
