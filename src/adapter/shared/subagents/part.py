"""Subagents as sessions of their own: announced on the session that launched them, with their own updates and requests.

Source: ACP's subagents RFD (v1 `clientCapabilities.subagents`, v2's baseline) and AIR's earlier draft of it
(docs/air-extensions.md, *Native subagent sessions*).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from adapter.shared.background_tasks import AGENT, stop_task
from adapter.shared.claude.frames import Frame
from adapter.shared.config_options.settings import SessionConfig
from adapter.shared.conversation import Conversation
from adapter.shared.effects import (
    AnswerControl,
    AskElicitation,
    AskPermission,
    Effects,
    RefuseControl,
    SendControl,
    WithdrawQuestion,
)
from adapter.shared.inputs import SessionOpened
from adapter.shared.outcome import Outcome, StopReason
from adapter.shared.session_part import SessionPart
from adapter.shared.subagents.child import STOPPED, Child, ended, run_session
from adapter.shared.subagents.launches import FINAL, LAUNCHERS, RESUMER, Launches
from adapter.shared.subagents.messages import delegation, reply
from adapter.shared.tools.facts import Json, ToolReport
from adapter.shared.tools.text import string
from adapter.shared.updates import ConfigChanged, TextChunk, ToSession
from adapter.shared.work_state import WorkEvent
from adapter.shared.work_updates import StateChanged, SubagentChanged, SubagentIdentity


class Subagents(SessionPart):
    """The subagents of one session.

    Args:
        session_id: The session's id.
        cwd: Its working folder.
        config: What it runs with.
        conversation: Where the calls of its subagents live.
        draft: The client takes AIR's draft: each run of a subagent is a session of its own there.
    """

    def __init__(
        self, session_id: str, cwd: str, config: SessionConfig, conversation: Conversation, *, draft: bool
    ) -> None:
        self._session_id = session_id
        self._cwd = cwd
        self._config = config
        self._conversation = conversation
        self._draft = draft
        self._children: dict[str, Child] = {}
        self._launches = Launches(LAUNCHERS if draft else LAUNCHERS | {RESUMER})
        self._types: dict[str, str] = {}
        if not draft:
            conversation.calls.ends_itself = self._works
        self.early_frames = {
            "system/task_started": self._started,
            "system/task_updated": self._updated,
            "system/task_notification": self._notified,
            "control_request": self._hook,
            "assistant": self._spoke,
        }

    def has_session(self, session_id: str) -> bool:
        """Whether a session of the client's is one of these subagents."""
        return self._by_session(session_id) is not None

    def session_of(self, agent_id: str) -> str:
        """The session of a subagent; empty if it has none."""
        child = self._children.get(agent_id)
        return "" if child is None else child.session_id

    def child_cancelled(self, session_id: str) -> Effects:
        """The client wants the work of one subagent ended; it reports its end itself."""
        child = self._by_session(session_id)
        if child is None or not child.work.turn_open:
            return []
        child.stopping = True
        return [stop_task(child.agent_id)]

    def working_sessions(self) -> frozenset[str]:
        """The sessions of the subagents that work."""
        return frozenset(child.session_id for child in self._children.values() if child.work.turn_open)

    def opened(self, event: SessionOpened) -> Effects:
        """The session has these subagents from before, parents first; a client that was shown them knows them."""
        return [effect for past in event.subagents for effect in self._recalled(past)]

    def process_gone(self) -> Effects:
        """A subagent that worked is idle for a reason that is not known."""
        return [effect for child in self._children.values() for effect in self._tell(child, WorkEvent.ENDED)]

    def session_over(self) -> Effects:
        """A subagent that worked is being stopped with its session."""
        cancelled = Outcome(StopReason.CANCELLED, measured=False)
        return [effect for child in self._children.values() for effect in self._tell(child, WorkEvent.ENDED, cancelled)]

    def rewrite(self, effects: Effects) -> Effects:
        """Send what is a subagent's to its session."""
        if len(effects) == 1 and type(effects[0]) is TextChunk:
            return effects
        return [rewritten for effect in effects for rewritten in self._rewritten(effect)]

    def _recalled(self, past: Json) -> Effects:
        child = self._children.get(past["agent_id"])
        if child is None:
            child = Child(**{**past, "announced": False, "cancellable": False})
            self._children[child.agent_id] = child
        if not past["announced"]:
            return []
        child.announced = True
        child.cancellable = child.work.turn_open
        child.told = ()
        return self._configured(child, "")

    def _rewritten(self, effect: Any) -> Effects:
        match effect:
            case ToolReport():
                return self._reported(effect)
            case ToSession(session_id="") if (child := self._by_launch(effect.call_id)) is not None:
                return [replace(effect, session_id=child.session_id)]
            case AskPermission() | AskElicitation():
                return self._asked(effect)
            case AnswerControl(request_id=key) | RefuseControl(request_id=key):
                return [effect, *self._answered(key, withdrawn=False)]
            case WithdrawQuestion():
                return [effect, *self._answered(effect.key, withdrawn=True)]
            case SendControl(key="interrupt"):
                for child in self._children.values():
                    child.stopping = child.stopping or not child.in_background
                return [effect]
            case _:
                return [effect]

    def _reported(self, report: ToolReport) -> Effects:
        if not self._launches.concerns(report):
            return self._placed([report])
        replies = self._reply(report) if self._launches.is_replaced(report.call_id) else []
        return [*self._placed(self._launches.take(report)), *replies]

    def _placed(self, reports: Iterable[ToolReport]) -> Effects:
        """Reports on the sessions that made the calls."""
        placed: Effects = []
        for report in reports:
            child = self._by_launch(report.parent_id) if report.parent_id else None
            placed.append(report if child is None else ToSession(child.session_id, "", report))
        return placed

    def _reply(self, report: ToolReport) -> Effects:
        """The report of a subagent that its parent has waited for is its answer to the parent."""
        child = self._by_launch(report.call_id)
        if self._draft or child is None or child.in_background or report.fields.get("status") not in FINAL:
            return []
        message = reply(report, child.session_id, child.parent_id)
        return [self._on(child.parent_id, message)] if message is not None else []

    def _asked(self, effect: AskPermission | AskElicitation) -> Effects:
        question: Any = effect.question
        shown = self._placed(self._launches.show(question.call_id))
        child = self._children.get(question.agent_id)
        if child is None:
            return [*shown, effect]
        child.questions.add(question.key)
        asked = type(effect)(replace(question, session_id=child.session_id))
        return [*shown, *self._tell(child, WorkEvent.ASKED), asked]

    def _answered(self, key: str, *, withdrawn: bool) -> Effects:
        child = next((child for child in self._children.values() if key in child.questions), None)
        if child is None:
            return []
        child.questions.discard(key)
        if child.questions:
            return []
        stops = withdrawn and child.stopping
        return self._tell(child, WorkEvent.WITHDRAWN if stops else WorkEvent.ANSWERED)

    def _started(self, frame: Frame) -> Effects:
        agent_id, call_id = string(frame.get("task_id")), string(frame.get("tool_use_id"))
        if frame.get("task_type") != AGENT or not agent_id or not call_id:
            return []
        known = self._children.get(agent_id)
        if known is None and self._conversation.calls.name_of(call_id) == RESUMER:
            # The history does not say who launched it.
            return self._placed(self._launches.show(call_id))
        child = self._launched(agent_id, call_id, frame) if known is None else self._set_to_work(known)
        child.in_background = frame.get("is_backgrounded") is True
        prompt = string(frame.get("prompt")) or self._prompt_of(call_id)
        sender = child.parent_id if known is None else self._session_of_call(call_id)
        self._launches.replace(call_id)
        is_new = known is None or self._draft or not child.cancellable
        child.announced = child.cancellable = True
        identity = SubagentIdentity(child.title, child.agent_type, prompt) if is_new else None
        states = child.work.tell(WorkEvent.BEGAN)
        announced = SubagentChanged(child.session_id, states[0] if states else None, identity)
        effects: Effects = [*self._ancestors(child), self._on(child.parent_id, announced)]
        effects += [ToSession(child.session_id, "", state) for state in states]
        if not self._draft:
            effects += self._delegated(child, call_id, sender, prompt)
        return effects + (self._configured(child, "") if agent_id in self._types else [])

    def _ancestors(self, child: Child) -> Effects:
        """Who launched it, as far as the client was not told of them: they were launched in an earlier connection."""
        parent = self._by_session(child.parent_id)
        if parent is None or parent.announced:
            return []
        parent.announced = True
        identity = SubagentIdentity(parent.title, parent.agent_type, "", can_cancel=False)
        told = self._on(parent.parent_id, SubagentChanged(parent.session_id, None, identity))
        return [*self._ancestors(parent), told]

    def _launched(self, agent_id: str, call_id: str, frame: Frame) -> Child:
        parent = self._children.get(string(frame.get("parent_task_id")))
        child = Child(
            agent_id,
            call_id,
            agent_id,
            parent.session_id if parent is not None else self._session_of_call(call_id),
            string(frame.get("description")),
            self._types.get(agent_id) or string(frame.get("subagent_type")),
        )
        self._children[agent_id] = child
        return child

    def _set_to_work(self, child: Child) -> Child:
        child.runs += 1
        child.stopping = False
        if self._draft:
            child.session_id = run_session(child.agent_id, child.runs, draft=True)
            # A session of its own has told nothing yet: what it runs with is known when it says so.
            child.told = ()
            child.mode = child.model = child.effort = ""
        return child

    def _delegated(self, child: Child, call_id: str, sender: str, prompt: str) -> Effects:
        """What the subagent is to do, as a message in both transcripts."""
        if not prompt:
            return []
        outgoing, incoming = delegation(call_id, sender, child.session_id, prompt)
        return [self._on(sender, outgoing), ToSession(child.session_id, "", incoming)]

    def _updated(self, frame: Frame) -> Effects:
        child = self._children.get(string(frame.get("task_id")))
        patch: Any = frame.get("patch")
        if child is None or not isinstance(patch, dict):
            return []
        if patch.get("is_backgrounded") is True:
            child.in_background = True
        return self._ended(child, patch["status"], "") if patch.get("status") in STOPPED else []

    def _notified(self, frame: Frame) -> Effects:
        child = self._children.get(string(frame.get("task_id")))
        if child is None:
            return []
        return self._ended(child, string(frame.get("status")), string(frame.get("summary")))

    def _ended(self, child: Child, status: str, text: str) -> Effects:
        """Its calls that got no result end right behind it; in AIR's form before it, since that ends their session."""
        if not child.work.turn_open:
            return []
        closed = self._conversation.calls.close_inner(child.launch_id, stopped=status in STOPPED)
        told = self._tell(child, WorkEvent.ENDED, ended(status, text))
        return [*closed, *told] if self._draft else [*told, *closed]

    def _hook(self, frame: Frame) -> Effects:
        """Only hooks tell a subagent's type, folder, mode and effort."""
        request: Any = frame.get("request")
        hook = request.get("input") if isinstance(request, dict) and request.get("subtype") == "hook_callback" else None
        if not isinstance(hook, dict) or not (agent_id := string(hook.get("agent_id"))):
            return []
        child = self._children.get(agent_id)
        if child is None:
            self._types[agent_id] = string(hook.get("agent_type"))
            return []
        if hook.get("hook_event_name") == "SubagentStart":
            cwd = string(hook.get("cwd"))
            moved = SubagentChanged(child.session_id, None, None, cwd)
            placed: Effects = [self._on(child.parent_id, moved)] if cwd and cwd != self._cwd else []
            return [*placed, *self._configured(child, "")]
        before = (child.mode, child.effort)
        effort = hook.get("effort")
        child.mode = string(hook.get("permission_mode")) or child.mode
        child.effort = string(effort.get("level") if isinstance(effort, dict) else effort) or child.effort
        return self._configured(child, "") if (child.mode, child.effort) != before else []

    def _spoke(self, frame: Frame) -> Effects:
        """A subagent's message names its model."""
        child = self._by_launch(string(frame.get("parent_tool_use_id")))
        message: Any = frame.get("message")
        model = string(message.get("model")) if isinstance(message, dict) else ""
        if child is None or not model or model in ("<synthetic>", child.model):
            return []
        child.model = model
        return self._configured(child, child.launch_id)

    def _configured(self, child: Child, call_id: str) -> Effects:
        options = child.options(self._config)
        if options == child.told:
            return []
        child.told = options
        return [ToSession(child.session_id, call_id, ConfigChanged(options))]

    def _tell(self, child: Child, event: WorkEvent, outcome: Outcome | None = None) -> Effects:
        """Tell the child's new state, to its parent and on its own session."""
        effects: Effects = []
        for state in child.work.tell(event, outcome):
            effects += self._told(child, state)
        return effects

    def _told(self, child: Child, state: StateChanged) -> Effects:
        changed = SubagentChanged(child.session_id, state)
        return [self._on(child.parent_id, changed), ToSession(child.session_id, "", state)]

    def _on(self, session_id: str, update: Any) -> Any:
        return update if session_id == self._session_id else ToSession(session_id, "", update)

    def _works(self, launch_id: str) -> bool:
        child = self._by_launch(launch_id)
        return child is not None and child.work.turn_open

    def _by_launch(self, call_id: str) -> Child | None:
        return next((child for child in self._children.values() if child.launch_id == call_id), None)

    def _by_session(self, session_id: str) -> Child | None:
        return next((child for child in self._children.values() if child.session_id == session_id), None)

    def _session_of_call(self, call_id: str) -> str:
        parent = self._by_launch(self._launches.parent_of(call_id))
        return parent.session_id if parent is not None else self._session_id

    def _prompt_of(self, call_id: str) -> str:
        given: Json = self._conversation.calls.input_of(call_id)
        return string(given.get("prompt")) or string(given.get("message"))
