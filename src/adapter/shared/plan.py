"""One plan from two kinds of to-do tools: TodoWrite sends all entries, the Task* tools one change at a time.

Sources: Claude Code's tool inputs and results. A change counts only when its result says that it was made.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from adapter.shared.tools.facts import Json, ToolResult
from adapter.shared.tools.text import string
from adapter.shared.updates import PlanChanged, PlanEntry

PLAN_TOOLS = frozenset({"TodoWrite", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet"})
STATUSES = frozenset({"pending", "in_progress", "completed"})


@dataclass(frozen=True, slots=True)
class Task:
    """An entry of the Task* list. `active_form` is what it is called while it is worked on."""

    subject: str
    status: str = "pending"
    active_form: str = ""


class PlanKeeper:
    """The plan of a session.

    Args:
        repeats: Tell the plan of the Task* tools after each call, also when it is the same as before, and again when a
            task is made or completed.
    """

    def __init__(self, *, repeats: bool = True) -> None:
        self._repeats = repeats
        self._inputs: dict[str, tuple[str, Json]] = {}
        self._tasks: dict[str, Task] = {}
        self._told: PlanChanged | None = None

    def tasks(self) -> Json:
        """The Task* list as plain JSON: id to subject, status and active form."""
        return {task_id: [task.subject, task.status, task.active_form] for task_id, task in self._tasks.items()}

    def recall(self, tasks: Json) -> None:
        """The Task* list is known from before, as `tasks` gives it."""
        self._tasks = {task_id: Task(*map(string, task)) for task_id, task in tasks.items()}

    def knows(self, call_id: str) -> bool:
        """Whether a call is one of a to-do tool."""
        return call_id in self._inputs

    def began(self, call_id: str, tool_name: str, tool_input: Json) -> PlanChanged | None:
        """A to-do tool's input is complete. TodoWrite's is the plan; the others' results say what became of theirs."""
        self._inputs[call_id] = (tool_name, tool_input)
        return self._tell(_todo_plan(tool_input)) if tool_name == "TodoWrite" else None

    def ended(self, call_id: str, result: ToolResult) -> list[PlanChanged]:
        """A to-do tool's result has come: the plan as it is now, as often as it is to be told."""
        tool_name, tool_input = self._inputs.pop(call_id, ("", {}))
        if result.failed or tool_name == "TodoWrite" or not isinstance(result.structured, dict):
            return []
        self._apply(tool_name, tool_input, result.structured)
        plan = self._tell(PlanChanged(tuple(_entry(task) for task in self._tasks.values())))
        marks = tool_name == "TaskCreate" or string(tool_input.get("status")) == "completed"
        return [] if plan is None else [plan, plan] if marks and self._repeats else [plan]

    def start_over(self) -> PlanChanged:
        """A fresh conversation has no plan yet."""
        self._inputs.clear()
        self._tasks.clear()
        self._told = PlanChanged(())
        return self._told

    def _tell(self, plan: PlanChanged | None) -> PlanChanged | None:
        if plan is None or (plan == self._told and not self._repeats):
            return None
        self._told = plan
        return plan

    def _apply(self, tool_name: str, tool_input: Json, made: Json) -> None:
        if tool_name == "TaskCreate" and isinstance(made.get("task"), dict):
            created = made["task"]
            active = string(tool_input.get("activeForm"))
            self._tasks[string(created.get("id"))] = Task(string(created.get("subject")), active_form=active)
        elif tool_name == "TaskUpdate" and made.get("success") is True:
            self._update(string(made.get("taskId")), tool_input)
        elif tool_name == "TaskList" and isinstance(made.get("tasks"), list):
            self._tasks = {
                string(task.get("id")): self._listed(task) for task in made["tasks"] if isinstance(task, dict)
            }

    def _update(self, task_id: str, tool_input: Json) -> None:
        status = string(tool_input.get("status"))
        if status == "deleted":
            self._tasks.pop(task_id, None)
            return
        task = self._tasks.get(task_id, Task(string(tool_input.get("subject"))))
        if not task.subject:
            # Its creation is not in what we have seen, and a step without a text says nothing.
            return
        self._tasks[task_id] = Task(
            string(tool_input.get("subject")) or task.subject,
            status if status in STATUSES else task.status,
            string(tool_input.get("activeForm")) or task.active_form,
        )

    def _listed(self, listed: Json) -> Task:
        known = self._tasks.get(string(listed.get("id")), Task(""))
        status = string(listed.get("status"))
        return replace(known, subject=string(listed.get("subject")), status=status if status in STATUSES else "pending")


def _todo_plan(tool_input: Json) -> PlanChanged | None:
    todos = tool_input.get("todos")
    if not isinstance(todos, list):
        return None
    tasks = (_todo(todo) for todo in todos if isinstance(todo, dict))
    return PlanChanged(tuple(_entry(task) for task in tasks))


def _todo(todo: Json) -> Task:
    status = string(todo.get("status"))
    known = status if status in STATUSES else "pending"
    return Task(string(todo.get("content")), known, string(todo.get("activeForm")))


def _entry(task: Task) -> PlanEntry:
    shown = task.active_form if task.status == "in_progress" and task.active_form else task.subject
    return PlanEntry(shown, task.status)


def is_plan_tool(tool_name: Any) -> bool:
    """Whether a tool's calls are shown as the plan."""
    return tool_name in PLAN_TOOLS
