"""Starting Claude Code: greeted, or explained; nothing is left of a start that failed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from adapter.conformance import processes
from adapter.shared import launch
from adapter.shared.claude import transport
from adapter.shared.claude.client_options import ClientOptions
from adapter.shared.claude.options import SessionSpec, initialize_request
from adapter.shared.jsonrpc.errors import ClaudeFailure
from adapter.shared.launch import Launcher, Started
from shared.claude.fake_cli import SECONDS, install, never_behind

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pytestmark = pytest.mark.anyio

SESSION = "3f1c7a52-1111-4222-8333-444455556666"
MARK = "CLAUDE_ACP_TEST_MARK"
LOG = """
def log(**entry):
    with open("log.jsonl", "a") as file:
        file.write(json.dumps(entry) + "\\n")

log(argv=sys.argv[1:])
"""
SERVE = """
greeting = dict(claude_code_version="2.1.332", current_permission_mode="plan")
while frame := hear():
    subtype = frame.get("request", {}).get("subtype")
    log(subtype=subtype, request=frame.get("request"))
    if subtype == "initialize":
        answer(frame, greeting)
    elif subtype == "get_settings":
        answer(frame, dict(effective=dict(model="opus")))
"""
UNKNOWN = "No conversation found with session ID: 1"


class Starts:
    """Starts of a program in a folder of its own, and what it wrote down."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.started: list[Started] = []

    async def __call__(
        self, script: str, *, resume: bool = False, must_exist: bool = False, mode: str | None = None, **spec: Any
    ) -> Started:
        """Install a program and start it."""
        path = install(self.folder, LOG + script)
        launcher = Launcher({MARK: str(self.folder), "CLAUDECODE": "1"}, never_behind)
        session = SessionSpec(**{"session_id": SESSION, "cwd": str(self.folder), "cli_path": path, **spec})
        with anyio.fail_after(SECONDS):
            started = await launcher.start(session, resume=resume, must_exist=must_exist, permission_mode=mode)
        self.started.append(started)
        return started

    async def failure(self, script: str, **how: Any) -> ClaudeFailure:
        """Why a program could not be started; nothing of it is left."""
        with pytest.raises(ClaudeFailure) as raised:
            await self(script, **how)
        assert self.members() == []
        return raised.value

    @property
    def path(self) -> str:
        return str(self.folder / "claude")

    def log(self, key: str) -> list[Any]:
        """What the program wrote down under a key."""
        lines = (self.folder / "log.jsonl").read_text().splitlines()
        return [entry[key] for entry in map(json.loads, lines) if key in entry]

    def members(self) -> list[processes.Process]:
        return processes.marked(MARK, str(self.folder))


@pytest.fixture
async def start(tmp_path: Path) -> AsyncIterator[Starts]:
    starts = Starts(tmp_path)
    yield starts
    for started in starts.started:
        await started.link.process.kill()


GREETING = {
    "subtype": "initialize",
    "hooks": {
        "PostToolUse": [{"hookCallbackIds": ["tool-done"], "timeout": 5, "onFailure": "continue"}],
        "PostCompact": [{"hookCallbackIds": ["compacted"], "timeout": 5, "onFailure": "continue"}],
    },
    "perTaskStopAffordance": True,
}


def flag(argv: list[str], name: str) -> list[str]:
    """The values of a flag, as `--flag value` or as `--flag=value`."""
    apart = [after for argument, after in zip(argv, [*argv[1:], ""], strict=True) if argument == name]
    return apart + [argument.partition("=")[2] for argument in argv if argument.startswith(f"{name}=")]


async def test_claude_code_is_greeted_and_asked_for_its_settings(start: Starts) -> None:
    started = await start(SERVE)
    assert started.hello.version == "2.1.332"
    assert started.settings == {"effective": {"model": "opus"}}
    assert started.link.permission_mode == "plan"
    assert started.notices == ()
    assert start.log("request") == [GREETING, {"subtype": "get_settings"}]
    (argv,) = start.log("argv")
    assert flag(argv, "--session-id") == [SESSION]
    assert flag(argv, "--permission-mode") == []


async def test_what_subagents_say_and_run_with_is_asked_for_where_it_is_shown(start: Starts) -> None:
    await start(SERVE, tells_subagents=True)
    greeting = start.log("request")[0]
    assert greeting["forwardSubagentText"] is True
    assert set(greeting["hooks"]) == {
        "PostCompact",
        "PostToolUse",
        "PreToolUse",
        "SubagentStart",
        "SubagentStop",
    }


async def test_what_the_client_wants_goes_with_the_greeting(start: Starts) -> None:
    options = ClientOptions(
        initialize={"appendSystemPrompt": "brief " * 40_000, "perTaskStopAffordance": False},
        environment={"FOO": "1", "CLAUDECODE": None},
        permission_mode="acceptEdits",
    )
    await start("log(foo=os.environ['FOO'])\n" + SERVE, options=options)
    greeting = start.log("request")[0]
    assert greeting["appendSystemPrompt"] == "brief " * 40_000
    assert greeting["perTaskStopAffordance"] is False
    assert start.log("foo") == ["1"]
    (argv,) = start.log("argv")
    assert flag(argv, "--permission-mode") == ["acceptEdits"]
    assert max(map(len, argv)) < 300


async def test_settings_of_the_client_come_in_a_file_that_is_taken_away(start: Starts) -> None:
    settings = {"env": {"SECRET": "s3cret"}}
    script = (
        "path = sys.argv[sys.argv.index('--settings') + 1]\n"
        "log(settings=json.load(open(path)), mode=oct(os.stat(path).st_mode & 0o777))\n"
    )
    await start(script + SERVE, options=ClientOptions(settings=settings))
    assert (start.log("settings"), start.log("mode")) == ([settings], ["0o600"])
    (argv,) = start.log("argv")
    (path,) = flag(argv, "--settings")
    assert not await anyio.Path(path).exists()
    assert "s3cret" not in " ".join(argv)


async def test_a_settings_file_of_the_clients_own_is_named(start: Starts) -> None:
    await start(SERVE, options=ClientOptions(settings="mine.json"))
    (argv,) = start.log("argv")
    assert flag(argv, "--settings") == ["mine.json"]


async def test_a_malformed_settings_file_is_told(start: Starts) -> None:
    fault = "dict(file='/w/.claude/settings.json', path='model', message='Expected string')"
    answered = SERVE.replace('effective=dict(model="opus")', f"effective=dict(), errors=[{fault}, {fault}]")
    started = await start(answered)
    assert started.notices == (
        "Claude Code does not use the settings file /w/.claude/settings.json: model: Expected string.",
    )


def test_a_client_with_forms_can_be_asked_after_a_refusal() -> None:
    spec = SessionSpec(SESSION, "/w", shows_forms=True)
    assert initialize_request(spec, resume=False)["supportedDialogKinds"] == ["refusal_fallback_prompt"]


async def test_the_environment_is_that_of_a_child(start: Starts) -> None:
    script = "log(environment=dict(os.environ))\n"
    await start(script + SERVE)
    (environment,) = start.log("environment")
    assert "CLAUDECODE" not in environment
    assert environment[MARK] == str(start.folder)
    assert environment["PWD"] == str(start.folder)


async def test_claude_code_that_is_too_old_is_refused(start: Starts) -> None:
    failure = await start.failure(SERVE.replace("2.1.332", "2.0.1"))
    assert failure.kind == "cli_too_old"
    assert failure.data == {"path": start.path, "version": "2.0.1", "needed": "2.1.270"}


async def test_a_program_that_exits_at_once_is_explained(start: Starts) -> None:
    failure = await start.failure("complain('node: not found')\nsys.exit(127)")
    message = f"Claude Code at {start.path} exited with status 127: node: not found"
    data = {"path": start.path, "exitStatus": 127, "stderr": ["node: not found"]}
    assert failure == ClaudeFailure("start_failed", message, data)


async def test_a_program_that_says_why_it_exits_is_quoted(start: Starts) -> None:
    script = (
        "say(type='result', errors=['first', 'cwd is gone'], startup_failure_reason='cwd_unavailable')\n"
        "say(type='system')\n"
        "complain('Error')\nsys.exit(1)"
    )
    failure = await start.failure(script)
    assert failure.message == f"Claude Code at {start.path} exited with status 1: Error (first; cwd is gone)"
    assert failure.data["reason"] == "cwd_unavailable"


async def test_what_stderr_said_already_is_not_said_twice(start: Starts) -> None:
    failure = await start.failure("say(type='result', errors=['no way'])\ncomplain('no way')\nsys.exit(1)")
    assert failure.message == f"Claude Code at {start.path} exited with status 1: no way"


async def test_a_greeting_that_is_refused_is_a_failure(start: Starts) -> None:
    script = (
        "frame = hear()\n"
        "payload = dict(subtype='error', request_id=frame['request_id'], error='not now')\n"
        "say(type='control_response', response=payload)\nhear()"
    )
    failure = await start.failure(script)
    assert failure == ClaudeFailure(
        "start_failed", f"Claude Code at {start.path} did not start: not now", {"path": start.path}
    )


async def test_settings_that_are_refused_count_as_empty(start: Starts) -> None:
    refusal = "dict(subtype='error', request_id=frame['request_id'], error='no')"
    refuses = f"say(type='control_response', response={refusal})"
    started = await start(SERVE.replace('answer(frame, dict(effective=dict(model="opus")))', refuses))
    assert start.log("subtype") == ["initialize", "get_settings"]
    assert started.settings == {}


async def test_a_missing_program_is_named(start: Starts) -> None:
    with pytest.raises(ClaudeFailure) as raised:
        await start("", cli_path="/nonexistent/claude")
    message = "cannot start Claude Code at /nonexistent/claude: No such file or directory"
    assert raised.value == ClaudeFailure("start_failed", message, {"path": "/nonexistent/claude"})


async def test_no_program_at_all_is_a_failure(start: Starts, monkeypatch: pytest.MonkeyPatch) -> None:
    module = transport.load_submodule(transport.CLI_TRANSPORT)

    def find(_self: object) -> str:
        raise module.CLINotFoundError("Claude Code not found")

    monkeypatch.setattr(module.SubprocessCLITransport, "_find_cli", find)
    failure = await start.failure("", cli_path=None)
    assert (failure.kind, failure.data) == ("start_failed", {"path": "claude"})
    assert "Claude Code not found" in failure.message


async def test_a_program_that_does_not_answer_is_ended_and_quoted(
    start: Starts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch, "INITIALIZE_SECONDS", 1.6)
    failure = await start.failure("complain('one', 'waiting')\nwhile hear(): pass")
    message = f"Claude Code at {start.path} did not answer within 2 s: waiting"
    assert failure == ClaudeFailure("start_failed", message, {"path": start.path, "stderr": ["one", "waiting"]})


def test_a_program_has_a_minute_to_answer() -> None:
    assert launch.INITIALIZE_SECONDS == 60


async def test_a_start_that_is_cancelled_leaves_nothing(start: Starts) -> None:
    servers = {"lab": {"type": "stdio", "command": "lab"}}
    async with anyio.create_task_group() as group:
        group.start_soon(lambda: start("log(up=True)\nwhile hear(): pass", mcp_servers=servers))
        log = start.folder / "log.jsonl"
        up = await anyio.to_thread.run_sync(
            processes.wait_until, lambda: log.exists() and bool(start.log("up")), SECONDS
        )
        assert up
        group.cancel_scope.cancel()
    assert start.members() == []
    (argv,) = start.log("argv")
    (mcp_file,) = flag(argv, "--mcp-config")
    assert not await anyio.Path(mcp_file).exists()


RESUME = f"""
if any(argument.startswith("--resume") for argument in sys.argv):
    say(type="result", subtype="error_during_execution", is_error=True, errors=[{UNKNOWN!r}])
    complain({UNKNOWN!r})
    sys.exit(1)
"""


async def test_a_conversation_is_resumed(start: Starts) -> None:
    await start(SERVE, resume=True, mode="acceptEdits")
    (argv,) = start.log("argv")
    assert flag(argv, "--resume") == [SESSION]
    assert flag(argv, "--session-id") == []
    assert flag(argv, "--permission-mode") == ["acceptEdits"]


async def test_a_conversation_without_a_transcript_begins_anew(start: Starts) -> None:
    started = await start(RESUME + SERVE, resume=True, mode="acceptEdits")
    assert started.settings == {"effective": {"model": "opus"}}
    first, second = start.log("argv")
    assert flag(first, "--resume") == [SESSION]
    assert flag(second, "--session-id") == [SESSION]
    assert flag(second, "--permission-mode") == ["acceptEdits"]


async def test_a_transcript_that_must_be_there_and_is_gone_is_a_failure(start: Starts) -> None:
    failure = await start.failure(RESUME + SERVE, resume=True, must_exist=True)
    assert UNKNOWN in failure.message
    assert len(start.log("argv")) == 1


async def test_a_conversation_that_cannot_be_resumed_otherwise_is_not_begun_anew(start: Starts) -> None:
    failure = await start.failure("complain('disk is full')\nsys.exit(1)", resume=True)
    assert failure.message.endswith(": disk is full")
    assert len(start.log("argv")) == 1


BYPASS = """
if "--permission-mode" not in sys.argv:
    say(type="result", errors=["cannot be used with root"], startup_failure_reason="bypass_root")
    sys.exit(1)
"""


async def test_a_default_mode_that_claude_code_refuses_gives_way_with_a_notice(start: Starts) -> None:
    started = await start(BYPASS + SERVE)
    assert started.notices == (launch.BYPASS_NOTICE,)
    first, second = start.log("argv")
    assert (flag(first, "--permission-mode"), flag(second, "--permission-mode")) == ([], ["default"])


async def test_a_mode_that_was_asked_for_does_not_give_way(start: Starts) -> None:
    script = BYPASS.replace('"--permission-mode" not in', '"--permission-mode" in')
    failure = await start.failure(script, mode="bypassPermissions")
    assert failure.data["reason"] == "bypass_root"
    assert len(start.log("argv")) == 1


READS_MCP_FILE = """
path = sys.argv[sys.argv.index("--mcp-config") + 1]
log(mcp=dict(path=path, mode=os.stat(path).st_mode & 0o777, content=json.load(open(path))))
"""


@pytest.mark.parametrize("fails", [False, True])
async def test_mcp_servers_stand_in_a_file_of_ours_alone_that_is_removed(start: Starts, fails: bool) -> None:
    servers = {"lab": {"type": "stdio", "command": "lab", "args": [], "env": {"TOKEN": "sécret"}}}
    if fails:
        await start.failure(READS_MCP_FILE + "sys.exit(1)", mcp_servers=servers)
    else:
        await start(READS_MCP_FILE + SERVE, mcp_servers=servers)
    (seen,) = start.log("mcp")
    assert (seen["mode"], seen["content"]) == (0o600, {"mcpServers": servers})
    assert not await anyio.Path(seen["path"]).exists()
