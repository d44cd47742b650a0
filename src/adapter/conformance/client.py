"""An ACP client: it drives an agent over stdio, answers what the agent asks and records the traffic."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import threading
import time
from collections import deque
from typing import IO, TYPE_CHECKING, Any, Self, TypeVar

from adapter.conformance.answers import ANSWERS, HANG, PERMISSION, Answer, NotOfferedError, split_delay
from adapter.conformance.exchange import ClientError, Exchange
from adapter.conformance.traffic import RAW, RECEIVED, SENT, Entry, Message, Traffic, messages_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from types import TracebackType

T = TypeVar("T")

ANSWER_TIMEOUT = 30.0
CLOSE_TIMEOUT = 15.0
"""Seconds that an agent may take to end: three times the bound that it promises."""
THREAD_TIMEOUT = 5.0
TAIL = 25
TAIL_WIDTH = 400


class AcpClient:
    """A client of one agent process.

    Every line of stdout must be a JSON-RPC message, and every request must be answered once. What breaks that is
    raised as a ``ClientError`` by the next call that waits, and by ``close``.

    Args:
        command: The agent's command line.
        env: The whole environment of the agent.
        cwd: Its working directory.
        version: The ACP version that is spoken.
        pick: Answer to permission requests for which ``answers`` holds none: an option's id or kind.
        answers: Answers to the agent's requests, in the order of the requests (see ``answers``).
    """

    strict = False
    """Whether it is a mistake of the agent that it does not offer a wanted option; if not, the first one is taken."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        env: Mapping[str, str],
        cwd: str | os.PathLike[str],
        version: int = 1,
        pick: str = "allow_once",
        answers: Iterable[Answer] = (),
    ) -> None:
        self.log: list[Entry] = []
        self.stderr: list[str] = []
        self.pick = pick
        self.answers: deque[Answer] = deque(answers)
        self.version = version
        self.times: list[float] = []
        self._begin = time.monotonic()
        self._changed = threading.Condition()
        self._writing = threading.Lock()
        self._last_id = 0
        self._sent: set[int | str] = set()
        self._responses: dict[int | str, Message] = {}
        self._marks: dict[int | str, int] = {}
        self._problems: list[str] = []
        self._ended = False
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(env),
            cwd=cwd,
            start_new_session=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._stdin = self._process.stdin
        self._threads = [
            threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True),
            threading.Thread(target=self._read_stderr, args=(self._process.stderr,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:
            self.kill()
            self._release()

    @property
    def pid(self) -> int:
        """The agent's process id."""
        return self._process.pid

    @property
    def traffic(self) -> Traffic:
        """What has been exchanged so far."""
        with self._changed:
            return Traffic(list(self.log))

    def mark(self) -> int:
        """The length of the log: what is awaited ``since`` this point came after it."""
        return len(self.log)

    def start_request(self, method: str, params: Mapping[str, Any] | None = None) -> Exchange:
        """Sends a request and does not wait for its answer."""
        with self._changed:
            self._last_id += 1
            exchange = Exchange(self._last_id, len(self.log))
            self._sent.add(exchange.id)
        self.send({"jsonrpc": "2.0", "id": exchange.id, "method": method, "params": dict(params or {})})
        return exchange

    def response(self, exchange: Exchange, timeout: float = ANSWER_TIMEOUT) -> Message:
        """Waits for the response to a request, be it a result or an error."""
        return self._wait(lambda: self._responses.get(exchange.id), f"the response to request {exchange.id}", timeout)

    def response_mark(self, exchange: Exchange) -> int:
        """The length of the log when the response to a request had come; the response must have been awaited."""
        return self._marks[exchange.id]

    def result(self, exchange: Exchange, timeout: float = ANSWER_TIMEOUT) -> Any:
        """Waits for the result of a request; an error is a ``ClientError``."""
        response = self.response(exchange, timeout)
        if "error" in response:
            raise self._failure(f"request {exchange.id} failed: {json.dumps(response['error'])}")
        return response["result"]

    def call(self, method: str, params: Mapping[str, Any] | None = None, timeout: float = ANSWER_TIMEOUT) -> Any:
        """Sends a request and returns its result."""
        return self.result(self.start_request(method, params), timeout)

    def notify(self, method: str, params: Mapping[str, Any] | None = None) -> None:
        """Sends a notification."""
        self.send({"jsonrpc": "2.0", "method": method, "params": dict(params or {})})

    def respond(self, request: Message, result: Mapping[str, Any]) -> None:
        """Answers a request of the agent that was left open."""
        self.send({"jsonrpc": "2.0", "id": request["id"], "result": dict(result)})

    def send(self, message: Message) -> None:
        """Sends any message."""
        with self._writing:
            with self._changed:
                self.check_sent(message)
                self._record(Entry(SENT, message))
            self._write(json.dumps(message).encode())

    def send_raw(self, line: str | bytes) -> None:
        """Sends a line as it is, whatever it contains; the agent may answer the requests in it."""
        data = line.encode() if isinstance(line, str) else line
        with self._writing:
            with self._changed:
                self._record(Entry(RAW, {"line": data.decode(errors="replace")}))
                self._sent.update(one["id"] for one in messages_of(data, batches=True) if one.get("id") is not None)
            self._write(data)

    def expect(
        self, matches: Callable[[Message], bool], what: str, *, since: int = 0, timeout: float = ANSWER_TIMEOUT
    ) -> Message:
        """Waits for a message of the agent and returns the first that matches.

        Args:
            matches: Tells whether it is the message.
            what: Its description, for the error.
            since: The mark from which the log is searched.
            timeout: Seconds to wait.
        """
        position = since

        def find() -> Message | None:
            nonlocal position
            while position < len(self.log):
                direction, message = self.log[position]
                position += 1
                if direction == RECEIVED and matches(message):
                    return message
            return None

        return self._wait(find, what, timeout)

    def expect_update(
        self,
        kind: str,
        matches: Callable[[Message], bool] = lambda _: True,
        *,
        session: str | None = None,
        since: int = 0,
        timeout: float = ANSWER_TIMEOUT,
    ) -> Message:
        """Waits for a ``session/update`` of a kind and returns its update."""

        def is_it(message: Message) -> bool:
            if message.get("method") != "session/update":
                return False
            params = message["params"]
            update = params["update"]
            return session in {None, params["sessionId"]} and update["sessionUpdate"] == kind and matches(update)

        update: Message = self.expect(is_it, f"the update {kind!r}", since=since, timeout=timeout)["params"]["update"]
        return update

    def expect_text(self, text: str, *, since: int = 0, timeout: float = ANSWER_TIMEOUT) -> Message:
        """Waits for a message of the agent whose JSON contains a text."""
        return self.expect(
            lambda message: text in json.dumps(message), f"a message with {text!r}", since=since, timeout=timeout
        )

    def check_sent(self, message: Message) -> None:
        """Is told each message before it is sent; here it looks at nothing."""

    def check_received(self, message: Message) -> str | None:  # noqa: ARG002 - for clients that look closer.
        """What is wrong with a message of the agent, if anything; here JSON-RPC is enough."""
        return None

    def quiet(self, seconds: float, limit: float) -> None:
        """Waits until nothing has been said for some seconds, or until the limit (seconds) is over."""
        deadline = time.monotonic() + limit
        with self._changed:
            while not self._ended:
                last = self._begin + (self.times[-1] if self.times else 0)
                left = min(last + seconds, deadline) - time.monotonic()
                if left <= 0:
                    return
                self._changed.wait(left)

    def kill(self) -> None:
        """Ends the agent and what it started in its process group, at once."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def close(self, timeout: float = CLOSE_TIMEOUT) -> int:
        """Closes the agent's stdin and returns its exit status (negative: the signal that ended it).

        Raises:
            ClientError: It did not end in time, or broke a rule during its life.
        """
        self._close_stdin()
        return self.wait_exit(timeout)

    def wait_exit(self, timeout: float = CLOSE_TIMEOUT) -> int:
        """Waits until the agent ends by itself and returns its exit status; raises what ``close`` raises."""
        try:
            status = self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.kill()
            self._release()
            raise self._failure(f"the agent did not end within {timeout:g} s") from None
        self._release()
        with self._changed:
            self._raise_problems()
        return status

    def send_signal(self, number: int) -> None:
        """Sends a signal to the agent."""
        self._process.send_signal(number)

    def _record(self, entry: Entry) -> None:
        self.log.append(entry)
        self.times.append(time.monotonic() - self._begin)

    def _write(self, data: bytes) -> None:
        try:
            self._stdin.write(data + b"\n")
            self._stdin.flush()
        except BrokenPipeError:
            raise self._failure("the agent does not read its stdin any more") from None

    def _read(self, stdout: IO[bytes]) -> None:
        with stdout:
            for line in stdout:
                for message in self._parse(line):
                    if "method" in message and "id" in message:
                        self._answer(message)
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def _read_stderr(self, stderr: IO[bytes]) -> None:
        with stderr:
            for line in stderr:
                self.stderr.append(line.decode(errors="replace"))

    def _parse(self, line: bytes) -> list[Message]:
        """Records the messages of one line of stdout; none if it is no message."""
        with self._changed:
            messages = messages_of(line, batches=self.version > 1)
            if not messages:
                self._problems.append(f"a line on stdout is no JSON-RPC message: {line[:TAIL_WIDTH]!r}")
            for message in messages:
                self._record(Entry(RECEIVED, message))
                self._check(message)
            self._changed.notify_all()
            return messages

    def _check(self, message: Message) -> None:
        problem = self.check_received(message)
        if problem is not None:
            self._problems.append(f"the agent sent an invalid message: {problem}")
        if "method" in message or message["id"] is None:
            return
        if message["id"] not in self._sent:
            self._problems.append(f"a response to a request that was not sent: {message['id']!r}")
        elif message["id"] in self._responses:
            self._problems.append(f"a second response to request {message['id']}")
        else:
            self._responses[message["id"]] = message
            self._marks[message["id"]] = len(self.log)

    def _answer(self, request: Message) -> None:
        """Answers a request of the agent, now or later, or leaves it open."""
        method, params = request["method"], request.get("params", {})
        if method not in ANSWERS:
            self._send_answer(request, {"error": {"code": -32601, "message": "Method not found"}})
            return
        answer = self.answers.popleft() if self.answers else self.pick if method == PERMISSION else "accept"
        answer, delay = split_delay(answer)
        if answer == HANG:
            return
        try:
            body = {"result": ANSWERS[method](answer, params)}
        except NotOfferedError as error:
            if self.strict:
                self._report(str(error))
                return
            body = {"result": error.first}
        except (LookupError, TypeError, AttributeError) as error:
            self._report(f"a request {method} has not the shape that an answer needs: {error!r}")
            return
        if delay:
            timer = threading.Timer(delay, self._send_answer, (request, body))
            timer.daemon = True
            timer.start()
        else:
            self._send_answer(request, body)

    def _send_answer(self, request: Message, body: Message) -> None:
        """Sends an answer from a thread of its own; that the agent has ended is told to those who wait for it."""
        with contextlib.suppress(ClientError, ValueError):
            self.send({"jsonrpc": "2.0", "id": request["id"], **body})

    def _report(self, problem: str) -> None:
        with self._changed:
            self._problems.append(problem)
            self._changed.notify_all()

    def _wait(self, ready: Callable[[], T | None], what: str, timeout: float) -> T:
        deadline = time.monotonic() + timeout
        with self._changed:
            while True:
                self._raise_problems()
                found = ready()
                if found is not None:
                    return found
                if self._ended:
                    raise self._failure(f"the agent closed its stdout before {what}")
                remaining = deadline - time.monotonic()
                if remaining <= 0:
                    raise self._failure(f"{what} did not come within {timeout:g} s")
                self._changed.wait(remaining)

    def _raise_problems(self) -> None:
        if self._problems:
            raise self._failure("\n".join(self._problems))

    def _failure(self, what: str) -> ClientError:
        lines = [f"  {entry.direction} {json.dumps(entry.message)[:TAIL_WIDTH]}" for entry in self.log[-TAIL:]]
        stderr = [f"  {line.rstrip()}" for line in self.stderr[-TAIL:]]
        return ClientError(what, ["the last messages:", *lines, "the end of stderr:", *stderr])

    def _close_stdin(self) -> None:
        with contextlib.suppress(BrokenPipeError):
            self._stdin.close()

    def _release(self) -> None:
        """Waits until all that the ended agent wrote has been read, and closes the pipes."""
        self._process.wait()
        self._close_stdin()
        for thread in self._threads:
            thread.join(THREAD_TIMEOUT)
