"""The client notices what an adapter does wrong, and answers what an adapter asks."""

from __future__ import annotations

import json
import os
import sys
import textwrap
import time
from typing import TYPE_CHECKING, Any

import pytest

from adapter.conformance.answers import elicitation_answer, first_choice, permission_answer
from adapter.conformance.client import AcpClient as Client
from adapter.conformance.traffic import is_json_rpc
from support.client import AcpClient, ClientError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# An adapter whose behaviour is the body of the loop over the client's messages.
PROGRAM = """
import json, sys
def send(**fields): print(json.dumps({"jsonrpc": "2.0", **fields}), flush=True)
for line in sys.stdin:
    message = json.loads(line)
"""
OPTIONS = [
    {"optionId": "yes", "name": "Yes", "kind": "allow_once"},
    {"optionId": "no", "name": "No", "kind": "reject_once"},
]
ASK = {
    "sessionId": "s1",
    "toolCall": {"toolCallId": "t1", "title": "Run", "kind": "execute", "status": "pending"},
    "options": OPTIONS,
}


def adapter(folder: Path, body: str, make: Callable[..., Client] = AcpClient, **options: Any) -> Client:
    program = folder / "adapter.py"
    program.write_text(PROGRAM + textwrap.indent(textwrap.dedent(body), "    "))
    return make([sys.executable, str(program)], env=dict(os.environ), cwd=folder, **options)


def test_a_request_gets_its_own_answer(tmp_path: Path) -> None:
    with adapter(tmp_path, "send(id=message['id'], result={'of': message['params']['name']})") as client:
        first = client.start_request("_test/one", {"name": "one"})
        assert client.call("_test/two", {"name": "two"}) == {"of": "two"}
        assert client.result(first) == {"of": "one"}
        assert client.close() == 0
    assert client.traffic.response_counts() == {1: 1, 2: 1}


def test_an_error_is_a_response_and_no_result(tmp_path: Path) -> None:
    with adapter(tmp_path, "send(id=message['id'], error={'code': -32603, 'message': 'broken'})") as client:
        exchange = client.start_request("_test/one")
        assert client.response(exchange)["error"]["message"] == "broken"
        with pytest.raises(ClientError, match="broken"):
            client.result(exchange)


@pytest.mark.parametrize(
    "line", ["hello", "[]", "[{}]", '{"id": 1}', '{"jsonrpc": "2.0", "id": 1, "result": 1, "error": 2}']
)
def test_a_stray_line_on_stdout_fails_the_test(tmp_path: Path, line: str) -> None:
    client = adapter(tmp_path, f"print({line!r}, flush=True)")
    with pytest.raises(ClientError, match="no JSON-RPC message"), client:
        client.call("_test/one")


def test_the_batch_of_a_v2_agent_is_taken_apart(tmp_path: Path) -> None:
    body = """
    one = lambda asked: {"jsonrpc": "2.0", "id": asked["id"], "result": {}}
    print(json.dumps([one(asked) for asked in message] if isinstance(message, list) else one(message)), flush=True)
    """
    batch = [{"jsonrpc": "2.0", "id": name, "method": "_test"} for name in ("a", "b")]
    with adapter(tmp_path, body, make=Client, version=2) as client:
        client.call("_test/one")
        client.send_raw(json.dumps(batch))
        client.expect(lambda message: message.get("id") == "b", "the second response")
        assert client.call("_test/two") == {}
    assert [message["id"] for message in client.traffic.received()] == [1, "a", "b", 2]


@pytest.mark.parametrize("line", ["[]", '[{"jsonrpc": "2.0", "id": 1, "result": 1}, 5]'])
def test_an_array_of_something_else_fails_the_test_on_v2_too(tmp_path: Path, line: str) -> None:
    client = adapter(tmp_path, f"print({line!r}, flush=True)", make=Client, version=2)
    with pytest.raises(ClientError, match="no JSON-RPC message"), client:
        client.call("_test/one")


def test_a_stray_line_after_the_last_wait_fails_the_close(tmp_path: Path) -> None:
    client = adapter(tmp_path, "send(id=message['id'], result={})\nprint('bye', flush=True)")
    with pytest.raises(ClientError, match="bye"), client:
        client.call("_test/one")


def test_a_second_response_fails_the_test(tmp_path: Path) -> None:
    client = adapter(tmp_path, "send(id=message['id'], result={})\nsend(id=message['id'], result={})")
    with pytest.raises(ClientError, match="a second response to request 1"), client:
        client.call("_test/one")


def test_a_response_that_nobody_asked_for_fails_the_test(tmp_path: Path) -> None:
    client = adapter(tmp_path, "send(id=99, result={})\nsend(id=message['id'], result={})")
    with pytest.raises(ClientError, match="was not sent: 99"), client:
        client.call("_test/one")


def test_an_invalid_message_fails_the_test(tmp_path: Path) -> None:
    client = adapter(tmp_path, "send(method='session/update', params={'sessionId': 5})")
    with pytest.raises(ClientError, match="invalid message"), client:
        client.call("_test/one")


def test_a_wait_ends_at_its_bound_and_shows_what_came(tmp_path: Path) -> None:
    body = "print('a complaint', file=sys.stderr, flush=True)\nsend(method='_test/note', params={'text': 'seen'})"
    with adapter(tmp_path, body) as client:
        exchange = client.start_request("_test/one")
        client.expect_text("seen")
        started = time.monotonic()
        with pytest.raises(ClientError, match=r"(?s)did not come within 0\.3 s.*_test/note.*a complaint"):
            client.response(exchange, timeout=0.3)
        assert time.monotonic() - started < 5


def test_a_wait_ends_when_the_adapter_ends(tmp_path: Path) -> None:
    client = adapter(tmp_path, "sys.exit(3)")
    with pytest.raises(ClientError, match="closed its stdout before"), client:
        client.call("_test/one")
    assert client.wait_exit() == 3


def test_an_adapter_that_ignores_the_end_of_stdin_fails_the_close(tmp_path: Path) -> None:
    program = tmp_path / "adapter.py"
    program.write_text("import signal\nsignal.pause()\n")
    client = AcpClient([sys.executable, str(program)], env=dict(os.environ), cwd=tmp_path)
    with pytest.raises(ClientError, match=r"did not end within 0\.3 s"):
        client.close(0.3)
    assert client.wait_exit() == -9


def test_updates_are_awaited_by_kind_content_and_place(tmp_path: Path) -> None:
    body = """
    for text in ("a", "b"):
        chunk = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}
        send(method="session/update", params={"sessionId": "s1", "update": chunk})
    send(id=message["id"], result={})
    """
    with adapter(tmp_path, body) as client:
        client.start_request("_test/one")
        update = client.expect_update(
            "agent_message_chunk", lambda found: found["content"]["text"] == "b", session="s1"
        )
        assert update["content"]["text"] == "b"
        with pytest.raises(ClientError, match="did not come"):
            client.expect_update("agent_message_chunk", session="s1", since=client.mark(), timeout=0.2)
        with pytest.raises(ClientError, match="did not come"):
            client.expect_update("agent_message_chunk", session="another", timeout=0.2)
        assert client.traffic.text() == "ab"


ASKING = f"""
if message.get("method") == "_test/ask":
    send(id=7, method="session/request_permission", params={ASK!r})
elif message.get("id") == 7:
    send(method="_test/answered", params=message["result"]["outcome"])
else:
    send(id=message["id"], result={{}})
"""


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("allow_once", {"outcome": "selected", "optionId": "yes"}),
        ("no", {"outcome": "selected", "optionId": "no"}),
        ("cancelled", {"outcome": "cancelled"}),
        ({"delay": 0.1, "pick": "no"}, {"outcome": "selected", "optionId": "no"}),
    ],
)
def test_a_permission_is_answered_as_scripted(tmp_path: Path, answer: Any, outcome: dict[str, str]) -> None:
    with adapter(tmp_path, ASKING, answers=[answer]) as client:
        client.start_request("_test/ask")
        note = client.expect(lambda message: message.get("method") == "_test/answered", "the answer")
        assert note["params"] == outcome


def test_a_hanging_permission_can_be_answered_later(tmp_path: Path) -> None:
    with adapter(tmp_path, ASKING, answers=["hang"]) as client:
        client.start_request("_test/ask")
        asked = client.expect(lambda message: message.get("id") == 7, "the question")
        client.call("_test/other")
        assert not client.traffic.agent_notifications("_test/answered")
        client.respond(asked, {"outcome": {"outcome": "selected", "optionId": "yes"}})
        client.expect_text("_test/answered")


def test_an_option_that_is_not_offered_fails_the_test(tmp_path: Path) -> None:
    client = adapter(tmp_path, ASKING, pick="allow_always")
    with pytest.raises(ClientError, match="no option 'allow_always'"), client:
        client.call("_test/ask")


def test_a_client_that_is_not_strict_takes_the_first_option_then(tmp_path: Path) -> None:
    with adapter(tmp_path, ASKING, make=Client, pick="allow_always") as client:
        client.start_request("_test/ask")
        assert client.expect_text("_test/answered")["params"] == {"outcome": "selected", "optionId": "yes"}


def test_a_request_without_its_shape_fails_the_test(tmp_path: Path) -> None:
    body = "send(id=7, method='session/request_permission', params={'options': [{}]})"
    client = adapter(tmp_path, body, make=Client)
    with pytest.raises(ClientError, match="has not the shape that an answer needs: KeyError"), client:
        client.call("_test/ask")


def test_silence_can_be_awaited_and_has_a_bound(tmp_path: Path) -> None:
    talking = """
    import time
    for _ in range(message["params"]["times"]):
        send(method="_test/word", params={})
        time.sleep(0.05)
    """
    with adapter(tmp_path, talking, make=Client) as client:
        client.start_request("_test/talk", {"times": 5})
        client.quiet(0.5, 30)
        assert len(client.traffic.agent_notifications("_test/word")) == 5
        client.start_request("_test/talk", {"times": 20})
        client.quiet(30, 0.1)
        assert len(client.traffic.agent_notifications("_test/word")) < 25


def test_other_requests_of_the_agent_are_refused(tmp_path: Path) -> None:
    body = """
    if message.get("method") == "_test/one":
        send(id="r", method="_test/unknown", params={})
    else:
        send(method="_test/answered", params=message["error"])
    """
    with adapter(tmp_path, body) as client:
        client.start_request("_test/one")
        assert client.expect_text("_test/answered")["params"]["code"] == -32601


def test_raw_lines_are_sent_and_recorded(tmp_path: Path) -> None:
    program = tmp_path / "adapter.py"
    note = "json.dumps({'jsonrpc': '2.0', 'method': '_test/got', 'params': {'line': line.strip()}})"
    program.write_text(f"import json, sys\nfor line in sys.stdin: print({note}, flush=True)\n")
    with AcpClient([sys.executable, str(program)], env=dict(os.environ), cwd=tmp_path) as client:
        client.send_raw("{not json")
        assert client.expect_text("_test/got")["params"] == {"line": "{not json"}
    assert client.log[0].message == {"line": "{not json"}


def test_permission_answers_prefer_ids_to_kinds() -> None:
    options = [
        {"optionId": "a", "name": "A", "kind": "allow_once"},
        {"optionId": "allow_once", "name": "B", "kind": "reject_once"},
    ]
    assert permission_answer("allow_once", {"options": options})["outcome"]["optionId"] == "allow_once"


def test_forms_are_filled_with_first_choices() -> None:
    schema = {
        "type": "object",
        "properties": {
            "colour": {
                "type": "string",
                "oneOf": [{"const": "red", "title": "Red"}, {"const": "blue", "title": "Blue"}],
            },
            "size": {"type": "string", "enum": ["S", "L"]},
            "tags": {"type": "array", "items": {"anyOf": [{"const": "x", "title": "X"}, {"const": "y", "title": "Y"}]}},
            "name": {"type": "string"},
            "note": {"type": "string"},
        },
        "required": ["name"],
    }
    answer = elicitation_answer("accept", {"mode": "form", "requestedSchema": schema})
    assert answer == {"action": "accept", "content": {"colour": "red", "size": "S", "tags": ["x"], "name": "typed"}}
    assert elicitation_answer("decline", {"mode": "form"}) == {"action": "decline"}
    assert elicitation_answer("accept", {"mode": "url"}) == {"action": "accept"}
    assert elicitation_answer({"action": "accept", "content": {}}, {}) == {"action": "accept", "content": {}}
    assert first_choice({"type": "boolean"}, required=True) is True
    assert first_choice({"type": "integer"}, required=True) == 1


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"jsonrpc": "2.0", "method": "m"}, True),
        ({"jsonrpc": "2.0", "id": None, "error": {}}, True),
        ({"jsonrpc": "1.0", "method": "m"}, False),
        ({"jsonrpc": "2.0", "method": 5}, False),
        ({"jsonrpc": "2.0", "method": "m", "result": {}}, False),
        ({"jsonrpc": "2.0", "result": {}}, False),
        ("text", False),
        ({"jsonrpc": "2.0", "id": [1], "result": {}}, False),
    ],
)
def test_json_rpc_messages_are_told_from_other_values(message: Any, expected: bool) -> None:
    assert is_json_rpc(message) is expected
