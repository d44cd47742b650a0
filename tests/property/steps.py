"""What can happen to a core: each step is a function of the world around it and of a number.

The number picks one of the things that the step could be about. A step that is not possible now does nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from adapter.shared.inputs import (
    CancelReceived,
    ClientAnswered,
    CloseRequested,
    ControlAnswered,
    FileChanged,
    MethodCalled,
    PermissionAsked,
    ProcessStarted,
    RequestCancelled,
    RestartWanted,
    ShutDown,
    SteerReceived,
    TimerFired,
)
from adapter.shared.jsonrpc.errors import ClaudeFailure
from adapter.shared.tools.facts import FileSnapshot
from support import machine

from .world import CALLS, World

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Json = dict[str, Any]
Step = tuple[str, int]

PLAN = {"plan": "1. Do it"}
TOOLS = ["Bash", "Edit", "mcp__x"]
OPTIONS = [("model", "haiku"), ("mode", "plan"), ("mode", "acceptEdits"), ("colour", "red"), ("effort", "never")]
RESULTS: list[Json] = [
    {},
    {"is_error": True, "terminal_reason": "api_error"},
    {"is_error": True, "terminal_reason": "aborted_tools", "subtype": "error_during_execution"},
    {"origin": {"kind": "task-notification"}},
    {"origin": {"kind": "task-notification"}, "num_turns": 0},
]
REMARKS: list[Json] = [
    machine.system("status", permissionMode="plan"),
    machine.system("session_state_changed", state="running"),
    machine.system("informational", level="warning", content="x"),
    machine.system("background_tasks_changed", tasks=[{"task_id": "b"}]),
    machine.system("background_tasks_changed", tasks=[]),
    machine.system("status", status="compacting", uuid="c"),
    machine.says("x", error="authentication_failed"),
    machine.system("session_title_changed", title="x"),
    machine.system("commands_changed", commands=[{"name": "x"}]),
    {"type": "never_seen"},
]


def play(world: World, steps: Iterable[Step]) -> None:
    """Takes steps until the session is over."""
    for name, number in steps:
        if not world.ended:
            STEPS[name](world, number)


ENDS = frozenset({"result", "command_lifecycle", "system"})

# The client.


def prompts(world: World, _number: int) -> None:
    request = world.request()
    world.tell(replace(machine.prompt(request), report_id=f"r{request}"))


def renames(world: World, number: int) -> None:
    world.tell(machine.prompt(world.request(), f"/rename {'x' * (number % 2)}"))


def sets_title(world: World, _number: int) -> None:
    world.tell(MethodCalled(world.request(), "session/set_title", {"title": "x"}))


def steers(world: World, number: int) -> None:
    """A steering prompt, or a goal; Claude Code treats it like any other prompt."""
    request = world.request()
    block = {"type": "text", "text": "Left"}
    world.tell(SteerReceived(request, f"p{request}", (block,), (block,), "Left", goal=number % 3 == 0))


def types_mcp(world: World, number: int) -> None:
    """Claude Code's answer to `/mcp`: the turn waits for the servers."""
    args = ["", "reconnect", "disable all"][number % 3]
    says(world, machine.says("x", f"m{number}", local_command_run={"command": "mcp", "args": args}))


def cancels(world: World, _number: int) -> None:
    world.tell(CancelReceived())


def cancels_request(world: World, number: int) -> None:
    world.tell(RequestCancelled(number))


def configures(world: World, number: int) -> None:
    option, value = OPTIONS[number % len(OPTIONS)]
    world.tell(machine.configure(world.request(), option, value, as_mode=option == "mode" and number % 2 == 0))


def answers(world: World, number: int) -> None:
    if world.questions:
        key = sorted(world.questions)[number % len(world.questions)]
        del world.questions[key]
        world.tell(_answer(key, number))


def _answer(key: str, number: int) -> ClientAnswered:
    match number % 5:
        case 4:
            return ClientAnswered(key, {"action": "accept", "content": {"name": "Ada"}})
        case 0:
            return machine.answer(key)
        case 1:
            return machine.answer(key, "no such option")
        case 2:
            return ClientAnswered(key, {"outcome": {"outcome": "cancelled"}})
        case _:
            return ClientAnswered(key, None, {"code": -32603, "message": "No"})


def plans(world: World, number: int) -> None:
    """A plan is asked about; every other one is approved for a fresh context."""
    world.asked += 1
    key, call = f"main{world.asked}", world.call_id(0)
    says(world, machine.calls(call, "ExitPlanMode", PLAN))
    says(world, machine.asks(key, call, "ExitPlanMode", PLAN))
    if number % 2 and world.questions.pop(key, None) is not None:
        world.tell(machine.answer(key, "exit-plan-clear-auto"))


def answers_late(world: World, number: int) -> None:
    key = f"main{number}"
    if key not in world.questions:
        world.tell(machine.answer(key))


def closes(world: World, _number: int) -> None:
    world.tell(CloseRequested(world.request()))
    world.check_no_calls("the close")


def shuts_down(world: World, _number: int) -> None:
    world.tell(ShutDown())
    world.check_no_calls("the end")
    world.ended = True


# Claude Code.


def says(world: World, frame: Json) -> None:
    """A frame of Claude Code's, unless it does not run. While a `/mcp` has no answer, its turn has no more output."""
    if world.process == "up" and ("mcp" not in world.controls or frame["type"] in ENDS):
        world.tell(frame)


def lifecycle(state: str) -> Callable[[World, int], None]:
    def step(world: World, number: int) -> None:
        says(world, {"type": "command_lifecycle", "command_uuid": world.uuid(number), "state": state})

    return step


def starts_prompt(world: World, number: int) -> None:
    """A prompt begins a turn, or is taken into the running one: its owner then hands over what is open.

    While a `/mcp` has no answer its frame would wait, and nobody own a turn.
    """
    if world.process != "up" or "mcp" in world.controls:
        return
    uuid = world.uuid(number)
    owner, world.owner = world.owner, ""
    lifecycle("started")(world, number)
    world.owner = uuid if int(uuid[1:]) in world.open and uuid not in world.over else owner


def echoes(world: World, number: int) -> None:
    says(world, machine.echo(int(world.uuid(number)[1:])))


def ends_turn(world: World, number: int) -> None:
    named = [[world.uuid(number)], world.written[-2:], [], ["p0"]][number % 4]
    how = RESULTS[number % len(RESULTS)]
    says(world, {**machine.result(), "user_message_uuids": named, **how})
    if world.owner in named and "origin" not in how:
        world.hold_owner()


def is_idle(world: World, _number: int) -> None:
    says(world, machine.idle())


def streams(world: World, number: int) -> None:
    block = {"type": "tool_use", "id": world.call_id(2 * number), "name": "Edit", "input": {}}
    begun = machine.stream({"type": "content_block_start", "index": 0, "content_block": block})
    says(world, [machine.message_start(f"m{number}"), machine.delta("x"), machine.says("x"), begun][number % 4])


def calls_tool(world: World, number: int) -> None:
    parent = "agent" if number % 2 else None
    says(world, machine.calls(world.call_id(number), TOOLS[number % len(TOOLS)], parent=parent))


def calls_tools(world: World, _number: int) -> None:
    blocks = [{"type": "tool_use", "id": world.call_id(index), "name": "Read", "input": {}} for index in (0, 2)]
    says(world, machine.assistant(*blocks))


def returns(world: World, number: int) -> None:
    frame = machine.returns(world.names[number % CALLS], kind=["", "user-rejected", "rule"][number % 3])
    if world.process == "up" and "mcp" not in world.controls:
        world.tell(FileChanged(frame, FileSnapshot("text", "b\n")) if number % 5 == 0 else frame)


def asks(world: World, number: int) -> None:
    """A call is made, and then asked about."""
    calls_tool(world, number)
    world.asked += 1
    who = "agent" if number % 2 else "main"
    agent: Json = {"agent_id": f"task{number % 3}"} if number % 2 else {}
    frame = machine.asks(f"{who}{world.asked}", world.call_id(number), TOOLS[number % len(TOOLS)], **agent)
    if world.process == "up" and "mcp" not in world.controls:
        world.tell(PermissionAsked(frame, FileSnapshot("text", "a\n")) if number % 3 == 0 else frame)


def starts_task(world: World, number: int) -> None:
    kind = "local_bash" if number % 4 == 3 else "local_agent"
    call_id = "agent" if kind == "local_agent" else world.names[0]
    says(world, machine.task_started(f"task{number % 3}", call_id, background=number % 2 == 0, kind=kind))


def ends_task(world: World, number: int) -> None:
    says(world, machine.task_ended(f"task{number % 3}", status=["completed", "failed", "stopped"][number % 3]))


def lists_tasks(world: World, number: int) -> None:
    says(world, machine.system("background_tasks_changed", tasks=[{"task_id": f"task{number % 3}"}]))


def elicits(world: World, _number: int) -> None:
    world.asked += 1
    says(world, machine.elicits(f"main{world.asked}"))


def withdraws(world: World, number: int) -> None:
    if world.questions:
        says(world, machine.withdraws(sorted(world.questions)[number % len(world.questions)]))


def remarks(world: World, number: int) -> None:
    says(world, REMARKS[number % len(REMARKS)])


def answers_control(world: World, number: int) -> None:
    if world.process == "up" and world.controls:
        key = world.controls.pop(number % len(world.controls))
        world.tell(ControlAnswered(key, {"title": "x"}, "no" if number % 3 == 2 else ""))


# What becomes of the process.


def dies(world: World, _number: int) -> None:
    if world.process == "up":
        world.process = "down"
        lost, world.controls = world.controls, []
        world.tell(machine.dies())
        world.owner = ""
        world.check_no_calls("the death")
        for key in lost:
            world.tell(ControlAnswered(key, {}, "Claude Code exited"))


def comes_up(world: World, number: int) -> None:
    if world.process == "starting":
        world.process = "up"
        world.tell(ProcessStarted("plan" if number % 2 else "default"))


def restarts(world: World, _number: int) -> None:
    world.tell(RestartWanted())


def fails_to_start(world: World, _number: int) -> None:
    if world.process == "starting":
        world.process = "down"
        world.tell(machine.dies(ClaudeFailure("start_failed", "No such file")))


def time_passes(world: World, _number: int) -> None:
    for name in sorted(world.timers):
        world.timers.discard(name)
        world.tell(TimerFired(name))


STEPS: dict[str, Callable[[World, int], None]] = {
    "prompts": prompts,
    "renames": renames,
    "sets title": sets_title,
    "steers": steers,
    "types mcp": types_mcp,
    "cancels": cancels,
    "cancels request": cancels_request,
    "configures": configures,
    "answers": answers,
    "answers late": answers_late,
    "plans": plans,
    "closes": closes,
    "shuts down": shuts_down,
    "starts prompt": starts_prompt,
    "queues prompt": lifecycle("queued"),
    "completes prompt": lifecycle("completed"),
    "cancels prompt": lifecycle("cancelled"),
    "refuses prompt": lifecycle("refused"),
    "echoes": echoes,
    "ends turn": ends_turn,
    "is idle": is_idle,
    "streams": streams,
    "calls tool": calls_tool,
    "calls tools": calls_tools,
    "returns": returns,
    "asks": asks,
    "starts task": starts_task,
    "ends task": ends_task,
    "lists tasks": lists_tasks,
    "elicits": elicits,
    "withdraws": withdraws,
    "remarks": remarks,
    "answers control": answers_control,
    "dies": dies,
    "comes up": comes_up,
    "restarts": restarts,
    "fails to start": fails_to_start,
    "time passes": time_passes,
}
