"""The environment is read once; a value that a variable cannot have is an error that names both."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from adapter.settings import Settings, SettingsError, read_settings, settings_of_process

if TYPE_CHECKING:
    from pathlib import Path


def test_an_empty_environment_gives_the_defaults() -> None:
    assert read_settings({}) == Settings(
        protocol="",
        experimental_v2=False,
        v2_core="bridge",
        claude_executable="",
        log_level="warning",
        log_file="",
        record_to="",
        idle_seconds=0,
        idle_keep=0,
        environment={},
    )
    assert read_settings({}) == Settings()


@pytest.mark.parametrize(
    ("variable", "value", "field", "expected"),
    [
        ("CLAUDE_AGENT_ACP_PROTOCOL", "", "protocol", ""),
        ("CLAUDE_AGENT_ACP_PROTOCOL", "auto", "protocol", "auto"),
        ("CLAUDE_AGENT_ACP_PROTOCOL", "v1", "protocol", "v1"),
        ("CLAUDE_AGENT_ACP_PROTOCOL", "v2", "protocol", "v2"),
        ("CLAUDE_AGENT_ACP_EXPERIMENTAL_V2", "", "experimental_v2", False),
        ("CLAUDE_AGENT_ACP_EXPERIMENTAL_V2", "0", "experimental_v2", False),
        ("CLAUDE_AGENT_ACP_EXPERIMENTAL_V2", "1", "experimental_v2", True),
        ("CLAUDE_AGENT_ACP_V2_CORE", "", "v2_core", "bridge"),
        ("CLAUDE_AGENT_ACP_V2_CORE", "bridge", "v2_core", "bridge"),
        ("CLAUDE_AGENT_ACP_V2_CORE", "native", "v2_core", "native"),
        ("CLAUDE_CODE_EXECUTABLE", "/opt/claude", "claude_executable", "/opt/claude"),
        ("CLAUDE_ACP_LOG_LEVEL", "", "log_level", "warning"),
        ("CLAUDE_ACP_LOG_LEVEL", "debug", "log_level", "debug"),
        ("CLAUDE_ACP_LOG_LEVEL", "info", "log_level", "info"),
        ("CLAUDE_ACP_LOG_LEVEL", "error", "log_level", "error"),
        ("CLAUDE_ACP_LOG_FILE", "/var/log/acp", "log_file", "/var/log/acp"),
        ("CLAUDE_ACP_IDLE_SECONDS", "", "idle_seconds", 0),
        ("CLAUDE_ACP_IDLE_SECONDS", "1800", "idle_seconds", 1800),
        ("CLAUDE_ACP_IDLE_KEEP", "3", "idle_keep", 3),
    ],
)
def test_a_variable_is_a_setting(variable: str, value: str, field: str, expected: object) -> None:
    assert getattr(read_settings({variable: value}), field) == expected


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        ("CLAUDE_ACP_IDLE_SECONDS", "-1", "CLAUDE_ACP_IDLE_SECONDS is '-1'; it takes a whole number, or nothing"),
        ("CLAUDE_ACP_IDLE_SECONDS", "1.5", "CLAUDE_ACP_IDLE_SECONDS is '1.5'; it takes a whole number, or nothing"),
        ("CLAUDE_ACP_IDLE_KEEP", "9" * 10, "CLAUDE_ACP_IDLE_KEEP is '9999999999'; it takes a whole number, or nothing"),
        ("CLAUDE_AGENT_ACP_PROTOCOL", "2", "CLAUDE_AGENT_ACP_PROTOCOL is '2'; it takes auto, v1, v2, or nothing"),
        ("CLAUDE_AGENT_ACP_PROTOCOL", "V1", "CLAUDE_AGENT_ACP_PROTOCOL is 'V1'; it takes auto, v1, v2, or nothing"),
        ("CLAUDE_AGENT_ACP_PROTOCOL", " v1", "CLAUDE_AGENT_ACP_PROTOCOL is ' v1'; it takes auto, v1, v2, or nothing"),
        (
            "CLAUDE_AGENT_ACP_EXPERIMENTAL_V2",
            "true",
            "CLAUDE_AGENT_ACP_EXPERIMENTAL_V2 is 'true'; it takes 0, 1, or nothing",
        ),
        ("CLAUDE_AGENT_ACP_V2_CORE", "v1", "CLAUDE_AGENT_ACP_V2_CORE is 'v1'; it takes bridge, native, or nothing"),
        (
            "CLAUDE_ACP_LOG_LEVEL",
            "verbose",
            "CLAUDE_ACP_LOG_LEVEL is 'verbose'; it takes debug, info, warning, error, or nothing",
        ),
        (
            "CLAUDE_ACP_IDLE_COMPACT_MINUTES",
            "an hour",
            "CLAUDE_ACP_IDLE_COMPACT_MINUTES is 'an hour'; it takes a whole number, or nothing",
        ),
        (
            "CLAUDE_ACP_IDLE_COMPACT_TOKENS",
            "-1",
            "CLAUDE_ACP_IDLE_COMPACT_TOKENS is '-1'; it takes a whole number, or nothing",
        ),
        ("CLAUDE_ACP_RECORD", "/no/such/folder", "CLAUDE_ACP_RECORD is '/no/such/folder', which is no folder"),
    ],
)
def test_a_value_that_a_variable_cannot_have_is_named(variable: str, value: str, message: str) -> None:
    with pytest.raises(SettingsError) as raised:
        read_settings({variable: value})
    assert str(raised.value) == message


def test_idle_sessions_are_compacted_only_if_that_is_wanted() -> None:
    settings = read_settings({})
    assert (settings.idle_compact_minutes, settings.idle_compact_tokens) == (0, 100_000)
    wanted = {"CLAUDE_ACP_IDLE_COMPACT_MINUTES": "55", "CLAUDE_ACP_IDLE_COMPACT_TOKENS": "0"}
    assert read_settings(wanted).idle_compact_minutes == 55
    assert read_settings(wanted).idle_compact_tokens == 0


def test_recordings_go_to_a_folder_that_exists(tmp_path: Path) -> None:
    assert read_settings({"CLAUDE_ACP_RECORD": str(tmp_path)}).record_to == str(tmp_path)
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(SettingsError, match="which is no folder"):
        read_settings({"CLAUDE_ACP_RECORD": str(file)})


def test_the_whole_environment_is_kept_as_it_was() -> None:
    environment = {"HOME": "/home/me", "CLAUDE_AGENT_ACP_PROTOCOL": "v1"}
    settings = read_settings(environment)
    environment["HOME"] = "/elsewhere"
    assert settings.environment == {"HOME": "/home/me", "CLAUDE_AGENT_ACP_PROTOCOL": "v1"}


def test_the_process_has_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_ACP_LOG_LEVEL", "info")
    monkeypatch.setenv("CLAUDE_CODE_EXECUTABLE", "/opt/claude")
    settings = settings_of_process()
    assert (settings.log_level, settings.claude_executable) == ("info", "/opt/claude")
    assert settings.environment["CLAUDE_CODE_EXECUTABLE"] == "/opt/claude"
