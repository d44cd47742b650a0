"""The subagents of a history as sessions of their own, each restored from its own transcript.

A client gets them as it got them live: under the same session ids, with the same messages. They are announced without
capabilities, since they do not work, and rest when the history is over.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from adapter.shared.effects import Effects
from adapter.shared.history.agents import PastAgent, PastCall, calls_of, ends_of
from adapter.shared.history.branch import Json
from adapter.shared.history.summary import prompt_texts
from adapter.shared.outcome import Outcome
from adapter.shared.subagents.child import ended, model_option, run_session
from adapter.shared.subagents.launches import FINAL, LAUNCHERS, RESUMER
from adapter.shared.subagents.messages import delegation, reply
from adapter.shared.tools.facts import ToolReport, ToolStatus
from adapter.shared.updates import Choice, ConfigChanged, Notice, ToSession
from adapter.shared.work_updates import (
    StateChanged,
    SubagentChanged,
    SubagentIdentity,
    WorkState,
)

LOST = "The history of some subagents is missing: Claude Code has kept no transcript of them."


class PastSubagents:
    """The subagents of one session's history.

    Args:
        session_id: The session's id.
        branch: The entries of its conversation as it is now.
        agents: What is kept of its subagents. One whose launch the history does not record is left out.
        draft: The client takes AIR's draft: each run of a subagent is a session of its own there.
        notices: The client is told if the history of a subagent is missing.
        working: The subagents' sessions that work now: they do not rest when the history is over.
    """

    def __init__(
        self,
        session_id: str,
        branch: list[Json],
        agents: Iterable[PastAgent],
        *,
        draft: bool,
        notices: bool = False,
        working: frozenset[str] = frozenset(),
    ) -> None:
        self._session_id = session_id
        self._draft = draft
        self._notices = notices
        self._working = working
        known = list(agents)
        conversations = [("", branch), *((agent.agent_id, agent.entries) for agent in known)]
        self._calls = calls_of(conversations, LAUNCHERS | {RESUMER})
        self._ends = ends_of(conversations)
        self._agents = self._recorded(known)
        self._by_launch = {agent.launch_id: agent for agent in self._agents.values()}
        self._received, self._recipients = self._deliveries()
        self._runs = dict.fromkeys(self._agents, 1)
        self._parents: dict[str, str] = {}
        self._lost = False

    def recalled(self) -> tuple[Json, ...]:
        """What the live session has to know of each, parents first: the fields of `Child`, as plain JSON."""
        shown = frozenset(self._parents)
        for agent in self._agents.values():
            self._runs[agent.agent_id] = 1 + sum(begins for _, begins in agent.delegations())
        return tuple(
            {
                "agent_id": agent.agent_id,
                "launch_id": agent.launch_id,
                "session_id": self._session_of(agent.agent_id),
                "parent_id": self._session_of(self._calls[agent.launch_id].agent_id),
                "title": agent.title,
                "agent_type": agent.agent_type,
                "model": agent.model,
                "runs": self._runs[agent.agent_id],
                "announced": self._session_of(agent.agent_id) in shown,
            }
            for agent in self._agents.values()
        )

    def place(self, update: Any) -> tuple[Effects, PastAgent | None]:
        """An update of the history, on the session that it is of; with the subagent whose history comes next."""
        match update:
            case ToSession():
                agent = self._by_launch.get(update.call_id)
                return [update if agent is None else replace(update, session_id=self._session_of(agent.agent_id))], None
            case ToolReport() if update.call_id in self._by_launch:
                return self._launched(update, self._by_launch[update.call_id])
            case ToolReport() if update.call_id in self._recipients and not self._draft:
                return self._sent(update), None
            case ToolReport():
                ended_well = update.fields.get("status") is ToolStatus.COMPLETED
                self._lost = self._lost or (update.tool_name in LAUNCHERS and ended_well)
                return [self._of_caller(update)], None
            case _:
                return [update], None

    def told(self, agent: PastAgent, entry: Json, *, begins: bool) -> Effects:
        """A further message to a subagent, on its session; one that `begins` a run sets it to work."""
        call = self._received.get(entry["uuid"])
        text = call.said("message") if call is not None else "\n".join(prompt_texts(entry))
        if not self._draft:
            call_id, sender = (call.call_id, call.agent_id) if call is not None else (entry["uuid"], "")
            session = self._session_of(agent.agent_id)
            _, incoming = delegation(call_id, self._session_of(sender), session, text)
            return [ToSession(session, "", incoming)]
        if not begins:
            return []
        over = self._rests(self._session_of(agent.agent_id), ended("completed", ""))
        self._runs[agent.agent_id] += 1
        return [*over, *self._announced(agent, text)]

    def end(self) -> Effects:
        """The history is over: who does not work rests, the children of a subagent before it."""
        effects: Effects = []
        for agent in reversed(self._agents.values()):
            session = self._session_of(agent.agent_id)
            if session in self._parents and session not in self._working:
                status, text = agent.end(self._ends.get(agent.agent_id, ""))
                effects += self._rests(session, ended(status, text) if status else None)
        return [*effects, Notice("warning", LOST)] if self._lost and self._notices else effects

    def _recorded(self, agents: list[PastAgent]) -> dict[str, PastAgent]:
        """The subagents whose launch is recorded, parents first."""
        recorded: dict[str, PastAgent] = {}
        waiting = agents
        while waiting:
            found = {agent.agent_id: agent for agent in waiting if self._is_recorded(agent, recorded)}
            if not found:
                break
            recorded |= found
            waiting = [agent for agent in waiting if agent.agent_id not in found]
        return recorded

    def _is_recorded(self, agent: PastAgent, recorded: dict[str, PastAgent]) -> bool:
        call = self._calls.get(agent.launch_id)
        return call is not None and (not call.agent_id or call.agent_id in recorded)

    def _deliveries(self) -> tuple[dict[str, PastCall], dict[str, PastAgent]]:
        """The calls that sent the messages: by the entry of the message, and the recipient by the call."""
        free = [call for call in self._calls.values() if call.name == RESUMER and call.said("message")]
        received: dict[str, PastCall] = {}
        recipients: dict[str, PastAgent] = {}
        for agent in self._agents.values():
            for entry, _ in agent.delegations():
                text = "\n".join(prompt_texts(entry))
                fitting = [call for call in free if call.said("message") in text]
                named = [call for call in fitting if agent.agent_id in (call.said("to"), call.said("recipient"))]
                for call in (named or fitting)[:1]:
                    free.remove(call)
                    received[entry["uuid"]] = call
                    recipients[call.call_id] = agent
        return received, recipients

    def _launched(self, report: ToolReport, agent: PastAgent) -> tuple[Effects, PastAgent | None]:
        session = self._session_of(agent.agent_id)
        if report.opened:
            return self._announced(agent, self._calls[agent.launch_id].said("prompt")), agent
        if self._draft or agent.in_background or report.fields.get("status") not in FINAL:
            return [], None
        message = reply(report, session, self._parents.get(session, self._session_id))
        return ([self._on(message.recipient, message)] if message is not None else []), None

    def _announced(self, agent: PastAgent, prompt: str) -> Effects:
        session = self._session_of(agent.agent_id)
        parent = self._session_of(self._calls[agent.launch_id].agent_id)
        self._parents[session] = parent
        identity = SubagentIdentity(agent.title, agent.agent_type, prompt, can_cancel=session in self._working)
        announced: Effects = [self._on(parent, SubagentChanged(session, StateChanged(WorkState.RUNNING), identity))]
        if agent.model:
            # What Claude Code calls it is known when it runs; until then, the id stands for it.
            announced.append(ToSession(session, "", ConfigChanged((model_option(Choice(agent.model, agent.model)),))))
        if self._draft or not prompt:
            return announced
        outgoing, incoming = delegation(agent.launch_id, parent, session, prompt)
        return [*announced, self._on(parent, outgoing), ToSession(session, "", incoming)]

    def _sent(self, report: ToolReport) -> Effects:
        if not report.opened:
            return []
        call = self._calls[report.call_id]
        sender = self._session_of(call.agent_id)
        recipient = self._session_of(self._recipients[report.call_id].agent_id)
        outgoing, _ = delegation(report.call_id, sender, recipient, call.said("message"))
        return [self._on(sender, outgoing)]

    def _rests(self, session: str, outcome: Outcome | None) -> Effects:
        state = StateChanged(WorkState.IDLE, outcome)
        return [self._on(self._parents[session], SubagentChanged(session, state)), ToSession(session, "", state)]

    def _of_caller(self, report: ToolReport) -> Any:
        agent = self._by_launch.get(report.parent_id)
        return report if agent is None else ToSession(self._session_of(agent.agent_id), "", report)

    def _session_of(self, agent_id: str) -> str:
        return run_session(agent_id, self._runs[agent_id], draft=self._draft) if agent_id else self._session_id

    def _on(self, session_id: str, update: Any) -> Any:
        return update if session_id == self._session_id else ToSession(session_id, "", update)
