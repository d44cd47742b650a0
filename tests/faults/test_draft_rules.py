"""What the draft of v2 demands of an agent in so many words, on a connection of either core."""

from __future__ import annotations

from typing import Any

from adapter.shared.v2.initialize import login_methods
from support import machine
from support.cores import Core, v2_cores

from .connection import FakeClaude, Json, Memory, prompt, request, run, settle

GATEWAY: Json = {"gateway": {"baseUrl": "http://127.0.0.1:9/gw", "headers": {}}}
QUESTIONS: Json = {"questions": [{"question": "Why?", "header": "Why", "options": [{"label": "So"}]}]}
PAGE: Json = {"mode": "url", "url": "https://login.test", "elicitation_id": "e1"}
EDIT: Json = {"file_path": "/w/a", "old_string": "a", "new_string": "b"}
LIST: Json = {"todos": [{"content": "Read", "status": "pending", "activeForm": "Reading"}]}


async def prompted(memory: Memory, number: int, session: str) -> FakeClaude:
    """A turn that runs, of a session's next prompt."""
    claude = memory.launcher.started[0]
    memory.write(prompt(number, session))
    claude.begins(claude.uuids()[-1])
    await settle()
    return claude


def succeeds(claude: FakeClaude, subtype: str) -> None:
    """Claude Code does what it was asked last, by a control request of a subtype."""
    sent = [frame for frame in claude.process.frames if frame["type"] == "control_request"]
    asked = [frame for frame in sent if frame["request"]["subtype"] == subtype][-1]
    done = {"subtype": "success", "request_id": asked["request_id"], "response": {}}
    claude.says({"type": "control_response", "response": done})


@v2_cores
def test_text_and_links_reach_claude_code(core: Core) -> None:
    link = {"type": "resource_link", "uri": "file:///w/a.py", "name": "a.py"}
    blocks = [{"type": "text", "text": "Look at"}, link, {"type": "text", "text": "please"}]

    async def steps(memory: Memory) -> None:
        session = await memory.new(1)
        memory.write(request(2, "session/prompt", sessionId=session, prompt=blocks))
        claude = memory.launcher.started[0]
        [sent] = [frame["message"]["content"] for frame in claude.process.frames if frame["type"] == "user"]
        assert [block["text"] for block in sent] == ["Look at", "[@a.py](file:///w/a.py)", "please"]
        claude.begins(claude.uuids()[0])
        await settle()
        [shown] = [update for update in memory.updates() if update["sessionUpdate"] == "user_message"]
        assert shown["content"] == blocks

    run(steps, core)


@v2_cores
def test_capabilities_that_are_left_out_are_not_used(core: Core) -> None:
    async def steps(memory: Memory) -> None:
        session = await memory.new(1)
        claude = await prompted(memory, 2, session)
        claude.says(machine.asks("q", "t1", "AskUserQuestion", QUESTIONS))
        claude.says(machine.elicits("form"), machine.elicits("page", **PAGE))
        claude.says(machine.system("init", mcp_servers=[{"name": "lab", "status": "needs-auth"}], session_id="s"))
        memory.write(request(3, "auth/login", methodId="gateway", _meta=GATEWAY))
        await settle()
        assert [question["subject"]["toolCall"]["toolCallId"] for question in memory.questions()] == ["t1"]
        replies = [frame["response"] for frame in claude.process.frames if frame["type"] == "control_response"]
        declined = {reply["request_id"]: reply["response"] for reply in replies}
        assert declined == {"form": {"action": "decline"}, "page": {"action": "decline"}}
        assert "mcp_authenticate" not in claude.controls()
        assert not any(message.get("method") == "elicitation/create" for message in memory.messages)
        assert memory.errors() == {3: -32602}
        assert login_methods(memory.agent.capabilities, hide_claude=False) == []

    run(steps, core)


@v2_cores
def test_every_option_has_a_value_and_all_of_them_are_in_the_answer(core: Core) -> None:
    def values(options: list[Json]) -> dict[str, Any]:
        for option in options:
            of_switch = option["type"] == "boolean"
            allowed = [True, False] if of_switch else [choice["value"] for choice in option["options"]]
            assert option["currentValue"] in allowed
        return {option["configId"]: option["currentValue"] for option in options}

    async def steps(memory: Memory) -> None:
        session = await memory.new(1)
        before = values(memory.responses()[1]["result"]["configOptions"])
        assert before.keys() >= {"mode", "model"}
        set_mode = {"sessionId": session, "configId": "mode", "type": "id", "value": "plan"}
        memory.write(request(2, "session/set_config_option", **set_mode))
        await settle()
        succeeds(memory.launcher.started[0], "set_permission_mode")
        await settle()
        assert values(memory.responses()[2]["result"]["configOptions"]) == {**before, "mode": "plan"}

    run(steps, core)


@v2_cores
def test_a_terminal_is_opened_and_ended_once_and_its_id_is_not_used_again(core: Core) -> None:
    async def steps(memory: Memory) -> None:
        session = await memory.new(1)
        for number, ids in ((2, ("t1", "t2")), (3, ("t3",))):
            claude = await prompted(memory, number, session)
            for call in ids:
                # The call is asked about and told whole, and told once more when it is over.
                claude.says(machine.calls(call), machine.asks(f"q-{call}", call))
                claude.says(machine.returns(call), machine.calls(call))
            claude.finishes(claude.uuids()[-1])
            await settle()
        told = [update for update in memory.updates() if update["sessionUpdate"] == "terminal_update"]
        opened = [update["terminalId"] for update in told if update.keys() == {"sessionUpdate", "terminalId"}]
        assert opened == ["t1", "t2", "t3"]
        for terminal in opened:
            ends = ["exitStatus" in update for update in told if update["terminalId"] == terminal]
            assert ends.index(True) == len(ends) - 1

    run(steps, core)


@v2_cores
def test_messages_have_no_fields_of_our_own(core: Core) -> None:
    """Each message is checked for names that its type does not have: see `support.schemas`."""

    async def steps(memory: Memory) -> None:
        session = await memory.new(1)
        claude = await prompted(memory, 2, session)
        claude.says(machine.message_start(), machine.delta("Hello."), machine.calls("t1"), machine.asks("q", "t1"))
        claude.says(machine.returns("t1"), machine.calls("t2", "Edit", EDIT), machine.returns("t2"))
        claude.says(machine.calls("t3", "TodoWrite", LIST), machine.returns("t3"))
        claude.says(machine.calls("agent", "Agent", {}), machine.task_started())
        claude.finishes(claude.uuids()[0])
        memory.write(request(3, "session/status", sessionId=session), request(4, "providers/list"))
        memory.write(request(5, "session/prompt", sessionId="nobody", prompt=[]))
        memory.write(request(6, "session/close", sessionId=session))
        await settle()
        assert memory.responses().keys() >= {1, 2, 3, 4, 5, 6}
        assert len(memory.questions()) == 1
        assert {update["sessionUpdate"] for update in memory.updates()} >= {
            "agent_message_chunk",
            "available_commands_update",
            "plan_update",
            "state_update",
            "subagent_update",
            "terminal_update",
            "tool_call_update",
            "usage_update",
            "user_message",
        }

    run(steps, core)
