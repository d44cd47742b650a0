"""Sessions of the real Claude Code, over the end of the adapter that they were made with."""

from __future__ import annotations

import signal
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from adapter.conformance import processes
from adapter.scripted.model import ScriptedModel
from support.client import AcpClient
from support.place import ADAPTER, Place

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.cli

Json = dict[str, Any]

MODEL: Json = {
    "work": [
        {"blocks": [{"text": "I look."}, {"tool": "Bash", "input": {"command": "echo seen", "description": "Look"}}]},
        {"blocks": [{"text": "Looked."}]},
    ],
    "where": [
        {"blocks": [{"tool": "Bash", "input": {"command": "pwd", "description": "Where"}}]},
        {"blocks": [{"text": "There."}]},
    ],
}
SETTINGS = {"permissions": {"defaultMode": "default", "allow": ["Bash"]}}


GONE = 10.0
"""Seconds within which what a killed adapter has started ends."""


class Editor:
    """A client of one adapter process."""

    def __init__(self, client: AcpClient, capabilities: Json) -> None:
        self.client = client
        client.call("initialize", {"protocolVersion": 1, "clientCapabilities": capabilities})

    def prompt(self, session: str, text: str) -> Json:
        blocks = [{"type": "text", "text": text}]
        answer: Json = self.client.call("session/prompt", {"sessionId": session, "prompt": blocks})
        return answer

    def listed(self, cwd: Path) -> list[Json]:
        found: list[Json] = self.client.call("session/list", {"cwd": str(cwd)})["sessions"]
        return found

    def updates(self) -> list[Json]:
        received = [entry.message for entry in self.client.log if entry.direction == "<"]
        return [message["params"]["update"] for message in received if message.get("method") == "session/update"]

    def child(self) -> str:
        """The session of the subagent that was announced."""
        return next(str(update["sessionId"]) for update in self.updates() if "title" in update and "state" in update)

    def shown(self) -> list[str]:
        """The texts of messages, and the final states of tool calls, as they came."""
        found: dict[str, str] = {}
        for update in self.updates():
            if update["sessionUpdate"].endswith("_chunk"):
                key = update["messageId"]
                found[key] = found.get(key, "") + update["content"]["text"]
            elif update.get("status") in ("completed", "failed"):
                found[update["toolCallId"]] = f"{update['status']}: {update.get('rawOutput')}"
        return list(found.values())


@contextmanager
def editor(place: Place, port: int, capabilities: Json | None = None) -> Iterator[Editor]:
    """An adapter, from its start to its end."""
    with AcpClient(ADAPTER, env=place.environment(port), cwd=place.workspace) as client:
        yield Editor(client, capabilities or {})
        assert client.close() == 0


def test_a_session_outlives_its_adapter_and_its_folder(tmp_path: Path) -> None:
    place = Place.make(tmp_path, SETTINGS)
    project, moved = tmp_path.resolve() / "project", tmp_path.resolve() / "moved"
    project.mkdir()
    with ScriptedModel(MODEL) as model:
        with editor(place, model.port) as first:
            session = first.client.call("session/new", {"cwd": str(project), "mcpServers": []})["sessionId"]
            first.client.call("session/set_mode", {"sessionId": session, "modeId": "acceptEdits"})
            first.client.call(
                "session/set_config_option", {"sessionId": session, "configId": "model", "value": "haiku"}
            )
            first.prompt(session, "[[work]] look")
            first.prompt(session, "/rename A name of mine")
            assert "/rename" not in str([request.body for request in model.requests])
            live = first.shown()
        project.rename(moved)
        with editor(place, model.port) as second:
            params = {"sessionId": session, "cwd": str(moved), "mcpServers": []}
            loaded = second.client.call("session/load", params)
            assert second.shown() == ["[[work]] look", *live]
            assert loaded["modes"]["currentModeId"] == "acceptEdits"
            options = {option["id"]: option["currentValue"] for option in loaded["configOptions"]}
            assert (options["mode"], options["model"]) == ("acceptEdits", "haiku")
            second.prompt(session, "[[where]] are you")
            assert second.shown()[-2:] == [f"completed: {moved}", "There."]
            [listed] = second.listed(moved)
            assert (listed["title"], listed["cwd"]) == ("A name of mine", str(moved))
            fork = second.client.call("session/fork", params)["sessionId"]
            assert [one["title"] for one in second.listed(moved)] == ["A name of mine (fork)", "A name of mine"]
            second.client.call("session/delete", {"sessionId": fork})
            second.client.call("session/delete", {"sessionId": session})
            assert second.listed(moved) == []


def test_a_session_that_was_cleared_outlives_its_adapter(tmp_path: Path) -> None:
    place = Place.make(tmp_path, SETTINGS)
    opened = {"cwd": str(place.workspace), "mcpServers": []}
    talk: Json = {name: [{"blocks": [{"text": f"Said {name}."}]}] for name in ("one", "two", "three")}
    with ScriptedModel(talk) as model:
        with editor(place, model.port) as first:
            session = first.client.call("session/new", opened)["sessionId"]
            for words in ("[[one]] go", "/clear", "[[two]] go"):
                first.prompt(session, words)
            assert [one["sessionId"] for one in first.listed(place.workspace)] == [session]
        with editor(place, model.port) as second:
            assert [one["sessionId"] for one in second.listed(place.workspace)] == [session]
            second.client.call("session/load", {"sessionId": session, **opened})
            assert second.shown()[-2:] == ["[[two]] go", "Said two."]
            assert "Said one." not in second.shown()
            second.prompt(session, "[[three]] go")
            asked = str(model.requests[-1].body)
            assert "Said two." in asked
            assert "Said one." not in asked


def test_a_session_in_a_worktree_stays_in_the_list_of_its_project(tmp_path: Path) -> None:
    place = Place.make(tmp_path, {"permissions": {**SETTINGS["permissions"], "allow": ["Bash", "EnterWorktree"]}})
    for command in (
        ["init", "-q"],
        ["-c", "user.name=t", "-c", "user.email=t@t", "commit", "-q", "--allow-empty", "-mx"],
    ):
        subprocess.run(["git", *command], cwd=place.workspace, check=True)
    (tmp_path / "link").symlink_to(place.workspace)
    opened = {"cwd": str(tmp_path / "link"), "mcpServers": []}
    model_script = {
        **MODEL,
        "enter": [{"blocks": [{"tool": "EnterWorktree", "input": {"name": "w1"}}]}, {"blocks": [{"text": "In."}]}],
    }
    with ScriptedModel(model_script) as model, editor(place, model.port) as client:
        session = client.client.call("session/new", opened)["sessionId"]
        client.prompt(session, "[[enter]] it")
        for folder in (place.workspace, tmp_path / "link"):
            [listed] = client.listed(folder)
            assert (listed["sessionId"], listed["cwd"]) == (session, str(place.workspace))
        client.client.call("session/close", {"sessionId": session})
        client.client.call("session/load", {"sessionId": session, **opened, "cwd": str(place.workspace)})
        client.prompt(session, "[[where]] are you")
        assert f"completed: {place.workspace}/.claude/worktrees/w1" in client.shown()
        assert [one["sessionId"] for one in client.listed(place.workspace)] == [session]


def asked(model: ScriptedModel) -> tuple[str, str]:
    """The model and the effort of the last request of a conversation."""
    body = next(request.body for request in reversed(model.requests) if request.body.get("tools"))
    return body["model"], body["output_config"]["effort"]


def test_a_session_says_what_it_runs_with_after_its_adapter_was_killed(tmp_path: Path) -> None:
    place = Place.make(tmp_path, SETTINGS)
    opened = {"cwd": str(place.workspace), "mcpServers": []}
    file = place.workspace / "x.txt"
    write = {"tool": "Write", "input": {"file_path": str(file), "content": "Written."}}
    with ScriptedModel({"write": [{"blocks": [write]}, {"blocks": [{"text": "Done."}]}]}) as model:
        with AcpClient(ADAPTER, env=place.environment(model.port), cwd=place.workspace) as client:
            first = Editor(client, {})
            session = client.call("session/new", opened)["sessionId"]
            chosen = {"model": "sonnet", "mode": "acceptEdits"}
            for option, value in chosen.items():
                client.call("session/set_config_option", {"sessionId": session, "configId": option, "value": value})
            first.prompt(session, "[[write]] it")
            sonnet, usual = asked(model)
            client.call("session/set_config_option", {"sessionId": session, "configId": "effort", "value": "low"})
            first.prompt(session, "[[write]] it again")
            assert "sonnet" in sonnet
            assert (asked(model), usual == "low") == ((sonnet, "low"), False)
            client.send_signal(signal.SIGKILL)
            client.wait_exit()
        assert processes.wait_until_gone(lambda: processes.marked("HOME", str(place.home)), GONE) == []
        for method in ("session/load", "session/resume"):
            file.unlink()
            with editor(place, model.port) as second:
                answer = second.client.call(method, {"sessionId": session, **opened})
                shown = {option["id"]: option["currentValue"] for option in answer["configOptions"]}
                # An effort is no part of a transcript, so it is that of the settings again.
                assert shown.items() >= {**chosen, "effort": "default"}.items()
                assert answer["modes"]["currentModeId"] == "acceptEdits"
                second.prompt(session, "[[write]] it anew")
                assert asked(model) == (sonnet, usual)
                # Nobody was asked, as the mode says.
                assert file.read_text() == "Written."


def test_a_turn_is_cancelled_after_its_session_was_loaded_again(tmp_path: Path) -> None:
    place = Place.make(tmp_path, SETTINGS)
    link = tmp_path / "link"
    link.symlink_to(place.workspace)
    slow = [{"blocks": [{"text": "word " * 200}], "chunk_delay": 0.2}]
    script: Json = {"slow": slow, "quick": [{"blocks": [{"text": "Done."}]}]}
    with ScriptedModel(script) as model, editor(place, model.port) as only:
        client = only.client
        session = client.call("session/new", {"cwd": str(place.workspace), "mcpServers": []})["sessionId"]
        blocks = [{"type": "text", "text": "[[slow]] talk"}]
        running = client.start_request("session/prompt", {"sessionId": session, "prompt": blocks})
        client.expect_update("agent_message_chunk", since=running.mark)
        children = claudes(client.pid)
        client.call("session/load", {"sessionId": session, "cwd": str(link), "mcpServers": []})
        assert claudes(client.pid) == children
        assert len(children) == 1
        client.notify("session/cancel", {"sessionId": session})
        assert client.result(running)["stopReason"] == "cancelled"
        assert only.prompt(session, "[[quick]] end")["stopReason"] == "end_turn"
        assert claudes(client.pid) == children


def claudes(adapter: int) -> list[int]:
    """The processes of Claude Code below an adapter."""
    return [process.pid for process in processes.descendants(adapter) if "stream-json" in process.command]


DELEGATING: Json = {
    "delegate": [
        {
            "blocks": [
                {
                    "tool": "Agent",
                    "input": {
                        "description": "Look around",
                        "prompt": "[[sub]] look",
                        "subagent_type": "general-purpose",
                        "run_in_background": False,
                    },
                }
            ]
        },
        {"blocks": [{"text": "Delegated."}]},
    ],
    "again": [
        {"blocks": [{"tool": "ToolSearch", "input": {"query": "select:SendMessage"}}]},
        {
            "blocks": [
                {
                    "tool": "SendMessage",
                    "input": {"to": "@AGENT@", "summary": "Again", "message": "[[more]] look again"},
                }
            ]
        },
        {"blocks": [{"text": "Asked."}]},
    ],
    "sub": [{"blocks": [{"text": "First report."}]}],
    "more": [{"blocks": [{"text": "Second report."}]}],
}


def test_a_subagent_outlives_its_adapter(tmp_path: Path) -> None:
    place = Place.make(tmp_path, SETTINGS)
    shown: dict[str, Json] = {"subagents": {}}
    opened = {"cwd": str(place.workspace), "mcpServers": []}
    with ScriptedModel(DELEGATING) as model:
        with editor(place, model.port, shown) as first:
            session = first.client.call("session/new", opened)["sessionId"]
            first.prompt(session, "[[delegate]] go")
            child = first.child()
        with editor(place, model.port, shown) as second:
            second.client.call("session/resume", {"sessionId": session, **opened})
            second.prompt(session, "[[again]] more")
            assert second.child() == child
            assert "Second report." in second.shown()
        with editor(place, model.port, shown) as third:
            third.client.call("session/load", {"sessionId": session, **opened})
            assert third.child() == child
            reports = [text for text in third.shown() if text.endswith("report.")]
            assert reports == ["First report.", "Second report."]
            states = [update["state"]["state"] for update in third.updates() if "state" in update]
            assert states == ["running", "idle"]
