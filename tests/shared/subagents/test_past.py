"""The subagents of a history as sessions, by the subagents RFD and by AIR's draft."""

from __future__ import annotations

from typing import Any

from adapter.shared.client_capabilities import ClientCapabilities, TerminalChannel
from adapter.shared.conversation import Conversation
from adapter.shared.history.agents import PastAgent
from adapter.shared.history.branch import active_branch
from adapter.shared.history.replay import Replay
from adapter.shared.subagents.past import LOST, PastSubagents
from adapter.shared.tools.facts import CallContext
from adapter.shared.updates import Notice
from adapter.v1.extensions.tool_calls import AirEncoder
from support.machine import NOW, v1_encoder, v2_encoder
from support.performed import wire
from support.transcripts import Transcript, text

Json = dict[str, Any]

CONTEXT = CallContext("/w", exact_patches=False, terminal=False, snippets=True, copies_input=True)
AIR = ClientCapabilities(1, TerminalChannel.NONE, exact_patches=False, air=frozenset({"nativeSubagentSessions"}))
REPORT = {"status": "completed", "content": [text("Found it.")]}
LAUNCHED = {"isAsync": True, "status": "async_launched"}


class History:
    """A session's history with subagents, and how it is shown."""

    def __init__(self, *, draft: bool = False, working: frozenset[str] = frozenset()) -> None:
        self.root = Transcript()
        self.agents: list[PastAgent] = []
        self.draft = draft
        self.working = working

    def launch(self, call_id: str = "agent", caller: Transcript | None = None, result: Any = REPORT) -> None:
        caller = caller or self.root
        caller.call(call_id, "Agent", description="Look", prompt=f"Task of {call_id}", subagent_type="Explore")
        caller.result(call_id, [text("Found it.")], result)

    def side(self, agent_id: str = "a1", call_id: str = "agent", **fields: Any) -> Transcript:
        side = Transcript()
        side.user(f"Task of {call_id}", f"{agent_id}-0")
        self.agents.append(PastAgent(agent_id, call_id, "Look", "Explore", side.entries, **fields))
        return side

    def send(self, side: Transcript, call_id: str, words: str, to: str = "a1") -> None:
        """A message to a subagent, in both transcripts."""
        self.root.call(call_id, "SendMessage", to=to, message=words)
        self.root.result(call_id, "sent", {"success": True, "resumedAgentId": to})
        wrapped = f"The coordinator sent a message while you were working:\n{words}\n\nAddress this."
        side.user(wrapped, f"{to}-{call_id}", isMeta=True, origin={"kind": "coordinator"})

    def children(self, *, notices: bool = True) -> PastSubagents:
        branch = active_branch(self.root.entries)
        return PastSubagents("session", branch, self.agents, draft=self.draft, notices=notices, working=self.working)

    def updates(self, children: PastSubagents | None = None) -> list[Any]:
        children = children or self.children()
        replay = Replay(Conversation(CONTEXT, subagent_text=True), {}, children)
        shown = [update for step in replay.read(active_branch(self.root.entries)) for update in step]
        return [*shown, *replay.end()]

    def sent(self, encoder: Any = None) -> list[tuple[str, Json]]:
        """What goes out, each with its session."""
        encoder = encoder or (AirEncoder(AIR, lambda: NOW) if self.draft else v1_encoder())
        parts = [part for update in self.updates() for part in wire(update, encoder)]
        return [(part.get("session", "session"), part["update"]) for part in parts]

    def outline(self, encoder: Any = None) -> list[tuple[str, str]]:
        return [(session, update["sessionUpdate"]) for session, update in self.sent(encoder)]


def worked(history: History) -> Transcript:
    """A subagent in the foreground that has called a tool and reported."""
    history.launch()
    side = history.side()
    side.call("t", "Bash", command="ls")
    side.result("t", "x")
    side.answer("m", text("Found it."))
    return side


def test_a_subagent_is_restored_on_its_session() -> None:
    history = History()
    worked(history)
    assert history.outline() == [
        ("session", "subagent_update"),
        ("a1", "config_option_update"),
        ("session", "session_message"),
        ("a1", "session_message"),
        ("a1", "tool_call"),
        ("a1", "tool_call_update"),
        ("a1", "agent_message_chunk"),
        ("session", "session_message"),
        ("session", "subagent_update"),
    ]


def test_it_is_announced_without_capabilities_and_ends_idle() -> None:
    history = History()
    worked(history)
    told = [update for _, update in history.sent() if update["sessionUpdate"] == "subagent_update"]
    about = {"sessionUpdate": "subagent_update", "sessionId": "a1"}
    assert told == [
        {**about, "title": "Look", "description": "Explore", "state": {"state": "running"}},
        {**about, "state": {"state": "idle", "stopReason": "end_turn"}},
    ]


def test_its_task_and_its_report_are_messages() -> None:
    history = History()
    worked(history)
    messages = [(place, update) for place, update in history.sent() if update["sessionUpdate"] == "session_message"]
    assert [(place, update["messageId"], update["content"]) for place, update in messages] == [
        ("session", "agent", [text("Task of agent")]),
        ("a1", "agent", [text("Task of agent")]),
        ("session", "agent:reply", [text("Found it.")]),
    ]
    assert messages[1][1]["senderMessageId"] == "agent"


def test_a_message_begins_anew_on_the_subagents_session() -> None:
    history = History()
    worked(history)
    assert ("a1", "agent_message") in history.outline(v2_encoder())


def test_each_further_message_stands_in_both_transcripts() -> None:
    history = History()
    side = worked(history)
    history.send(side, "s1", "Look again")
    side.answer("m2", text("Again."))
    history.send(side, "s2", "Once more")
    side.answer("m3", text("More."))
    ids = [
        (place, update.get("messageId"))
        for place, update in history.sent()
        if update["sessionUpdate"] in ("session_message", "agent_message_chunk")
    ]
    assert ids == [
        ("session", "agent"),
        ("a1", "agent"),
        ("a1", "m"),
        ("a1", "s1"),
        ("a1", "m2"),
        ("a1", "s2"),
        ("a1", "m3"),
        ("session", "agent:reply"),
        ("session", "s1"),
        ("session", "s2"),
    ]
    incoming = next(update for place, update in history.sent() if place == "a1" and update.get("messageId") == "s1")
    assert incoming["content"] == [text("Look again")]


def test_a_message_whose_call_is_gone_is_shown_as_it_stands() -> None:
    history = History()
    side = worked(history)
    side.user("Look", "odd", isMeta=True, origin={"kind": "coordinator"})
    found = next(update for place, update in history.sent() if update.get("messageId") == "odd")
    assert (found["senderSessionId"], found["content"]) == ("session", [text("Look")])


def test_a_message_that_reached_nobody_stays_a_call() -> None:
    history = History()
    history.root.call("s", "SendMessage", to="a9", message="Hello")
    history.root.result("s", "no such agent")
    assert history.outline() == [("session", "tool_call"), ("session", "tool_call_update")]


def test_a_subagent_of_a_subagent_is_under_its_parent() -> None:
    history = History()
    history.launch()
    outer = history.side()
    history.launch("inner", outer, result=None)
    history.side("a2", "inner").answer("m", text("Deep."))
    outer.answer("m2", text("Found it."))
    told = [(place, update["sessionId"]) for place, update in history.sent() if "state" in update]
    assert told == [("session", "a1"), ("a1", "a2"), ("a1", "a2"), ("session", "a1")]
    reply = next(update for _, update in history.sent() if update.get("messageId") == "inner:reply")
    assert (reply["recipientSessionId"], reply["content"]) == ("a1", [text("Found it.")])


def test_who_launched_one_in_the_background_got_no_report() -> None:
    history = History()
    history.launch(result=LAUNCHED)
    history.side(in_background=True).answer("m", text("Late."))
    assert "agent:reply" not in [update.get("messageId") for _, update in history.sent()]


def test_one_that_was_stopped_or_left_says_so() -> None:
    history = History()
    history.launch(result=None)
    side = history.side()
    side.call("t", "Bash", command="sleep 9")
    assert history.sent()[-1][1]["state"] == {"state": "idle"}
    side.user([text("[Request interrupted by user]")])
    assert history.sent()[-1][1]["state"] == {"state": "idle", "stopReason": "cancelled"}
    call = next(update for place, update in history.sent() if update.get("status") == "failed")
    assert call["toolCallId"] == "t"


def test_a_launch_of_which_nothing_is_kept_stays_a_call_with_a_notice() -> None:
    history = History()
    history.launch()
    assert history.outline()[:2] == [("session", "tool_call"), ("session", "tool_call_update")]
    assert history.updates()[-1] == Notice("warning", LOST)
    assert Notice("warning", LOST) not in history.updates(history.children(notices=False))


def test_a_launch_that_was_refused_has_lost_nothing() -> None:
    history = History()
    history.root.call("agent", "Agent", prompt="Look")
    block = {"type": "tool_result", "tool_use_id": "agent", "content": "no", "is_error": True}
    history.root.user([block], toolDenialKind="user-rejected")
    assert Notice("warning", LOST) not in history.updates()


def test_one_that_works_now_does_not_rest() -> None:
    history = History(working=frozenset({"a1"}))
    worked(history)
    told = [update for _, update in history.sent() if update["sessionUpdate"] == "subagent_update"]
    assert [update["state"] for update in told] == [{"state": "running"}]
    assert told[0]["capabilities"] == {"cancel": {}}


def test_a_subagent_whose_launch_is_not_recorded_is_not_known() -> None:
    history = History()
    worked(history)
    history.launch("of-it", history.side("a2", "taken-back"))
    history.side("a3", "of-it")
    assert [past["agent_id"] for past in history.children().recalled()] == ["a1"]


def test_what_the_session_has_to_know() -> None:
    history = History()
    side = worked(history)
    history.send(side, "s1", "Look again")
    side.answer("m2", text("Again."))
    children = history.children()
    known = {
        "agent_id": "a1",
        "launch_id": "agent",
        "session_id": "a1",
        "parent_id": "session",
        "title": "Look",
        "agent_type": "Explore",
        "model": "claude-opus-5-5",
        "runs": 2,
        "announced": False,
    }
    assert children.recalled() == (known,)
    history.updates(children)
    assert children.recalled() == ({**known, "announced": True},)


def test_in_the_draft_each_run_has_its_session() -> None:
    history = History(draft=True)
    side = worked(history)
    history.send(side, "s1", "Look again")
    side.answer("m2", text("Again."))
    spawned = [
        (place, update["subagentSessionId"], update["prompt"])
        for place, update in history.sent()
        if update["sessionUpdate"] == "subagent_spawned"
    ]
    second = "a1:generation:2"
    assert spawned == [("session", "a1", "Task of agent"), ("session", second, "Look again")]
    outline = history.outline()
    assert (second, "agent_message_chunk") in outline
    assert outline.count(("session", "subagent_state_update")) == 2
    assert ("session", "tool_call") in outline, "the SendMessage is a call of the session"
    (known,) = history.children().recalled()
    assert (known["session_id"], known["runs"]) == (second, 2)


def test_in_the_draft_a_message_to_a_running_subagent_begins_no_run() -> None:
    history = History(draft=True)
    history.launch()
    side = history.side()
    side.call("t", "Bash", command="ls")
    side.result("t", "x")
    history.send(side, "s1", "And this")
    side.answer("m", text("Both."))
    assert history.outline().count(("session", "subagent_spawned")) == 1
