"""Parameters are validated at the edge; an error names the field that is wrong, as the client wrote it."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.jsonrpc.errors import ClientMistake
from adapter.shared.wire import v1
from adapter.shared.wire.common import OfSession, ResourceBlock, TextBlock, parse, parse_mcp_server

ALL_TYPES = ("stdio", "http", "sse")


def mistake(params: Any, model: Any = v1.Prompt) -> dict[str, str]:
    """What the text of the error for parameters says: the path of the first wrong field, and what is wrong."""
    with pytest.raises(ClientMistake) as raised:
        parse(model, params)
    error = raised.value
    assert error.code == -32602
    kind, path, message = error.message.split(": ", 2)
    assert kind == "Invalid params"
    return {"path": path, "message": message}


def prompt(*blocks: Any) -> dict[str, Any]:
    return {"sessionId": "s", "prompt": list(blocks)}


def resource(**fields: Any) -> dict[str, Any]:
    return {"type": "resource", "resource": fields}


@pytest.mark.parametrize(
    ("params", "path"),
    [
        ([], ""),
        ("text", ""),
        (1, ""),
        (None, "sessionId"),
        ({}, "sessionId"),
        ({"sessionId": 1, "prompt": []}, "sessionId"),
        ({"sessionId": "s"}, "prompt"),
        (prompt() | {"prompt": "text"}, "prompt"),
        (prompt(1), "prompt.0"),
        (prompt({"type": "text", "text": "a"}, None), "prompt.1"),
        (prompt({}), "prompt.0.type"),
        (prompt({"type": "video"}), "prompt.0.type"),
        (prompt({"type": 1}), "prompt.0.type"),
        (prompt({"type": "text"}), "prompt.0.text"),
        (prompt({"type": "text", "text": 1}), "prompt.0.text"),
        (prompt({"type": "text", "text": "a"}, {"type": "image", "data": "x"}), "prompt.1.mimeType"),
        (prompt({"type": "image", "mimeType": "image/png"}), "prompt.0.data"),
        (prompt({"type": "audio", "data": "x"}), "prompt.0.mimeType"),
        (prompt({"type": "resource_link", "uri": "a"}), "prompt.0.name"),
        (prompt({"type": "resource"}), "prompt.0.resource"),
        (prompt({"type": "resource", "resource": 1}), "prompt.0.resource"),
        (prompt(resource()), "prompt.0.resource.uri"),
        (prompt(resource(uri="a")), "prompt.0.resource.text"),
        (prompt(resource(uri=1, text="a")), "prompt.0.resource.uri"),
        (prompt(resource(uri="a", text="b", mimeType=4)), "prompt.0.resource.mimeType"),
    ],
)
def test_the_first_wrong_field_is_named_as_the_client_wrote_it(params: Any, path: str) -> None:
    assert mistake(params)["path"] == (path or "params")


def test_a_wrong_blob_is_named() -> None:
    assert mistake(prompt(resource(uri="a", blob=1)))["path"] == "prompt.0.resource.blob"


def tree(params: Any, model: Any) -> Any:
    """All wrong fields, as the error's data has them."""
    with pytest.raises(ClientMistake) as raised:
        parse(model, params)
    return raised.value.data


STRING = "Invalid input: expected string, received undefined"


def wrong(*texts: str, **fields: Any) -> dict[str, Any]:
    return {"_errors": list(texts), **fields}


@pytest.mark.parametrize(
    ("params", "fields"),
    [
        ({"sessionId": 1}, {"sessionId": "string, received number", "prompt": "array, received undefined"}),
        ({"sessionId": None, "prompt": {}}, {"sessionId": "string, received null", "prompt": "array, received object"}),
    ],
)
def test_every_wrong_field_is_told_with_its_type(params: Any, fields: dict[str, str]) -> None:
    told = tree(params, v1.Prompt)
    assert told["_errors"] == []
    assert {name: told[name] for name in fields} == {
        name: wrong(f"Invalid input: expected {text}") for name, text in fields.items()
    }


def test_a_block_of_an_unknown_type_is_told_as_each_known_one() -> None:
    kinds = ("text", "image", "audio", "resource_link", "resource")
    assert tree(prompt({"type": "video", "data": "x"}), v1.Prompt)["prompt"]["0"] == wrong(
        type=wrong(*(f'Invalid input: expected "{kind}"' for kind in kinds)),
        text=wrong(STRING),
        mimeType=wrong(STRING, STRING),
        uri=wrong(STRING),
        name=wrong(STRING),
        resource=wrong(*["Invalid input: expected object, received undefined"] * 2),
    )


@pytest.mark.parametrize("block", [{}, {"type": "video"}, {"type": 1}, {"type": None}])
def test_an_unknown_type_of_content_is_answered_with_the_known_ones(block: Any) -> None:
    message = mistake(prompt(block))["message"]
    assert message.startswith("must be one of ")
    assert all(known in message for known in ("text", "image", "audio", "resource_link", "resource"))


@pytest.mark.parametrize(
    ("model", "params", "path"),
    [
        (v1.SetConfigOption, {"sessionId": "s", "configId": "c", "value": 1}, "value"),
        (v1.SetConfigOption, {"sessionId": "s", "configId": "c", "value": None}, "value"),
        (v1.CancelRequest, {"requestId": 1.5}, "requestId"),
        (v1.CancelRequest, {"requestId": True}, "requestId"),
    ],
)
def test_a_value_of_none_of_several_types_is_named(model: Any, params: Any, path: str) -> None:
    assert mistake(params, model)["path"] == path


def test_unknown_fields_are_left_out_and_not_refused() -> None:
    block = {"type": "text", "text": "a", "annotations": {"priority": 1}, "_meta": {}}
    parsed = parse(v1.Prompt, {**prompt(block), "messageId": "m"})
    assert parsed.prompt == [TextBlock(type="text", text="a")]


def test_numbers_and_strings_are_not_taken_for_each_other() -> None:
    assert mistake({"sessionId": 5}, OfSession)["path"] == "sessionId"
    assert mistake({"sessionId": b"x"}, OfSession)["path"] == "sessionId"


def test_a_resource_with_a_text_and_a_blob_is_a_text() -> None:
    (block,) = parse(v1.Prompt, prompt(resource(uri="a", text="t", blob="b"))).prompt
    assert isinstance(block, ResourceBlock)
    assert block.model_dump(exclude_none=True)["resource"] == {"uri": "a", "text": "t"}


def test_a_resource_with_a_blob_is_a_blob() -> None:
    (block,) = parse(v1.Prompt, prompt(resource(uri="a", blob="b", mimeType="x/y"))).prompt
    assert block.model_dump(exclude_none=True)["resource"] == {"uri": "a", "blob": "b", "mimeType": "x/y"}


@pytest.mark.parametrize(
    ("server", "configured"),
    [
        ({"name": "a", "command": "c"}, {"type": "stdio", "command": "c", "args": [], "env": {}}),
        ({"type": "stdio", "name": "a", "command": "c"}, {"type": "stdio", "command": "c", "args": [], "env": {}}),
        (
            {"name": "a", "command": "c", "args": ["x", "y"], "env": [{"name": "A", "value": "1"}], "_meta": {}},
            {"type": "stdio", "command": "c", "args": ["x", "y"], "env": {"A": "1"}},
        ),
        ({"type": "sse", "name": "a", "url": "u"}, {"type": "sse", "url": "u", "headers": {}}),
        (
            {"type": "http", "name": "a", "url": "u", "headers": [{"name": "H", "value": "v"}]},
            {"type": "http", "url": "u", "headers": {"H": "v"}},
        ),
    ],
)
def test_an_mcp_server_is_configured_as_claude_code_reads_it(
    server: dict[str, Any], configured: dict[str, Any]
) -> None:
    assert parse_mcp_server(server, "mcpServers.0", ALL_TYPES) == ("a", configured)


def server_mistake(server: dict[str, Any], types: tuple[str, ...] = ALL_TYPES) -> dict[str, Any]:
    with pytest.raises(ClientMistake) as raised:
        parse_mcp_server(server, "mcpServers.2", types)
    assert raised.value.code == -32602
    assert raised.value.data is not None
    return raised.value.data


@pytest.mark.parametrize(
    ("server", "path"),
    [
        ({}, "name"),
        ({"command": "c"}, "name"),
        ({"name": "a"}, "command"),
        ({"name": "a", "command": "c", "args": [1]}, "args.0"),
        ({"name": "a", "command": "c", "env": [{"name": "A"}]}, "env.0.value"),
        ({"name": "a", "command": "c", "env": {"A": "1"}}, "env"),
        ({"type": "http", "name": "a"}, "url"),
        ({"type": "sse", "name": "a", "url": "u", "headers": [{"name": "a", "value": 1}]}, "headers.0.value"),
    ],
)
def test_the_first_wrong_field_of_a_server_is_named(server: dict[str, Any], path: str) -> None:
    assert server_mistake(server)["path"] == f"mcpServers.2.{path}"


@pytest.mark.parametrize(
    ("kind", "types", "message"),
    [
        ("ws", ALL_TYPES, "MCP servers of type ws are not supported; use stdio, http, sse"),
        ("sse", ("stdio", "http"), "MCP servers of type sse are not supported; use stdio, http"),
        (None, ALL_TYPES, "MCP servers of type None are not supported; use stdio, http, sse"),
        (["http"], ALL_TYPES, "MCP servers of type ['http'] are not supported; use stdio, http, sse"),
    ],
)
def test_a_server_of_another_type_is_answered_with_the_known_ones(
    kind: Any, types: tuple[str, ...], message: str
) -> None:
    data = server_mistake({"type": kind, "name": "a", "url": "u"}, types)
    assert data == {"path": "mcpServers.2.type", "message": message}


def test_a_server_with_a_url_and_no_type_is_reached_by_http() -> None:
    server = {"name": "net", "url": "https://a.test", "headers": []}
    assert parse_mcp_server(server, "mcpServers.0", ALL_TYPES) == (
        "net",
        {"type": "http", "url": "https://a.test", "headers": {}},
    )
