"""One plan from two kinds of to-do tools; a change counts when its result says that it was made."""

from __future__ import annotations

from typing import Any

import pytest

from adapter.shared.plan import PlanKeeper, is_plan_tool
from adapter.shared.updates import PlanChanged, PlanEntry
from shared.tools.contexts import failed, ran


class Session:
    """A plan, and the calls that change it."""

    def __init__(self, *, repeats: bool = True) -> None:
        self.plan = PlanKeeper(repeats=repeats)
        self._count = 0
        self.times = 0

    def call(self, tool: str, tool_input: dict[str, Any], result: Any) -> PlanChanged | None:
        """A call with its result; what the result tells, be it once or twice."""
        self._count += 1
        name = f"call {self._count}"
        assert self.plan.began(name, tool, tool_input) is None
        assert self.plan.knows(name)
        told = self.plan.ended(name, result)
        assert not self.plan.knows(name)
        assert len(set(told)) <= 1
        self.times = len(told)
        return told[0] if told else None

    def create(self, number: str, subject: str, **more: Any) -> PlanChanged | None:
        made = ran("ok", {"task": {"id": number, "subject": subject}})
        return self.call("TaskCreate", {"subject": subject, **more}, made)

    def update(self, number: str, *, success: Any = True, **more: Any) -> PlanChanged | None:
        made = ran("ok", {"success": success, "taskId": number})
        return self.call("TaskUpdate", {"taskId": number, **more}, made)

    def entries(self) -> list[tuple[str, str]]:
        """The plan as it is now."""
        told = self.update("none", success=False)
        assert told is not None
        return [(entry.content, entry.status) for entry in told.entries]


@pytest.fixture
def session() -> Session:
    session = Session()
    session.create("1", "Read it", activeForm="Reading it")
    session.create("2", "Mend it")
    return session


def plan(*entries: tuple[str, str]) -> PlanChanged:
    return PlanChanged(tuple(PlanEntry(content, status) for content, status in entries))


def test_the_todo_tools_are_known() -> None:
    tools = ("TodoWrite", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet")
    assert all(is_plan_tool(tool) for tool in tools)
    assert not any(is_plan_tool(tool) for tool in ("Task", "TaskStop", "Bash", ""))


def test_a_written_list_is_the_plan() -> None:
    todos = [
        {"content": "Read it", "status": "completed", "activeForm": "Reading it"},
        {"content": "Mend it", "status": "in_progress", "activeForm": "Mending it"},
        {"content": "Test it", "status": "pending", "activeForm": "Testing it"},
        {"content": "No form", "status": "in_progress"},
        {"content": "Odd", "status": "blocked"},
        "no entry",
        {},
    ]
    told = PlanKeeper().began("c", "TodoWrite", {"todos": todos})
    assert told == plan(
        ("Read it", "completed"),
        ("Mending it", "in_progress"),
        ("Test it", "pending"),
        ("No form", "in_progress"),
        ("Odd", "pending"),
        ("", "pending"),
    )


@pytest.mark.parametrize("todos", [None, "text", {"content": "x"}])
def test_a_list_of_another_form_is_no_plan(todos: Any) -> None:
    assert PlanKeeper().began("c", "TodoWrite", {"todos": todos}) is None


def test_the_result_of_a_written_list_tells_nothing_more() -> None:
    keeper = PlanKeeper()
    keeper.began("c", "TodoWrite", {"todos": []})
    assert keeper.ended("c", ran("ok", {"newTodos": []})) == []


def test_tasks_are_added_one_by_one() -> None:
    session = Session()
    assert session.create("1", "Read it") == plan(("Read it", "pending"))
    assert session.create("2", "Mend it") == plan(("Read it", "pending"), ("Mend it", "pending"))


def test_a_task_changes_where_it_stands(session: Session) -> None:
    assert session.update("1", status="in_progress") == plan(("Reading it", "in_progress"), ("Mend it", "pending"))
    assert session.update("1", status="completed") == plan(("Read it", "completed"), ("Mend it", "pending"))
    assert session.update("2", subject="Mend all", activeForm="Mending all") == plan(
        ("Read it", "completed"), ("Mend all", "pending")
    )
    assert session.update("2", status="in_progress") == plan(("Read it", "completed"), ("Mending all", "in_progress"))


def test_an_unknown_status_changes_nothing(session: Session) -> None:
    session.update("1", status="in_progress")
    session.update("1", status="blocked")
    assert session.entries() == [("Reading it", "in_progress"), ("Mend it", "pending")]


def test_a_task_can_be_deleted(session: Session) -> None:
    assert session.update("1", status="deleted") == plan(("Mend it", "pending"))
    assert session.update("1", status="deleted") == plan(("Mend it", "pending"))


@pytest.mark.parametrize("success", [False, None, "true"])
def test_a_change_that_was_not_made_is_not_shown(session: Session, success: Any) -> None:
    session.update("1", success=success, status="completed")
    assert session.entries() == [("Read it", "pending"), ("Mend it", "pending")]


@pytest.mark.parametrize("result", [failed("no"), ran("text"), ran("text", "Error"), ran("text", [1])])
def test_a_call_that_failed_tells_nothing(session: Session, result: Any) -> None:
    assert session.call("TaskUpdate", {"taskId": "1", "status": "completed"}, result) is None
    assert session.call("TaskCreate", {"subject": "x"}, result) is None
    assert session.entries() == [("Read it", "pending"), ("Mend it", "pending")]


def test_a_list_says_what_there_is(session: Session) -> None:
    listed = [
        {"id": "2", "subject": "Mend it", "status": "completed"},
        {"id": "1", "subject": "Read all", "status": "in_progress"},
        {"id": "7", "subject": "New", "status": "odd"},
        "no task",
    ]
    assert session.call("TaskList", {}, ran("ok", {"tasks": listed})) == plan(
        ("Mend it", "completed"), ("Reading it", "in_progress"), ("New", "pending")
    )


@pytest.mark.parametrize("made", [{"tasks": None}, {"tasks": {}}, {}, {"task": []}])
def test_a_result_of_another_form_changes_nothing(session: Session, made: dict[str, Any]) -> None:
    for tool in ("TaskList", "TaskCreate", "TaskGet"):
        session.call(tool, {}, ran("ok", made))
    assert session.entries() == [("Read it", "pending"), ("Mend it", "pending")]


@pytest.mark.parametrize(("repeats", "times"), [(True, 2), (False, 1)])
def test_a_task_that_is_made_or_completed_is_told_twice_where_repeats_are_expected(repeats: bool, times: int) -> None:
    session = Session(repeats=repeats)
    session.create("1", "Read it")
    assert session.times == times
    session.update("1", status="in_progress")
    assert session.times == 1
    session.update("1", status="completed")
    assert session.times == times


def test_a_plan_that_is_the_same_is_repeated_only_for_clients_that_expect_it() -> None:
    assert Session(repeats=True).call("TaskList", {}, ran("ok", {"tasks": []})) == plan()
    session = Session(repeats=False)
    assert session.create("1", "Read it") == plan(("Read it", "pending"))
    assert session.update("1", status="pending") is None
    assert session.update("1", status="completed") == plan(("Read it", "completed"))
    todos = {"todos": [{"content": "Read it", "status": "completed"}]}
    assert session.plan.began("c", "TodoWrite", todos) is None


def test_a_change_of_a_task_that_we_do_not_know_needs_a_name_to_be_shown() -> None:
    session = Session()
    assert session.update("9", status="completed", subject="Found") == plan(("Found", "completed"))


def test_a_change_of_an_unknown_task_without_a_name_is_not_shown() -> None:
    assert Session().update("9", status="completed") in (None, plan())
