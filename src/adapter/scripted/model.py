"""The scripted model: an Anthropic Messages API on loopback that answers from scripts.

A prompt names its script as ``[[name]]``; ``adapter.scripted.script`` describes the format.
"""

from __future__ import annotations

import contextlib
import json
import socket
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from adapter.scripted.answers import Answer, choose_answer
from adapter.scripted.messages import events, message
from adapter.scripted.script import Scripts, parse_scripts

if TYPE_CHECKING:
    from collections.abc import Mapping


class ModelRequest(NamedTuple):
    """A POST request that the model got: its path, with the query, and its JSON body."""

    path: str
    body: dict[str, Any]


class ScriptedModel:
    """Serves scripts on a free port of 127.0.0.1 while its ``with`` block runs.

    Args:
        scripts: Scripts by name, as JSON values.

    Raises:
        ScriptError: A script does not follow the format.
    """

    def __init__(self, scripts: Mapping[str, Any]) -> None:
        self._scripts = parse_scripts(scripts)
        self._server: _Server | None = None
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        self._server = _Server(self._scripts)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._running.stop()
        if self._thread is not None:
            self._thread.join()

    @property
    def port(self) -> int:
        """The TCP port; known once the model serves."""
        return self._running.server_address[1]

    @property
    def requests(self) -> list[ModelRequest]:
        """What was asked so far, in order; it can still be read when the model has stopped."""
        return self._running.snapshot()

    @property
    def _running(self) -> _Server:
        if self._server is None:
            raise RuntimeError("The scripted model has not been started: use it in a with block")
        return self._server


class _Server(ThreadingHTTPServer):
    # Handlers are joined when the server closes; stop() wakes those that wait, so that this takes no time.
    daemon_threads = False
    server_address: tuple[str, int]

    def __init__(self, scripts: Scripts) -> None:
        self.scripts = scripts
        self.stopping = threading.Event()
        self._lock = threading.Lock()
        self._requests: list[ModelRequest] = []
        self._connections: set[socket.socket] = set()
        super().__init__(("127.0.0.1", 0), _Handler)

    def stop(self) -> None:
        self.stopping.set()
        self.shutdown()
        with self._lock:
            for connection in self._connections:
                # Its client may be gone already.
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
        self.server_close()

    def record(self, request: ModelRequest) -> None:
        with self._lock:
            self._requests.append(request)

    def snapshot(self) -> list[ModelRequest]:
        with self._lock:
            return list(self._requests)

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._lock:
            self._connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._connections.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        # Claude Code drops the connection of a request that it gives up, and stop() cuts those that are left.
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name in the standard library
        """Says nothing: the standard error belongs to the program that runs the model."""

    def do_HEAD(self) -> None:
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def do_GET(self) -> None:
        self._send_json({"data": [], "has_more": False})

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        try:
            body = json.loads(raw)
        except ValueError:
            self._send_json(_api_error("invalid_request_error", "The body is not JSON"), 400)
            return
        self.server.record(ModelRequest(self.path, body))
        if "count_tokens" in self.path:
            self._send_json({"input_tokens": 1234})
        elif "/v1/messages" in self.path:
            self._answer(body, choose_answer(body, self.server.scripts))
        else:
            self._send_json({})

    def _answer(self, body: dict[str, Any], answer: Answer) -> None:
        self.server.stopping.wait(answer.step.delay)
        if answer.step.error is not None:
            self._send_json({"type": "error", "error": answer.step.error}, answer.step.status)
        elif body.get("stream"):
            self._stream(answer, body.get("model"))
        else:
            self._send_json(message(answer, body.get("model")))

    def _stream(self, answer: Answer, model: str | None) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        for name, data, pause in events(answer, model):
            text = f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n"
            self.wfile.write(text.encode())
            if pause:
                self.server.stopping.wait(pause)

    def _send_json(self, value: dict[str, Any], status: int = 200) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _api_error(kind: str, text: str) -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": text}}
