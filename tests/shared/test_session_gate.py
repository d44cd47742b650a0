"""What waits for a session."""

from __future__ import annotations

from typing import Any

from adapter.shared.jsonrpc.errors import ClientMistake
from adapter.shared.jsonrpc.messages import Notification, Request
from adapter.shared.session_gate import SessionGate


class World:
    """A gate, and what came through it."""

    def __init__(self) -> None:
        self.served: list[Any] = []
        self.failed: list[tuple[Any, str]] = []
        self.gate = SessionGate(self._fail, self._serve)

    def _fail(self, identity: Any, error: BaseException) -> None:
        assert isinstance(error, ClientMistake)
        self.failed.append((identity, error.message))

    def _serve(self, message: Any) -> None:
        self.served.append(message)
        if message.method == "session/load":
            self.gate.close("s")


def request(number: int, method: str = "session/prompt", session: object = "s") -> Request:
    return Request(number, method, {"sessionId": session})


def test_only_what_is_for_a_closed_session_waits() -> None:
    world = World()
    world.gate.close("s")
    assert world.gate.keeps(request(1))
    assert not world.gate.keeps(request(2, session="other"))
    assert not world.gate.keeps(request(3, session=["s"]))
    assert not world.gate.keeps(Request(4, "session/list", None))
    world.gate.open("s")
    assert world.served == [request(1)]
    assert not world.gate.keeps(request(5))


def test_what_waited_goes_on_in_order_until_the_session_is_closed_again() -> None:
    world = World()
    world.gate.close("s")
    cancel = Notification("session/cancel", {"sessionId": "s"})
    messages: list[Request | Notification] = [request(1), cancel, request(2, "session/load"), request(3)]
    assert all(world.gate.keeps(message) for message in messages)
    world.gate.open("s")
    assert world.served == messages[:3]
    world.gate.open("s")
    assert world.served == messages


def test_a_request_that_waits_can_be_cancelled() -> None:
    world = World()
    world.gate.close("s")
    world.gate.keeps(request(1))
    world.gate.keeps(Notification("session/cancel", {"sessionId": "s"}))
    assert world.gate.cancel(1)
    assert not world.gate.cancel(1)
    assert world.failed == [(1, "Request cancelled")]


def test_at_the_end_every_request_that_waits_is_answered() -> None:
    world = World()
    world.gate.close("s")
    world.gate.keeps(request(1))
    world.gate.keeps(Notification("session/cancel", {"sessionId": "s"}))
    world.gate.give_up()
    world.gate.open("s")
    assert world.failed == [(1, "the adapter is ending")]
    assert world.served == []
