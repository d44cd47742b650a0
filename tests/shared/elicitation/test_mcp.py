"""What MCP servers ask, for clients that can show it."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.elicitation.mcp import server_answer, server_request, sign_in_page
from adapter.shared.elicitation.requests import Elicitation

BOTH = frozenset({"form", "url"})
NAME = {"type": "string", "title": "Name"}
SIZE = {"type": "string", "enum": ["S", "L"]}


def asked(modes: frozenset[str] = BOTH, **request: Any) -> Elicitation | None:
    return server_request("k", {"mcp_server_name": "lab", "message": "Who?", **request}, modes)


def form(schema: Any, order: Any = None) -> Any:
    made = asked(mode="form", requested_schema=schema, property_order=order)
    return made and made.schema


def test_a_form_has_the_servers_fields_in_the_servers_order() -> None:
    schema = {"type": "object", "properties": {"size": SIZE, "name": NAME}, "required": ["name"], "$schema": "x"}
    shown = form(schema, ["name", "gone", "size"])
    assert shown == {"type": "object", "properties": {"name": NAME, "size": SIZE}, "required": ["name"]}
    assert list(shown["properties"]) == ["name", "size"]


def test_a_form_keeps_its_texts_and_its_own_order() -> None:
    schema = {"properties": {"size": SIZE, "name": NAME}, "title": "T", "description": "D"}
    assert form(schema) == {"type": "object", "title": "T", "description": "D", "properties": schema["properties"]}


def test_a_field_that_is_none_is_left_out() -> None:
    assert form({"properties": {"name": NAME, "odd": {"anyOf": []}, "text": "x"}})["properties"] == {"name": NAME}


@pytest.mark.parametrize(
    "schema", [None, {}, {"properties": []}, {"properties": {"odd": {}}, "required": ["odd"]}, {"properties": None}]
)
def test_a_form_that_cannot_be_filled_in_is_not_shown(schema: Any) -> None:
    assert form(schema) is None


def test_a_page_has_its_address_and_its_id() -> None:
    made = asked(mode="url", url="https://a.test", elicitation_id="e1")
    assert made == Elicitation("k", made.asker, "Who?", url="https://a.test", elicitation_id="e1") if made else False


@pytest.mark.parametrize("request_", [{"url": "https://a.test"}, {"elicitation_id": "e1"}, {}])
def test_a_page_without_either_is_not_shown(request_: Any) -> None:
    assert asked(mode="url", **request_) is None


@pytest.mark.parametrize(("mode", "modes"), [("form", {"url"}), ("url", {"form"}), ("voice", {"form", "url"})])
def test_a_mode_that_the_client_did_not_declare_is_not_shown(mode: str, modes: set[str]) -> None:
    request_ = {"requested_schema": {"properties": {"name": NAME}}, "url": "https://a.test", "elicitation_id": "e"}
    assert asked(frozenset(modes), mode=mode, **request_) is None


def test_a_request_without_a_message_names_the_server() -> None:
    made = asked(message=None, requested_schema={"properties": {"name": NAME}})
    assert made is not None
    assert made.message == "lab asks for your input"


@pytest.mark.parametrize(
    ("result", "failed", "answer"),
    [
        ({"action": "accept", "content": {"name": "Ada"}}, False, {"action": "accept", "content": {"name": "Ada"}}),
        ({"action": "accept"}, False, {"action": "accept"}),
        ({"action": "decline"}, False, {"action": "decline"}),
        ({"action": "cancel"}, False, {"action": "cancel"}),
        ({"action": "later"}, False, {"action": "cancel"}),
        (None, True, {"action": "cancel"}),
        ({"action": "decline"}, True, {"action": "cancel"}),
    ],
)
def test_the_server_gets_the_persons_answer(result: Any, failed: bool, answer: Any) -> None:
    assert server_answer(result, failed=failed) == answer


def test_the_page_of_a_sign_in_names_the_server() -> None:
    page = sign_in_page("key 1", "e1", "lab", "https://a.test")
    assert (page.key, page.elicitation_id, page.url) == ("key 1", "e1", "https://a.test")
    assert page.message == "Authenticate with MCP server lab"
