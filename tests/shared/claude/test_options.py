"""The command line and the environment of a session's Claude Code."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from adapter.shared.claude.client_options import ClientOptions
from adapter.shared.claude.options import (
    OUTER_SESSION_MARKERS,
    PrivateFiles,
    SessionSpec,
    child_environment,
    claude_options,
    initialize_request,
    may_bypass_permissions,
)
from adapter.shared.claude.transport import command_line, sdk_version

SESSION = "3f1c7a52-1111-4222-8333-444455556666"
CLI = "/opt/claude"


def arguments(*, resume: bool = False, mode: str | None = None, mcp_file: str | None = None, **spec: Any) -> list[str]:
    """The arguments of the CLI for a session."""
    session = SessionSpec(**{"session_id": SESSION, "cwd": "/w", "cli_path": CLI, **spec})
    options = claude_options(session, resume=resume, permission_mode=mode, files=PrivateFiles(mcp=mcp_file))
    path, *rest = command_line(options)
    assert path == CLI
    return rest


def value_of(argv: list[str], flag: str) -> str:
    """The value of a flag that is given once, as `--flag value` or as `--flag=value`."""
    values = [after for argument, after in zip(argv, [*argv[1:], ""], strict=True) if argument == flag]
    values += [argument.partition("=")[2] for argument in argv if argument.startswith(f"{flag}=")]
    assert len(values) == 1, argv
    return values[0]


def flags(argv: list[str]) -> set[str]:
    return {argument.partition("=")[0] for argument in argv if argument.startswith("--")}


def test_frames_come_whole_and_raw_on_stdout() -> None:
    argv = arguments()
    assert value_of(argv, "--output-format") == "stream-json"
    assert value_of(argv, "--input-format") == "stream-json"
    assert {"--verbose", "--include-partial-messages", "--replay-user-messages"} <= flags(argv)


def test_permission_questions_come_to_us() -> None:
    assert value_of(arguments(), "--permission-prompt-tool") == "stdio"


def test_all_settings_of_the_user_are_loaded() -> None:
    assert value_of(arguments(), "--setting-sources") == "user,project,local"


def test_the_tools_and_the_system_prompt_are_claude_codes_own() -> None:
    argv = arguments()
    assert value_of(argv, "--tools") == "default"
    assert value_of(argv, "--disallowedTools") == "AskUserQuestion"
    assert not {"--system-prompt", "--append-system-prompt", "--allowedTools"} & flags(argv)


def test_a_client_with_forms_can_be_asked_questions() -> None:
    assert "--disallowedTools" not in flags(arguments(shows_forms=True))


def test_the_model_and_the_effort_are_left_to_the_settings() -> None:
    assert not {"--model", "--effort", "--max-thinking-tokens", "--fallback-model"} & flags(arguments())


@pytest.mark.parametrize("allowed", [True, False])
def test_bypassing_permissions_is_prepared_only_where_it_is_allowed(allowed: bool) -> None:
    assert "--allow-dangerously-skip-permissions" not in arguments()
    argv = arguments(may_bypass=allowed)
    assert ("--allow-dangerously-skip-permissions" in argv) is allowed
    assert "--dangerously-skip-permissions" not in argv


def test_a_new_session_has_our_id() -> None:
    argv = arguments()
    assert value_of(argv, "--session-id") == SESSION
    assert "--resume" not in flags(argv)


def test_a_resumed_session_goes_on_with_its_transcript() -> None:
    argv = arguments(resume=True)
    assert value_of(argv, "--resume") == SESSION
    assert not {"--session-id", "--fork-session"} & flags(argv)


def test_the_mode_is_left_to_the_settings_unless_it_is_given() -> None:
    assert "--permission-mode" not in flags(arguments())
    assert value_of(arguments(mode="plan"), "--permission-mode") == "plan"


def test_mcp_servers_stand_in_a_file_so_that_no_secret_is_on_the_command_line() -> None:
    servers = {"lab": {"type": "stdio", "command": "lab", "env": {"TOKEN": "secret"}}}
    argv = arguments(mcp_servers=servers, mcp_file="/run/servers.json")
    assert value_of(argv, "--mcp-config") == "/run/servers.json"
    assert not any("secret" in argument for argument in argv)
    assert "--strict-mcp-config" not in argv


def test_a_session_without_mcp_servers_names_no_file() -> None:
    assert "--mcp-config" not in flags(arguments())


def test_further_folders_are_added() -> None:
    argv = arguments(additional_directories=("/a b", "/c"))
    assert [after for flag, after in pairwise(argv) if flag == "--add-dir"] == ["/a b", "/c"]


def test_no_argument_is_long() -> None:
    servers = {f"s{number}": {"type": "stdio", "command": "x" * 2000} for number in range(100)}
    assert max(map(len, arguments(mcp_servers=servers, mcp_file="/run/servers.json"))) < 200


def test_every_mark_of_an_outer_session_is_removed() -> None:
    inherited = dict.fromkeys(OUTER_SESSION_MARKERS, "outer")
    child = child_environment({**inherited, "HOME": "/home/me"}, "/w")
    assert "outer" not in child.values()
    assert child["HOME"] == "/home/me"


@pytest.mark.parametrize(
    "marker",
    [
        "CLAUDECODE",
        "CLAUDE_CODE_ENTRYPOINT",
        "CLAUDE_CODE_SESSION_ID",
        "CLAUDE_CODE_SSE_PORT",
        "CLAUDE_CODE_MESSAGING_SOCKET",
        "CLAUDE_CODE_MESSAGING_TOKEN",
        "CLAUDE_CODE_CHILD_NOTES_DIR",
        "CLAUDE_CODE_CHILD_SESSION",
        "CLAUDE_CODE_SESSION_ATTENDED",
        "CLAUDE_CODE_EXECPATH",
        "CLAUDE_AGENT_SDK_VERSION",
        "CLAUDE_EFFORT",
        "CLAUDE_PID",
        "AI_AGENT",
    ],
)
def test_the_marks_are_known(marker: str) -> None:
    assert child_environment({marker: "outer"}, "/w").get(marker) != "outer"


def test_proxies_certificates_and_credentials_reach_claude_code_unchanged() -> None:
    inherited = {
        "HTTPS_PROXY": "http://proxy:3128",
        "https_proxy": "http://proxy:3128",
        "NO_PROXY": "localhost,.example",
        "NODE_EXTRA_CA_CERTS": "/etc/ca.pem",
        "SSL_CERT_FILE": "/etc/ssl.pem",
        "ANTHROPIC_BASE_URL": "https://gateway.example",
        "ANTHROPIC_AUTH_TOKEN": "token",
        "CLAUDE_CONFIG_DIR": "/home/me/.claude",
        "CLAUDE_CODE_USE_BEDROCK": "1",
        "IS_SANDBOX": "1",
        "PATH": "/bin",
    }
    child = child_environment(inherited, "/w")
    assert {name: child[name] for name in inherited} == inherited


def test_claude_code_is_told_what_kind_of_host_it_has() -> None:
    assert child_environment({"PWD": "/elsewhere", "CLAUDE_CODE_ENTRYPOINT": "cli"}, "/w") == {
        "CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS": "1",
        "CLAUDE_CODE_SDK_READS_SESSION_STATE": "1",
        "CLAUDE_CODE_STARTUP_FAILURE_RESULTS": "1",
        "CLAUDE_CODE_ENTRYPOINT": "sdk-py",
        "CLAUDE_AGENT_SDK_VERSION": sdk_version(),
        "PWD": "/w",
    }


def test_the_inherited_environment_is_not_changed() -> None:
    inherited = {"CLAUDECODE": "1", "HOME": "/h"}
    child_environment(inherited, "/w")
    assert inherited == {"CLAUDECODE": "1", "HOME": "/h"}


@pytest.mark.parametrize(
    ("environment", "user", "allowed"),
    [
        ({}, 0, False),
        ({"IS_SANDBOX": "0"}, 0, False),
        ({"IS_SANDBOX": ""}, 0, False),
        ({"IS_SANDBOX": "1"}, 0, True),
        ({}, 1000, True),
        ({"IS_SANDBOX": "1"}, 1000, True),
        ({}, None, True),
    ],
)
def test_root_may_bypass_permissions_in_a_sandbox_only(
    environment: dict[str, str], user: int | None, allowed: bool
) -> None:
    assert may_bypass_permissions(environment, user) is allowed


def test_a_client_may_set_what_the_adapter_leaves_open() -> None:
    options = ClientOptions(
        fields={"model": "sonnet", "tools": ["Read"], "setting_sources": [], "thinking": {"type": "disabled"}},
        flags={"debug": None},
        disallowed_tools=("Write",),
        additional_directories=("/b",),
        agent="reviewer",
    )
    argv = arguments(options=options, additional_directories=("/a",))
    assert value_of(argv, "--model") == "sonnet"
    assert value_of(argv, "--tools") == "Read"
    assert value_of(argv, "--setting-sources") == ""
    assert value_of(argv, "--thinking") == "disabled"
    assert value_of(argv, "--disallowedTools") == "Write,AskUserQuestion"
    assert value_of(argv, "--agent") == "reviewer"
    assert [argv[at + 1] for at, argument in enumerate(argv) if argument == "--add-dir"] == ["/a", "/b"]
    assert "--debug" in argv


def test_a_client_changes_the_environment_but_not_what_the_host_sets() -> None:
    changes = {"FOO": "1", "BAR": None, "CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS": "0"}
    child = child_environment({"BAR": "2", "HOME": "/h"}, "/w", changes)
    assert (child["FOO"], child["HOME"], child["CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS"]) == ("1", "/h", "1")
    assert "BAR" not in child


@pytest.mark.parametrize(
    ("options", "resume", "told"),
    [
        (ClientOptions(), True, False),
        (ClientOptions(initialize={"title": "x"}), True, False),
        (ClientOptions(initialize={"systemPrompt": ["x"]}), False, False),
        (ClientOptions(initialize={"systemPrompt": ["x"]}), True, True),
        (ClientOptions(initialize={"appendSystemPrompt": "x"}), True, True),
        (ClientOptions(agent="reviewer"), True, True),
    ],
)
def test_a_resumed_conversation_keeps_its_recorded_prompt_unless_it_is_given_one(
    options: ClientOptions, resume: bool, told: bool
) -> None:
    spec = SessionSpec(SESSION, "/w", options=options)
    request = initialize_request(spec, resume=resume)
    assert request["subtype"] == "initialize"
    assert (request.get("systemPromptSnapshot") is False) is told


def test_a_client_decides_itself_whether_a_prompt_is_recorded() -> None:
    wanted = {"systemPrompt": ["x"], "systemPromptSnapshot": True}
    spec = SessionSpec(SESSION, "/w", options=ClientOptions(initialize=wanted))
    assert initialize_request(spec, resume=True)["systemPromptSnapshot"] is True
