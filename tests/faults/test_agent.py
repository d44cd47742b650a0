"""An agent whose client does the unusual, or whose Claude Code dies: every request is answered once."""

from __future__ import annotations

import pytest

from adapter.shared.jsonrpc.errors import ClaudeFailure
from support import machine
from support.cores import Core, all_cores, v2_cores

from .connection import Json, Memory, cancel, close, new, notification, prompt, request, run, settle

# Sessions that do not exist, or not any more.


@all_cores
@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("session/prompt", {"prompt": [{"type": "text", "text": "Go"}]}),
        ("session/set_config_option", {"configId": "mode", "value": "plan", "type": "id"}),
    ],
)
def test_an_unknown_session_is_named(core: Core, method: str, params: Json) -> None:
    async def steps(memory: Memory) -> None:
        memory.write(request(1, method, sessionId="nobody", **params))
        error = memory.responses()[1]["error"]
        assert error == {"code": -32002, "message": "Resource not found", "data": {"sessionId": "nobody"}}

    run(steps, core)


def test_an_unknown_session_is_named_on_v1() -> None:
    async def steps(memory: Memory) -> None:
        memory.write(request(1, "session/set_mode", sessionId="nobody", modeId="plan"))
        assert memory.responses()[1]["error"]["data"] == {"sessionId": "nobody"}

    run(steps, Core.V1)


@all_cores
def test_closing_a_session_that_is_not_open_is_well(core: Core) -> None:
    async def steps(memory: Memory) -> None:
        memory.write(request(1, "session/close", sessionId="nobody"))
        assert memory.responses()[1]["result"] == {}

    run(steps, core)


@v2_cores
def test_closing_an_unknown_session_succeeds_on_v2(core: Core) -> None:
    async def steps(memory: Memory) -> None:
        memory.write(close(1, "nobody"))
        assert memory.responses()[1]["result"] == {}

    run(steps, core)


@all_cores
@pytest.mark.parametrize("params", [{"sessionId": "nobody"}, {"sessionId": 7}, {}])
def test_a_cancel_of_no_session_is_passed_over(core: Core, params: Json) -> None:
    async def steps(memory: Memory) -> None:
        memory.write(notification("session/cancel", **params))
        await memory.new(1)
        assert len(memory.responses()) == 1

    run(steps, core)


@all_cores
def test_a_closed_session_takes_no_prompts(core: Core) -> None:
    async def steps(memory: Memory) -> None:
        session = await memory.new(1)
        memory.write(close(2, session))
        await settle()
        memory.write(prompt(3, session))
        assert memory.responses()[2]["result"] == {}
        assert memory.responses()[3]["error"]["data"] == {"sessionId": session}
        assert memory.launcher.started[0].process.ended

    run(steps, core)


@all_cores
def test_what_is_written_right_behind_a_close_is_answered_too(core: Core) -> None:
    async def steps(memory: Memory) -> None:
        session = await memory.new(1)
        memory.write(close(2, session), prompt(3, session), close(4, session))
        await settle()
        assert memory.responses().keys() == {1, 2, 3, 4}
        assert memory.errors()[3] == -32002

    run(steps, core)


@all_cores
def test_a_close_answers_the_prompts_first(core: Core) -> None:
    async def steps(memory: Memory) -> None:
        session = await memory.new(1)
        memory.write(prompt(2, session), prompt(3, session), close(4, session))
        await settle()
        answered = [message["id"] for message in memory.messages if "method" not in message]
        assert answered == [1, 2, 3, 4]

    run(steps, core)


@all_cores
def test_prompts_that_come_in_one_piece_are_written_and_answered_in_their_order(core: Core) -> None:
    async def steps(memory: Memory) -> None:
        session = await memory.new(1)
        memory.write(*(prompt(number, session, f"prompt {number}") for number in (2, 3, 4)))
        claude = memory.launcher.started[0]
        assert claude.prompts() == ["prompt 2", "prompt 3", "prompt 4"]
        for uuid in claude.uuids():
            claude.begins(uuid)
            claude.finishes(uuid)
        answered = [message["id"] for message in memory.messages if "method" not in message]
        assert answered == [1, 2, 3, 4]
        assert memory.errors() == {}

    run(steps, core)


# A session that is being made.


@all_cores
def test_a_new_session_that_is_cancelled_is_not_made(core: Core) -> None:
    async def steps(memory: Memory) -> None:
        memory.launcher.may_start.clear()
        memory.write(new(1))
        await settle()
        memory.write(notification("$/cancel_request", requestId=1))
        await settle()
        assert memory.errors() == {1: -32800}
        assert memory.launcher.cancelled == 1

    run(steps, core)


@all_cores
def test_a_new_session_that_is_cancelled_at_once_is_answered(core: Core) -> None:
    async def steps(memory: Memory) -> None:
        memory.write(new(1), notification("$/cancel_request", requestId=1))
        await settle()
        assert memory.errors() == {1: -32800}

    run(steps, core)


@all_cores
def test_cancelling_a_request_that_is_not_open_changes_nothing(core: Core) -> None:
    async def steps(memory: Memory) -> None:
        memory.write(notification("$/cancel_request", requestId=1), notification("$/cancel_request"))
        session = await memory.new(1)
        memory.write(notification("$/cancel_request", requestId=1), prompt(2, session))
        assert memory.launcher.started[0].prompts() == ["Go"]
        assert memory.errors() == {}

    run(steps, core)


@all_cores
def test_a_failed_start_is_answered_and_the_next_one_works(core: Core) -> None:
    async def steps(memory: Memory) -> None:
        memory.launcher.failure = machine.TOO_OLD
        memory.write(new(1))
        await settle()
        assert memory.responses()[1]["error"]["data"] == {"errorKind": "cli_too_old"}
        memory.launcher.failure = None
        await memory.new(2)

    run(steps, core)


@all_cores
@pytest.mark.parametrize("cwd", ["relative", "", "/no/such/folder", "/dev/null", "/a\0b", "C:\\proj"])
def test_a_working_directory_must_be_an_absolute_path_of_a_folder(core: Core, cwd: str) -> None:
    async def steps(memory: Memory) -> None:
        memory.write(new(1, cwd))
        error = memory.responses()[1]["error"]
        assert (error["code"], error["data"]) == (-32602, {"cwd": cwd})
        assert error["message"].startswith("Invalid params: `cwd` ")
        assert memory.launcher.started == []

    run(steps, core)


@all_cores
def test_mcp_servers_reach_claude_code(core: Core) -> None:
    async def steps(memory: Memory) -> None:
        server = {"name": "lab", "command": "lab", "args": ["-x"], "env": [{"name": "KEY", "value": "secret"}]}
        remote = {"type": "http", "name": "net", "url": "https://x", "headers": [{"name": "A", "value": "b"}]}
        memory.write(new(1, mcpServers=[server, remote]))
        await settle()
        assert memory.launcher.started[0].spec.mcp_servers == {
            "lab": {"type": "stdio", "command": "lab", "args": ["-x"], "env": {"KEY": "secret"}},
            "net": {"type": "http", "url": "https://x", "headers": {"A": "b"}},
        }

    run(steps, core)


@all_cores
def test_an_mcp_server_of_an_unknown_kind_is_the_client_s_mistake(core: Core) -> None:
    async def steps(memory: Memory) -> None:
        memory.write(new(1, mcpServers=[{"type": "carrier-pigeon", "name": "x"}]))
        assert memory.responses()[1]["error"]["data"]["path"] == "mcpServers.0.type"

    run(steps, core)


def test_what_claude_code_says_before_the_session_is_known_comes_after_its_answer() -> None:
    async def steps(memory: Memory) -> None:
        memory.launcher.may_start.clear()
        memory.write(new(1))
        await settle()
        memory.launcher.may_start.set()
        await settle()
        memory.launcher.started[0].says(machine.system("informational", level="warning", content="Mind the gap"))
        first = next(message for message in memory.messages if message.get("method") != "_auth/status_update")
        assert first["id"] == 1
        assert any("Mind the gap" in str(update) for update in memory.updates())

    run(steps, Core.V1)


# Several sessions.


@all_cores
def test_a_cancel_in_one_session_leaves_the_other(core: Core) -> None:
    async def steps(memory: Memory) -> None:
        first, second = await memory.new(1), await memory.new(2)
        memory.write(prompt(3, first), prompt(4, second), cancel(first))
        assert memory.launcher.started[0].controls() == ["get_context_usage", "interrupt"]
        assert memory.launcher.started[1].controls() == ["get_context_usage"]

    run(steps, core)


@all_cores
def test_a_death_in_one_session_leaves_the_other(core: Core) -> None:
    async def steps(memory: Memory) -> None:
        first, second = await memory.new(1), await memory.new(2)
        memory.write(prompt(3, first), prompt(4, second))
        memory.launcher.started[0].begins(memory.launcher.started[0].uuids()[0])
        memory.launcher.started[0].dies()
        assert memory.errors() == ({3: -32603} if core is Core.V1 else {})
        (uuid,) = memory.launcher.started[1].uuids()
        memory.launcher.started[1].begins(uuid)
        memory.launcher.started[1].finishes(uuid)
        assert "result" in memory.responses()[4]

    run(steps, core)


# Deaths.


@all_cores
def test_a_prompt_after_a_death_resumes_the_session(core: Core) -> None:
    async def steps(memory: Memory) -> None:
        session = await memory.new(1)
        memory.launcher.started[0].dies()
        memory.write(prompt(2, session))
        await settle()
        _, resumed = memory.launcher.started
        assert (resumed.resumed, resumed.spec.session_id, resumed.prompts()) == (True, session, ["Go"])
        resumed.begins(resumed.uuids()[0])
        resumed.finishes(resumed.uuids()[0])
        assert "result" in memory.responses()[2]

    run(steps, core)


@all_cores
def test_a_session_that_has_had_a_turn_needs_its_transcript(core: Core) -> None:
    async def steps(memory: Memory) -> None:
        session = await memory.new(1)
        for number in (2, 3, 4):
            memory.launcher.started[-1].dies()
            memory.write(prompt(number, session))
            await settle()
            claude = memory.launcher.started[-1]
            claude.begins(claude.uuids()[0])
            if number == 2:
                claude.finishes(claude.uuids()[0])
        assert [claude.must_exist for claude in memory.launcher.started] == [False, False, True, True]

    run(steps, core)


@all_cores
def test_a_session_that_cannot_be_resumed_is_not_found_and_says_why(core: Core) -> None:
    async def steps(memory: Memory) -> None:
        session = await memory.new(1)
        memory.launcher.started[0].dies()
        memory.launcher.failure = ClaudeFailure("start_failed", "no memory", {"exitStatus": 1})
        memory.write(prompt(2, session))
        await settle()
        error = memory.responses()[2]["error"]
        assert error == {
            "code": -32002,
            "message": f"Resource not found: the session {session} cannot be resumed: no memory",
            "data": {"errorKind": "resume_failed", "cause": "start_failed", "exitStatus": 1, "sessionId": session},
        }
        memory.launcher.failure = None
        memory.write(prompt(3, session))
        await settle()
        assert memory.launcher.started[-1].prompts() == ["Go"]

    run(steps, core)


@all_cores
def test_a_death_while_an_interrupt_is_open_lets_the_next_prompt_through(core: Core) -> None:
    async def steps(memory: Memory) -> None:
        session = await memory.new(1)
        memory.write(cancel(session), prompt(2, session))
        memory.launcher.started[0].dies()
        await settle()
        assert memory.launcher.started[1].prompts() == ["Go"]
        assert memory.errors() == {}

    run(steps, core)


@all_cores
def test_a_session_that_is_closed_while_claude_code_starts_leaves_no_process(core: Core) -> None:
    async def steps(memory: Memory) -> None:
        session = await memory.new(1)
        memory.launcher.started[0].dies()
        memory.launcher.may_start.clear()
        memory.write(prompt(2, session))
        await settle()
        memory.write(close(3, session))
        await settle()
        memory.launcher.may_start.set()
        await settle()
        assert memory.responses().keys() == {1, 2, 3}
        assert all(claude.process.ended for claude in memory.launcher.started[1:])

    run(steps, core)


@all_cores
def test_a_process_that_dies_as_the_session_is_made_is_started_again_by_the_prompt(core: Core) -> None:
    async def steps(memory: Memory) -> None:
        session = await memory.new(1)
        memory.launcher.started[0].dies()
        assert memory.errors() == {}
        memory.write(prompt(2, session))
        await settle()
        assert len(memory.launcher.started) == 2

    run(steps, core)


@all_cores
def test_the_end_of_the_adapter_answers_what_is_open_and_stops_claude_code(core: Core) -> None:
    async def steps(memory: Memory) -> None:
        session = await memory.new(1)
        memory.write(prompt(2, session), request(3, "session/set_config_option", **option(session)))
        memory.launcher.may_start.clear()
        memory.write(new(4))
        await settle()
        await memory.agent.shut_down()
        assert memory.responses().keys() == {1, 2, 3, 4}
        assert memory.launcher.started[0].process.ended

    run(steps, core)


def option(session: str) -> Json:
    return {"sessionId": session, "configId": "mode", "value": "plan", "type": "id"}


@all_cores
def test_what_is_not_sent_of_a_prompt_is_said_before_its_turn(core: Core) -> None:
    async def steps(memory: Memory) -> None:
        session = await memory.new(1)
        resource = {"uri": "file:///w/a.zip", "mimeType": "application/zip", "blob": "UEs="}
        blocks = [{"type": "text", "text": "Go"}, {"type": "resource", "resource": resource}]
        memory.write(request(2, "session/prompt", sessionId=session, prompt=blocks))
        await settle()
        told = [str(update) for update in memory.updates() if "a.zip was not sent" in str(update)]
        assert len(told) == 1
        assert "application/zip" in str(memory.launcher.started[0].process.frames[-1]["message"])

    run(steps, core)
