"""What a session of AIR's is started with, and what it gets."""

from __future__ import annotations

from adapter.shared.claude.client_options import ClientOptions
from adapter.shared.claude.options import SessionSpec
from adapter.shared.config_options.settings import SessionConfig
from adapter.v1.air import air_encoder, air_extension, air_methods
from adapter.v1.extensions.session import AirSessions
from support.air import AirSession, check, client
from support.machine import MODELS, NOW, V1_CLIENT, session_config

CHECKPOINTS = "CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING"
KINDS = {
    "default": "standard",
    "acceptEdits": "standard",
    "plan": "plan",
    "auto": "auto_review",
    "bypassPermissions": "full_access",
}


def test_checkpoints_are_made_where_files_are_reported() -> None:
    spec = SessionSpec("s", "/w", options=ClientOptions(environment={"A": "1"}))
    assert AirSessions(client("agentFileChangeReport")).prepare(spec).options.environment == {
        "A": "1",
        CHECKPOINTS: "true",
    }
    assert AirSessions(client()).prepare(spec).options.environment == {"A": "1"}


def test_each_mode_says_its_kind() -> None:
    air = AirSession()
    modes = air.encoder.mode_list(air.core.config.modes())
    (option,) = [air.encoder.config_option(option) for option in air.core.config.options() if option.id == "mode"]
    for mode in modes:
        check("SessionMode", mode)
    check("SessionConfigOption", option)
    kinds = {mode["id"]: mode["_meta"]["jetbrains"]["air"]["kind"] for mode in modes}
    assert kinds == KINDS
    assert {value["value"]: value["_meta"]["jetbrains"]["air"]["kind"] for value in option["options"]} == KINDS


def test_a_mode_that_comes_from_settings_only_has_no_kind() -> None:
    air = AirSession(config=session_config("dontAsk"))
    assert [mode for mode in air.encoder.mode_list(air.core.config.modes()) if "_meta" not in mode] == [
        {"id": "dontAsk", "name": "Don't ask", "description": "Deny whatever is not allowed already"}
    ]


def test_the_door_is_closed_for_other_clients() -> None:
    assert air_encoder(V1_CLIENT, lambda: NOW) is None
    assert air_extension(V1_CLIENT) is None
    assert air_methods(V1_CLIENT) == {}
    assert set(air_methods(client())) == {"_session/async_task/stop"}


def test_a_subagents_model_is_named_as_the_option_names_it() -> None:
    model = MODELS[0]["resolvedModel"]
    named = (*MODELS, {"value": "opus", "resolvedModel": model, "displayName": "Opus"})
    config = SessionConfig(named, "default", {}, may_bypass=True)
    assert config.model_choice(model).value == "default"
    AirSession("recommendedValue", config=config)
    assert config.model_choice(model).value == "opus"
