from __future__ import annotations

import os
from pathlib import Path

import pytest

from adapter.scripted import scripted_environment

HOME = Path("home") / "someone"


def test_points_claude_code_at_the_model_and_the_home() -> None:
    env = scripted_environment(HOME, 4321, {})
    assert env["ANTHROPIC_BASE_URL"] == "http://127.0.0.1:4321"
    assert (env["HOME"], env["USERPROFILE"], env["CLAUDE_CONFIG_DIR"]) == (str(HOME), str(HOME), str(HOME / ".claude"))
    assert env["NO_PROXY"] == "127.0.0.1,localhost"


def test_turns_other_traffic_off() -> None:
    env = scripted_environment(HOME, 1, {})
    names = (
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
        "DISABLE_TELEMETRY",
        "DISABLE_ERROR_REPORTING",
        "DISABLE_AUTOUPDATER",
    )
    assert [env[name] for name in names] == ["1"] * 4


@pytest.mark.parametrize(
    "name",
    [
        "ANTHROPIC_AUTH_TOKEN",
        "ANTHROPIC_MODEL",
        "CLAUDECODE",
        "CLAUDE_AGENT_ACP_PROTOCOL",
        "CLAUDE_CODE_OAUTH_TOKEN",
        "CLAUDE_CODE_USE_BEDROCK",
        "AWS_ACCESS_KEY_ID",
        "HTTPS_PROXY",
        "OTEL_EXPORTER_OTLP_ENDPOINT",
    ],
)
def test_leaks_no_account_and_no_setting(name: str) -> None:
    assert name not in scripted_environment(HOME, 1, {name: "secret"})


def test_replaces_the_variables_of_the_user() -> None:
    base = {"HOME": "theirs", "CLAUDE_CONFIG_DIR": "theirs", "ANTHROPIC_API_KEY": "theirs", "NO_PROXY": "theirs"}
    assert "theirs" not in scripted_environment(HOME, 1, base).values()


@pytest.mark.parametrize("name", ["PATH", "PYTHONPATH", "SYSTEMROOT", "CLAUDE_CODE_EXECUTABLE"])
def test_passes_on_what_a_program_needs(name: str) -> None:
    assert scripted_environment(HOME, 1, {name: "value"})[name] == "value"
    assert name not in scripted_environment(HOME, 1, {})


@pytest.mark.parametrize(("user", "said"), [(0, True), (1000, False)])
def test_only_root_is_told_of_a_sandbox(monkeypatch: pytest.MonkeyPatch, user: int, said: bool) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: user, raising=False)
    assert ("IS_SANDBOX" in scripted_environment(HOME, 1, {})) is said
