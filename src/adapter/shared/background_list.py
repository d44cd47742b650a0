"""ACP v2's list of what runs in the background of a session, and the requests that end one item of it.

Source: draft ACP v2, *Background Work*: `StateUpdate.background`, `terminal/cancel`, `tool_call/cancel`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from adapter.shared.background_tasks import AGENT, BackgroundTasks, Task
from adapter.shared.conversation import Conversation
from adapter.shared.effects import Effects, Fail, Respond, SendControl
from adapter.shared.inputs import ControlAnswered, MethodCalled
from adapter.shared.jsonrpc.errors import ClaudeFailure, invalid_field, request_cancelled
from adapter.shared.jsonrpc.messages import RequestId
from adapter.shared.session_part import SessionPart
from adapter.shared.updates import ToSession, Update
from adapter.shared.work_updates import (
    BackgroundItem,
    BackgroundKind,
    StateChanged,
    SubagentChanged,
    TerminalAbility,
    WorkState,
)

Items = tuple[BackgroundItem, ...]
ITEM_FIELDS = {"terminal/cancel": "terminalId", "tool_call/cancel": "toolCallId"}


class BackgroundList(SessionPart):
    """Lists the background work of one session, and of its subagents, with every state that they report.

    Args:
        session_id: The session's id.
        tasks: What runs.
        conversation: Where the calls live whose commands run on.
        session_of: The session of a subagent, by its agent id; empty if it has none.
    """

    def __init__(
        self, session_id: str, tasks: BackgroundTasks, conversation: Conversation, session_of: Callable[[str], str]
    ) -> None:
        self._session_id = session_id
        self._tasks = tasks
        self._conversation = conversation
        self._session_of = session_of
        self._told: dict[str, Items] = {}
        self._states = {session_id: WorkState.IDLE}
        self._cancels: dict[str, RequestId] = {}
        self._count = 0
        self.methods = dict.fromkeys(ITEM_FIELDS, self._cancel)
        self.answers = {"cancel_item": self._cancelled}

    def rewrite(self, effects: Effects) -> Effects:
        """Give each state its list; a list that changes without a state is told with the state as it was."""
        listed = self._listed()
        if (
            not listed
            and not self._told
            and not any(isinstance(effect, StateChanged | ToSession) for effect in effects)
        ):
            return effects
        rewritten = [self._stamped(effect, listed) for effect in effects]
        for session_id in [*self._told, *(known for known in listed if known not in self._told)]:
            rewritten += self._news(session_id, listed.get(session_id, ()))
        return rewritten

    def process_gone(self) -> Effects:
        """Whoever wanted something stopped has what was asked for."""
        return self._settle_all(lambda request: Respond(request, {}))

    def session_over(self) -> Effects:
        """Nothing more of the session is stopped one by one."""
        return self._settle_all(lambda request: Fail(request, request_cancelled("the session is closed")))

    def _listed(self) -> dict[str, Items]:
        """What works in the background, by the session that it belongs to."""
        listed: dict[str, Items] = {}
        for task in self._tasks.in_background():
            item = self._item(task)
            owner = self._session_of(task.parent_id) if task.parent_id else self._session_id
            if item is not None:
                listed[owner] = (*listed.get(owner, ()), item)
        return listed

    def _item(self, task: Task) -> BackgroundItem | None:
        """A task as its client knows it; `None` as long as the client cannot know it."""
        if task.kind == AGENT:
            session_id = self._session_of(task.id)
            return BackgroundItem(BackgroundKind.SUBAGENT, session_id, task.id) if session_id else None
        calls = self._conversation.calls
        if not task.call_id or calls.is_open(task.call_id):
            return None
        kind = BackgroundKind.TERMINAL if calls.runs_command(task.call_id) else BackgroundKind.TOOL_CALL
        return BackgroundItem(kind, task.call_id, task.id)

    def _stamped(self, effect: Any, listed: dict[str, Items]) -> Any:
        match effect:
            case StateChanged():
                return self._with_list(self._session_id, effect, listed)
            case ToSession(update=StateChanged() as state):
                return replace(effect, update=self._with_list(effect.session_id, state, listed))
            case SubagentChanged(state=StateChanged() as state):
                return replace(effect, state=replace(state, background=listed.get(effect.session_id, ())))
            case ToSession(update=SubagentChanged(state=StateChanged() as state) as changed):
                stamped = replace(state, background=listed.get(changed.session_id, ()))
                return replace(effect, update=replace(changed, state=stamped))
            case _:
                return effect

    def _with_list(self, session_id: str, state: StateChanged, listed: dict[str, Items]) -> StateChanged:
        """A state whose list has news that must be told before it keeps the list that was told."""
        items = listed.get(session_id, ())
        self._states[session_id] = state.state
        if not set(items) <= set(self._told.get(session_id, ())):
            return replace(state, background=self._told.get(session_id, ()))
        self._told[session_id] = items
        return replace(state, background=items)

    def _news(self, session_id: str, items: Items) -> Effects:
        """What has changed in a session's list since it was last told."""
        told = self._told.get(session_id, ())
        if items == told:
            return []
        self._told[session_id] = items
        if not items:
            del self._told[session_id]
        terminals = [item for item in items if item not in told and item.kind is BackgroundKind.TERMINAL]
        abilities = [TerminalAbility(item.id, self._conversation.calls.command_of(item.id)) for item in terminals]
        state = StateChanged(self._states.get(session_id, WorkState.IDLE), background=items)
        if session_id == self._session_id:
            return [*abilities, state]
        updates: list[Update] = [*abilities, state]
        return [ToSession(session_id, "", update) for update in updates]

    def _cancel(self, event: MethodCalled) -> Effects:
        field = ITEM_FIELDS[event.method]
        identity = event.params[field]
        items = (item for items in self._listed().values() for item in items)
        kinds = (BackgroundKind.TERMINAL,) if field == "terminalId" else (BackgroundKind.TOOL_CALL,)
        item = next((item for item in items if item.id == identity and item.kind in kinds), None)
        if item is None:
            return [Fail(event.request, invalid_field(field, f"{identity} does not run in the background"))]
        self._count += 1
        key = f"cancel_item {self._count}"
        self._cancels[key] = event.request
        return [SendControl(key, {"subtype": "stop_task", "task_id": item.task_id})]

    def _cancelled(self, event: ControlAnswered) -> Effects:
        if event.key not in self._cancels:
            return []
        request = self._cancels.pop(event.key)
        return [Fail(request, ClaudeFailure("control_failed", event.error)) if event.error else Respond(request, {})]

    def _settle_all(self, settle: Callable[[RequestId], Any]) -> Effects:
        requests = list(self._cancels.values())
        self._cancels.clear()
        return [settle(request) for request in requests]
