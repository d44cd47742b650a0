"""Which files a prompt has changed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from adapter.shared.effects import SendControl, StartTimer, StopTimer
from adapter.shared.inputs import CloseRequested, ControlAnswered, PromptReceived, TimerFired
from adapter.v1.extensions.file_change_report import canonical_path, report
from support.air import ROOTS, AirSession, check, payloads
from support.machine import CANCEL, aborted, dies, dropped, idle, interrupt_answered, of, prompt, result, started

Json = dict[str, Any]
KEY = "report p1"


def wished(number: int = 1, report_id: str = "r1") -> PromptReceived:
    return replace(prompt(number), report_id=report_id)


def session(*capabilities: str) -> AirSession:
    """A session whose prompt wishes a report, and has had its result."""
    air = AirSession("agentFileChangeReport", *capabilities)
    air.take(wished(), started(1))
    return air


def previewed(**response: Any) -> ControlAnswered:
    return ControlAnswered(KEY, {"canRewind": True, "filesChanged": ["/workspace/a.py"], **response})


def order(sent: list[Json]) -> list[str]:
    """Reports and answers, in order."""
    return ["answer" if "respond" in message else message["sessionUpdate"] for message in sent]


def told(*paths: str, truncated: bool = False) -> Json:
    return {
        "version": 1,
        "requestId": "r1",
        "status": "reported",
        "paths": list(paths),
        "declaredComplete": False,
        "truncated": truncated,
    }


def unavailable(reason: str) -> Json:
    return {"version": 1, "requestId": "r1", "status": "unavailable", "reason": reason}


def test_the_report_goes_before_the_answer() -> None:
    air = session()
    effects = air.take(result(1))
    assert [sent for effect in effects for sent in air.sent(effect) if "respond" in sent] == []
    assert of(effects, StartTimer) == [StartTimer(KEY, 2.0)]
    rewind = {"subtype": "rewind_files", "user_message_id": "p1", "dry_run": True}
    assert SendControl(KEY, rewind) in effects
    effects = air.take(previewed())
    assert of(effects, StopTimer) == [StopTimer(KEY)]
    sent = [message for effect in effects for message in air.sent(effect)]
    assert order(sent) == ["session_info_update", "answer"]
    assert payloads(sent, "agentFileChangeReport") == [told("/workspace/a.py")]
    assert air.gets(previewed(), TimerFired(KEY)) == []


def test_a_prompt_without_a_wish_is_answered_at_once() -> None:
    air = AirSession("agentFileChangeReport")
    assert order(air.gets(prompt(1), started(1), result(1))) == ["answer"]


def test_without_the_capability_there_is_no_report() -> None:
    assert order(AirSession().gets(wished(), started(1), result(1))) == ["answer"]


def test_an_id_is_served_once() -> None:
    air = session()
    air.take(result(1), previewed(), idle())
    assert order(air.gets(wished(2), started(2), result(2))) == ["answer"]


def test_a_preview_that_takes_too_long_does_not_hold_the_answer() -> None:
    air = session()
    air.take(result(1))
    sent = air.gets(TimerFired(KEY))
    assert (order(sent), payloads(sent, "agentFileChangeReport")) == (
        ["session_info_update", "answer"],
        [unavailable("timeout")],
    )


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (previewed(canRewind=False, error="No file checkpoint found for this message."), "invalidOutput"),
        (previewed(filesChanged=None), "invalidOutput"),
        (ControlAnswered(KEY, {}, "no"), "providerError"),
        (dies(), "providerError"),
        (CloseRequested(9), "cancelled"),
    ],
)
def test_a_preview_that_fails_is_unavailable(answer: Any, reason: str) -> None:
    air = session()
    air.take(result(1))
    sent = air.gets(answer)
    assert payloads(sent, "agentFileChangeReport") == [unavailable(reason)]
    assert 1 in [message.get("respond") for message in sent]


@pytest.mark.parametrize("capabilities", [(), ("sessionFailure",)])
def test_a_turn_that_failed_has_no_report(capabilities: tuple[str, ...]) -> None:
    sent = session(*capabilities).gets(result(1, is_error=True, result="No"))
    assert payloads(sent, "agentFileChangeReport") == [unavailable("providerError")]
    assert order(sent)[:2] == ["session_info_update", "answer"]


def test_a_cancelled_prompt_has_no_report() -> None:
    sent = session().gets(CANCEL, interrupt_answered(), aborted(1), dropped(1), idle())
    assert payloads(sent, "agentFileChangeReport") == [unavailable("cancelled")]


def test_a_prompt_that_is_open_at_the_end_of_the_session_has_none() -> None:
    sent = session().gets(CloseRequested(9))
    assert payloads(sent, "agentFileChangeReport") == [unavailable("cancelled")]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/workspace/src/a.py", "/workspace/src/a.py"),
        ("/workspace/src/../a.py", "/workspace/a.py"),
        ("/link/a.py", "/real/a.py"),
        ("/real/a.py", "/real/a.py"),
        ("/workspace", ""),
        ("/workspace/..", ""),
        ("/workspace/../etc/passwd", ""),
        ("/workspaces/a.py", ""),
        ("src/a.py", ""),
        ("/workspace/a\nb", ""),
        ("/workspace/" + "x" * 4096, ""),
        (None, ""),
    ],
)
def test_paths_are_canonical_and_within_the_workspace(path: Any, expected: str) -> None:
    assert canonical_path(path, ROOTS) == expected


def reported(*paths: str) -> Json:
    sent = report("r1", {"canRewind": True, "filesChanged": list(paths)}, ROOTS).update
    (found,) = payloads([sent], "agentFileChangeReport")
    check("agentFileChangeReport", found)
    return dict(found)


def test_a_path_elsewhere_is_left_out_and_said_so() -> None:
    assert reported("/workspace/a", "/etc/passwd", "/workspace/a") == told("/workspace/a", truncated=True)


def test_a_report_has_at_most_1024_paths() -> None:
    found = reported(*(f"/workspace/{number}" for number in range(1100)))
    assert (len(found["paths"]), found["truncated"]) == (1024, True)


def test_a_report_has_at_most_256_kib() -> None:
    found = reported(*(f"/workspace/{number}/" + "x" * 2000 for number in range(1000)))
    assert found["truncated"]
    assert 200_000 < sum(map(len, found["paths"])) < 256 * 1024
