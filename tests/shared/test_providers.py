"""Where requests to the model go."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.jsonrpc.errors import ClientMistake
from adapter.shared.providers import Route, Routes, make_route, provider_route

URL = "http://127.0.0.1:8080/gw"
PARAMS: dict[str, Any] = {"providerId": "main", "apiType": "anthropic", "baseUrl": URL, "headers": {"x-a": "1"}}


def mistake(**params: Any) -> tuple[str, dict[str, Any]]:
    with pytest.raises(ClientMistake) as raised:
        provider_route({**PARAMS, **params}, {})
    assert raised.value.code == -32602
    assert raised.value.data is not None
    return raised.value.message, raised.value.data


def test_a_gateway_that_speaks_as_anthropic() -> None:
    environment = make_route("anthropic", URL, {"x-a": "1", "Authorization": "Bearer t"}).environment()
    assert environment["ANTHROPIC_BASE_URL"] == URL
    assert environment["ANTHROPIC_CUSTOM_HEADERS"] == "x-a: 1\nAuthorization: Bearer t"
    assert environment["ANTHROPIC_AUTH_TOKEN"]
    assert (environment["ANTHROPIC_API_KEY"], environment["CLAUDE_CODE_OAUTH_TOKEN"]) == ("", "")
    assert (environment["CLAUDE_CODE_USE_BEDROCK"], environment["CLAUDE_CODE_USE_VERTEX"]) == ("0", "0")


def test_one_that_speaks_as_bedrock() -> None:
    environment = make_route("bedrock", URL, {}).environment()
    assert environment["ANTHROPIC_BEDROCK_BASE_URL"] == URL
    assert environment["CLAUDE_CODE_USE_BEDROCK"] == "1"
    assert environment["AWS_BEARER_TOKEN_BEDROCK"]
    assert (environment["ANTHROPIC_BASE_URL"], environment["ANTHROPIC_AUTH_TOKEN"]) == ("", "")


def test_one_that_speaks_as_vertex_has_a_project_and_a_region() -> None:
    route = provider_route({**PARAMS, "apiType": "vertex"}, {"project_id": "p", "region": "r"})
    environment = route.environment()
    assert environment["ANTHROPIC_VERTEX_BASE_URL"] == URL
    assert (environment["CLAUDE_CODE_USE_VERTEX"], environment["CLOUD_ML_REGION"]) == ("1", "r")
    assert environment["ANTHROPIC_VERTEX_PROJECT_ID"] == "p"


def test_settings_say_the_same_so_that_no_file_of_the_users_wins() -> None:
    route = make_route("anthropic", URL, {})
    assert route.over({}) == {"apiKeyHelper": "", "env": route.environment()}
    kept = route.over({"model": "opus", "env": {"A": "1", "ANTHROPIC_BASE_URL": "x"}})
    assert kept == {"model": "opus", "apiKeyHelper": "", "env": {"A": "1", **route.environment()}}


@pytest.mark.parametrize("url", ["", "nope", "ftp://a", "http://", "http://a b", "http://a/\nx"])
def test_a_url_that_is_none_is_refused(url: str) -> None:
    message, data = mistake(baseUrl=url)
    assert message == "Invalid params: baseUrl must be a non-empty absolute http(s) URL."
    assert data == {"baseUrl": url}


@pytest.mark.parametrize("headers", [{"a b": "x"}, {"": "x"}, {"a": "x\ny: z"}, {"a:": "x"}])
def test_a_header_that_cannot_be_sent_is_refused(headers: dict[str, str]) -> None:
    assert mistake(headers=headers)[1]["path"] == "headers"


def test_there_is_one_provider_with_three_protocols() -> None:
    assert mistake(providerId="x") == (
        'Invalid params: Unknown provider ID "x"; expected "main".',
        {"providerId": "x"},
    )
    text = 'Invalid params: Unsupported apiType "openai" for provider "main".'
    assert mistake(apiType="openai") == (text, {"apiType": "openai", "supported": ["anthropic", "bedrock", "vertex"]})


def current(routes: Routes) -> tuple[str, str]:
    (listed,) = routes.listed()["providers"]
    assert (listed["providerId"], listed["required"]) == ("main", False)
    assert listed["supported"] == ["anthropic", "bedrock", "vertex"]
    assert set(listed["current"]) == {"apiType", "baseUrl"}
    return listed["current"]["apiType"], listed["current"]["baseUrl"]


@pytest.mark.parametrize(
    ("environment", "listed"),
    [
        ({}, ("anthropic", "https://api.anthropic.com")),
        ({"ANTHROPIC_BASE_URL": URL}, ("anthropic", URL)),
        ({"CLAUDE_CODE_USE_BEDROCK": "0"}, ("anthropic", "https://api.anthropic.com")),
        ({"CLAUDE_CODE_USE_BEDROCK": "1"}, ("bedrock", "https://bedrock-runtime.amazonaws.com")),
        (
            {"CLAUDE_CODE_USE_BEDROCK": "true", "AWS_REGION": "eu-west-1"},
            ("bedrock", "https://bedrock-runtime.eu-west-1.amazonaws.com"),
        ),
        ({"CLAUDE_CODE_USE_BEDROCK": "1", "ANTHROPIC_BEDROCK_BASE_URL": URL}, ("bedrock", URL)),
        ({"CLAUDE_CODE_USE_VERTEX": "1", "ANTHROPIC_VERTEX_BASE_URL": URL}, ("vertex", URL)),
    ],
)
def test_without_a_route_the_environment_counts(environment: dict[str, str], listed: tuple[str, str]) -> None:
    assert current(Routes(environment)) == listed


def test_a_provider_goes_before_a_gateway() -> None:
    routes = Routes({})
    routes.gateway = Route("bedrock", "http://b", {})
    assert current(routes) == ("bedrock", "http://b")
    routes.provider = Route("anthropic", "http://a", {"authorization": "secret"})
    assert current(routes) == ("anthropic", "http://a")
    routes.provider = None
    assert routes.active is routes.gateway


def test_a_route_knows_its_host() -> None:
    assert make_route("anthropic", URL, {}).host == "127.0.0.1:8080"
