"""A command that is followed, from Claude Code's frame to the client's messages, on both versions."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from adapter.shared.client_capabilities import TerminalChannel
from adapter.shared.conversation import Conversation
from adapter.shared.core import Encoder
from adapter.shared.effects import Effects, FollowOutput, ForgetOutput
from adapter.shared.inputs import OutputGrew
from adapter.shared.tools.facts import CallContext
from adapter.v1.session import V1Session
from support.machine import (
    NewCore,
    bridge_core,
    calls,
    dies,
    handle,
    native_core,
    of,
    prompt,
    returns,
    session_config,
    started,
    system,
    v1_encoder,
    v2_encoder,
)

BEGUN = system("task_started", task_id="b1", tool_use_id="t1", session_id="claude")
ENDED = system("task_notification", task_id="b1", tool_use_id="t1", status="completed")
LAUNCH = {**returns("t1", "Started."), "tool_use_result": {"stdout": "", "stderr": "", "backgroundTaskId": "b1"}}
FOLLOW = FollowOutput("t1", "claude", "b1")


def running(*, terminal: bool = True) -> V1Session:
    core = V1Session(Conversation(CallContext("/w", exact_patches=False, terminal=terminal)), session_config(), ())
    handle(core, prompt(1), started(1), calls("t1"))
    return core


def messages(effects: Effects, encoder: Encoder) -> list[dict[str, Any]]:
    updates = [effect for effect in effects if not isinstance(effect, FollowOutput | ForgetOutput)]
    return [message for update in updates for message in encoder.updates(update)]


def test_a_command_is_followed_until_its_result() -> None:
    core = running()
    assert handle(core, BEGUN) == [FOLLOW]
    assert of(handle(core, returns("t1")), ForgetOutput) == [ForgetOutput("t1")]


def test_without_a_terminal_nothing_is_followed() -> None:
    assert handle(running(terminal=False), BEGUN) == []


def test_other_tasks_are_not_followed() -> None:
    assert handle(running(), system("task_started", task_id="a1", tool_use_id="agent", session_id="claude")) == []


def test_a_command_in_the_background_is_followed_until_its_notification() -> None:
    core = running()
    handle(core, BEGUN)
    assert of(handle(core, LAUNCH), ForgetOutput) == []
    assert of(handle(core, ENDED), ForgetOutput) == [ForgetOutput("t1")]


def test_a_call_that_ends_otherwise_ends_the_following() -> None:
    core = running()
    handle(core, BEGUN)
    assert of(handle(core, dies()), ForgetOutput) == [ForgetOutput("t1")]
    assert handle(core, OutputGrew("t1", "late")) == []


@pytest.mark.parametrize("channel", [TerminalChannel.META, TerminalChannel.META_DELTA])
def test_v1_sends_it_as_terminal_data_and_the_end_repeats_nothing(channel: TerminalChannel) -> None:
    core, encoder = running(), v1_encoder(channel)
    [shown] = messages(handle(core, BEGUN, OutputGrew("t1", "one\n")), encoder)
    assert shown == {
        "_meta": {channel.value: {"terminal_id": "t1", "data": "one"}},
        "toolCallId": "t1",
        "sessionUpdate": "tool_call_update",
    }
    [end] = messages(handle(core, returns("t1", "one")), encoder)
    assert end["_meta"]["terminal_exit"]["exit_code"] == 0
    assert end["status"] == "completed"


def test_v1_ends_a_terminal_of_the_background_with_its_command() -> None:
    core, encoder = running(), v1_encoder(TerminalChannel.META)
    launched = messages(handle(core, BEGUN, LAUNCH), encoder)
    assert [list(message["_meta"]) for message in launched] == [["terminal_output"], ["claudeCode"]]
    [end] = messages(handle(core, ENDED), encoder)
    assert end["_meta"] == {"terminal_exit": {"terminal_id": "t1", "exit_code": None, "signal": None}}


@pytest.mark.parametrize("make_core", [bridge_core, native_core], ids=["bridge", "native"])
def test_v2_appends_chunks_and_the_end_appends_the_rest(make_core: NewCore) -> None:
    core, encoder = make_core(), v2_encoder()
    handle(core, prompt(1), started(1), calls("t1"))
    [shown] = messages(handle(core, BEGUN, OutputGrew("t1", "one\n")), encoder)
    assert shown == {
        "sessionUpdate": "terminal_output_chunk",
        "terminalId": "t1",
        "data": base64.b64encode(b"one").decode(),
    }
    rest, end, _call = messages(handle(core, returns("t1", "one\ntwo")), encoder)
    assert (rest["sessionUpdate"], base64.b64decode(rest["data"])) == ("terminal_output_chunk", b"\ntwo")
    assert end == {"sessionUpdate": "terminal_update", "terminalId": "t1", "exitStatus": {"exitCode": 0}}
