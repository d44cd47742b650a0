"""A login is refused, or the provider changes: open sessions go on, with what counts now."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from support.cores import Core, all_cores, v2_cores
from support.stub_cli import StubScript

from .session import session

REFUSED = "Failed to authenticate. API Error: 401 invalid token"
VERTEX: dict[str, Any] = {
    "providerId": "main",
    "apiType": "vertex",
    "baseUrl": "http://127.0.0.1:9/vertex",
    "headers": {"x-team": "blue"},
    "_meta": {"claudeCode": {"vertex": {"projectId": "p", "region": "r"}}},
}


@all_cores
def test_after_a_new_login_the_next_prompt_works(tmp_path: Path, core: Core) -> None:
    said = {
        "type": "assistant",
        "message": {"id": "m1", "model": "<synthetic>", "content": [{"type": "text", "text": REFUSED}]},
        "parent_tool_use_id": None,
        "error": "authentication_failed",
    }
    script = StubScript()
    failed = script.on_prompt().begins().emits(said).result(is_error=True, result=REFUSED, api_error_status=401)
    failed.lifecycle("completed").state("idle")
    with session(tmp_path, script, core) as played:
        error = played.turn_end(played.prompt())["error"]
        assert error["code"] == -32000
        assert REFUSED in error["message"]
        played.client.expect_text(REFUSED)
        (tmp_path / "double" / "stub-script.json").write_text(json.dumps(StubScript().to_json()))
        assert played.turn_end(played.prompt("And now?"))["stopReason"] == "end_turn"
        assert [f"--resume={played.id}" in start["argv"] for start in played.stub.starts()] == [False, True]


@all_cores
def test_a_provider_counts_from_the_next_turn_on(tmp_path: Path, core: Core) -> None:
    go_on = tmp_path / "go-on"
    script = StubScript()
    script.on_prompt().begins().starts_text("Hel").waits_for_file(go_on).adds_text("lo").ends_text().finishes()
    with session(tmp_path, script, core) as played:
        first = played.prompt()
        played.client.expect_text("Hel")
        assert played.client.call("providers/set", VERTEX) == {}
        second = played.prompt("And now?")
        go_on.touch()
        assert played.turn_end(first)["stopReason"] == "end_turn"
        played.stub.wait_for(lambda stub: len(stub.prompts()) == 2, "the second prompt")
        assert played.client.response(second)["result"]
        before, after = played.stub.starts()
        assert f"--resume={played.id}" in after["argv"]
        assert "ANTHROPIC_VERTEX_BASE_URL" not in before["env"]
        assert after["env"]["ANTHROPIC_VERTEX_BASE_URL"] == VERTEX["baseUrl"]
        assert after["env"]["ANTHROPIC_CUSTOM_HEADERS"] == "x-team: blue"
        settings = Path(after["argv"][after["argv"].index("--settings") + 1])
        assert json.loads(settings.read_text())["env"]["ANTHROPIC_VERTEX_BASE_URL"] == VERTEX["baseUrl"]
        assert settings.stat().st_mode & 0o777 == 0o600
        assert played.client.call("providers/disable", {"providerId": "main"}) == {}
        played.stub.wait_for(lambda stub: len(stub.starts()) == 3, "a third start")
        assert "ANTHROPIC_VERTEX_BASE_URL" not in played.stub.starts()[-1]["env"]
        assert not settings.exists()


def test_a_logout_is_told_and_sessions_go_on(tmp_path: Path) -> None:
    script = StubScript()
    script.auth = {"loggedIn": True, "authMethod": "api_key", "apiKeySource": "ANTHROPIC_API_KEY"}
    with session(tmp_path, script) as played:
        assert played.client.call("logout", {}) == {}
        told = played.client.traffic.agent_notifications("_auth/status_update")
        assert [params["authStatus"]["kind"] for params in told] == ["api_key"]
        assert [start["argv"] for start in played.stub.entries("start") if start["argv"][0] == "auth"] == [
            ["auth", "logout"],
            ["auth", "status", "--json"],
        ]
        assert played.turn_end(played.prompt())["stopReason"] == "end_turn"


GATEWAY_URL = "http://127.0.0.1:9/gw"
GATEWAY: dict[str, Any] = {"methodId": "gateway", "_meta": {"gateway": {"baseUrl": GATEWAY_URL, "headers": {}}}}
BY_GATEWAY = {"state": "authenticated", "accounts": [{"label": "Custom model gateway", "active": True}]}
BY_KEY = {"state": "authenticated", "accounts": [{"label": "Anthropic API key", "active": True}]}


@v2_cores
def test_v2_clients_sign_in_and_out(tmp_path: Path, core: Core) -> None:
    script = StubScript()
    script.auth = {"loggedIn": True, "authMethod": "api_key", "apiKeySource": "ANTHROPIC_API_KEY"}
    with session(tmp_path, script, core, capabilities={"auth": {"_meta": {"gateway": True}}}) as played:

        def works(base_url: str | None) -> None:
            """The Claude Code of now is sent there, and answers."""
            assert played.stub.starts()[-1]["env"].get("ANTHROPIC_BASE_URL") == base_url
            assert played.turn_end(played.prompt())["stopReason"] == "end_turn"

        own = played.stub.starts()[0]["env"].get("ANTHROPIC_BASE_URL")
        assert played.client.call("auth/status", {}) == BY_KEY
        assert played.client.call("auth/login", GATEWAY) == {}
        assert played.client.call("auth/status", {}) == BY_GATEWAY
        works(GATEWAY_URL)
        assert played.client.call("auth/logout", {}) == {}
        works(own)
        asked = [start["argv"][1] for start in played.stub.entries("start") if start["argv"][0] == "auth"]
        assert asked == ["status", "logout", "status"]
        assert played.client.traffic.agent_notifications("auth/status_update") == [BY_GATEWAY, BY_KEY]
