"""The requests of both protocol versions, by their required and their optional fields."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.jsonrpc.errors import ClientMistake
from adapter.shared.wire import v1, v2
from adapter.shared.wire.common import ListSessions, OfSession, OpensKnown, SetTitle, parse

TEXT = {"type": "text", "text": "a"}


@pytest.mark.parametrize(
    ("model", "params"),
    [
        (v1.NewSession, {"cwd": "/w", "mcpServers": [{"name": "a"}]}),
        (v1.Prompt, {"sessionId": "s", "prompt": [TEXT]}),
        (OfSession, {"sessionId": "s"}),
        (OpensKnown, {"sessionId": "s", "cwd": "/w"}),
        (OpensKnown, {"sessionId": "s", "cwd": "/w", "mcpServers": [], "additionalDirectories": ["/x"]}),
        (ListSessions, {}),
        (ListSessions, {"cwd": "/w", "cursor": "x", "archived": "only"}),
        (SetTitle, {"sessionId": "s", "title": "x"}),
        (v1.LoadSession, {"sessionId": "s", "cwd": "/w", "mcpServers": []}),
        (v2.ResumeSession, {"sessionId": "s", "cwd": "/w", "replayFrom": {"type": "start"}}),
        (v2.ResumeSession, {"sessionId": "s", "cwd": "/w", "replayFrom": None}),
        (v1.SetMode, {"sessionId": "s", "modeId": "plan"}),
        (v1.SetConfigOption, {"sessionId": "s", "configId": "model", "value": "opus"}),
        (v1.SetConfigOption, {"sessionId": "s", "configId": "fast", "value": True}),
        (v1.CancelRequest, {"requestId": 1}),
        (v1.CancelRequest, {"requestId": "a"}),
        (v1.CancelRequest, {"requestId": None}),
        (v2.NewSession, {"cwd": "/w", "mcpServers": None}),
        (v2.NewSession, {"cwd": "/w", "mcpServers": [{"name": "a"}]}),
        (v2.Prompt, {"sessionId": "s", "prompt": [TEXT]}),
        (v2.SetConfigOption, {"sessionId": "s", "configId": "model", "type": "id", "value": "opus"}),
        (v2.SetConfigOption, {"sessionId": "s", "configId": "fast", "type": "boolean", "value": False}),
    ],
)
def test_a_request_is_taken_as_it_is(model: Any, params: dict[str, Any]) -> None:
    parsed = parse(model, params).model_dump(exclude_unset=True)
    assert parsed == params


@pytest.mark.parametrize(
    ("model", "params", "path"),
    [
        (v1.NewSession, {"mcpServers": []}, "cwd"),
        (v1.NewSession, {"cwd": "/w"}, "mcpServers"),
        (v1.NewSession, {"cwd": "/w", "mcpServers": [1]}, "mcpServers.0"),
        (v1.NewSession, {"cwd": None, "mcpServers": []}, "cwd"),
        (v1.SetMode, {"sessionId": "s"}, "modeId"),
        (v1.SetConfigOption, {"sessionId": "s", "value": "x"}, "configId"),
        (v1.SetConfigOption, {"sessionId": "s", "configId": "c"}, "value"),
        (v1.CancelRequest, {}, "requestId"),
        (v2.NewSession, {}, "cwd"),
        (v2.NewSession, {"cwd": "/w", "mcpServers": {}}, "mcpServers"),
        (v2.SetConfigOption, {"sessionId": "s", "configId": "c", "value": "x"}, "type"),
        (v2.Prompt, {"sessionId": "s", "prompt": [{"type": "text"}]}, "prompt.0.text"),
        (OfSession, {}, "sessionId"),
        (OpensKnown, {"sessionId": "s"}, "cwd"),
        (SetTitle, {"sessionId": "s", "title": None}, "title"),
        (v1.LoadSession, {"sessionId": "s", "cwd": "/w"}, "mcpServers"),
        (v2.ResumeSession, {"sessionId": "s", "cwd": "/w", "replayFrom": {"type": "x"}}, "replayFrom.type"),
        (v2.ResumeSession, {"sessionId": "s", "cwd": "/w", "replayFrom": {}}, "replayFrom.type"),
    ],
)
def test_a_field_that_is_missing_or_wrong_is_named(model: Any, params: dict[str, Any], path: str) -> None:
    with pytest.raises(ClientMistake) as raised:
        parse(model, params)
    assert raised.value.code == -32602
    assert raised.value.message.startswith(f"Invalid params: {path}: ")


def test_the_servers_of_a_session_may_be_absent_in_v2() -> None:
    assert parse(v2.NewSession, {"cwd": "/w"}).mcpServers is None
